package page

import (
	"html/template"

	"rocesim/results"
)

// functions are what templates may use to show quantities; all are those of
// the summary.
func functions() template.FuncMap {
	return template.FuncMap{
		"count":   count[int],
		"long":    count[int64],
		"bytes":   func(n int64) string { return results.Size.Format(float64(n)) },
		"micros":  func(us float64) string { return results.Duration.Format(us * 1e6) },
		"gbps":    func(v float64) string { return results.DataRate.Format(v * 1e9) },
		"ratio":   func(v float64) string { return results.Ratio.Format(v) },
		"percent": percent,
	}
}

func count[T int | int64 | uint64](n T) string { return results.Count.Format(float64(n)) }

func percent(part float64) string {
	return results.Ratio.Format(float64(int64(part*1e5+0.5))/1e3) + " %"
}
