package lint

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/scenarios"
	"rocesim/scenarios/derive"
	"rocesim/scenarios/strict"
	"rocesim/sim"
	switching "rocesim/switch"
)

// smallMTU is the payload of a packet where the Ethernet MTU is 1500 bytes.
const smallMTU = 1024

// headroom compares what each port keeps with what can arrive after its pause.
func (c *context) headroom() {
	small := derive.Headrooms(c.withMTU(smallMTU))
	least := map[derive.PortID]int64{}
	for i := range small {
		for _, id := range small[i].Ports {
			least[id] = small[i].Needed
		}
	}
	all := derive.Headrooms(c.Plan)
	settings := map[string]setting{}
	for i := range all {
		for _, id := range all[i].Ports {
			path := c.SwitchPath(id.Switch, "headroom")
			s := settings[path]
			s.most, s.mix = max(s.most, all[i].Needed), max(s.mix, all[i].AnyFrames.Total)
			s.short = s.short || all[i].Configured < least[id]
			settings[path] = s
		}
	}
	for i := range all {
		h := &all[i]
		for _, id := range h.Ports {
			if len(c.lossless(id.Switch)) > 0 && h.Pauses && h.PeerObeys {
				c.portHeadroom(id, h, least[id], settings[c.SwitchPath(id.Switch, "headroom")])
			}
		}
	}
}

// withMTU is the plan with packets of at most mtu bytes.
func (c *context) withMTU(mtu int) *scenarios.Plan {
	small := *c.Plan
	small.NICs = slices.Clone(c.NICs)
	for i := range small.NICs {
		small.NICs[i].MTU = min(small.NICs[i].MTU, mtu)
	}
	return &small
}

// setting is what ports have in common whose headroom one field gives: the largest
// need, for full frames and for any mix, and whether it is too small for packets of
// smallMTU somewhere.
type setting struct {
	most, mix int64
	short     bool
}

// portHeadroom judges one port; least is what it would need for small packets.
func (c *context) portHeadroom(id derive.PortID, h *derive.Headroom, least int64, s setting) {
	path, where := c.SwitchPath(id.Switch, "headroom"), c.portName(id.Switch, id.Port)
	link := fmt.Sprintf("%v and %s of cable delay", h.Rate, lasts(h.Delay))
	need := fmt.Sprintf("set %s: {bytes: %dB} or more, or {standard: true}", path, s.most)
	if s.most > h.Needed {
		need += fmt.Sprintf("; here %dB are enough, and faster or longer links of the switches need the rest", h.Needed)
	}
	mtu := c.largestMTU()
	switch {
	case h.Configured == 0:
		c.add("headroom-zero", path, where, fmt.Sprintf("lossless groups have no headroom at %s", link), budget(h), need)
	case h.Configured < h.Needed && h.Configured >= least && !s.short && mtu > smallMTU:
		c.add("headroom-for-smaller-mtu", path, where, fmt.Sprintf("headroom of %s at %s is enough for packets of %d B, and not for nic.mtu: %d", size(h.Configured), link, smallMTU, mtu),
			budget(h)+fmt.Sprintf("; with packets of %d B %s", smallMTU, size(least)), need)
	case h.Configured < h.Needed:
		c.add("headroom-too-small", path, where, fmt.Sprintf("headroom of %s at %s is %s less than can arrive after a pause", size(h.Configured), link, size(-h.Margin())), budget(h), need)
	default:
		c.reserve(h, s, path, where, link)
	}
}

// reserve compares headroom that full frames do not overrun with what less kind
// traffic and slower peers take.
func (c *context) reserve(h *derive.Headroom, s setting, path, where, link string) {
	if h.Configured < h.AnyFrames.Total {
		c.add("headroom-full-frames-only", path, where, fmt.Sprintf("headroom of %s at %s is enough for full frames, and not for any mix of frames", size(h.Configured), link),
			anyMix(h), fmt.Sprintf("set %s: {bytes: %dB} or more, or {standard: true}", path, s.mix))
	}
	if h.Configured < h.IEEE.Total {
		c.add("headroom-below-standard", path, where, fmt.Sprintf("headroom of %s at %s is less than the worst case of IEEE 802.1Qbb", size(h.Configured), link),
			standard(h), fmt.Sprintf("set %s: {bytes: %dB} if peers may take as long as the standard allows", path, h.IEEE.Total))
	}
}

// largestMTU is that of all NICs.
func (c *context) largestMTU() int {
	mtu := 0
	for i := range c.NICs {
		mtu = max(mtu, c.NICs[i].MTU)
	}
	return mtu
}

// budget is the need of a port, term by term, with the vendors' formula beside it.
func budget(h *derive.Headroom) string {
	var terms []string
	for _, t := range h.Terms {
		terms = append(terms, fmt.Sprintf("%s %s", t.Name, size(t.Bytes)))
	}
	text := fmt.Sprintf("%s = %s in flight; %d frames of %s in cells of %s = %s > %s", strings.Join(terms, " + "),
		lasts(h.Reach), h.Frames, size(h.Charge), size(h.Cell), size(h.Needed), size(h.Configured))
	if h.IEEE.Total > 0 {
		text += fmt.Sprintf("; the formula of IEEE 802.1Qbb gives %s", size(h.IEEE.Total))
	}
	return text
}

// anyMix is what suffices for any frames, term by term.
func anyMix(h *derive.Headroom) string {
	r, cells := &h.AnyFrames, ""
	if r.Worst > 0 {
		cells = fmt.Sprintf(" x %s of buffer for %s of wire (frames of %s)", size(r.WorstCharge), size(r.WorstWire), size(r.Worst))
	}
	return fmt.Sprintf("needed %s; any mix 2 frames %s + (a frame %s + pause %s + 2 x cable, response and pipelines %s)%s = %s > %s",
		size(h.Needed), size(2*r.Full), size(r.Waits), size(r.Pause), size(r.InFlight), cells, size(r.Total), size(h.Configured))
}

// standard is the vendors' formula with its terms.
func standard(h *derive.Headroom) string {
	s := &h.IEEE
	return fmt.Sprintf("2 frames %s + pause %s + 2 x cable %s + response %s = %s > %s", size(s.Frames), size(s.Pause), size(s.Cable), size(s.Response), size(s.Total), size(h.Configured))
}

// headroomPools compares the sum of all headroom with the memory for it.
func (c *context) headroomPools() {
	const usual = 4
	all := derive.Pools(c.Plan)
	most := map[string]int64{} // the largest sum of switches whose pool one field gives
	for _, p := range all {
		for _, sw := range p.Switches {
			path := c.SwitchPath(sw, "buffer.headroom_pool")
			most[path] = max(most[path], p.Configured*int64(p.Memories))
		}
	}
	for _, p := range all {
		for _, sw := range p.Switches {
			if c.Switches[sw].PFC.Enabled == 0 || len(c.lossless(sw)) == 0 {
				continue
			}
			path := c.SwitchPath(sw, "buffer.headroom_pool")
			if ratio := float64(p.Configured) / float64(max(1, p.Size)); p.Size > 0 && ratio > 1 {
				c.addAs("headroom-pool-oversubscribed", warningIf(ratio > usual), path, c.Switches[sw].Name,
					fmt.Sprintf("the headroom pool is promised %.3g times", ratio),
					fmt.Sprintf("%d groups have %s, the pool %s: ratio %.3g", p.Groups, size(p.Configured), size(p.Size), ratio),
					fmt.Sprintf("set %s: %dB, or fewer pfc.priorities", path, most[path]))
			}
			if p.Size == 0 && p.Configured > p.Shared {
				c.add("headroom-exceeds-buffer", c.SwitchPath(sw, "headroom"), c.Switches[sw].Name, "headroom takes more memory than the shared pool has",
					fmt.Sprintf("%d groups have %s, the shared pool %s", p.Groups, size(p.Configured), size(p.Shared)),
					fmt.Sprintf("set %s: %dB (half of it), fewer pfc.priorities, or the real size in switch.buffer.total",
						path, most[path]/2))
			}
		}
	}
}

// headroomRows looks for cables whose row of the table is far too long.
func (c *context) headroomRows() {
	for sw := range c.Switches {
		table := c.SwitchSpec(sw).Headroom.Table
		if len(table) == 0 || len(c.lossless(sw)) == 0 {
			continue
		}
		for _, ref := range c.ports(sw) {
			link := &c.Graph.Links[ref.Link]
			length := strict.Length(link.Length)
			row, shorter := -1, -1
			for i, r := range table {
				switch {
				case r.Rate != link.Rate:
				case r.Cable >= length && (row < 0 || r.Cable < table[row].Cable):
					row = i
				case r.Cable < length && (shorter < 0 || r.Cable > table[shorter].Cable):
					shorter = i
				}
			}
			if row < 0 || shorter < 0 || table[row].Cable <= 2*length {
				continue
			}
			long, short := table[row], table[shorter]
			between := float64(short.Bytes) + float64(long.Bytes-short.Bytes)*float64(length-short.Cable)/float64(long.Cable-short.Cable)
			c.add("headroom-row-too-long", c.SwitchPath(sw, "headroom.table"), c.Switches[sw].Name+" link "+link.Name,
				fmt.Sprintf("a cable of %v at %v has the headroom of %v", length, link.Rate, long.Cable),
				fmt.Sprintf("rows %v: %s and %v: %s; in proportion %v need %s", short.Cable, size(int64(short.Bytes)), long.Cable, size(int64(long.Bytes)), length, size(between)),
				fmt.Sprintf("add {rate: %v, cable: %v, bytes: %.0fB} to switch.headroom.table", link.Rate, length, between))
		}
	}
}

// thresholdsInTiers compares each switch with most of its tier.
func (c *context) thresholdsInTiers() {
	byTier := map[int][]int{}
	last := 0
	for sw := range c.Switches {
		if c.Switches[sw].PFC.Enabled != 0 && len(c.lossless(sw)) > 0 {
			tier := c.Graph.Switches[sw].Tier
			byTier[tier] = append(byTier[tier], sw)
			last = max(last, tier)
		}
	}
	for tier := range last + 1 {
		c.thresholdsAlike(byTier[tier])
	}
}

// thresholdsAlike compares switches of one tier.
func (c *context) thresholdsAlike(switches []int) {
	count := map[switching.Threshold]int{}
	usual, most := switching.Threshold{}, 0
	of := func(sw int) switching.Threshold { return c.Switches[sw].Groups[c.lossless(sw)[0]].Threshold }
	for _, sw := range switches {
		count[of(sw)]++
	}
	for _, sw := range switches {
		if t := of(sw); count[t] > most { // of equally many, that of the first switch
			usual, most = t, count[t]
		}
	}
	for _, sw := range switches {
		if t := of(sw); t != usual {
			pool := c.Switches[sw].Buffer.Shared / int64(c.memories(sw))
			c.add("xoff-differs-in-tier", c.SwitchPath(sw, "lossless"), c.Switches[sw].Name,
				fmt.Sprintf("the switch pauses at %s, and %d of %d switches of its tier at %s", thresholdText(&t), most, len(switches), thresholdText(&usual)),
				fmt.Sprintf("XOFF of 1, 4, 16 groups: here %s; there %s", xoffTable(&t, pool), xoffTable(&usual, pool)),
				fmt.Sprintf("set %s: {%s}", c.SwitchPath(sw, "lossless"), thresholdField(&usual)))
		}
	}
}

func thresholdText(t *switching.Threshold) string {
	if t.Dynamic {
		return "alpha " + alphaOf(t)
	}
	return size(t.Static)
}

func thresholdField(t *switching.Threshold) string {
	if t.Dynamic {
		return "alpha: " + alphaOf(t)
	}
	return fmt.Sprintf("xoff: %v", strict.Bytes(t.Static))
}

// xoffTable lists the threshold for several numbers of congested groups.
func xoffTable(t *switching.Threshold, pool int64) string {
	d := derive.Threshold{Dynamic: t.Dynamic, Alpha: float64(t.Alpha) / switching.AlphaOne, Static: t.Static, Pool: pool}
	var list []string
	for _, n := range []int{1, 4, 16} {
		list = append(list, size(d.Xoff(n)))
	}
	return strings.Join(list, ", ")
}

// refreshes looks for pauses that end before they are repeated, at the fastest port
// of each switch: its pauses are the shortest.
func (c *context) refreshes() {
	frame := int64(c.Framing.Wire(c.Framing.Frame(c.largestMTU(), true)))
	for sw := range c.Switches {
		p := &c.Switches[sw].PFC
		if p.Enabled == 0 || p.Infinite || len(c.lossless(sw)) == 0 {
			continue
		}
		rate := sim.Rate(0)
		for _, ref := range c.ports(sw) {
			rate = max(rate, c.Graph.Links[ref.Link].Rate)
		}
		pause := sim.Time(float64(p.Quanta) * 512 / float64(rate) * float64(sim.Second))
		slack := rate.TxTimeCeil(frame)
		if p.Refresh > 0 && p.Refresh+slack <= pause {
			continue
		}
		again := "never repeated"
		if p.Refresh > 0 {
			again = fmt.Sprintf("repeated after %s, up to %s later behind a frame", lasts(p.Refresh), lasts(slack))
		}
		c.add("pause-not-refreshed", c.SwitchPath(sw, "pfc.refresh"), c.Switches[sw].Name, fmt.Sprintf("pauses of %v ports run out before they are repeated", rate),
			fmt.Sprintf("%d quanta x 512 bits / %v = %s; %s", p.Quanta, rate, lasts(pause), again),
			fmt.Sprintf("set %s: 50%% and %s: 65535", c.SwitchPath(sw, "pfc.refresh"), c.SwitchPath(sw, "pfc.quanta")))
	}
}
