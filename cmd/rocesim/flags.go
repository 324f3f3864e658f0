package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// oneOf checks a flag that takes one of a few words.
func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	last := len(allowed) - 1
	return fmt.Errorf("%s is %q, allowed are %s and %s", flag, value, strings.Join(allowed[:last], ", "), allowed[last])
}

// parseShare reads "1%" or "0.01", from 0 to most.
func parseShare(flag, text string, most float64) (float64, error) {
	number, isPercent := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		value /= 100
	}
	if err != nil || !(value >= 0 && value <= most) {
		return 0, fmt.Errorf("%s is %q, allowed is a share from 0 to %v%%, as 1%% or 0.01", flag, text, 100*most)
	}
	return value, nil
}
