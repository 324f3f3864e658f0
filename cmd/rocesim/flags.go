package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rocesim/scenarios/strict"
)

// flagProblem words what is wrong with a flag: which one is called alike, or
// what it takes.
func flagProblem(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && len(unknown.GetSpecifiedName()) > 1 {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := strict.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
	}
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	wants, known := map[string]string{
		"int": "a whole number", "uint64": "a whole number from 0 on", "duration": "a time such as 30s or 1m", "bool": "true or false",
	}[invalid.GetFlag().Value.Type()]
	if !known {
		return err
	}
	return fmt.Errorf("--%s is %q, allowed is %s", invalid.GetFlag().Name, invalid.GetValue(), wants)
}

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
