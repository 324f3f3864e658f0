package explain

import (
	"fmt"
	"strings"

	"rocesim/scenarios"
	"rocesim/scenarios/derive"
)

func headroomSection(p *scenarios.Plan) Section {
	s := aboutHeadroom()
	all := derive.Headrooms(p)
	if len(all) == 0 {
		s.Verdict = "no switch has a lossless group: nothing is paused, and full buffers drop"
		return s
	}
	var lacking lack
	for i := range all {
		h := &all[i]
		lacking.add(h)
		verdict := headroomVerdict(h)
		ieee := sizeCell(h.IEEE.Total)
		if h.IEEE.Total == 0 {
			ieee = cell{nil, "-"}
		}
		s.table.add(
			cell{portName(p, h.Ports[0]), places(p, h.Ports)}, cell{len(h.Ports), ""}, cell{h.Groups, numbers(h.Groups)},
			rateCell(h.Rate), cell{h.Cable, ""}, cell{h.Delay.Nanos(), cableOf(h)}, sizeCell(h.Needed), sizeCell(h.AnyFrames.Total),
			ieee, sizeCell(h.Configured), cell{h.Margin(), ""}, cell{verdict, verdict},
		)
		s.show(portName(p, h.Ports[0]), headroomArithmetic(h))
		s.show(portName(p, h.Ports[0]), anyMix(h))
	}
	s.Bad, s.Verdict = lacking.short+lacking.unpaused > 0, lacking.verdict()
	s.pools(p)
	return s
}

// lack counts the ports that cannot take all that arrives: whose headroom is too
// short, whose senders nothing stops, and those that small frames can overrun.
type lack struct{ short, unpaused, small int }

func (l *lack) add(h *derive.Headroom) {
	switch {
	case !h.Pauses || !h.PeerObeys:
		l.unpaused += len(h.Ports)
	case h.Margin() < 0:
		l.short += len(h.Ports)
	case h.AnyFrames.Total > h.Configured:
		l.small += len(h.Ports)
	}
}

func (l *lack) verdict() string {
	const enough = "every port can take what arrives after XOFF"
	switch {
	case l.short > 0:
		return many(l.short, "port") + " can lose packets when a sender at line rate is paused"
	case l.unpaused > 0:
		return "nothing stops the senders of " + many(l.unpaused, "port") + ": packets are lost when the buffer is full"
	case l.small > 0:
		return enough + ", " + many(l.small, "port") + " only if few frames are small"
	default:
		return enough
	}
}

func headroomVerdict(h *derive.Headroom) string {
	switch {
	case !h.Pauses:
		return "does not pause"
	case !h.PeerObeys:
		return "peer ignores pauses"
	case h.Margin() < 0:
		return "too small"
	case h.AnyFrames.Total > h.Configured:
		return "full frames only"
	}
	return "ok"
}

func cableOf(h *derive.Headroom) string {
	return hopCable(derive.Hop{Rate: h.Rate, Delay: h.Delay, Cable: h.Cable})
}

func numbers(all []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ","), "[]")
}

// headroomArithmetic shows where the need comes from.
func headroomArithmetic(h *derive.Headroom) string {
	frame := exactly(h.Charge)
	if h.Cell > 1 {
		frame = many(int(h.Charge/h.Cell), "cell") + " of " + exactly(h.Cell)
	}
	return fmt.Sprintf("needed: %s = %s at %s = %s begun + 1 that crosses XOFF = %d x %s = %s",
		terms(h.Terms), span(h.Reach), rate(h.Rate), many(int(h.Frames-1), "frame"), h.Frames, frame, exactly(h.Needed))
}

// anyMix shows what suffices for any frames.
func anyMix(h *derive.Headroom) string {
	r := &h.AnyFrames
	cells := ""
	if r.Worst > 0 {
		cells = fmt.Sprintf(" x %s of buffer for %s of wire (frames of %s)", exactly(r.WorstCharge), exactly(r.WorstWire), exactly(r.Worst))
	}
	return fmt.Sprintf("any mix: 2 full frames x %s + (frame waited for %s + pause %s + cable, response and pipelines %s = %s)%s = %s",
		exactly(r.Full), exactly(r.Waits), exactly(r.Pause), span(r.Ahead), exactly(r.InFlight), cells, exactly(r.Total))
}

// pools adds what the ports need together. A pool that is shared is meant to be
// oversubscribed; by how much is to be known.
func (s *Section) pools(p *scenarios.Plan) {
	all := derive.Pools(p)
	for i := range all {
		pool := &all[i]
		name := others(p.Switches[pool.Switches[0]].Name, len(pool.Switches)-1)
		if pool.Memories > 1 {
			name = fmt.Sprintf("each of %d memories of %s", pool.Memories, name)
		}
		if pool.Size == 0 {
			s.show(name, fmt.Sprintf("%s have %s of headroom of their own, %s of the size of the shared pool",
				many(pool.Groups, "group"), size(float64(pool.Configured)), percent(float64(pool.Configured)/float64(pool.Shared))))
			continue
		}
		s.show(name, fmt.Sprintf("%s need %s together, %s of the headroom pool of %s",
			many(pool.Groups, "group"), size(float64(pool.Needed)), percent(pool.Oversubscription()), size(float64(pool.Size))))
		if pool.Oversubscription() > 1 {
			s.Verdict += fmt.Sprintf("; the headroom pool of %s runs dry if more than %s of the need comes at once", name, percent(1/pool.Oversubscription()))
		}
	}
}
