package model

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/sim"
	switching "rocesim/switch"
)

// Deadlock is a circle of switch queues, each paused by a buffer of the next
// switch that cannot drain before the queue behind it does.
type Deadlock struct {
	// At is when it was found.
	At sim.Time
	// Cycle lists its queues; each waits for the next one, the last for the
	// first.
	Cycle []Wait
}

// Wait is one step of a deadlock: a paused egress queue, and the priority group
// at the other end of its cable that paused it.
type Wait struct {
	// Switch, Port and Queue are the paused queue (switches counted from 0).
	Switch, Port, Queue int
	// QueueBytes wait in it.
	QueueBytes int64
	// Priority is paused by Group at port PeerPort of switch Peer.
	Priority, Peer, PeerPort, Group int
	// GroupBytes is what that group occupies; Stuck of them wait in queues that
	// cannot send. It paused at Xoff and resumes at Xon.
	GroupBytes, Stuck, Xoff, Xon int64
}

// Format prints quantities in an explanation for a person, as all results do:
// the model itself knows none of them.
type Format struct {
	Time  func(sim.Time) string
	Bytes func(int64) string
}

// explainDeadlock describes the circle with buffer levels.
func (m *Model) explainDeadlock(d *Deadlock, f Format) string {
	steps := make([]string, len(d.Cycle))
	g := m.Spec.Graph
	for i := range d.Cycle {
		w := &d.Cycle[i]
		steps[i] = fmt.Sprintf("%s>%s priority %d (queue %d: %s; paused by %s: %s, of them %s stuck, XOFF at %s, resumes at %s)",
			g.Switches[w.Switch].Name, g.Switches[w.Peer].Name, w.Priority, w.Queue, f.Bytes(w.QueueBytes),
			m.portName(len(g.Endpoints)+w.Peer, w.PeerPort), f.Bytes(w.GroupBytes), f.Bytes(w.Stuck), f.Bytes(w.Xoff), f.Bytes(w.Xon))
	}
	return fmt.Sprintf("deadlock at %s: %s -> back to %s>%s", f.Time(d.At), strings.Join(steps, " -> "),
		g.Switches[d.Cycle[0].Switch].Name, g.Switches[d.Cycle[0].Peer].Name)
}

// outlives reports whether the run goes on after a deadlock.
func (m *Model) outlives() bool {
	acts := func(c switching.Config) bool {
		return c.Watchdog != nil && c.Watchdog.Action != switching.WatchdogAlert
	}
	return m.Spec.OutliveDeadlock || slices.ContainsFunc(m.Spec.Switches, acts)
}

// Deadlocks returns those found so far; more than one if a watchdog broke the
// first.
func (m *Model) Deadlocks() []Deadlock { return m.detector.found }

// ExplainDeadlocks says which queues wait for each other, one line for each
// deadlock that was found.
func (m *Model) ExplainDeadlocks(f Format) []string {
	var lines []string
	for i := range m.detector.found {
		lines = append(lines, m.explainDeadlock(&m.detector.found[i], f))
	}
	return lines
}
