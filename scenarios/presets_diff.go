package scenarios

import (
	"fmt"
	"strings"

	"rocesim/scenarios/congestion"
	"rocesim/scenarios/strict"
)

// sections are the parts of a scenario that start from presets.
type sections struct {
	Switch Switch             `yaml:"switch"`
	NIC    NIC                `yaml:"nic"`
	CC     congestion.Control `yaml:"cc"`
}

// PresetDifferences returns the values of switch, nic and cc that the scenario
// changes: A is the scenario's, B what its presets say; absent values are "".
func (sc *Scenario) PresetDifferences() []strict.Difference {
	var text strings.Builder
	fmt.Fprintf(&text, "switch: {preset: %s", sc.Switch.Preset)
	if profile := sc.Switch.ECN.Preset; profile != "" {
		fmt.Fprintf(&text, ", ecn: {preset: %s}", profile)
	}
	fmt.Fprintf(&text, "}\nnic: {preset: %s}\ncc: {preset: %s}\n", sc.NIC.Preset, sc.CC.Preset)
	doc, err := strict.Read("presets", []byte(text.String()))
	if err != nil {
		panic(fmt.Sprintf("scenarios: the presets of a scenario: %v", err))
	}
	// What a whole scenario would need is missing; nobody asks for it.
	pure := decode(doc, nil)
	found, err := strict.Diff("scenario", strict.Encode(sections{sc.Switch, sc.NIC, sc.CC}),
		"presets", strict.Encode(sections{pure.Switch, pure.NIC, pure.CC}))
	if err != nil {
		panic(fmt.Sprintf("scenarios: reading what was written: %v", err))
	}
	return found
}
