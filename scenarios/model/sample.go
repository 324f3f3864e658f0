package model

import (
	"fmt"

	"rocesim/fabric"
	"rocesim/sim"
)

const packetPriorities = fabric.Priorities

// samplers call observers at fixed periods. They act after everything else at
// an instant and change nothing.
type samplers struct {
	engine *sim.Engine
	first  sim.ID
	list   []sampler
}

type sampler struct {
	period sim.Time
	f      func(now sim.Time)
}

// Sample calls f at every multiple of period from period on. It is an error to
// ask for more than four periods.
func (m *Model) Sample(period sim.Time, f func(now sim.Time)) error {
	s := m.sampler
	if period <= 0 {
		return fmt.Errorf("sampling period %v: must be positive", period)
	}
	if len(s.list) == maxSamplers {
		return fmt.Errorf("more than %d sampling periods", maxSamplers)
	}
	s.engine.Arm(s.first+sim.ID(len(s.list)), period)
	s.list = append(s.list, sampler{period: period, f: f})
	return nil
}

// Handle takes sample i.
func (s *samplers) Handle(now sim.Time, i int) {
	s.list[i].f(now)
	s.engine.Arm(s.first+sim.ID(i), now+s.list[i].period)
}
