package scenarios

import (
	"strconv"
	"strings"

	"rocesim/scenarios/strict"
)

// Fields lists what --set may change in a scenario, groups of fields included,
// by the paths that it takes: those of the scenario's topology and types of
// traffic, with the names of its entries. Of a nil scenario, whose topology is
// not known, they are those of all, with elements counted from 0.
func Fields(sc *Scenario) []strict.FieldDoc {
	var out []strict.FieldDoc
	for _, f := range Shape().Describe() {
		top, rest, element := strings.Cut(f.Path, "[]")
		section, _, _ := strings.Cut(top, ".")
		switch {
		case section == "sweep" || section == "tune" || section == "lint": // no part of a run
		case section == "fabric" && sc != nil && f.Variant != "" && f.Variant != sc.Fabric.common().Kind:
		case !element:
			out = append(out, f)
		case top == "workload" || top == "faults":
			for _, name := range sc.elements(top, f.Variant) {
				one := f
				one.Path = top + "[" + name + "]" + strings.ReplaceAll(rest, "[]", "[0]")
				out = append(out, one)
			}
		}
	}
	return out
}

// elements names those of a list: of the workload the entries of a type, or all
// if it is empty.
func (sc *Scenario) elements(list, kind string) []string {
	if sc == nil {
		return []string{"0"}
	}
	var names []string
	if list == "faults" {
		for i := range sc.Faults {
			names = append(names, strconv.Itoa(i))
		}
		return names
	}
	for i := range sc.Workload {
		if c := sc.Workload[i].common(); kind == "" || kind == c.Type {
			names = append(names, c.Name)
		}
	}
	return names
}
