package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rocesim/scenarios"
	"rocesim/scenarios/strict"
)

// presetJSON is a preset as JSON has it; a list of presets leaves out sources
// and values.
type presetJSON struct {
	Kind    string       `json:"kind"`
	Name    string       `json:"name"`
	Title   string       `json:"title"`
	Date    string       `json:"date"`
	Sources []sourceJSON `json:"sources,omitempty"`
	Values  []valueJSON  `json:"values,omitempty"`
}

type sourceJSON struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// valueJSON is a value in the notation of scenarios, with its unit, and the IDs
// of its sources.
type valueJSON struct {
	Path    string   `json:"path"`
	Value   string   `json:"value"`
	Sources []string `json:"sources"`
}

func newPresets() *cobra.Command {
	var out *output
	cmd := &cobra.Command{
		Use:   "presets [NAME]",
		Short: "List the built-in switches, NICs, cables and profiles, or show one",
		Long: `List the built-in switches, NICs, cables, congestion controls and ECN profiles,
or show one: each value with its unit and its source. Where a name stands for
several kinds, all are shown; write the kind before it for one.

A scenario starts from a preset by its name, as switch: {preset: sonic-tomahawk3},
and what it gives itself wins.

Exit code 0: done. 2: there is no preset of that name.`,
		Example: `  rocesim presets
  rocesim presets sonic-tomahawk3
  rocesim presets nic/ideal --output json`,
		Args: arguments(0, 1, "at most one preset"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				all := allPresets()
				return out.write(cmd.OutOrStdout(), presetList(all), func(w io.Writer) error { return listPresets(w, all) })
			}
			found, err := findPresets(args[0])
			if err != nil {
				return err
			}
			full := []presetJSON{}
			for i := range found {
				full = append(full, fullPreset(&found[i]))
			}
			return out.write(cmd.OutOrStdout(), full, func(w io.Writer) error { return showPresets(w, args[0], found) })
		},
	}
	out = addOutput(cmd)
	return cmd
}

func allPresets() []scenarios.Preset {
	var all []scenarios.Preset
	for _, kind := range scenarios.PresetKinds() {
		all = append(all, scenarios.Presets(kind)...)
	}
	return all
}

func presetList(presets []scenarios.Preset) []presetJSON {
	all := []presetJSON{}
	for _, p := range presets {
		all = append(all, presetJSON{Kind: p.Kind, Name: p.Name, Title: p.Title, Date: p.Date})
	}
	return all
}

func fullPreset(p *scenarios.Preset) presetJSON {
	full := presetJSON{Kind: p.Kind, Name: p.Name, Title: p.Title, Date: p.Date}
	for _, s := range p.Sources {
		full.Sources = append(full.Sources, sourceJSON{s.ID, s.Text})
	}
	for _, v := range p.Values() {
		full.Values = append(full.Values, valueJSON{v.Path, v.Value, v.Sources})
	}
	return full
}

func listPresets(out io.Writer, presets []scenarios.Preset) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, p := range presets {
		fmt.Fprintf(table, "%s/%s\t%s\n", p.Kind, p.Name, p.Title)
	}
	return table.Flush()
}

// findPresets returns the presets called name, of every kind if it names none.
func findPresets(name string) ([]scenarios.Preset, error) {
	if kind, short, one := strings.Cut(name, "/"); one {
		p, err := scenarios.FindPreset(kind, short)
		if err != nil {
			return nil, err
		}
		return []scenarios.Preset{*p}, nil
	}
	var found []scenarios.Preset
	for _, p := range allPresets() {
		if p.Name == name {
			found = append(found, p)
		}
	}
	if found == nil {
		return nil, unknownPreset(name)
	}
	return found, nil
}

// unknownPreset offers the preset that is called most alike.
func unknownPreset(name string) error {
	var names []string
	for _, p := range allPresets() {
		names = append(names, p.Name)
	}
	hint := "rocesim presets lists all"
	if near := strict.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return fmt.Errorf("there is no preset %q; %s", name, hint)
}

// showPresets prints the files of presets, under their kind unless name has it.
func showPresets(out io.Writer, name string, presets []scenarios.Preset) error {
	for i := range presets {
		p := &presets[i]
		heading := ""
		if !strings.Contains(name, "/") {
			heading = fmt.Sprintf("# %s/%s\n", p.Kind, p.Name)
		}
		if i > 0 {
			heading = "\n" + heading
		}
		if _, err := fmt.Fprintf(out, "%s%s", heading, p.Text()); err != nil {
			return err
		}
	}
	return nil
}
