package check

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/scenarios/strict"
)

// ReadBaseline reads a baseline file; it returns nil if there is none. The
// error is of type strict.Errors unless the file cannot be read: it is no
// baseline, one of another version, or names fields, metrics or tolerances that
// cannot be.
func ReadBaseline(path string) (*Baseline, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b := &Baseline{places: newPlaces(path, text)}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, b.places.notBaseline(err)
	}
	if b.Format != baselineFormat {
		return nil, strict.Errors{{Pos: b.places.value("", "format"), Text: b.otherFormat()}}
	}
	if errs := append(b.unknownFields(), b.check()...); len(errs) > 0 {
		slices.SortStableFunc(errs, func(a, b strict.Error) int {
			return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
		})
		return nil, errs
	}
	return b, nil
}

// otherFormat says what a file of another format is.
func (b *Baseline) otherFormat() string {
	if !strings.HasPrefix(b.Format, baselinePrefix) {
		return fmt.Sprintf("format is %q, so it is no baseline of rocesim", b.Format)
	}
	return fmt.Sprintf("format is %q, written by rocesim %s; this version reads %q: delete the file and make it again with --update",
		b.Format, b.Tool, baselineFormat)
}

// unknownFields finds misspelt fields: people edit baselines.
func (b *Baseline) unknownFields() (errs strict.Errors) {
	fields := []string{"format", "scenario", "tool_version", "seed", "configuration", "fingerprint", "tolerance", "metrics"}
	for _, f := range b.places.all {
		// Case is no matter, as when the file is read.
		if f.section == "" && !slices.ContainsFunc(fields, func(one string) bool { return strings.EqualFold(one, f.key) }) {
			errs = append(errs, strict.Error{Pos: b.places.pos(f.at), Text: strict.Unknown("field", f.key, fields)})
		}
	}
	return errs
}

// check reads every metric and tolerance once.
func (b *Baseline) check() (errs strict.Errors) {
	for _, key := range slices.Sorted(maps.Keys(b.Tolerance)) {
		if problem := wrongTolerance(key); problem != "" {
			errs = append(errs, strict.Error{Pos: b.places.key("tolerance", key), Path: "tolerance", Text: problem})
		}
	}
	told := map[string]bool{} // of a tolerance
	for _, metric := range slices.Sorted(maps.Keys(b.Metrics)) {
		if _, err := results.ParseSubject(metric); err != nil {
			errs = append(errs, strict.Error{Pos: b.places.key("metrics", metric), Path: "metrics", Text: fmt.Sprintf("%s: %v", metric, err)})
			continue
		}
		if _, _, key, err := b.allowed(metric); err != nil && !told[key] {
			told[key] = true
			errs = append(errs, strict.Error{Pos: b.places.value("tolerance", key), Path: "tolerance." + key, Text: err.Error()})
		}
	}
	return errs
}

// wrongTolerance says what is wrong with the key of a tolerance, or "".
func wrongTolerance(key string) string {
	if key == defaultKey {
		return ""
	}
	metric, _, _ := strings.Cut(key, "{")
	if _, known := results.DescribeMetric(metric); !known {
		hint := "allowed: " + defaultKey + ", or a metric such as fct.p99"
		if near := strict.Nearest(metric, append(results.MetricNames(), defaultKey)); near != "" {
			hint = "did you mean " + near + "?"
		}
		return fmt.Sprintf("unknown metric %q; %s", key, hint)
	}
	if _, err := results.ParseSubject(key); err != nil {
		return fmt.Sprintf("%s: %v", key, err)
	}
	return ""
}
