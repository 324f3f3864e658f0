package topo

import "slices"

// StaticRoute overrides the equal-cost next hops that a switch has to one
// endpoint. It may lead anywhere, also in circles: that is how routing loops
// and detours come about.
type StaticRoute struct {
	// Switch is counted from 0.
	Switch, Endpoint int
	// Ports are the next hops, ascending.
	Ports []uint16
}

// WithStatic returns the routes with some of them overridden. A static route
// whose links are all out of service does not count.
func (r *Routes) WithStatic(static []StaticRoute) *Routes {
	s := NewRoutes(r.g, r.outOfService()...)
	s.static = append(slices.Clone(r.static), static...)
	s.override()
	return s
}

// Without returns the routes, static ones included, while the given links
// (indices) and no others are out of service.
func (r *Routes) Without(down ...int) *Routes {
	s := NewRoutes(r.g, down...)
	s.static = r.static
	s.override()
	return s
}

func (r *Routes) outOfService() []int {
	var down []int
	for l, is := range r.down {
		if is {
			down = append(down, l)
		}
	}
	return down
}

// override enters the static routes into the tables.
func (r *Routes) override() {
	for _, x := range r.static {
		ports := slices.DeleteFunc(slices.Clone(x.Ports), func(p uint16) bool {
			return r.down[r.switchPorts(x.Switch)[p].Link]
		})
		if len(ports) > 0 {
			t := &r.table[x.Switch]
			t.group[x.Endpoint] = uint16(len(t.sets))
			t.sets = append(t.sets, ports)
		}
	}
}

// PortsTo returns the ports of switch sw (counted from 0) that lead to node
// peer, ascending; none if they are no neighbours.
func (g *Graph) PortsTo(sw, peer int) []uint16 {
	var ports []uint16
	for i, p := range g.ports[len(g.Endpoints)+sw] {
		if p.Peer.Node == peer {
			ports = append(ports, uint16(i))
		}
	}
	return ports
}
