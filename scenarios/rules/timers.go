package rules

// timerRules are about watchdogs and time-outs.
func timerRules() []Rule {
	return []Rule{
		{
			Code: "RS601", Name: "watchdog-blind", Severity: Warning,
			Title:      "the watchdog cannot see storms between switches",
			Why:        "It counts pause frames, and switches send each only once.",
			Arithmetic: "switch.pfc.infinite, or refresh 0 with the broadcom condition",
			Remedy:     "set switch.pfc: {infinite: false, refresh: 50%}",
			Source:     "SONiC, orchagent/pfc_detect_broadcom.lua",
		},
		{
			Code: "RS602", Name: "retries-end-before-watchdog", Severity: Warning,
			Title:      "queue pairs give up before the watchdog has ended a storm",
			Why:        "The watchdog saves the fabric, and the applications have failed all the same.",
			Arithmetic: "nic.timeout x (retry_count + 1) < detect + restore (times scaled by ports)",
			Remedy:     "raise nic.timeout or retry_count, or shorten the watchdog's times",
			Source:     "SONiC pfcwd: 200 ms, times ceil(ports / 32); NCCL_IB_TIMEOUT: 4.096 us x 2^T",
		},
		{
			Code: "RS603", Name: "nic-watchdog-late", Severity: Warning,
			Title:      "switches act on a storm before its NIC does",
			Why:        "The port of a NIC that would have stopped by itself is cut off.",
			Arithmetic: "nic.watchdog.after >= switch.watchdog.detect",
			Remedy:     "set nic.watchdog.after below detect (100 ms is usual)",
			Source:     "Guo et al., SIGCOMM 2016, section 4.3",
		},
		{
			Code: "RS604", Name: "watchdog-differs", Severity: Warning,
			Title:      "neighbouring switches watch with different times, or only one does",
			Why:        "The patient one keeps pausing while the other already drops: who loses traffic depends on who looks first.",
			Arithmetic: "poll, detect or restore differ between the two ends of a link",
			Remedy:     "give both the same switch.watchdog; scale_ports multiplies by ceil(ports / 32), so pin the times where port counts differ",
			Source:     "SONiC pfcwd start_default scales with the ports",
		},
		{
			Code: "RS605", Name: "watchdog-hasty", Severity: Warning,
			Title:      "the watchdog takes pauses of congestion for storms",
			Why:        "It drops a lossless class whose peer is slow, not stuck: lossless packets are lost though nothing is broken.",
			Arithmetic: "switch.watchdog.detect < the longest pause that is no storm: of an incast of n ingress ports n x (XOFF - XON) / rate of the receiver, of a slow host nic.receive.hiccup.for + (xoff - xon) / drain; with action alert it is info",
			Remedy:     "set switch.watchdog.detect and restore above the pause shown, or XON nearer to XOFF (switch.lossless.xon_offset)",
			Source:     "SONiC pfcwd: 200 ms by default; Guo et al., SIGCOMM 2016, section 4.3",
		},
	}
}

// lintRules are about the file's own lint section.
func lintRules() []Rule {
	return []Rule{
		{
			Code: "RS901", Name: "unused-ignore", Severity: Info,
			Title:      "an entry of lint.ignore matches no finding",
			Why:        "The mistake is gone, or the entry never meant what it says; it would hide the next one.",
			Arithmetic: "no finding of the rule at a place that where names",
			Remedy:     "remove the entry, or correct code and where",
			Source:     "-",
		},
	}
}
