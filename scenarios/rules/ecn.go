package rules

// ecnRules are about marking.
func ecnRules() []Rule {
	return []Rule{
		{
			Code: "RS301", Name: "ecn-after-pfc", Severity: Warning,
			Title:      "PFC comes before ECN",
			Why:        "Senders are stopped before they are told to slow down; DCQCN sees nothing until PFC has spread.",
			Arithmetic: "Kmin >= k x XOFF(N), where k ingress ports feed the queue, N groups fill the memory of theirs that is fullest (a chip with one memory has all groups there), and XOFF(N) = reserved + alpha x pool / (1 + N x alpha); found at k = 2 with N = 2, the smallest incast, or N = 1 where no two ports that can meet in the queue share a memory, and at the k and N of each incast of the workload (a leaf with incasts to several receivers, or in several classes, fills more groups than feed one queue)",
			Remedy:     "lower switch.ecn.kmin below the figure shown, or raise the threshold (switch.lossless)",
			Source:     "Zhu et al., SIGCOMM 2015, section 4; Choudhury and Hahne, ToN 1998; sonic-mgmt issue 7113",
		},
		{
			Code: "RS302", Name: "kmax-above-xoff", Severity: Info,
			Title:      "PFC comes before all packets are marked",
			Why:        "The steep part of the marking curve is never reached in a small incast; Kmin still acts first.",
			Arithmetic: "Kmax >= k x XOFF(N) > Kmin at the k and N of the smallest incast",
			Remedy:     "lower switch.ecn.kmax if PFC shall be the last resort",
			Source:     "as RS301",
		},
		{
			Code: "RS303", Name: "wred-drops-lossless", Severity: Warning,
			Title:      "WRED drops packets of a lossless queue",
			Why:        "ACKs are not ECN-capable and share the queue of the data: they are dropped where data is marked, long before PFC.",
			Arithmetic: "a lossless queue has an ECN profile that is not mark_only",
			Remedy:     "set switch.ecn.mark_only: true",
			Source:     "sonic-buildimage issue 27606; RFC 3168 section 6.1",
		},
		{
			Code: "RS304", Name: "ecn-not-monotone", Severity: Warning,
			Title:      "a faster port marks earlier than a slower one",
			Why:        "A queue of the same bytes lasts shorter on a faster port; thresholds that fall with the rate cost throughput there, or delay elsewhere. It is usually a slip in a table.",
			Arithmetic: "Kmin or Kmax of a rate is below that of a lower rate of the same switch",
			Remedy:     "give rising rows in switch.ecn.table, or switch.ecn.per",
			Source:     "aliyun/SimAI SimAI.conf has falling rows; Alibaba scales with the rate (HPCC issue 21)",
		},
		{
			Code: "RS305", Name: "speed-step-overshoot", Severity: Warning,
			Title:      "a fast sender overruns a slow receiver before it hears of it",
			Why:        "Until the first notification is back, the queue grows by the difference of the rates: beyond Kmax every packet is marked and the rate collapses (info), beyond XOFF PFC fires for a single flow.",
			Arithmetic: "Kmin + (sender's rate - receiver's rate) x (CNP delay + round trip) > XOFF of one group",
			Remedy:     "lower switch.ecn.kmin, shorten nic.cnp.delay, or raise the threshold (switch.lossless)",
			Source:     "aliyun/ns-3-alibabacloud issue 12: 100G to 25G",
		},
		{
			Code: "RS306", Name: "kmax-above-bdp", Severity: Info,
			Title:      "queues grow to many round trips before all packets are marked",
			Why:        "What waits beyond a few bandwidth-delay products adds delay to all that share the port, and little throughput. Vendors' and clouds' profiles often go far beyond, to take bursts.",
			Arithmetic: "Kmax > 3 x rate of the port x idle round trip of the longest path to a port of that rate, at ports to receivers",
			Remedy:     "lower switch.ecn.kmax and kmin in proportion if latency counts more than the throughput of bursts",
			Source:     "Huawei AI Fabric: Kmax of 2 to 3 bandwidth-delay products (250 KB at 100G and 20 us)",
		},
	}
}
