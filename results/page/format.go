package page

import (
	"html/template"
	"regexp"
	"strings"

	"rocesim/results"
)

// functions are what templates may use to show quantities.
func functions() template.FuncMap {
	return template.FuncMap{"count": count[int], "capital": capital, "prose": prose}
}

// prose keeps numbers and their units on one line.
func prose(text string) string {
	text = strings.ReplaceAll(text, "\u00b1 ", "\u00b1\u00a0")
	return regexp.MustCompile(`(\d) (%|(?:[pnum]?s|[KMGT]?i?B|[KMGT]?bps)\b)`).ReplaceAllString(text, "$1\u00a0$2")
}

func count[T int | int64 | uint64](n T) string { return results.Count.Format(float64(n)) }

func percent(part float64) string {
	return results.Ratio.Format(float64(int64(part*1e5+0.5))/1e3) + " %"
}
