package lint

// crowd is what feeds one congested queue of a leaf: the port that it leaves by,
// its ingress group, and the number of ingress ports.
type crowd struct{ port, group, feeding int }

// feeder is an ingress port of a leaf that brings data of a group into congested
// queues; links to other switches count as port -1.
type feeder struct{ sw, port, group int }

// crowds finds which queues towards overloaded endpoints the workload fills, from
// how many ports, and how many groups of each leaf fill at once. Leaves whose
// ports have several memories are left out: which groups meet in one is not looked
// at.
func (c *context) crowds() {
	type queue struct{ sw, port, group int }
	local, remote := map[queue]int{}, map[queue]int{}
	at := map[feeder]int{} // pairs
	var order []queue
	for _, p := range c.traffic.between {
		sw := leafOf(c.Plan, int(p.dst))
		if sw < 0 || c.Switches[sw].Buffer.Partitions > 1 || !c.traffic.overloaded(c.Plan, int(p.dst)) {
			continue
		}
		w := c.of(sw, &c.traffic.classes[p.class])
		q := queue{sw, c.Graph.Ports(int(p.dst))[0].Peer.Port, int(w.group)}
		if local[q]+remote[q] == 0 {
			order = append(order, q)
		}
		if leafOf(c.Plan, int(p.src)) == sw {
			local[q]++
			at[feeder{sw, c.Graph.Ports(int(p.src))[0].Peer.Port, q.group}]++
		} else {
			remote[q]++
			at[feeder{sw, -1, q.group}]++
		}
	}
	c.traffic.crowds, c.traffic.filling = make([][]crowd, len(c.Switches)), make([]int, len(c.Switches))
	for f, pairs := range at { // a sum, whose order does not matter
		if f.port >= 0 {
			c.traffic.filling[f.sw]++
		} else {
			c.traffic.filling[f.sw] += min(pairs, c.uplinks(f.sw))
		}
	}
	for _, q := range order {
		c.traffic.crowds[q.sw] = append(c.traffic.crowds[q.sw], crowd{q.port, q.group, local[q] + min(remote[q], c.uplinks(q.sw))})
	}
}

// uplinks is the number of links of a switch to other switches.
func (c *context) uplinks(sw int) int {
	n := 0
	for _, ref := range c.ports(sw) {
		if c.Graph.IsSwitch(ref.Peer.Node) {
			n++
		}
	}
	return n
}
