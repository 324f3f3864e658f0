package topo

import (
	"fmt"
	"strings"
)

// maxNamed is how many unreachable pairs Validate names.
const maxNamed = 3

// Validate checks what every model assumes of a graph: names are unique, every
// endpoint has one link, no node is linked to itself, and every endpoint can
// reach every other. Builders guarantee all but the last.
func (g *Graph) Validate() []error {
	errs := append(g.checkNames(), g.checkLinks()...)
	if len(errs) > 0 {
		return errs
	}
	return g.checkReachable()
}

func (g *Graph) checkNames() []error {
	var errs []error
	seen := make(map[string]bool, g.NumNodes()+len(g.Links))
	check := func(kind, name string) {
		if seen[name] {
			errs = append(errs, fmt.Errorf("two %s are called %q", kind, name))
		}
		seen[name] = true
	}
	for n := range g.NumNodes() {
		check("nodes", g.NodeName(n))
	}
	for i := range g.Links {
		check("links", g.Links[i].Name)
	}
	return errs
}

func (g *Graph) checkLinks() []error {
	var errs []error
	degree := make([]int, g.NumNodes())
	for i := range g.Links {
		l := &g.Links[i]
		degree[l.A.Node]++
		degree[l.B.Node]++
		if l.A.Node == l.B.Node {
			errs = append(errs, fmt.Errorf("link %q joins %q with itself", l.Name, g.NodeName(l.A.Node)))
		}
		if l.Rate <= 0 || l.Delay < 0 {
			errs = append(errs, fmt.Errorf("link %q has rate %d bit/s and delay %v, must be above 0 and not negative",
				l.Name, int64(l.Rate), l.Delay))
		}
	}
	for n, e := range g.Endpoints {
		if degree[n] != 1 {
			errs = append(errs, fmt.Errorf("NIC %q has %d links, must have one", e.Name, degree[n]))
		}
	}
	return errs
}

// checkReachable reports pairs without a path. Reachability is symmetric and
// transitive over switches, so comparing with the first endpoint suffices to
// detect a split, and the pairs named are those with the first endpoint.
func (g *Graph) checkReachable() []error {
	r := NewRoutes(g)
	var named []string
	cut := 0
	for dst := 1; dst < len(g.Endpoints); dst++ {
		if r.Hops(0, dst) > 0 {
			continue
		}
		cut++
		if len(named) < maxNamed {
			named = append(named, g.Endpoints[dst].Name)
		}
	}
	if cut == 0 {
		return nil
	}
	list := strings.Join(named, ", ")
	if cut > len(named) {
		list += fmt.Sprintf(" and %d more", cut-len(named))
	}
	return []error{fmt.Errorf("the fabric falls into parts: %s cannot reach %s", g.Endpoints[0].Name, list)}
}
