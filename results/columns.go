package results

import (
	"fmt"

	"rocesim/sim"
)

// layout is a run as the tables see it: rows refer to each other by name there,
// and by index here.
type layout struct {
	*Run
	// nodes, workloads and ports find indexes while tables are read.
	nodes, workloads map[string]int32
	ports            map[nodePort]int32
	// node is the one that the row being read has named.
	node int32
}

// nodePort names a port: node and number there.
type nodePort struct{ node, number int32 }

// tables returns the CSV files of a run directory, in the order in which they
// must be read. Names of columns end in their unit; names of counters are those
// that Linux (ethtool, hw_counters) and SONiC (SAI) use, with N for the row's
// priority.
func (r *Run) tables() []table {
	l := &layout{Run: r}
	return append([]table{l.nodeTable(), l.workloadTable(), l.linkTable(), l.flowTable(), l.counterTable(), l.nicTable(),
		l.pauseTable(), l.stormTable(), l.dropTable(), l.pathTable(), l.latencyTable()}, l.seriesTables()...)
}

// grow adds a zero row to a table of a run.
func grow[T any](rows *[]T) func() {
	return func() {
		var zero T
		*rows = append(*rows, zero)
	}
}

func (l *layout) nodeTable() table {
	return table{"nodes.csv", "One row per host and switch, hosts first.", len(l.Nodes), []column{
		textColumn("node", "name of the host or switch", func(i int) *string { return &l.Nodes[i] }),
	}, grow(&l.Nodes)}
}

func (l *layout) workloadTable() table {
	return table{"workloads.csv", "One row per entry of the scenario's workload.", len(l.Workloads), []column{
		textColumn("workload", "its name", func(i int) *string { return &l.Workloads[i].Name }),
		textColumn("type", "the scenario's word, such as incast", func(i int) *string { return &l.Workloads[i].Type }),
		flagColumn("probe_flag", "1 if its messages are latency probes, else 0", func(i int) *bool { return &l.Workloads[i].Probe }),
	}, grow(&l.Workloads)}
}

func (l *layout) flowTable() table {
	flow := func(i int) *FlowRow { return &l.Flows[i] }
	duration := func(name, doc string, field func(f *FlowRow) *sim.Time) column {
		return timeColumn(name, doc, true, func(i int) *sim.Time { return field(flow(i)) })
	}
	return table{"flows.csv", "One row per flow, which is one message: a work request from posting to completion.", len(l.Flows), []column{
		intColumn("flow", "number of the flow in the scenario's order", func(i int) *uint32 { return &flow(i).ID }),
		indexColumn("workload", "name of its workload", func(i int) *int32 { return &flow(i).Workload }, l.workloadName, l.findWorkload),
		l.nodeColumn("src", "host that sends the data", func(i int) *int32 { return &flow(i).Src }),
		l.nodeColumn("dst", "host that receives it", func(i int) *int32 { return &flow(i).Dst }),
		intColumn("priority", "PFC priority of the data", func(i int) *uint8 { return &flow(i).Priority }),
		intColumn("udp_source_port", "UDP source port, which ECMP hashes", func(i int) *uint16 { return &flow(i).SourcePort }),
		intColumn("size_bytes", "payload asked for", func(i int) *int64 { return &flow(i).Bytes }),
		intColumn("measured_bytes", "payload delivered after the warm-up", func(i int) *int64 { return &flow(i).Measured }),
		timeColumn("start_us", "when the work request was posted", false, func(i int) *sim.Time { return &flow(i).Start }),
		duration("delivered_us", "when the last byte was in the receiver's memory; empty if it was not", func(f *FlowRow) *sim.Time { return &f.Delivered }),
		duration("completed_us", "when the sender had the completion (last ACK); empty if it had not", func(f *FlowRow) *sim.Time { return &f.Completed }),
		duration("ideal_us", "completion time of the flow alone on an idle fabric; empty if not known", func(f *FlowRow) *sim.Time { return &f.Ideal }),
		derivedColumn("fct_us", "flow completion time: completed_us - start_us; empty if not finished", func(b []byte, i int) []byte {
			if t := flow(i).FCT(); t > 0 {
				return appendMicros(b, t)
			}
			return b
		}),
		derivedColumn("slowdown_ratio", "fct_us / ideal_us; empty if either is", func(b []byte, i int) []byte {
			if s := flow(i).Slowdown(); s > 0 {
				return appendFloat(b, s)
			}
			return b
		}),
		reasonColumn("unfinished_reason", "why there is no completion: "+unfinishedWords()+"; empty if there is one",
			func(i int) *UnfinishedReason { return &flow(i).Unfinished }),
	}, grow(&l.Flows)}
}

// reasonColumn holds an UnfinishedReason as its word.
func reasonColumn(name, doc string, field func(i int) *UnfinishedReason) column {
	return column{name, doc, func(b []byte, i int) []byte { return append(b, field(i).String()...) },
		func(i int, text string) error {
			for reason := NotUnfinished; reason < unfinishedReasons; reason++ {
				if reason.String() == text {
					*field(i) = reason
					return nil
				}
			}
			return notA("empty or one of "+unfinishedWords(), text)
		}}
}

// nodeColumn holds the name of a node.
func (l *layout) nodeColumn(name, doc string, field func(i int) *int32) column {
	return indexColumn(name, doc, field, l.nodeName, l.findNode)
}

func (l *layout) nodeName(index int32) string { return l.Nodes[index] }

func (l *layout) workloadName(index int32) string { return l.Workloads[index].Name }

func (l *layout) findNode(name string) (int32, error) {
	if l.nodes == nil {
		l.nodes = map[string]int32{}
		for i, n := range l.Nodes {
			l.nodes[n] = int32(i)
		}
	}
	return found(l.nodes, name, "a node in nodes.csv")
}

func (l *layout) findWorkload(name string) (int32, error) {
	if l.workloads == nil {
		l.workloads = map[string]int32{}
		for i, w := range l.Workloads {
			l.workloads[w.Name] = int32(i)
		}
	}
	return found(l.workloads, name, "a workload in workloads.csv")
}

// found looks a name up; what says where it should have been.
func found(index map[string]int32, name, what string) (int32, error) {
	i, ok := index[name]
	if !ok {
		return 0, notA(what, name)
	}
	return i, nil
}

// findPort returns the index of a port that links.csv has.
func (l *layout) findPort(node, number int32) (int32, error) {
	if l.ports == nil {
		l.ports = map[nodePort]int32{}
		for i, p := range l.Ports {
			l.ports[nodePort{p.Node, p.Number}] = int32(i)
		}
	}
	i, ok := l.ports[nodePort{node, number}]
	if !ok {
		return 0, fmt.Errorf("links.csv has no port %d of %s", number, l.Nodes[node])
	}
	return i, nil
}
