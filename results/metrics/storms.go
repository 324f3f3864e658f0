package metrics

import (
	"cmp"
	"slices"

	"rocesim/results"
	switching "rocesim/switch"
)

// stormRows has what the watchdogs of all switches detected.
func (c *Collector) stormRows(run *results.Run) {
	for i, s := range c.m.Switches {
		for _, e := range s.Storms() {
			run.Storms = append(run.Storms, results.StormRow{
				Port: c.ports.of(i, e.Port), Priority: uint8(e.Priority),
				Action:   actionName(s.Config().Watchdog.Action),
				Detected: e.Detected, Restored: e.Restored,
				TxOK: int64(e.TxOK), TxDropped: int64(e.TxDropped), RxOK: int64(e.RxOK), RxDropped: int64(e.RxDropped),
			})
		}
	}
	slices.SortStableFunc(run.Storms, func(a, b results.StormRow) int { return cmp.Compare(a.Detected, b.Detected) })
}

func actionName(a switching.WatchdogAction) string {
	switch a {
	case switching.WatchdogForward:
		return "forward"
	case switching.WatchdogAlert:
		return "alert"
	default:
		return "drop"
	}
}
