package hpcc

import (
	"fmt"
	"slices"

	"rocesim/sim"
)

// Flow is one line of a flow.txt.
type Flow struct {
	// SrcNode and DstNode are node ids of the file; Src and Dst the endpoints
	// of the graph that the flow uses.
	SrcNode, DstNode int
	Src, Dst         int
	// PG is the priority (and priority group) of its packets, 0 to 7.
	PG int
	// SPort is 10000 plus the number of earlier flows of the same pair of
	// nodes; DPort is the file's (100, and 200 for incast by custom).
	SPort, DPort int
	Bytes        int64
	// Start is counted from FlowSet.Base, StartNs from 0 as in fct.txt.
	Start   sim.Time
	StartNs int64
	// Line of the file.
	Line int
}

// FlowSet is what a flow.txt describes.
type FlowSet struct {
	// Flows in order of their start, and of their lines where that is equal.
	Flows []Flow
	// Base is the whole second before the first flow's start: the instant of
	// the file's clock at which the run's clock is 0.
	Base     sim.Time
	Warnings []Problem
}

const (
	// flowColumns is the number of words of a flow's line.
	flowColumns = 6
	// firstPort is the UDP source port of a pair's first flow.
	firstPort = 10000
	// wrapBytes is where the original's 32-bit flow size wraps around.
	wrapBytes = 1 << 32
	// maxFlowBytes is 1 TiB, a minute and a half at 100 Gb/s: more than a run
	// can simulate.
	maxFlowBytes = 1 << 40
	// maxStart bounds the clock of the file, in seconds.
	maxStart = 1e6
	// maxFlows bounds the memory that a file can ask for.
	maxFlows = 50_000_000
)

// ParseFlows reads a flow.txt over a topology: a line with the number of flows,
// and a line "source destination pg dport bytes start_seconds" per flow. Lines
// behind that number are ignored, as the original does (its own sample file has
// such); a number that is too large is no error, because a known generator
// leaves old digits behind it. The error is a *Problems; name is the file's name
// in it.
func ParseFlows(name string, data []byte, t *Topology) (*FlowSet, error) {
	p := flowParser{report: report{file: name}, topology: t}
	p.read(p.split(data))
	if err := p.err(); err != nil {
		return nil, err
	}
	p.sort()
	p.assign()
	if err := p.err(); err != nil {
		return nil, err
	}
	p.set.Warnings = p.warnings
	return &p.set, nil
}

type flowParser struct {
	report
	topology *Topology
	set      FlowSet
}

// read fills in the flows in the order of the file.
func (p *flowParser) read(records []record) {
	if len(records) == 0 {
		p.empty("a line with the number of flows")
		return
	}
	head := records[0]
	count, ok := head.fields[0].integer(0, maxFlows)
	if !ok || len(head.fields) != 1 {
		p.errorAt(head.number, 1, "%s is not allowed, must be the number of flows, from 0 to %d, alone on its line",
			head.fields[0].quoted(), maxFlows)
		return
	}
	body := withoutNotes(records[1:])
	switch n := int64(len(body)); {
	case n > count && len(body[count].fields) == flowColumns:
		p.warnAt(body[count].number, 1, "this and further flows are ignored, the first line announces %d", count)
	case n < count:
		p.warnAt(head.number, 1, "%d flows are announced, the file has %d", count, n)
	}
	for _, line := range body[:min(int(count), len(body))] {
		p.flow(line)
	}
	if len(p.set.Flows) == 0 && len(p.errors.List) == 0 {
		p.errorAt(head.number, 1, "the file has no flow, expected lines of \"source destination pg dport bytes start\"")
	}
}

// flow reads one line.
func (p *flowParser) flow(line record) {
	f := line.fields
	if len(f) != flowColumns {
		p.errorAt(line.number, 1, "%d word(s), must be \"source destination pg dport bytes start\"", len(f))
		return
	}
	w := Flow{SrcNode: p.host(f[0]), DstNode: p.host(f[1]), Line: line.number}
	if w.SrcNode >= 0 && w.SrcNode == w.DstNode {
		p.errorAt(f[1].line, f[1].column, "node %d sends to itself, must be two different hosts", w.SrcNode)
	}
	w.PG = int(p.whole(f[2], 0, 7))
	w.DPort = int(p.whole(f[3], 0, 65535))
	w.Bytes = p.whole(f[4], 1, maxFlowBytes)
	if w.Bytes >= wrapBytes {
		p.warnAt(f[4].line, f[4].column, "%d bytes are sent; the original's counter wraps around at %d", w.Bytes, int64(wrapBytes))
	}
	start, ok := f[5].number(0, maxStart)
	if !ok {
		p.bad(f[5], fmt.Sprintf("a start in seconds, from 0 to %g", float64(maxStart)))
	}
	w.StartNs = nanoseconds(start)
	p.set.Flows = append(p.set.Flows, w)
}

// host reads the id of a node that can send; -1 if it is none.
func (p *flowParser) host(f field) int {
	id, ok := f.integer(0, 1<<31)
	if !ok || len(p.topology.Endpoints(int(id))) == 0 {
		p.bad(f, "the id of a host that the topology links")
		return -1
	}
	return int(id)
}

// sort puts the flows in the order of their starts.
func (p *flowParser) sort() {
	flows := p.set.Flows
	for i := 1; i < len(flows); i++ {
		if flows[i].StartNs < flows[i-1].StartNs {
			p.warnAt(flows[i].Line, 1, "this flow starts before the one in line %d; flows are sorted by start", flows[i-1].Line)
			break
		}
	}
	slices.SortStableFunc(flows, func(a, b Flow) int {
		switch {
		case a.StartNs < b.StartNs:
			return -1
		case a.StartNs > b.StartNs:
			return 1
		}
		return 0
	})
}

// assign gives every flow its port, its NICs and its start in the run.
func (p *flowParser) assign() {
	flows := p.set.Flows
	const second = int64(sim.Second / sim.Nanosecond)
	base := flows[0].StartNs / second * second
	p.set.Base = sim.Time(base) * sim.Nanosecond
	earlier := make(map[[2]int]int)
	for i := range flows {
		f := &flows[i]
		since := f.StartNs - base
		if since >= int64(sim.Never/sim.Nanosecond) {
			p.errorAt(f.Line, 1, "the flow starts %d s after the first one, at most %d s are allowed", since/second, int64(sim.Never/sim.Second))
			continue
		}
		f.Start = sim.Time(since) * sim.Nanosecond
		pair := [2]int{f.SrcNode, f.DstNode}
		p.connect(f, earlier[pair])
		earlier[pair]++
	}
}

// connect gives f its port and NICs, as the flow number k of its pair. A host
// with n NICs uses them in turn.
func (p *flowParser) connect(f *Flow, k int) {
	src, dst := p.topology.Endpoints(f.SrcNode), p.topology.Endpoints(f.DstNode)
	f.Src, f.Dst = src[k%len(src)], dst[k%len(dst)]
	f.SPort = (firstPort + k) & 0xffff
	if p.topology.Routes.Hops(f.Src, f.Dst) == 0 {
		p.errorAt(f.Line, 1, "there is no path from node %d to node %d", f.SrcNode, f.DstNode)
	}
}
