package scenarios

import (
	"slices"

	"rocesim/fabric/topo"
	"rocesim/scenarios/strict"
)

// Route is a static route: it takes the place of the equal-cost next hops that
// switches have to hosts.
type Route struct {
	At  string   `yaml:"at" need:"true" doc:"the switch that has the route, or a pattern"`
	To  string   `yaml:"to" need:"true" doc:"the host that it leads to, or a pattern"`
	Via []string `yaml:"via" need:"true" doc:"the list of neighbours to send to, equally; a failed one is left out"`
}

// maxRoutes bounds the list of static routes.
const maxRoutes = 10_000

// staticRoutes resolves the list. A later route overrides an earlier one to the
// same host.
func (p *planner) staticRoutes(g *topo.Graph) []topo.StaticRoute {
	routes := p.sc.Fabric.common().Routes
	if len(routes) > maxRoutes {
		p.doc.Failf("fabric.routes", "%d routes are too many; allowed are %d", len(routes), maxRoutes)
		return nil
	}
	var all []topo.StaticRoute
	for i := range routes {
		all = append(all, p.staticRoute(g, &routes[i], strict.Indexed("fabric.routes", i))...)
	}
	return all
}

// staticRoute resolves one item, which may be for several switches and hosts.
func (p *planner) staticRoute(g *topo.Graph, r *Route, path string) []topo.StaticRoute {
	switches := p.matchSwitches(g, r.At, path+".at")
	hosts, err := namesOf(g).match([]string{r.To})
	if err != nil {
		p.doc.Failf(path+".to", "%v", err)
	}
	if !p.ok(path) {
		return nil
	}
	var out []topo.StaticRoute
	for _, sw := range switches {
		for _, h := range hosts {
			for _, e := range g.Hosts[h].Endpoints {
				ports := p.via(g, sw, e, r.Via, path+".via")
				out = append(out, topo.StaticRoute{Switch: sw, Endpoint: e, Ports: ports})
			}
		}
	}
	if !p.ok(path) {
		return nil
	}
	return out
}

// matchSwitches returns the switches that a pattern names, counted from 0.
func (p *planner) matchSwitches(g *topo.Graph, text, path string) []int {
	pattern, err := topo.ParsePattern(text)
	if err != nil {
		p.doc.Failf(path, "%v", err)
		return nil
	}
	var found []int
	var names []string
	for i, s := range g.Switches {
		names = append(names, s.Name)
		if s.Name == text || pattern.Match(s.Name) {
			found = append(found, i)
		}
	}
	if found == nil {
		p.doc.Failf(path, "%s", strict.Unknown("switch", text, names))
	}
	return found
}

// via returns the ports of a switch that lead to the named neighbours.
func (p *planner) via(g *topo.Graph, sw, endpoint int, names []string, path string) []uint16 {
	var ports []uint16
	for i, name := range names {
		item := strict.Indexed(path, i)
		peer, known := neighbour(g, name, endpoint)
		to := g.PortsTo(sw, peer)
		switch {
		case !known || to == nil:
			p.doc.Failf(item, "%s", strict.Unknown("neighbour of "+g.Switches[sw].Name, name, neighbours(g, sw)))
		case !g.IsSwitch(peer) && peer != endpoint:
			p.doc.Failf(item, "%s does not lead to %s: hosts forward nothing", name, g.NodeName(endpoint))
		default:
			ports = append(ports, to...)
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

// neighbour returns the node of a name. That of a host is the NIC that the
// route leads to, if it is the same host's.
func neighbour(g *topo.Graph, name string, endpoint int) (int, bool) {
	if g.Hosts[g.Endpoints[endpoint].Host].Name == name {
		return endpoint, true
	}
	for _, h := range g.Hosts {
		if h.Name == name {
			return h.Endpoints[0], true
		}
	}
	n, ok := g.Node(name)
	if !ok {
		n = -1
	}
	return n, ok
}

func neighbours(g *topo.Graph, sw int) []string {
	var names []string
	for _, port := range g.Ports(len(g.Endpoints) + sw) {
		names = append(names, g.NodeName(port.Peer.Node))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
