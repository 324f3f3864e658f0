package results

import "rocesim/sim"

// portColumns are the columns that say which port a row belongs to.
func (l *layout) portColumns(port func(i int) *int32) []column {
	row := func(i int) *PortRow { return &l.Ports[*port(i)] }
	return []column{
		{"node", "switch or host that owns the port", func(b []byte, i int) []byte {
			return appendText(b, l.Nodes[row(i).Node])
		}, func(_ int, text string) (err error) {
			l.node, err = l.findNode(text)
			return err
		}},
		{"port", "number of the port on its node", func(b []byte, i int) []byte {
			return appendInt(b, int64(row(i).Number))
		}, func(i int, text string) error {
			number, err := parseInt[int32](text)
			if err == nil {
				*port(i), err = l.findPort(l.node, number)
			}
			return err
		}},
		derivedColumn("peer", "node at the other end of the cable", func(b []byte, i int) []byte { return appendText(b, l.Nodes[row(i).Peer]) }),
	}
}

func (l *layout) linkTable() table {
	port := func(i int) *PortRow { return &l.Ports[i] }
	span := func(name, doc string, field func(*PortRow) *sim.Time) column {
		return timeColumn(name, doc, false, func(i int) *sim.Time { return field(port(i)) })
	}
	return table{"links.csv", "One row per port: the link that it sends on.", len(l.Ports), []column{
		l.nodeColumn("node", "switch or host that owns the port", func(i int) *int32 { return &port(i).Node }),
		intColumn("port", "number of the port on its node", func(i int) *int32 { return &port(i).Number }),
		l.nodeColumn("peer", "node at the other end of the cable", func(i int) *int32 { return &port(i).Peer }),
		intColumn("peer_port", "number of the port at the other end", func(i int) *int32 { return &port(i).PeerNumber }),
		textColumn("tier", "layer and direction of the link", func(i int) *string { return &port(i).Tier }),
		rateColumn("rate_gbps", "link rate in Gb/s", func(i int) *sim.Rate { return &port(i).Rate }),
		span("cable_delay_us", "propagation along the cable, one way", func(p *PortRow) *sim.Time { return &p.Delay }),
		span("pause_response_us", "how long the port takes to obey a pause", func(p *PortRow) *sim.Time { return &p.Response }),
		span("ingress_latency_us", "from the arrival at the port to buffer admission", func(p *PortRow) *sim.Time { return &p.IngressLatency }),
		span("egress_latency_us", "from the scheduler to the first bit on the wire", func(p *PortRow) *sim.Time { return &p.EgressLatency }),
		span("headroom_reach_us", "how long frames of the peer still begin that headroom has to take, from the frame that crosses XOFF; 0 at NICs", func(p *PortRow) *sim.Time { return &p.HeadroomReach }),
		intColumn("headroom_frame_bytes", "buffer that a full frame takes, in whole cells; 0 at NICs", func(i int) *int64 { return &port(i).HeadroomFrame }),
		intColumn("headroom_need_bytes", "headroom that full frames need at worst: those that begin in headroom_reach_us, and one; 0 at NICs", func(i int) *int64 { return &port(i).HeadroomNeed }),
		intColumn("tx_wire_bytes", "bytes sent, with preamble and inter-frame gap", func(i int) *int64 { return &port(i).WireBytes }),
		derivedColumn("utilisation_ratio", "part of the run for which the link was sending", func(b []byte, i int) []byte {
			return appendFloat(b, port(i).Utilisation(l.Manifest.SimulatedTime))
		}),
	}, grow(&l.Ports)}
}

func (l *layout) counterTable() table {
	queue := func(i int) *QueueRow { return &l.Queues[i] }
	count := func(name, doc string, field func(*QueueRow) *int64) column {
		return intColumn(name, doc, func(i int) *int64 { return field(queue(i)) })
	}
	span := func(name, doc string, field func(*QueueRow) *sim.Time) column {
		return timeColumn(name, doc, false, func(i int) *sim.Time { return field(queue(i)) })
	}
	columns := append(l.portColumns(func(i int) *int32 { return &queue(i).Port }),
		intColumn("priority", "priority, which is also the number of queue and priority group", func(i int) *uint8 { return &queue(i).Priority }),
		flagColumn("lossless_flag", "1 if the class is lossless here, else 0", func(i int) *bool { return &queue(i).Lossless }),
		flagColumn("pfc_flag", "1 if the port sends and obeys pauses of the priority, else 0", func(i int) *bool { return &queue(i).PFC }),
		count("tx_prioN_packets", "frames sent", func(q *QueueRow) *int64 { return &q.TxPackets }),
		count("tx_prioN_bytes", "bytes sent, with FCS, without preamble and inter-frame gap", func(q *QueueRow) *int64 { return &q.TxBytes }),
		count("rx_prioN_packets", "frames received", func(q *QueueRow) *int64 { return &q.RxPackets }),
		count("rx_prioN_bytes", "bytes received", func(q *QueueRow) *int64 { return &q.RxBytes }),
		count("tx_prioN_pause_frames", "PFC frames sent that name the priority, XOFF and XON (ethtool tx_prioN_pause, SAI_PORT_STAT_PFC_N_TX_PKTS)", func(q *QueueRow) *int64 { return &q.TxPause }),
		count("rx_prioN_pause_frames", "the same received (ethtool rx_prioN_pause, SAI_PORT_STAT_PFC_N_RX_PKTS)", func(q *QueueRow) *int64 { return &q.RxPause }),
		count("tx_prioN_xoff_frames", "those of the PFC frames sent that pause, refreshes included", func(q *QueueRow) *int64 { return &q.TxXoff }),
		count("rx_prioN_xoff_frames", "those of the PFC frames received that pause", func(q *QueueRow) *int64 { return &q.RxXoff }),
		span("rx_prioN_pause_duration_us", "time for which the port was not allowed to send (ethtool rx_prioN_pause_duration, SAI_PORT_STAT_PFC_N_RX_PAUSE_DURATION_US)", func(q *QueueRow) *sim.Time { return &q.RxPaused }),
		span("tx_prioN_pause_duration_us", "time for which the port kept its peer from sending", func(q *QueueRow) *sim.Time { return &q.TxPaused }),
		count("rx_prioN_pause_transition_count", "changes from sending to paused (ethtool rx_prioN_pause_transition)", func(q *QueueRow) *int64 { return &q.RxTransitions }),
		firstXoffColumn(queue),
		count("first_xoff_use_bytes", "what the priority group held of shared pool and headroom when the first XOFF was sent; 0 if none was, and at hosts", func(q *QueueRow) *int64 { return &q.FirstXoffUse }),
		count("first_xoff_threshold_bytes", "XOFF threshold at that moment", func(q *QueueRow) *int64 { return &q.FirstXoffThreshold }),
	)
	return table{"counters.csv", "One row per port and priority that carried or paused anything. N stands for the row's priority.",
		len(l.Queues), append(columns, l.bufferColumns()...), grow(&l.Queues)}
}

func firstXoffColumn(queue func(i int) *QueueRow) column {
	c := timeColumn("first_xoff_us", "when the first XOFF was sent; empty if none was", false, func(i int) *sim.Time { return &queue(i).FirstXoff })
	appendTime, set := c.append, c.set
	c.append = func(b []byte, i int) []byte {
		if queue(i).TxXoff == 0 {
			return b
		}
		return appendTime(b, i)
	}
	c.set = func(i int, text string) error {
		if text == "" {
			return nil
		}
		return set(i, text)
	}
	return c
}

// bufferColumns are the counters of the switch's memory.
func (l *layout) bufferColumns() []column {
	count := func(name, doc string, field func(*QueueRow) *int64) column {
		return intColumn(name, doc, func(i int) *int64 { return field(&l.Queues[i]) })
	}
	return []column{
		count("SAI_QUEUE_STAT_SHARED_WATERMARK_BYTES", "deepest egress queue", func(q *QueueRow) *int64 { return &q.PeakQueue }),
		floatColumn("queue_mean_bytes", "mean over time of the egress queue", func(i int) *float64 { return &l.Queues[i].MeanQueue }),
		count("SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", "packets that the queue marked", func(q *QueueRow) *int64 { return &q.ECNMarked }),
		count("SAI_QUEUE_STAT_DROPPED_PACKETS", "packets that the queue dropped", func(q *QueueRow) *int64 { return &q.EgressDrops }),
		count("SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS", "packets that the priority group dropped (ethtool rx_prioN_discards)", func(q *QueueRow) *int64 { return &q.IngressDrops }),
		count("SAI_INGRESS_PRIORITY_GROUP_STAT_SHARED_WATERMARK_BYTES", "most that the priority group used of the shared pool", func(q *QueueRow) *int64 { return &q.PeakShared }),
		count("SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK_BYTES", "most headroom that the priority group used", func(q *QueueRow) *int64 { return &q.PeakHeadroom }),
		count("xoff_threshold_min_bytes", "lowest XOFF threshold while the priority group held anything; 0 if there is none", func(q *QueueRow) *int64 { return &q.XoffMin }),
		count("headroom_bytes", "configured headroom; 0 if none", func(q *QueueRow) *int64 { return &q.Headroom }),
		count("kmin_bytes", "configured ECN threshold Kmin; 0 if none", func(q *QueueRow) *int64 { return &q.Kmin }),
		count("kmax_bytes", "configured ECN threshold Kmax; 0 if the queue does not mark", func(q *QueueRow) *int64 { return &q.Kmax }),
	}
}
