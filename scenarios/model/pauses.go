package model

import (
	"slices"

	"rocesim/nic"
	"rocesim/sim"
	switching "rocesim/switch"
)

// pauseClasses are the event sources of what pauses for milliseconds or acts
// on it: NICs that pause their switch, and watchdogs of switches. A model that
// has none of them has no such sources.
type pauseClasses struct {
	nics     *lateHandler
	pauser   sim.ID
	watchdog sim.ID
}

func (m *Model) pauseClasses(a *allocator) pauseClasses {
	m.letStorm()
	c := pauseClasses{nics: &lateHandler{}}
	c.pauser = a.class("pauser", nic.Pausers(m.Spec.NICs), true, c.nics)
	dogs := 0
	for i := range m.Spec.Switches {
		if m.Spec.Switches[i].Watchdog != nil {
			dogs = len(m.Spec.Switches)
		}
	}
	w := &switching.Watchdogs{Switches: m.Switches, Engine: m.Engine}
	c.watchdog = a.class("watchdog", dogs, true, w)
	w.First = c.watchdog
	return c
}

// letStorm marks the NICs that will pause their switch without end: in a copy, as
// the configurations may be those of other runs too.
func (m *Model) letStorm() {
	copied := false
	for i := range m.Spec.Faults {
		f := &m.Spec.Faults[i]
		if f.Kind != PauseStorm {
			continue
		}
		if !copied {
			m.Spec.NICs, copied = slices.Clone(m.Spec.NICs), true
		}
		m.Spec.NICs[f.Target].Storms = true
	}
}

// lettingGo reports whether something that stands still will move again by
// itself: a NIC's receive buffer drains, or a watchdog will act.
func (m *Model) lettingGo() bool {
	now := m.Engine.Now()
	for i := range m.NICs.Len() {
		if m.NICs.NIC(i).LetsGo(now) {
			return true
		}
	}
	for _, s := range m.Switches {
		if s.Watches(now) {
			return true
		}
	}
	return false
}
