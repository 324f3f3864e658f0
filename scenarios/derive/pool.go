package derive

import "rocesim/scenarios"

// Pool is the memory of a switch that headroom comes from, as switches alike have
// it.
type Pool struct {
	// Switches have these indexes; the first stands for all.
	Switches []int
	// Memories is how many the chip divides its ports among; the other numbers are
	// those of one.
	Memories int
	// Groups is the number of lossless groups of all ports of one memory.
	Groups int
	// Needed is what they need if all overrun together, Configured the sum of
	// their headroom, in bytes.
	Needed, Configured int64
	// Size bounds what they use together; 0 is without bound, each group having
	// its own. Shared is the pool for what lies below XOFF.
	Size, Shared int64
}

// Oversubscription is how many times the need exceeds the pool; 0 without pool.
func (p *Pool) Oversubscription() float64 {
	if p.Size == 0 {
		return 0
	}
	return float64(p.Needed) / float64(p.Size)
}

// Pools returns the headroom memory of all switches with lossless groups, those
// alike together. Of several memories the first stands for all, as ports are divided
// among them evenly.
func Pools(p *scenarios.Plan) []Pool {
	n := newNetwork(p)
	var all []Pool
	type kind struct {
		memories, groups                 int
		needed, configured, size, shared int64
	}
	known := map[kind]int{}
	for i := range p.Switches {
		groups := losslessGroups(&p.Switches[i])
		if len(groups) == 0 {
			continue
		}
		one := n.pool(i, groups)
		k := kind{one.Memories, one.Groups, one.Needed, one.Configured, one.Size, one.Shared}
		if at, again := known[k]; again {
			all[at].Switches = append(all[at].Switches, i)
			continue
		}
		known[k] = len(all)
		all = append(all, one)
	}
	return all
}

func (n *network) pool(i int, groups []int) Pool {
	c := &n.Switches[i]
	memories := c.Buffer.Memories()
	one := Pool{
		Switches: []int{i}, Memories: memories, Size: c.Buffer.HeadroomPool / int64(memories), Shared: c.Buffer.Shared / int64(memories),
	}
	for port := range (len(c.Ports) + memories - 1) / memories {
		h := n.headroom(PortID{i, port}, groups)
		one.Groups += len(groups)
		one.Needed += int64(len(groups)) * h.Needed
		one.Configured += int64(len(groups)) * h.Configured
	}
	return one
}
