package results

import (
	"rocesim/sim"
)

// tables returns the CSV files of a run directory. Names of columns end in
// their unit; names of counters are those that Linux (ethtool, hw_counters)
// and SONiC (SAI) use, with N for the row's priority.
func (r *Run) tables() []table {
	return append([]table{r.flowTable(), r.counterTable(), r.linkTable(), r.nicTable(), r.pauseTable(), r.dropTable(), r.latencyTable()},
		r.seriesTables()...)
}

func (r *Run) flowTable() table {
	flow := func(i int) *FlowRow { return &r.Flows[i] }
	return table{"flows.csv", "One row per flow, which is one message: a work request from posting to completion.", len(r.Flows), []column{
		intColumn("flow", "number of the flow in the scenario's order", func(i int) int64 { return int64(flow(i).ID) }),
		textColumn("workload", "name of its workload", func(i int) string { return r.Workloads[flow(i).Workload].Name }),
		textColumn("src", "host that sends the data", func(i int) string { return r.Nodes[flow(i).Src] }),
		textColumn("dst", "host that receives it", func(i int) string { return r.Nodes[flow(i).Dst] }),
		intColumn("priority", "PFC priority of the data", func(i int) int64 { return int64(flow(i).Priority) }),
		intColumn("udp_source_port", "UDP source port, which ECMP hashes", func(i int) int64 { return int64(flow(i).SourcePort) }),
		intColumn("size_bytes", "payload asked for", func(i int) int64 { return flow(i).Bytes }),
		intColumn("measured_bytes", "payload delivered after the warm-up", func(i int) int64 { return flow(i).Measured }),
		timeColumn("start_us", "when the work request was posted", false, func(i int) sim.Time { return flow(i).Start }),
		timeColumn("delivered_us", "when the last byte was in the receiver's memory; empty if it was not", true, func(i int) sim.Time { return flow(i).Delivered }),
		timeColumn("completed_us", "when the sender had the completion (last ACK); empty if it had not", true, func(i int) sim.Time { return flow(i).Completed }),
		timeColumn("ideal_us", "completion time of the flow alone on an idle fabric; empty if not known", true, func(i int) sim.Time { return flow(i).Ideal }),
		timeColumn("fct_us", "flow completion time: completed_us - start_us; empty if not finished", true, func(i int) sim.Time { return flow(i).FCT() }),
		column{"slowdown_ratio", "fct_us / ideal_us; empty if either is", func(b []byte, i int) []byte {
			if s := flow(i).Slowdown(); s > 0 {
				return appendFloat(b, s)
			}
			return b
		}},
		textColumn("unfinished_reason", "why there is no completion: run-ended, retries-exceeded, datagram, never-started; empty if there is one",
			func(i int) string { return flow(i).Unfinished.String() }),
	}}
}

// portColumns are the columns that say which port a row belongs to.
func (r *Run) portColumns(port func(i int) int32) []column {
	row := func(i int) *PortRow { return &r.Ports[port(i)] }
	return []column{
		textColumn("node", "switch or host that owns the port", func(i int) string { return r.Nodes[row(i).Node] }),
		intColumn("port", "number of the port on its node", func(i int) int64 { return int64(row(i).Number) }),
		textColumn("peer", "node at the other end of the cable", func(i int) string { return r.Nodes[row(i).Peer] }),
	}
}

func (r *Run) counterTable() table {
	port := func(i int) int32 { return r.Queues[i].Port }
	count := func(name, doc string, of func(*QueueRow) int64) column {
		return intColumn(name, doc, func(i int) int64 { return of(&r.Queues[i]) })
	}
	span := func(name, doc string, of func(*QueueRow) sim.Time) column {
		return timeColumn(name, doc, false, func(i int) sim.Time { return of(&r.Queues[i]) })
	}
	columns := append(r.portColumns(port),
		count("priority", "priority, which is also the number of queue and priority group", func(q *QueueRow) int64 { return int64(q.Priority) }),
		count("lossless_flag", "1 if PFC protects the priority here, else 0", func(q *QueueRow) int64 { return oneIf(q.Lossless) }),
		count("tx_prioN_packets", "frames sent", func(q *QueueRow) int64 { return q.TxPackets }),
		count("tx_prioN_bytes", "bytes sent, with FCS, without preamble and inter-frame gap", func(q *QueueRow) int64 { return q.TxBytes }),
		count("rx_prioN_packets", "frames received", func(q *QueueRow) int64 { return q.RxPackets }),
		count("rx_prioN_bytes", "bytes received", func(q *QueueRow) int64 { return q.RxBytes }),
		count("tx_prioN_pause_frames", "PFC frames sent that name the priority, XOFF and XON (ethtool tx_prioN_pause, SAI_PORT_STAT_PFC_N_TX_PKTS)", func(q *QueueRow) int64 { return q.TxPause }),
		count("rx_prioN_pause_frames", "the same received (ethtool rx_prioN_pause, SAI_PORT_STAT_PFC_N_RX_PKTS)", func(q *QueueRow) int64 { return q.RxPause }),
		count("tx_prioN_xoff_frames", "those of the PFC frames sent that pause, refreshes included", func(q *QueueRow) int64 { return q.TxXoff }),
		count("rx_prioN_xoff_frames", "those of the PFC frames received that pause", func(q *QueueRow) int64 { return q.RxXoff }),
		span("rx_prioN_pause_duration_us", "time for which the port was not allowed to send (ethtool rx_prioN_pause_duration, SAI_PORT_STAT_PFC_N_RX_PAUSE_DURATION_US)", func(q *QueueRow) sim.Time { return q.RxPaused }),
		span("tx_prioN_pause_duration_us", "time for which the port kept its peer from sending", func(q *QueueRow) sim.Time { return q.TxPaused }),
		count("rx_prioN_pause_transition_count", "changes from sending to paused (ethtool rx_prioN_pause_transition)", func(q *QueueRow) int64 { return q.RxTransitions }),
		column{"first_xoff_us", "when the first XOFF was sent; empty if none was", func(b []byte, i int) []byte {
			if r.Queues[i].TxXoff == 0 {
				return b
			}
			return appendMicros(b, r.Queues[i].FirstXoff)
		}},
	)
	return table{"counters.csv", "One row per port and priority that carried or paused anything. N stands for the row's priority.",
		len(r.Queues), append(columns, r.bufferColumns()...)}
}

// bufferColumns are the counters of the switch's memory.
func (r *Run) bufferColumns() []column {
	count := func(name, doc string, of func(*QueueRow) int64) column {
		return intColumn(name, doc, func(i int) int64 { return of(&r.Queues[i]) })
	}
	return []column{
		count("SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", "deepest egress queue", func(q *QueueRow) int64 { return q.PeakQueue }),
		floatColumn("queue_mean_bytes", "mean over time of the egress queue", func(i int) float64 { return r.Queues[i].MeanQueue }),
		count("SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", "packets that the queue marked", func(q *QueueRow) int64 { return q.ECNMarked }),
		count("SAI_QUEUE_STAT_DROPPED_PACKETS", "packets that the queue dropped", func(q *QueueRow) int64 { return q.EgressDrops }),
		count("SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS", "packets that the priority group dropped (ethtool rx_prioN_discards)", func(q *QueueRow) int64 { return q.IngressDrops }),
		count("SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES", "most that the priority group used of the shared pool", func(q *QueueRow) int64 { return q.PeakShared }),
		count("SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES", "most headroom that the priority group used", func(q *QueueRow) int64 { return q.PeakHeadroom }),
		count("xoff_threshold_min_bytes", "lowest XOFF threshold while the priority group held anything; 0 if there is none", func(q *QueueRow) int64 { return q.XoffMin }),
		count("headroom_bytes", "configured headroom; 0 if none", func(q *QueueRow) int64 { return q.Headroom }),
		count("kmin_bytes", "configured ECN threshold Kmin; 0 if none", func(q *QueueRow) int64 { return q.Kmin }),
		count("kmax_bytes", "configured ECN threshold Kmax; 0 if none", func(q *QueueRow) int64 { return q.Kmax }),
	}
}

func oneIf(set bool) int64 {
	if set {
		return 1
	}
	return 0
}

func (r *Run) linkTable() table {
	columns := append(r.portColumns(func(i int) int32 { return int32(i) }),
		intColumn("peer_port", "number of the port at the other end", func(i int) int64 { return int64(r.Ports[i].PeerNumber) }),
		textColumn("tier", "layer and direction of the link", func(i int) string { return r.Ports[i].Tier }),
		floatColumn("rate_gbps", "link rate in Gb/s", func(i int) float64 { return r.Ports[i].Rate.Gbit() }),
		intColumn("tx_wire_bytes", "bytes sent, with preamble and inter-frame gap", func(i int) int64 { return r.Ports[i].WireBytes }),
		floatColumn("utilisation_ratio", "part of the run for which the link was sending", func(i int) float64 { return r.Ports[i].Utilisation(r.Manifest.SimulatedTime) }),
	)
	return table{"links.csv", "One row per port: the link that it sends on.", len(r.Ports), columns}
}

func (r *Run) nicTable() table {
	count := func(name, doc string, of func(*NICRow) int64) column {
		return intColumn(name, doc, func(i int) int64 { return of(&r.NICs[i]) })
	}
	return table{"nics.csv", "One row per NIC, with the names of Linux hw_counters; all but the names are counts.", len(r.NICs), []column{
		textColumn("node", "host", func(i int) string { return r.Nodes[r.NICs[i].Node] }),
		textColumn("nic", "NIC", func(i int) string { return r.NICs[i].Name }),
		count("np_cnp_sent", "congestion notification packets sent as a receiver of data", func(n *NICRow) int64 { return n.CNPSent }),
		count("np_ecn_marked_roce_packets", "data packets received with ECN congestion experienced", func(n *NICRow) int64 { return n.ECNMarked }),
		count("rp_cnp_handled", "congestion notification packets acted upon as a sender of data", func(n *NICRow) int64 { return n.CNPHandled }),
		count("rp_cnp_ignored", "congestion notification packets not acted upon", func(n *NICRow) int64 { return n.CNPIgnored }),
		count("out_of_sequence", "packets received beyond the expected sequence number", func(n *NICRow) int64 { return n.OutOfSequence }),
		count("packet_seq_err", "NAKs received for a sequence error", func(n *NICRow) int64 { return n.PacketSeqErr }),
		count("duplicate_request", "packets received again", func(n *NICRow) int64 { return n.DuplicateRequest }),
		count("local_ack_timeout_err", "retransmission timers that ran out", func(n *NICRow) int64 { return n.AckTimeouts }),
		count("req_transport_retries_exceeded", "queue pairs that gave up", func(n *NICRow) int64 { return n.RetriesExceeded }),
		count("out_of_buffer", "packets dropped for want of a receive buffer", func(n *NICRow) int64 { return n.OutOfBuffer }),
		count("retransmitted_packets", "data packets sent again (real NICs do not count them)", func(n *NICRow) int64 { return n.Retransmitted }),
	}}
}

func (r *Run) pauseTable() table {
	columns := append(r.portColumns(func(i int) int32 { return r.Pauses[i].Port }),
		intColumn("priority", "priority that was paused", func(i int) int64 { return int64(r.Pauses[i].Priority) }),
		timeColumn("from_us", "when the port stopped sending it", false, func(i int) sim.Time { return r.Pauses[i].From }),
		timeColumn("to_us", "when the port was allowed to send again, or the run ended", false, func(i int) sim.Time { return r.Pauses[i].To }),
	)
	return table{"pauses.csv", "One row per time for which a port was not allowed to send a priority.", len(r.Pauses), columns}
}

func (r *Run) dropTable() table {
	columns := append(r.portColumns(func(i int) int32 { return r.Drops[i].Port }),
		intColumn("priority", "priority of the packets", func(i int) int64 { return int64(r.Drops[i].Priority) }),
		intColumn("lossless_flag", "1 if PFC should have prevented it, else 0", func(i int) int64 { return oneIf(r.Drops[i].Lossless) }),
		textColumn("cause", "why they were dropped", func(i int) string { return r.Drops[i].Cause }),
		intColumn("dropped_packets", "packets dropped", func(i int) int64 { return r.Drops[i].Packets }),
		intColumn("dropped_bytes", "frame bytes dropped", func(i int) int64 { return r.Drops[i].Bytes }),
		timeColumn("first_us", "when the first of them was dropped", false, func(i int) sim.Time { return r.Drops[i].First }),
	)
	return table{"drops.csv", "One row per port, priority and cause of drops.", len(r.Drops), columns}
}

func (r *Run) latencyTable() table {
	return table{"latency.csv", "What one message's latency on an idle fabric consists of.", len(r.Latency), []column{
		textColumn("path", "the message", func(i int) string { return r.Latency[i].Path }),
		textColumn("component", "part of the path", func(i int) string { return r.Latency[i].Component }),
		textColumn("kind", "nic, wire, switch or queue", func(i int) string { return r.Latency[i].Kind }),
		floatColumn("time_ns", "nanoseconds spent there", func(i int) float64 { return r.Latency[i].Time.Nanos() }),
	}}
}
