package results

import (
	"fmt"
	"strings"

	"rocesim/sim"
)

// Priorities is the number of priorities of an Ethernet port (IEEE 802.1Q).
const Priorities = 8

// Run is everything that one simulation measured. Tables refer to each other
// by index: a node is an index into Nodes, a port one into Ports, a workload
// one into Workloads.
type Run struct {
	Manifest Manifest
	// Nodes are the names of hosts and switches.
	Nodes     []string
	Workloads []Workload
	Flows     []FlowRow
	Ports     []PortRow
	// Queues has one row for every port and priority that carried or paused
	// anything.
	Queues []QueueRow
	NICs   []NICRow
	Drops  []DropRow
	// Storms are what PFC watchdogs detected, in order of detection.
	Storms []StormRow
	Series []Series
	// Pauses are in order of From.
	Pauses []Pause
	// Paths are those of the slowest flows of each workload.
	Paths   []PathHop
	Latency []LatencyPart
}

// WorkloadNames lists the names of the entries.
func (r *Run) WorkloadNames() []string {
	names := make([]string, len(r.Workloads))
	for i := range r.Workloads {
		names[i] = r.Workloads[i].Name
	}
	return names
}

// FingerprintText writes a fingerprint of a run's events as all files have it.
func FingerprintText(fingerprint uint64) string { return fmt.Sprintf("%016x", fingerprint) }

// Manifest says what was run, with what and how it ended. It holds nothing
// that depends on the machine or on the time of day.
type Manifest struct {
	// Tool is the version of rocesim.
	Tool string
	// Name and Question come from the scenario.
	Name, Question string
	Seed           uint64
	// Scenario is the scenario as resolved, as YAML text.
	Scenario string
	// Source are the arguments of rocesim run that name the scenario, files
	// without their directory: the same wherever they lie. Empty is not known.
	Source []string
	// Overrides are the --set arguments in the order given.
	Overrides []string
	// Fingerprint is the kernel's hash over all events.
	Fingerprint uint64
	// Events is how many events the kernel handled, PacketHops how many times
	// a data or ACK packet crossed a link.
	Events, PacketHops uint64
	// SimulatedTime is the instant at which the run ended.
	SimulatedTime sim.Time
	// MeasureFrom is the end of the warm-up: goodput counts bytes delivered
	// later only. 0 measures all.
	MeasureFrom sim.Time
	Stop        StopReason
	// LargestFrame and PauseFrame are the wire bytes, with preamble and gap, of
	// the largest data frame and of a pause frame.
	LargestFrame, PauseFrame int64
	// Stall says who waits for whom if Stop is Stalled.
	Stall string
	// Deadlocks say, one text for each that was found, which queues waited for
	// each other in a circle. The last one ended the run if Stop is Deadlocked.
	Deadlocks []string
	// Notes are remarks of the model for the user, such as a headroom row that
	// was taken for a longer cable.
	Notes []string
}

// StopReason is why a run ended.
type StopReason uint8

// Reasons for the end of a run.
const (
	Finished    StopReason = iota // every flow ended
	StoppedTime                   // the scenario's stop time was reached
	Interrupted                   // the user interrupted it
	Stalled                       // nothing could make progress any more
	Deadlocked                    // switch buffers waited for each other in a circle
	stopReasons                   // their number
)

// String returns the reason as manifest.json has it.
func (r StopReason) String() string {
	switch r {
	case Finished:
		return "finished"
	case StoppedTime:
		return "stopped"
	case Interrupted:
		return "interrupted"
	case Stalled:
		return "stalled"
	case Deadlocked:
		return "deadlocked"
	}
	return fmt.Sprintf("unknown (%d)", uint8(r))
}

// Partial reports whether the results are those of a run that did not reach
// the end its scenario asked for.
func (m *Manifest) Partial() bool {
	return m.Stop == Interrupted || m.Stop == Stalled || m.Stop == Deadlocked
}

// Workload is one entry of the scenario's workload list.
type Workload struct {
	Name string
	// Type is the scenario's word: "incast", "all-to-all", ...
	Type string
	// Probe marks latency probes: their one-way latency is reported.
	Probe bool
}

// FlowRow is one message: a work request from its posting to its completion.
// It is kept small because a run may have millions.
type FlowRow struct {
	// Bytes is the payload asked for.
	Bytes int64
	// Measured is the payload delivered after Manifest.MeasureFrom; of a flow
	// that started later and was delivered it is Bytes.
	Measured int64
	// Start is when the work request was posted.
	Start sim.Time
	// Delivered is when the last byte was visible in the receiver's memory; 0
	// if it was not.
	Delivered sim.Time
	// Completed is when the sender saw the completion (the last ACK); 0 if it
	// did not.
	Completed sim.Time
	// Ideal is how long the flow takes from Start to Completed alone on an
	// idle fabric; 0 if not known.
	Ideal sim.Time
	// ID numbers the flow in the scenario's order.
	ID       uint32
	Workload int32
	Src, Dst int32
	// SourcePort is the UDP source port that ECMP hashes.
	SourcePort uint16
	Priority   uint8
	Unfinished UnfinishedReason
}

// FCT is the flow completion time, from posting to completion at the sender; 0
// if the flow did not finish.
func (f *FlowRow) FCT() sim.Time {
	if f.Completed == 0 {
		return 0
	}
	return f.Completed - f.Start
}

// OneWay is the latency from posting to delivery at the receiver; 0 if the
// flow was not delivered.
func (f *FlowRow) OneWay() sim.Time {
	if f.Delivered == 0 {
		return 0
	}
	return f.Delivered - f.Start
}

// Finished reports whether the flow ended well: it has a completion or, as a
// datagram, was delivered.
func (f *FlowRow) Finished() bool {
	return f.Completed != 0 || f.Unfinished == NotAcknowledged && f.Delivered != 0
}

// Slowdown is FCT over Ideal; 0 if either is unknown.
func (f *FlowRow) Slowdown() float64 {
	if f.Completed == 0 || f.Ideal <= 0 {
		return 0
	}
	return float64(f.FCT()) / float64(f.Ideal)
}

// UnfinishedReason is why a flow has no completion.
type UnfinishedReason uint8

// Reasons for a missing completion.
const (
	NotUnfinished     UnfinishedReason = iota // it completed
	RunEnded                                  // it was under way when the run ended
	RetriesSpent                              // its queue pair failed: retries exceeded
	NotAcknowledged                           // a datagram: delivery is all there is
	NeverStarted                              // its predecessor never ended
	HeldByPause                               // nothing moved for 1 ms or more: its NIC is paused
	AwaitsTimeout                             // the same: it waits for its retransmission time-out
	WindowFull                                // the same: its window is full, and no time-out will open it
	AwaitsAck                                 // the same: no time-out will make it send again
	unfinishedReasons                         // their number
)

// String returns the reason as flows.csv has it; empty for a finished flow.
func (r UnfinishedReason) String() string {
	switch r {
	case NotUnfinished:
		return ""
	case RunEnded:
		return "run-ended"
	case RetriesSpent:
		return "retries-exceeded"
	case NotAcknowledged:
		return "datagram"
	case NeverStarted:
		return "never-started"
	case HeldByPause:
		return "paused"
	case AwaitsTimeout:
		return "waiting-for-timeout"
	case WindowFull:
		return "window-full"
	case AwaitsAck:
		return "waiting-for-ack"
	}
	return fmt.Sprintf("unknown-%d", uint8(r))
}

// UnfinishedReasons lists the reasons for a missing completion.
func UnfinishedReasons() []UnfinishedReason {
	var all []UnfinishedReason
	for r := RunEnded; r < unfinishedReasons; r++ {
		all = append(all, r)
	}
	return all
}

// unfinishedWords lists the words of all reasons.
func unfinishedWords() string {
	var words []string
	for _, reason := range UnfinishedReasons() {
		words = append(words, reason.String())
	}
	return strings.Join(words, ", ")
}

// Pause is a time during which a port was not allowed to send a priority.
type Pause struct {
	// From and To bound it; a pause that lasts when the run ends ends with it.
	From, To sim.Time
	// Port was paused, by its peer.
	Port     int32
	Priority uint8
}

// LatencyPart is one component of the latency of a probe on an idle fabric.
type LatencyPart struct {
	// Path names the message: "h0 to h1, 2 B write".
	Path string
	// Component names the part: "leaf0 pipeline".
	Component string
	// Kind groups parts: "nic", "wire", "switch" or "queue".
	Kind string
	Time sim.Time
}

// PortName returns a port as "leaf3:7>h12": node, port number, neighbour.
func (r *Run) PortName(port int32) string {
	p := &r.Ports[port]
	return fmt.Sprintf("%s:%d>%s", r.Nodes[p.Node], p.Number, r.Nodes[p.Peer])
}
