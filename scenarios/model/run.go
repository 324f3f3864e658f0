package model

import (
	"context"
	"fmt"

	"rocesim/sim"
	"rocesim/sim/invariant"
)

// Stop says when a run ends.
type Stop struct {
	// Time ends it at an instant; 0 does not.
	Time sim.Time
	// WhenDone ends it when every message has completed or failed; Max gives up
	// at that instant.
	WhenDone bool
	Max      sim.Time
}

// End is how a run ended.
type End uint8

// Ends of a run.
const (
	Done       End = iota // every message ended
	TimeUp                // the stop time was reached
	Cancelled             // the context was cancelled
	Stalled               // nothing can make progress
	GivenUp               // Stop.Max was reached before every message ended
	Deadlocked            // switch buffers wait for each other in a circle
)

// Progress is how far a run has come.
type Progress struct {
	// Now is the simulated time, Stop when the run will end at the latest.
	Now, Stop sim.Time
	// Events and Packets handled; packets are those delivered to hosts.
	Events, Packets uint64
	// Posted and Ended count messages.
	Posted, Ended int
}

// chunk is how many events pass between two looks at the context: some
// milliseconds of wall time.
const chunk = 1 << 16

// stallWindow is how long nothing may move before a run is examined for a
// stall: longer than the longest pause (65535 quanta at 10 Gb/s are 3.4 ms).
const stallWindow = 10 * sim.Millisecond

// Run runs the model until stop. report, if not nil, is called every some ten
// thousand events.
func (m *Model) Run(ctx context.Context, stop Stop, report func(Progress)) End {
	limit := stop.Time
	if stop.WhenDone {
		m.haltWhenDone = true
		limit = stop.Max
	}
	check := m.Engine.Now() + stallWindow
	hops := m.PacketHops()
	reported := m.Engine.Events()
	for {
		until := min(limit, check, m.detector.due())
		exhausted := m.Engine.Run(until, chunk)
		if events := m.Engine.Events(); events-reported >= chunk || until == check {
			reported = events
			m.verify()
			if report != nil {
				report(m.progress(limit))
			}
		}
		switch {
		case m.Engine.Halted():
			return Done
		case ctx.Err() != nil:
			return Cancelled
		case !exhausted:
			continue
		case m.detector.look(until) && !m.outlives():
			m.end = until
			return Deadlocked
		}
		if until == check {
			moved := m.PacketHops()
			if moved == hops && m.stuck() {
				m.end = until
				return Stalled
			}
			hops, check = moved, until+stallWindow
		}
		if until == limit {
			m.end = limit
			return m.timeUp(stop)
		}
	}
}

// verify checks conservation in builds with the tag "invariants".
func (m *Model) verify() {
	if !invariant.Enabled {
		return
	}
	if err := m.CheckConservation(); err != nil {
		panic(fmt.Sprintf("at %v: %v", m.Engine.Now(), err))
	}
}

func (m *Model) timeUp(stop Stop) End {
	switch {
	case m.Driver.Unfinished() > 0 && m.Engine.Idle() && !m.lettingGo():
		return Stalled
	case stop.WhenDone:
		return GivenUp
	default:
		return TimeUp
	}
}

// Now is the instant up to which the run has come.
func (m *Model) Now() sim.Time { return max(m.end, m.Engine.Now()) }

func (m *Model) progress(limit sim.Time) Progress {
	p := m.Driver.Progress()
	return Progress{
		Now:     m.Engine.Now(),
		Stop:    limit,
		Events:  m.Engine.Events(),
		Packets: m.NICs.DeliveredPackets(),
		Posted:  p.Posted,
		Ended:   p.Completed + p.Failed,
	}
}

// stuck reports whether unfinished messages wait while no timer and no traffic
// to come could change anything.
func (m *Model) stuck() bool {
	return m.Driver.Unfinished() > 0 && !m.Engine.ClassArmed("retry") && !m.Engine.ClassArmed("workload") && !m.Engine.ClassArmed("fault") &&
		!m.lettingGo()
}

func (m *Model) delivered(at sim.Time, msg uint32) { m.Driver.Delivered(at, msg) }

func (m *Model) completed(at sim.Time, msg uint32) {
	m.Driver.Completed(at, msg)
	m.ended(at)
}

func (m *Model) failed(at sim.Time, msg uint32) {
	m.Driver.Failed(at, msg)
	m.ended(at)
}

// ended notes the end of a message.
func (m *Model) ended(at sim.Time) {
	m.end = max(m.end, at)
	m.haltIfDone()
}

// haltIfDone ends the run after the last message, if it shall end then.
func (m *Model) haltIfDone() {
	if m.haltWhenDone && m.Driver.Done() {
		m.Engine.Halt()
	}
}

// traffic acts for the kernel's workload class. A closed loop finds only after
// its last completion that nothing is left to post, so the end of a run is
// looked for here too.
type traffic struct{ m *Model }

// Handle lets entry i of the workload act.
func (t traffic) Handle(now sim.Time, i int) {
	t.m.Driver.Handle(now, i)
	t.m.haltIfDone()
}
