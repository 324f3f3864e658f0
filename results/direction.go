package results

import "strings"

// Direction says which change of a metric is an improvement.
type Direction int8

// Directions of metrics. A Neutral one describes what happened, such as the
// number of ECN marks: more of them is neither good nor bad in itself.
const (
	Neutral      Direction = 0
	HigherBetter Direction = 1
	LowerBetter  Direction = -1
)

// String says it in words.
func (d Direction) String() string {
	switch d {
	case HigherBetter:
		return "higher is better"
	case LowerBetter:
		return "lower is better"
	}
	return "neither is better"
}

// BetterDirection says which change of a metric is an improvement; of an
// unknown one neither is.
func BetterDirection(metric string) Direction {
	switch metric {
	case "flows.finished":
		return HigherBetter
	case "flows.total":
		return Neutral
	case "fct.min", "slowdown.min", "goodput.flow.max":
		// What the luckiest flow has, others lack: a fairer network takes it away.
		return Neutral
	}
	family, _, _ := strings.Cut(metric, ".")
	switch family {
	case "goodput", "jain":
		return HigherBetter
	case "drops", "fct", "latency", "slowdown", "makespan", "flows", "pfc", "queue", "headroom", "deadlocks",
		"pfcwd", "retransmits", "out_of_sequence", "out_of_buffer", "ack_timeouts":
		return LowerBetter
	}
	return Neutral
}
