package hpcc

import (
	"fmt"
	"strconv"

	"rocesim/fabric/topo"
	"rocesim/sim"
)

// Topology is what a topology.txt describes.
type Topology struct {
	// Graph has hosts and switches named by their node ids ("0", "64"). Ports
	// are numbered in the order of the file's lines, as in the original (which
	// counts them from 1). A host with n links has n NICs.
	Graph *topo.Graph
	// Explicit is the same as a list, for writing it as a scenario.
	Explicit topo.Explicit
	// Routes are the shortest paths.
	Routes *topo.Routes
	// LossRate is the packet loss probability of each link of Graph.
	LossRate []float64
	Warnings []Problem

	host map[int]int // node id to index into Graph.Hosts
}

// NodeID returns the id in the file of node n of the graph.
func (t *Topology) NodeID(n int) int {
	name := t.Graph.NodeName(n)
	if !t.Graph.IsSwitch(n) {
		name = t.Graph.Hosts[t.Graph.Endpoints[n].Host].Name
	}
	id, err := strconv.Atoi(name)
	if err != nil {
		panic(fmt.Sprintf("hpcc: node %d of an imported topology is called %q", n, name))
	}
	return id
}

// Endpoints returns the endpoints of the host with this id; none if it is a
// switch, has no link or does not exist.
func (t *Topology) Endpoints(id int) []int {
	h, ok := t.host[id]
	if !ok {
		return nil
	}
	return t.Graph.Hosts[h].Endpoints
}

// LinksBetween returns the indices of the links between two nodes, by their
// ids.
func (t *Topology) LinksBetween(a, b int) []int {
	var found []int
	for i := range t.Graph.Links {
		x, y := t.NodeID(t.Graph.Links[i].A.Node), t.NodeID(t.Graph.Links[i].B.Node)
		if (x == a && y == b) || (x == b && y == a) {
			found = append(found, i)
		}
	}
	return found
}

const (
	// linkColumns is the number of words of a link's line.
	linkColumns = 5
	// simaiHeader is the number of words in the first line of SimAI topologies.
	simaiHeader = 6
	// minRate of a link: below the slowest Ethernet by far.
	minRate = sim.Mbps
)

// linkLine is one line of links, before the graph exists.
type linkLine struct {
	a, b int
	spec topo.LinkSpec
	loss float64
	line int
}

// ParseTopology reads a topology.txt: a line "nodes switches links", a line with
// the ids of switches, and a line "source destination rate delay error_rate" per
// link. Lines behind the announced number of links are notes. The error is a
// *Problems; name is the file's name in it.
func ParseTopology(name string, data []byte) (*Topology, error) {
	p := topologyParser{report: report{file: name}}
	p.records = p.split(data)
	counts, ok := p.header()
	if !ok {
		return nil, p.err()
	}
	p.nodes, p.isSwitch = int(counts[0]), make(map[int]bool)
	p.switches(int(counts[1]))
	p.links(int(counts[2]))
	if err := p.err(); err != nil {
		return nil, err
	}
	return p.build()
}

type topologyParser struct {
	report
	records  []record
	nodes    int
	isSwitch map[int]bool
	list     []linkLine
}

// header reads the first line.
func (p *topologyParser) header() (counts [3]int64, ok bool) {
	const want = `must begin with a line "nodes switches links"`
	if len(p.records) == 0 {
		p.empty(`a line "nodes switches links"`)
		return counts, false
	}
	first := p.records[0]
	p.records = p.records[1:]
	if len(first.fields) == simaiHeader {
		p.errorAt(first.number, 1, "six words: this is a topology of SimAI, a topology of HPCC %s", want)
		return counts, false
	}
	if len(first.fields) != len(counts) {
		p.errorAt(first.number, 1, "%d word(s), a topology %s", len(first.fields), want)
		return counts, false
	}
	limits := [3]int64{topo.MaxEndpoints + topo.MaxSwitches, topo.MaxSwitches, topo.MaxLinks}
	least := [3]int64{1, 0, 1}
	for i, f := range first.fields {
		if counts[i], ok = f.integer(least[i], limits[i]); !ok {
			p.bad(f, fmt.Sprintf("a whole number from %d to %d", least[i], limits[i]))
		}
	}
	return counts, p.err() == nil
}

// switches reads the second line, which is missing where there is no switch.
func (p *topologyParser) switches(count int) {
	if count == 0 {
		return
	}
	if len(p.records) == 0 {
		p.errorAt(2, 1, "the file ends, expected the ids of %d switches", count)
		return
	}
	line := p.records[0]
	p.records = p.records[1:]
	if len(line.fields) != count {
		p.errorAt(line.number, 1, "%d ids of switches, the first line announces %d", len(line.fields), count)
		return
	}
	for _, f := range line.fields {
		id, ok := p.node(f)
		if ok && p.isSwitch[id] {
			p.errorAt(f.line, f.column, "switch %d is listed twice", id)
		}
		p.isSwitch[id] = true
	}
}

// node reads a node id.
func (p *topologyParser) node(f field) (int, bool) {
	id, ok := f.integer(0, int64(p.nodes-1))
	if !ok {
		p.bad(f, fmt.Sprintf("a node id from 0 to %d", p.nodes-1))
	}
	return int(id), ok
}

// links reads count lines of links and warns if there are more or fewer.
func (p *topologyParser) links(count int) {
	body := withoutNotes(p.records)
	switch {
	case len(body) > count && len(body[count].fields) == linkColumns:
		p.warnAt(body[count].number, 1, "this and further links are ignored, the first line announces %d", count)
	case len(body) < count:
		p.warnAt(1, 1, "%d links are announced, the file has %d", count, len(body))
	}
	for _, line := range body[:min(count, len(body))] {
		p.link(line)
	}
	if len(body) == 0 {
		p.errorAt(1, 1, "the file has no link, expected lines of \"source destination rate delay error_rate\"")
	}
}

// withoutNotes drops the notes at the end of a file: the lines behind the last
// one that begins with a number.
func withoutNotes(records []record) []record {
	for len(records) > 0 && !records[len(records)-1].fields[0].numeric() {
		records = records[:len(records)-1]
	}
	return records
}

// link reads one line of links.
func (p *topologyParser) link(line record) {
	if len(line.fields) != linkColumns {
		p.errorAt(line.number, 1, "%d word(s), must be \"source destination rate delay error_rate\"", len(line.fields))
		return
	}
	f := line.fields
	l := linkLine{line: line.number}
	var okA, okB bool
	l.a, okA = p.node(f[0])
	l.b, okB = p.node(f[1])
	if okA && okB && l.a == l.b {
		p.errorAt(line.number, f[1].column, "node %d is linked to itself, must be two different nodes", l.a)
	}
	l.spec.Rate = p.rate(f[2], minRate)
	delay, ok := f[3].quantity(timeUnit, int64(topo.MaxDelay))
	if !ok {
		p.bad(f[3], fmt.Sprintf("a delay up to %v like 1000ns or 0.001ms", topo.MaxDelay))
	}
	l.spec.Delay = sim.Time(delay)
	if l.loss, ok = f[4].number(0, 1); !ok {
		p.bad(f[4], "an error rate from 0 to 1")
	}
	p.list = append(p.list, l)
}

// build makes the graph.
func (p *topologyParser) build() (*Topology, error) {
	x, hosts := p.explicit()
	p.warnParallel()
	graph, err := x.Build()
	for _, e := range topo.Problems(err) {
		p.buildError(e)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	t := &Topology{Graph: graph, Explicit: x, Routes: topo.NewRoutes(graph), Warnings: p.warnings, host: hosts}
	for _, l := range p.list {
		t.LossRate = append(t.LossRate, l.loss)
	}
	return t, nil
}

// explicit turns the lists into those of a graph. Hosts without a link are
// left out.
func (p *topologyParser) explicit() (x topo.Explicit, hosts map[int]int) {
	links := make([]int, p.nodes)
	for _, l := range p.list {
		links[l.a]++
		links[l.b]++
		x.Links = append(x.Links, topo.ExplicitLink{A: strconv.Itoa(l.a), B: strconv.Itoa(l.b), LinkSpec: l.spec})
	}
	hosts = make(map[int]int)
	several := false
	for id := range p.nodes {
		switch {
		case p.isSwitch[id]:
			x.Switches = append(x.Switches, strconv.Itoa(id))
		case links[id] == 0:
			p.warnAt(1, 1, "node %d is left out, it has no link", id)
		default:
			hosts[id] = len(x.Hosts)
			x.Hosts = append(x.Hosts, topo.HostSpec{Name: strconv.Itoa(id), NICs: links[id]})
			several = several || links[id] > 1
		}
	}
	if several {
		p.warnAt(0, 0, "hosts with several links have a NIC on each, and flows take them in turn; the original hashes")
	}
	return x, hosts
}

// warnParallel tells of links that the original would merge.
func (p *topologyParser) warnParallel() {
	first := make(map[[2]int]int)
	for _, l := range p.list {
		pair := [2]int{min(l.a, l.b), max(l.a, l.b)}
		if line, ok := first[pair]; ok {
			p.warnAt(l.line, 1, "parallel to the link in line %d; both carry traffic, in the original only the last does", line)
			continue
		}
		first[pair] = l.line
	}
}

// buildError puts an error of the builder at its line.
func (p *topologyParser) buildError(err error) {
	var index int
	fe, ok := err.(*topo.FieldError)
	if ok {
		if _, scan := fmt.Sscanf(fe.Field, "links[%d]", &index); scan == nil {
			p.errorAt(p.list[index].line, 1, "%s", fe.Text)
			return
		}
	}
	p.errorAt(1, 1, "%v", err)
}
