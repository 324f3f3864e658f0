package results

// MetricInfo describes one number that an expect clause may name.
type MetricInfo struct {
	Name string
	Unit Unit
	// Labels are the keys that may narrow it in braces.
	Labels []string
	Doc    string
}

// metric is a described number with the way to compute it.
type metric struct {
	MetricInfo
	value func(m *Metrics, sel selection) (float64, error)
}

// MetricNames lists every metric, in the order of Catalogue.
func MetricNames() []string {
	var names []string
	for _, info := range Catalogue() {
		names = append(names, info.Name)
	}
	return names
}

// Catalogue describes every metric, grouped by what it measures.
func Catalogue() []MetricInfo {
	var infos []MetricInfo
	for _, m := range metrics() {
		infos = append(infos, m.MetricInfo)
	}
	return infos
}

// DescribeMetric returns the description of a metric, and whether there is
// one of that name.
func DescribeMetric(name string) (MetricInfo, bool) {
	for _, group := range metricGroups() {
		if m, ok := findMetric(group(), name); ok {
			return m.MetricInfo, true
		}
	}
	return MetricInfo{}, false
}

func findMetric(table []metric, name string) (metric, bool) {
	for _, m := range table {
		if m.Name == name {
			return m, true
		}
	}
	return metric{}, false
}

// metrics is the table of all metrics.
func metrics() []metric {
	all := make([]metric, 0, 80) // a few more than there are
	for _, group := range metricGroups() {
		all = append(all, group()...)
	}
	return all
}

// metricGroups make the table part by part: who looks for one metric need not
// make all.
func metricGroups() []func() []metric {
	return []func() []metric{
		dropMetrics, completionMetrics, latencyMetrics, slowdownMetrics, flowMetrics, portMetrics, deadlockMetrics, hostMetrics,
	}
}

func completionMetrics() []metric {
	return distributionMetrics("fct", Duration, "flow completion time, from posting the work request to its completion",
		"workload src dst bucket", flowTimes(func(f *FlowRow) float64 { return float64(f.FCT()) }))
}

func latencyMetrics() []metric {
	return distributionMetrics("latency", Duration, "one-way latency of the probes, from posting to delivery at the receiver",
		"workload src dst", probeTimes)
}

func slowdownMetrics() []metric {
	return distributionMetrics("slowdown", Ratio, "slowdown, flow completion time over that on an idle fabric",
		"workload src dst bucket", flowTimes((*FlowRow).Slowdown))
}

func dropMetrics() []metric {
	keys := []string{"node", "priority", "cause"}
	return []metric{
		{MetricInfo{"drops.lossless", Count, keys, "packets dropped in lossless classes"}, drops(true, false)},
		{MetricInfo{"drops.lossy", Count, keys, "packets dropped in lossy classes"}, drops(false, true)},
		{MetricInfo{"drops.total", Count, keys, "packets dropped in all classes"}, drops(true, true)},
	}
}

func flowMetrics() []metric {
	keys := []string{"workload", "src", "dst"}
	return []metric{
		{MetricInfo{"goodput", DataRate, keys, "payload delivered over the time from the first start to the last delivery"}, goodput},
		{MetricInfo{"goodput.total", DataRate, nil, "payload delivered by all flows over the time measured"}, goodputTotal},
		{MetricInfo{"goodput.flow.min", DataRate, keys, "goodput of the slowest flow"}, flowGoodput(lowest)},
		{MetricInfo{"goodput.flow.mean", DataRate, keys, "mean of the flows' goodputs"}, flowGoodput(Mean)},
		{MetricInfo{"goodput.flow.max", DataRate, keys, "goodput of the fastest flow"}, flowGoodput(highest)},
		{MetricInfo{"jain", Ratio, keys, "Jain's fairness index over the flows' goodputs, 1 is fair"}, flowGoodput(jain)},
		{MetricInfo{"makespan", Duration, keys, "from the first start to the last completion, all flows finished"}, makespan},
		{MetricInfo{"flows.total", Count, keys, "flows"}, countFlows(func(*FlowRow) bool { return true })},
		{MetricInfo{"flows.finished", Count, keys, "flows that ended well"}, countFlows((*FlowRow).Finished)},
		{MetricInfo{"flows.unfinished", Count, keys, "flows that did not end, or failed"}, countFlows(func(f *FlowRow) bool { return !f.Finished() })},
		{MetricInfo{"flows.failed", Count, keys, "flows whose queue pair gave up after its last retry"},
			countFlows(func(f *FlowRow) bool { return f.Unfinished == RetriesSpent })},
	}
}

func portMetrics() []metric {
	queue := []string{"node", "priority", "tier"}
	link := []string{"node", "tier"}
	return []metric{
		{MetricInfo{"pfc.pauses", Count, queue, "XOFF frames sent, refreshes included"},
			sumQueues(func(q *QueueRow) float64 { return float64(q.TxXoff) })},
		{MetricInfo{"pfc.paused_time", Duration, queue, "time for which ports were not allowed to send, summed over ports and priorities"},
			sumQueues(func(q *QueueRow) float64 { return float64(q.RxPaused) })},
		{MetricInfo{"pfc.paused_time_fraction.max", Ratio, queue, "largest part of the run for which one port and priority was paused"}, pausedFraction},
		{MetricInfo{"pfc.xoff_approach.max", Ratio, queue, "how near a priority group came to XOFF: peak use over lowest threshold, an upper bound"},
			maxQueues((*QueueRow).XoffApproach)},
		{MetricInfo{"pfcwd.storms", Count, queue, "storms that PFC watchdogs detected"},
			sumStorms(func(*StormRow) int64 { return 1 })},
		{MetricInfo{"pfcwd.drops", Count, queue, "packets that PFC watchdogs dropped"},
			sumStorms(func(r *StormRow) int64 { return r.TxDropped + r.RxDropped })},
		{MetricInfo{"ecn.marks", Count, queue, "packets marked by ECN"},
			sumQueues(func(q *QueueRow) float64 { return float64(q.ECNMarked) })},
		{MetricInfo{"queue.peak", Size, queue, "deepest egress queue"},
			maxQueues(func(q *QueueRow) float64 { return float64(q.PeakQueue) })},
		{MetricInfo{"queue.mean", Size, queue, "largest mean over time of an egress queue"},
			maxQueues(func(q *QueueRow) float64 { return q.MeanQueue })},
		{MetricInfo{"headroom.peak", Size, queue, "most headroom that one priority group used"},
			maxQueues(func(q *QueueRow) float64 { return float64(q.PeakHeadroom) })},
		{MetricInfo{"utilisation.max", Ratio, link, "part of the run for which the busiest link was sending"}, utilisation(highest)},
		{MetricInfo{"utilisation.min", Ratio, link, "part of the run for which the idlest link was sending"}, utilisation(lowest)},
		{MetricInfo{"utilisation.mean", Ratio, link, "mean over links of the part of the run for which they were sending"}, utilisation(Mean)},
	}
}

func deadlockMetrics() []metric {
	return []metric{{MetricInfo{"deadlocks", Count, nil, "deadlocks that were found: paused switch buffers that waited for each other in a circle"},
		func(m *Metrics, _ selection) (float64, error) { return float64(len(m.run.Manifest.Deadlocks)), nil }}}
}

func hostMetrics() []metric {
	keys := []string{"node"}
	return []metric{
		{MetricInfo{"cnp.sent", Count, keys, "congestion notification packets sent (np_cnp_sent)"},
			sumNICs(func(n *NICRow) int64 { return n.CNPSent })},
		{MetricInfo{"cnp.handled", Count, keys, "congestion notification packets acted upon (rp_cnp_handled)"},
			sumNICs(func(n *NICRow) int64 { return n.CNPHandled })},
		{MetricInfo{"retransmits", Count, keys, "data packets sent again"},
			sumNICs(func(n *NICRow) int64 { return n.Retransmitted })},
		{MetricInfo{"out_of_buffer", Count, keys, "packets dropped for want of a receive buffer (out_of_buffer)"},
			sumNICs(func(n *NICRow) int64 { return n.OutOfBuffer })},
		{MetricInfo{"out_of_sequence", Count, keys, "packets received beyond the expected sequence number (out_of_sequence)"},
			sumNICs(func(n *NICRow) int64 { return n.OutOfSequence })},
		{MetricInfo{"ack_timeouts", Count, keys, "retransmission timers that ran out (local_ack_timeout_err)"},
			sumNICs(func(n *NICRow) int64 { return n.AckTimeouts })},
	}
}
