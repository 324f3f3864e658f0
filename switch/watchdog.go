package switching

import (
	"math/bits"

	"rocesim/fabric/packet"
	"rocesim/sim"
)

// WatchdogConfig is a PFC watchdog as SONiC's pfcwd has it: it polls the
// lossless queues and acts when one has been paused for too long.
type WatchdogConfig struct {
	// Poll is the time between two looks, First the instant of the first one.
	Poll, First sim.Time
	// Detect is for how long the condition must hold, by poll after poll;
	// Restore is for how long no pause frame may arrive until PFC works again.
	Detect, Restore sim.Time
	Action          WatchdogAction
	Condition       WatchdogCondition
	// Ports are those watched; nil is all.
	Ports []int
}

// WatchdogAction is what a watchdog does about a storm.
type WatchdogAction uint8

// Actions of a watchdog (SONiC PFC_WD "action").
const (
	// WatchdogDrop empties the queue and drops what arrives for it, and what
	// arrives from the port in this class.
	WatchdogDrop WatchdogAction = iota
	// WatchdogForward ignores the pauses and sends.
	WatchdogForward
	// WatchdogAlert only counts.
	WatchdogAlert
)

// WatchdogCondition is how a poll tells a storm from congestion. Chips differ
// in what they count.
type WatchdogCondition uint8

// Conditions (sonic-swss, orchagent/pfc_detect_*.lua).
const (
	// BroadcomStorm: pause frames came, none of them ended the pause, and the
	// queue was paused at this poll and at the last.
	BroadcomStorm WatchdogCondition = iota
	// MellanoxStorm: the queue holds something, sent nothing, and was paused
	// for more than 99 % of the time since the last poll.
	MellanoxStorm
)

// watchdog is the state of a switch's watchdog. A switch without one has none.
type watchdog struct {
	config  *WatchdogConfig
	watched []watched
	storms  []Storm
	active  int // storms under way that are acted upon
}

// watched is one lossless queue under watch.
type watched struct {
	port     *port
	priority uint8
	queue    uint8
	left     sim.Time // of the countdown
	storm    int      // index into storms, or calm
	polled   bool
	last     sample
	base     trafficCount // at the beginning of the storm
}

const calm = -1

// sample is what a poll reads.
type sample struct {
	at         sim.Time
	pausedTime sim.Time
	frames     uint64 // pause frames received
	resumes    uint64 // changes from paused to not paused
	sent       uint64 // packets
	paused     bool
}

type trafficCount struct{ sent, received uint64 }

// Storm is one storm that a watchdog detected. The counters are those of "show
// pfcwd stats" for the time of the storm, in packets.
type Storm struct {
	Port, Priority     int
	Detected, Restored sim.Time // Restored is 0 while the storm lasts
	TxOK, TxDropped    uint64
	RxOK, RxDropped    uint64
}

func (s *Switch) initWatchdog(c *WatchdogConfig, id sim.ID) {
	if c == nil {
		return
	}
	w := &watchdog{config: c}
	ports := c.Ports
	if ports == nil {
		for i := range s.ports {
			ports = append(ports, i)
		}
	}
	for _, i := range ports {
		pt := &s.ports[i]
		for v := pt.Obeys(); v != 0; v &= v - 1 {
			n := uint8(bits.TrailingZeros8(v))
			w.watched = append(w.watched, watched{
				port: pt, priority: n, queue: s.config.Classes.PFCToQueue[n], left: c.Detect, storm: calm,
			})
		}
	}
	s.watchdog = w
	s.engine.Arm(id, c.First)
}

// Watchdogs act for the kernel's watchdog class: source i polls switch i.
type Watchdogs struct {
	Switches []*Switch
	Engine   *sim.Engine
	First    sim.ID // of the class
}

// Handle polls the watchdog of switch i.
func (w Watchdogs) Handle(now sim.Time, i int) {
	s := w.Switches[i]
	s.poll(now)
	w.Engine.Arm(w.First+sim.ID(i), now+s.watchdog.config.Poll)
}

// poll looks at all queues under watch.
func (s *Switch) poll(now sim.Time) {
	for i := range s.watchdog.watched {
		q := &s.watchdog.watched[i]
		at := s.sample(now, q)
		if q.polled {
			s.judge(now, q, &at)
		}
		q.last, q.polled = at, true
	}
}

func (s *Switch) sample(now sim.Time, q *watched) sample {
	n := int(q.priority)
	paused := q.port.Blocked(now)>>n&1 == 1 // settles a pause that has run out
	st := q.port.Stats()
	resumes := st.Transitions[n]
	if paused {
		resumes--
	}
	return sample{
		at: now, pausedTime: q.port.PausedTime(now, n), frames: st.Received[n], resumes: resumes,
		sent: s.queue(q.port, int(q.queue)).packets, paused: paused,
	}
}

// judge runs the countdown of a queue: to a storm, or to its end.
func (s *Switch) judge(now sim.Time, q *watched, at *sample) {
	c := s.watchdog.config
	acting := q.storm != calm && c.Action != WatchdogAlert
	holds, period := s.stormy(q, at), c.Detect
	if acting {
		holds, period = at.frames == q.last.frames, c.Restore
	}
	switch {
	case !holds:
		q.left = period
		if q.storm != calm && !acting {
			s.endStorm(now, q)
		}
	case q.left > c.Poll:
		q.left -= c.Poll
	case acting:
		s.endStorm(now, q)
		q.left = c.Detect
	case q.storm == calm:
		s.beginStorm(now, q)
		q.left = c.Restore
	}
}

// stormy reports whether the time since the last poll looks like a storm.
func (s *Switch) stormy(q *watched, at *sample) bool {
	if s.watchdog.config.Condition == MellanoxStorm {
		paused, all := at.pausedTime-q.last.pausedTime, at.at-q.last.at
		return s.queue(q.port, int(q.queue)).bytes > 0 && at.sent == q.last.sent && paused*100 > all*99
	}
	return at.frames > q.last.frames && at.resumes == q.last.resumes && q.last.paused && at.paused
}

// beginStorm acts upon a storm. PFC of the class no longer works at the port:
// its pauses are ignored, and none are sent.
func (s *Switch) beginStorm(now sim.Time, q *watched) {
	w := s.watchdog
	q.storm = len(w.storms)
	w.storms = append(w.storms, Storm{Port: int(q.port.index), Priority: int(q.priority), Detected: now})
	q.base = s.traffic(q)
	if w.config.Action == WatchdogAlert {
		return
	}
	w.active++
	for n := range uint8(Priorities) {
		g := s.group(q.port, n)
		if s.pfcOf[n] != q.priority || g.noPFC {
			continue
		}
		g.noPFC = true
		if g.paused {
			s.sendXon(now, q.port, g, n)
		}
	}
	q.port.Obey(now, 1<<q.priority, false)
	if w.config.Action == WatchdogDrop {
		q.port.stormed |= 1 << q.queue
		s.flush(now, q)
	}
	if q.port.nonEmpty != 0 {
		s.kick(now, q.port)
	}
}

// endStorm restores PFC.
func (s *Switch) endStorm(now sim.Time, q *watched) {
	w := s.watchdog
	s.updateStorm(q)
	w.storms[q.storm].Restored = now
	q.storm = calm
	if w.config.Action == WatchdogAlert {
		return
	}
	w.active--
	q.port.Obey(now, 1<<q.priority, true)
	q.port.stormed &^= 1 << q.queue
	for n := range uint8(Priorities) {
		if s.pfcOf[n] == q.priority {
			s.group(q.port, n).noPFC = s.config.PFC.Enabled>>q.priority&1 == 0
		}
	}
}

// flush drops what waits in a queue, which unpauses the peers that it came
// from.
func (s *Switch) flush(now sim.Time, q *watched) {
	n := int(q.queue)
	s.watchdog.storms[q.storm].TxDropped += uint64(s.Waiting(int(q.port.index), n))
	s.empty(now, q.port, n, DropWatchdog)
}

// resetWatchdog forgets all storms, as a restart does.
func (s *Switch) resetWatchdog(now sim.Time) {
	if s.watchdog == nil {
		return
	}
	for i := range s.watchdog.watched {
		q := &s.watchdog.watched[i]
		if q.storm != calm {
			s.endStorm(now, q)
		}
		q.left, q.polled = s.watchdog.config.Detect, false
	}
}

// stormDrop drops a packet for the queue of a storm.
func (s *Switch) stormDrop(now sim.Time, dst, src *port, p *packet.Packet) {
	if q := s.stormOf(dst, p.Queue); q != nil {
		s.watchdog.storms[q.storm].TxDropped++
	}
	s.queueRule(dst, int(p.Queue)).dropped++
	s.drop(now, src, p, DropWatchdog)
}

// discards drops p if it goes to the queue of a storm, or comes in its class
// from the port of one, and reports whether it did.
func (s *Switch) discards(now sim.Time, src, dst *port, p *packet.Packet) bool {
	if dst.stormed>>p.Queue&1 == 1 {
		s.stormDrop(now, dst, src, p)
		return true
	}
	if src.stormed == 0 {
		return false
	}
	back := s.config.Classes.PFCToQueue[s.pfcOf[p.Group]]
	if src.stormed>>back&1 == 0 {
		return false
	}
	if q := s.stormOf(src, back); q != nil {
		s.watchdog.storms[q.storm].RxDropped++
	}
	s.drop(now, src, p, DropWatchdog)
	return true
}

// stormOf returns the queue under watch that a storm is at, or nil.
func (s *Switch) stormOf(pt *port, queue uint8) *watched {
	for i := range s.watchdog.watched {
		if q := &s.watchdog.watched[i]; q.port == pt && q.queue == queue && q.storm != calm {
			return q
		}
	}
	return nil
}

// traffic counts what the queue has sent and its groups have received.
func (s *Switch) traffic(q *watched) trafficCount {
	t := trafficCount{sent: s.queue(q.port, int(q.queue)).packets}
	for n := range uint8(Priorities) {
		if s.pfcOf[n] == q.priority {
			t.received += s.group(q.port, n).packets
		}
	}
	return t
}

// updateStorm brings the counters of a storm under way up to date.
func (s *Switch) updateStorm(q *watched) {
	storm, t := &s.watchdog.storms[q.storm], s.traffic(q)
	storm.TxOK = t.sent - q.base.sent
	storm.RxOK = t.received - q.base.received - storm.RxDropped
}

// Storms returns the storms that the watchdog has detected, in their order.
func (s *Switch) Storms() []Storm {
	if s.watchdog == nil {
		return nil
	}
	for i := range s.watchdog.watched {
		if q := &s.watchdog.watched[i]; q.storm != calm {
			s.updateStorm(q)
		}
	}
	return s.watchdog.storms
}

// Watches reports whether the watchdog may yet change something: a queue that
// it watches is paused while packets wait, or a storm is to end.
func (s *Switch) Watches(now sim.Time) bool {
	if s.watchdog == nil || s.watchdog.config.Action == WatchdogAlert {
		return false
	}
	for i := range s.watchdog.watched {
		q := &s.watchdog.watched[i]
		waits := q.port.nonEmpty>>q.queue&1 == 1 && q.port.Blocked(now)>>q.priority&1 == 1
		if waits || q.storm != calm {
			return true
		}
	}
	return false
}
