package lint

import (
	"fmt"
	"slices"

	"rocesim/scenarios/derive"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// watchdogs compares the watchdogs at both ends of links between switches.
func (c *context) watchdogs() {
	for l := range c.Graph.Links {
		link := &c.Graph.Links[l]
		a, b := c.switchAt(link.A.Node), c.switchAt(link.B.Node)
		if a < 0 || b < 0 || c.Switches[a].PFC.Enabled == 0 || c.Switches[b].PFC.Enabled == 0 {
			continue // without PFC there is no watchdog; pfc-off-on-switch says it
		}
		one, other := watching(&c.Switches[a]), watching(&c.Switches[b])
		if one == nil && other == nil || one != nil && other != nil && one.Poll == other.Poll && one.Detect == other.Detect && one.Restore == other.Restore {
			continue
		}
		from, to := one, other // the one to change, and what it shall be like
		path := c.SwitchPath(a, "watchdog")
		if at := c.SwitchPath(b, "watchdog"); at != "switch.watchdog" {
			path, from, to = at, other, one
		}
		c.add("watchdog-differs", path, c.Switches[a].Name+" and "+c.Switches[b].Name+" link "+link.Name, "the two ends of a link watch for storms differently",
			fmt.Sprintf("%s; %s", watchdogText(one), watchdogText(other)), watchdogAlike(path, from, to))
	}
}

// watching is the watchdog of a switch's ports to switches, nil without one.
func watching(s *switching.Config) *switching.WatchdogConfig {
	if s.Watchdog == nil || s.Watchdog.Ports != nil {
		return nil
	}
	return s.Watchdog
}

// watchdogAlike is how to let one end watch as the other does.
func watchdogAlike(path string, from, to *switching.WatchdogConfig) string {
	if to == nil {
		to = from
		path = "switch.watchdog"
	}
	return fmt.Sprintf("set %s: {poll: %v, detect: %v, restore: %v, scale_ports: false}", path, to.Poll, to.Detect, to.Restore)
}

func watchdogText(w *switching.WatchdogConfig) string {
	if w == nil {
		return "no watchdog"
	}
	return fmt.Sprintf("poll %s, detect %s, restore %s", lasts(w.Poll), lasts(w.Detect), lasts(w.Restore))
}

// longPauses looks for watchdogs that take pauses for storms which congestion and
// slow hosts make: of a switch with an incast until its groups are at XON again, of
// a NIC until its receive buffer is.
func (c *context) longPauses() {
	if !slices.ContainsFunc(c.Switches, func(s switching.Config) bool { return s.Watchdog != nil }) {
		return
	}
	for _, t := range c.thresholds() {
		for _, id := range t.Ports {
			for _, crowd := range c.crowdsAt(id, &t) {
				c.incastPause(id.Switch, &crowd, &t)
			}
		}
	}
	for e := range c.NICs {
		c.hostPause(e)
	}
}

// incastPause compares how long an incast pauses the switches that feed it with
// their watchdogs.
func (c *context) incastPause(sw int, in *crowd, t *derive.Threshold) {
	group := &c.Switches[sw].Groups[in.group]
	xoff := t.Xoff(min(in.feeding, in.filling)) // of the fullest of several memories
	above := xoff - min(xoff, max(group.Xon, xoff-group.XonOffset))
	pause := t.Rate.TxTimeCeil(int64(in.feeding) * above)
	for _, ref := range c.ports(sw) {
		if peer := c.switchAt(ref.Peer.Node); peer >= 0 {
			c.takenForStorm(peer, ref.Peer.Port, pause,
				fmt.Sprintf("an incast of %d ingress port(s) pauses them from XOFF to XON: %d x %s / %v = %s", in.feeding, in.feeding, size(above), t.Rate, lasts(pause)))
		}
	}
}

// hostPause compares how long a NIC with a slow host pauses its switch with the
// watchdog there. A dead host is what watchdogs are for.
func (c *context) hostPause(endpoint int) {
	n, ref := &c.NICs[endpoint], c.Graph.Ports(endpoint)[0]
	sw := c.switchAt(ref.Peer.Node)
	if n.Receive == nil || n.Receive.Drain == 0 || sw < 0 || n.Receive.HiccupFor == 0 && n.Receive.Drain >= n.Rate {
		return
	}
	r := n.Receive
	drained := r.Drain.TxTimeCeil(r.Xoff - r.Xon)
	pause := r.HiccupFor + drained
	hiccup := ""
	if r.HiccupFor > 0 {
		hiccup = lasts(r.HiccupFor) + " of hiccup + "
	}
	sum := fmt.Sprintf("a NIC pauses its switch from xoff to xon: %s%s / %v = %s", hiccup, size(r.Xoff-r.Xon), r.Drain, lasts(pause))
	if n.StuckAfter > 0 && n.StuckAfter < pause {
		pause = n.StuckAfter
		sum += fmt.Sprintf(", of which nic.watchdog allows %s", lasts(pause))
	}
	c.takenForStorm(sw, ref.Peer.Port, pause, sum)
}

// takenForStorm is the finding for one watched port.
func (c *context) takenForStorm(sw, port int, pause sim.Time, sum string) {
	w := c.Switches[sw].Watchdog
	if w == nil || w.Ports != nil && !slices.Contains(w.Ports, port) || w.Detect >= pause {
		return
	}
	path := c.SwitchPath(sw, "watchdog")
	enough := (pause/sim.Millisecond + 1) * 2 * sim.Millisecond
	c.addAs("watchdog-hasty", warningIf(w.Action != switching.WatchdogAlert), path, c.portName(sw, port),
		fmt.Sprintf("the watchdog takes a pause of %s for a storm after %s", lasts(pause), lasts(w.Detect)), sum+fmt.Sprintf(" > detect %s", lasts(w.Detect)),
		fmt.Sprintf("set %s.detect: %v and %s.restore: %v, or more", path, enough, path, max(w.Restore, enough)))
}

// usualTimeout is code 14 of an InfiniBand time-out, 4.096 us x 2^14, which
// adapters have.
const usualTimeout = 67_108_864 * sim.Nanosecond

// timeouts looks for NICs that send again before the acknowledgement of a lone
// packet can be back, and tells the longest such way of each.
func (c *context) timeouts() {
	if slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.Rule.Name == "timeout-below-round-trip" }) {
		return // the plan's, of the first link alone
	}
	longest := sim.Time(0)
	for _, p := range c.paths() {
		longest = max(longest, p.RTT)
	}
	hasty := map[int]bool{} // those worth a second look
	for e := range c.NICs {
		if t, _ := derive.Patience(c.Plan, e); t > 0 && t < longest {
			hasty[e] = true
		}
	}
	if len(hasty) == 0 {
		return
	}
	for e, answer := range c.answers(hasty) {
		if patience, selective := derive.Patience(c.Plan, e); patience < answer {
			c.hasty(e, answer, patience, selective)
		}
	}
}

// answers is the longest time to an acknowledgement for each of some endpoints, by
// number, of all that they send to; 0 for the others.
func (c *context) answers(of map[int]bool) []sim.Time {
	type way struct {
		src, leaf int
		rate      sim.Rate
	}
	seen, worst, answer := map[way]bool{}, make([]sim.Time, len(c.NICs)), derive.Answers(c.Plan)
	c.Connections(func(src, dst int, class workload.Class) {
		w := way{src, leafOf(c.Plan, dst), c.NICs[dst].Rate}
		if !class.Unreliable && of[src] && !(w.leaf >= 0 && seen[w]) {
			seen[w] = true
			worst[src] = max(worst[src], answer(src, dst))
		}
	})
	return worst
}

// hasty is the finding for one NIC.
func (c *context) hasty(endpoint int, answer, patience sim.Time, selective bool) {
	field := "timeout"
	if selective {
		field = "rto_low"
	}
	path := c.NICPath(endpoint, field)
	remedy := fmt.Sprintf("set %s: %v, as adapters have it, or more than queues and pauses add to the round trip", path, usualTimeout)
	if selective {
		above := (answer/sim.Microsecond + 1) * 2 * sim.Microsecond
		remedy = fmt.Sprintf("set %s: %v and %s: %v, or more", path, above, c.NICPath(endpoint, "rto_high"), 2*above)
	}
	c.add("timeout-below-round-trip", path, c.Graph.Endpoints[endpoint].Name,
		fmt.Sprintf("a NIC sends again after %s, before the answer to a packet can be back", lasts(patience)),
		fmt.Sprintf("a full packet and its ACK take %s on an idle fabric > %s of nic.%s, so each lone packet is sent again", lasts(answer), lasts(patience), field),
		remedy)
}
