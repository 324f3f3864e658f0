package results

import "rocesim/sim"

func (l *layout) nicTable() table {
	nic := func(i int) *NICRow { return &l.NICs[i] }
	count := func(name, doc string, field func(*NICRow) *int64) column {
		return intColumn(name, doc, func(i int) *int64 { return field(nic(i)) })
	}
	return table{"nics.csv", "One row per NIC, with the names of Linux hw_counters; all but the names and the algorithm are counts.", len(l.NICs), []column{
		l.nodeColumn("node", "host", func(i int) *int32 { return &nic(i).Node }),
		textColumn("nic", "NIC", func(i int) *string { return &nic(i).Name }),
		textColumn("congestion_control", "algorithm that notifications act on; empty if none does", func(i int) *string { return &nic(i).CongestionControl }),
		count("np_cnp_sent", "congestion notification packets sent as a receiver of data", func(n *NICRow) *int64 { return &n.CNPSent }),
		count("np_ecn_marked_roce_packets", "data packets received with ECN congestion experienced", func(n *NICRow) *int64 { return &n.ECNMarked }),
		count("rp_cnp_handled", "congestion notification packets acted upon as a sender of data", func(n *NICRow) *int64 { return &n.CNPHandled }),
		count("rp_cnp_ignored", "congestion notification packets not acted upon", func(n *NICRow) *int64 { return &n.CNPIgnored }),
		count("out_of_sequence", "packets received beyond the expected sequence number", func(n *NICRow) *int64 { return &n.OutOfSequence }),
		count("packet_seq_err", "NAKs received for a sequence error", func(n *NICRow) *int64 { return &n.PacketSeqErr }),
		count("duplicate_request", "packets received again", func(n *NICRow) *int64 { return &n.DuplicateRequest }),
		count("local_ack_timeout_err", "retransmission timers that ran out", func(n *NICRow) *int64 { return &n.AckTimeouts }),
		count("req_transport_retries_exceeded", "queue pairs that gave up", func(n *NICRow) *int64 { return &n.RetriesExceeded }),
		count("out_of_buffer", "packets dropped for want of a receive buffer", func(n *NICRow) *int64 { return &n.OutOfBuffer }),
		count("rx_buffer_peak_bytes", "most that the receive buffer held; 0 if it is not modelled", func(n *NICRow) *int64 { return &n.ReceivePeak }),
		count("tx_pause_storm_error_events", "how often the NIC's watchdog stopped its pauses", func(n *NICRow) *int64 { return &n.StormErrors }),
		count("retransmitted_packets", "data packets sent again (real NICs do not count them)", func(n *NICRow) *int64 { return &n.Retransmitted }),
	}, grow(&l.NICs)}
}

func (l *layout) pauseTable() table {
	pause := func(i int) *Pause { return &l.Pauses[i] }
	columns := append(l.portColumns(func(i int) *int32 { return &pause(i).Port }),
		intColumn("priority", "priority that was paused", func(i int) *uint8 { return &pause(i).Priority }),
		timeColumn("from_us", "when the port stopped sending it", false, func(i int) *sim.Time { return &pause(i).From }),
		timeColumn("to_us", "when the port was allowed to send again, or the run ended", false, func(i int) *sim.Time { return &pause(i).To }),
	)
	return table{"pauses.csv", "One row per time for which a port was not allowed to send a priority.", len(l.Pauses), columns, grow(&l.Pauses)}
}

func (l *layout) stormTable() table {
	storm := func(i int) *StormRow { return &l.Storms[i] }
	columns := append(l.portColumns(func(i int) *int32 { return &storm(i).Port }),
		intColumn("priority", "priority whose pauses did not end", func(i int) *uint8 { return &storm(i).Priority }),
		textColumn("action", "what the watchdog did: drop, forward or alert", func(i int) *string { return &storm(i).Action }),
		timeColumn("detected_us", "when the watchdog acted", false, func(i int) *sim.Time { return &storm(i).Detected }),
		timeColumn("restored_us", "when PFC worked again; empty if it did not before the run ended", true, func(i int) *sim.Time { return &storm(i).Restored }),
		intColumn("tx_ok_packets", "packets sent from the queue during the storm", func(i int) *int64 { return &storm(i).TxOK }),
		intColumn("tx_dropped_packets", "packets dropped at the queue", func(i int) *int64 { return &storm(i).TxDropped }),
		intColumn("rx_ok_packets", "packets received in the class from the port during the storm", func(i int) *int64 { return &storm(i).RxOK }),
		intColumn("rx_dropped_packets", "packets received in the class and dropped", func(i int) *int64 { return &storm(i).RxDropped }),
	)
	return table{"storms.csv", "One row per storm that a PFC watchdog detected, with the counters of \"show pfcwd stats\".", len(l.Storms), columns, grow(&l.Storms)}
}

func (l *layout) dropTable() table {
	drop := func(i int) *DropRow { return &l.Drops[i] }
	columns := append(l.portColumns(func(i int) *int32 { return &drop(i).Port }),
		intColumn("priority", "priority of the packets at that port", func(i int) *uint8 { return &drop(i).Priority }),
		flagColumn("lossless_flag", "1 if PFC should have prevented it, else 0", func(i int) *bool { return &drop(i).Lossless }),
		textColumn("cause", "why they were dropped", func(i int) *string { return &drop(i).Cause }),
		textColumn("kind", "data, ack, nak, cnp or datagram", func(i int) *string { return &drop(i).Kind }),
		intColumn("dscp", "code point of the packets", func(i int) *uint8 { return &drop(i).DSCP }),
		intColumn("sent_dscp", "code point that their sender gave them; another than dscp if a switch remarked them", func(i int) *uint8 { return &drop(i).SentDSCP }),
		intColumn("dropped_packets", "packets dropped", func(i int) *int64 { return &drop(i).Packets }),
		intColumn("dropped_bytes", "frame bytes dropped", func(i int) *int64 { return &drop(i).Bytes }),
		timeColumn("first_us", "when the first of them was dropped", false, func(i int) *sim.Time { return &drop(i).First }),
	)
	return table{"drops.csv", "One row per port, priority, kind of packet, code points and cause of drops.", len(l.Drops), columns, grow(&l.Drops)}
}

func (l *layout) pathTable() table {
	hop := func(i int) *PathHop { return &l.Paths[i] }
	columns := append([]column{intColumn("flow", "number of the flow", func(i int) *uint32 { return &hop(i).Flow })},
		l.portColumns(func(i int) *int32 { return &hop(i).Port })...)
	columns = append(columns,
		textColumn("kind", "data on the way there; ack, or cnp where congestion control listens to them, on the way back", func(i int) *string { return &hop(i).Kind }),
		intColumn("priority", "priority of these packets at that port", func(i int) *uint8 { return &hop(i).Priority }))
	return table{"paths.csv", "The ports that packets of the slowest flows of each workload, and the answers to them, were sent from, hop by hop.", len(l.Paths), columns, grow(&l.Paths)}
}

func (l *layout) latencyTable() table {
	part := func(i int) *LatencyPart { return &l.Latency[i] }
	return table{"latency.csv", "What one message's latency on an idle fabric consists of.", len(l.Latency), []column{
		textColumn("path", "the message", func(i int) *string { return &part(i).Path }),
		textColumn("component", "part of the path", func(i int) *string { return &part(i).Component }),
		textColumn("kind", "nic, wire, switch or queue", func(i int) *string { return &part(i).Kind }),
		{"time_ns", "nanoseconds spent there", func(b []byte, i int) []byte { return appendDecimal(b, int64(part(i).Time), 3) },
			func(i int, text string) error {
				v, err := parseDecimal(text, 3)
				part(i).Time = sim.Time(v)
				return err
			}},
	}, grow(&l.Latency)}
}
