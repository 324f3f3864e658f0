package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rocesim/scenarios/importer/hpcc"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// asked is what the files ask for that depends on several of them.
type asked struct {
	// loss is the probability that a frame is lost, by link.
	loss []float64
	// down are the links that LINK_DOWN takes down, and downAt when.
	down   []int
	downAt sim.Time
	// windows bound the bytes in flight, the largest first.
	windows []hpcc.Window
	// restart is what L2_BACK_TO_ZERO asks for where no flow is longer than a
	// chunk.
	restart bool
	notes   []string
}

// ask finds out what the files ask for.
func (im *Import) ask() {
	im.asked.loss = slices.Clone(im.topology.LossRate)
	if im.config == nil {
		return
	}
	for i, own := range im.asked.loss {
		if own == 0 {
			im.asked.loss[i] = im.config.LossRate
		}
	}
	im.askLinkDown()
	if im.replaced("nic") {
		return // the rest is the preset's
	}
	im.askBackToZero()
	windows, uneven := im.topology.Windows(im.config, im.set)
	im.asked.windows = windows
	if len(uneven) > 0 {
		im.note("hosts whose flows go far and near have their largest window for all, in the original each pair has its own: nodes %s", ranges(uneven))
	}
}

func (im *Import) note(format string, args ...any) {
	im.asked.notes = append(im.asked.notes, fmt.Sprintf(format, args...))
}

// askLinkDown finds the links of LINK_DOWN, whose time is on the clock of
// flow.txt.
func (im *Import) askLinkDown() {
	d := im.config.LinkDown
	if d == nil {
		return
	}
	links := im.topology.LinksBetween(d.A, d.B)
	at := max(0, d.At-im.set.Base)
	switch {
	case len(links) == 0:
		im.config.Ignore("LINK_DOWN", fmt.Sprintf("the topology has no link between nodes %d and %d", d.A, d.B))
		return
	case at >= im.duration():
		im.config.Ignore("LINK_DOWN", "the run ends before")
		return
	}
	im.asked.down, im.asked.downAt = links, at
	im.note("LINK_DOWN: packets that wait for the link are sent and lost one by one, in the original they are lost at once and stay in the count of the buffer")
	g := im.topology.Graph
	for _, n := range []int{g.Links[links[0]].A.Node, g.Links[links[0]].B.Node} {
		if !g.IsSwitch(n) && len(g.Hosts[g.Endpoints[n].Host].Endpoints) > 1 {
			im.note("LINK_DOWN: flows of node %d stay on the NIC whose link fails, in the original they move to its others", im.topology.NodeID(n))
		}
	}
}

// askBackToZero maps L2_BACK_TO_ZERO. In the original both ends go back to the
// start of the lost packet's chunk, and acknowledgements count whole chunks
// only. That is to start a message over where it is one chunk.
func (im *Import) askBackToZero() {
	c := im.config
	if !c.BackToZero {
		return
	}
	var longest int64
	whole := true
	for i := range im.set.Flows {
		bytes := im.set.Flows[i].Bytes
		longest = max(longest, bytes)
		whole = whole && c.ChunkSize > 0 && bytes%c.ChunkSize == 0
	}
	im.asked.restart = longest <= c.ChunkSize
	if !im.asked.restart {
		reason := fmt.Sprintf("after a loss the sender goes back to the lost packet, in the original to the start of its chunk of %d bytes (the longest flow has %d)", c.ChunkSize, longest)
		c.Ignore("L2_BACK_TO_ZERO", reason)
		c.Ignore("L2_CHUNK_SIZE", reason)
	}
	if !whole {
		im.note("L2_BACK_TO_ZERO: flows that are no whole number of chunks of %d bytes end here, in the original never", c.ChunkSize)
	}
}

// describeFaults writes what goes wrong, and tells what is not mended.
func (im *Import) describeFaults(line func(string, ...any)) {
	a, links := &im.asked, im.topology.Graph.Links
	lossy := slices.ContainsFunc(a.loss, func(r float64) bool { return r > 0 })
	if !lossy && len(a.down) == 0 {
		return
	}
	line("faults:")
	switch {
	case lossy && len(slices.Compact(slices.Clone(a.loss))) == 1:
		line("  - {at: 0s, link: \"*\", loss: %v}", strict.Fraction(a.loss[0]))
	case lossy:
		for i, r := range a.loss {
			if r > 0 {
				line("  - {at: 0s, link: %q, loss: %v}", links[i].Name, strict.Fraction(r))
			}
		}
	}
	for _, l := range a.down {
		line("  - {at: %v, link: %q, down: true}", a.downAt, links[l].Name)
	}
	if !im.replaced("nic") {
		im.note("flows may never end, for the original has no time-out: what no later packet tells of stays lost (the last packet of a flow or of a full window, its ACK, a NAK); --set nic.timeout=1ms has one")
	}
}

// describeRecovery writes the window and what is sent again after a loss. A
// host that is not named sends nothing, so that its window does not matter.
func (im *Import) describeRecovery(line func(string, ...any)) {
	if im.asked.restart {
		line("  recovery: go-back-0")
	}
	for i, w := range im.asked.windows {
		switch i {
		case 0:
			line("  window: %v", strict.Bytes(w.Bytes))
			continue
		case 1:
			line("  overrides:")
		}
		line("    - {match: \"[%s]\", window: %v}", ranges(w.Nodes), strict.Bytes(w.Bytes))
	}
}

// ranges writes ascending numbers as a pattern has them: "0-3,7".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i {
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}
