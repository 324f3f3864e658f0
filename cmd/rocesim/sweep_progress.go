package main

import (
	"fmt"
	"strings"
	"time"

	"rocesim/scenarios/sweep"
)

// sweepMeter prints how far a sweep has come.
type sweepMeter struct {
	meter *meter
	// workers is how many take part through a queue, nil without one.
	workers func() int64
	// began is when the first run that was not found did, 0 before.
	began time.Time
}

func newSweepMeter(m *meter) *sweepMeter { return &sweepMeter{meter: m} }

// update prints p if the last time is long enough ago.
func (s *sweepMeter) update(p sweep.Progress) {
	now := s.meter.now()
	if s.began.IsZero() && p.Done > p.Found {
		s.began = s.meter.last
	}
	if now.Sub(s.meter.last) < s.meter.interval {
		return
	}
	s.meter.last = now
	elapsed := time.Duration(0)
	if !s.began.IsZero() {
		elapsed = now.Sub(s.began)
	}
	line := sweepLine(p, elapsed)
	if s.workers != nil {
		line += fmt.Sprintf(", workers: %d", s.workers())
	}
	s.meter.print(line)
}

// sweepLine words p; elapsed is how long runs have been simulated.
func sweepLine(p sweep.Progress, elapsed time.Duration) string {
	if p.Done == 0 && p.Resolving < p.Settings {
		return fmt.Sprintf("%d of %d settings checked", p.Resolving, p.Settings)
	}
	parts := []string{fmt.Sprintf("%d of %d runs done", p.Done, p.Runs)}
	if p.Found > 0 {
		parts = append(parts, fmt.Sprintf("%d of them before", p.Found))
	}
	if p.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.Failed))
	}
	if simulated := p.Done - p.Found; simulated > 0 && elapsed > 0 {
		parts = append(parts, fmt.Sprintf("%.1f runs/s", float64(simulated)/elapsed.Seconds()))
		left := time.Duration(float64(elapsed) * float64(p.Runs-p.Done) / float64(simulated))
		parts = append(parts, "ETA "+left.Round(time.Second).String())
	}
	return strings.Join(parts, ", ")
}
