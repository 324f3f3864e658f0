package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"rocesim/fabric/topo"
	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/derive"
	"rocesim/scenarios/rules"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Finding is one mistake at all places that share it.
type Finding = rules.Finding

// rule is one check and the rules whose findings it makes.
type rule struct {
	names string // separated by spaces
	check func(*context)
}

// checks is the table of the rules; some findings are made with the plan already.
func checks() []rule {
	return []rule{
		{"class-differs-on-link pause-stops-other-queue", (*context).classesOnLinks},
		{"pcp-without-tag", (*context).pcpWithoutTag},
		{"data-in-lossy-class", (*context).entriesInLossyClasses},
		{"remarked-lossy", (*context).remarks},
		{"queue-share", (*context).queueShares},
		{"pause-priority-differs", (*context).pausePriorities},
		{"pfc-off-on-switch lossy-go-back-n", (*context).pfcOnSwitches},
		{"pfc-off-on-nic", (*context).pfcOnNICs},
		{"cnp-in-data-queue cnp-starved cnp-dropped-by-wred", (*context).notifications},
		{"headroom-zero headroom-too-small headroom-for-smaller-mtu headroom-full-frames-only headroom-below-standard", (*context).headroom},
		{"headroom-exceeds-buffer headroom-pool-oversubscribed", (*context).headroomPools},
		{"headroom-row-too-long", (*context).headroomRows},
		{"xoff-differs-in-tier", (*context).thresholdsInTiers},
		{"pause-not-refreshed", (*context).refreshes},
		{"ecn-after-pfc kmax-above-xoff", (*context).ecnBeforePFC},
		{"kmax-above-bdp", (*context).kmaxAgainstBDP},
		{"wred-drops-lossless", (*context).wredDrops},
		{"ecn-not-monotone", (*context).ecnBySpeed},
		{"speed-step-overshoot", (*context).speedSteps},
		{"reaction-without-marks marks-without-reaction", (*context).marksAndReaction},
		{"increase-not-scaled", (*context).increases},
		{"mixed-congestion-control", (*context).mixedControl},
		{"one-queue-pair-on-bond", (*context).bonds},
		{"same-hash-seed", (*context).hashSeeds},
		{"few-flows", (*context).fewFlows},
		{"tier-oversubscribed", (*context).tiers},
		{"buffer-cycle route-loop circle-after-failure", (*context).circles},
		{"timeout-below-round-trip", (*context).timeouts},
		{"watchdog-differs", (*context).watchdogs},
		{"watchdog-hasty", (*context).longPauses},
	}
}

// context is a plan, what the rules need of it, and what they found.
type context struct {
	*scenarios.Plan
	traffic traffic
	pausing bool // any switch sends pauses
	// paths and thresholds are those of derive, found when first asked for.
	paths      func() []derive.Path
	thresholds func() []derive.Threshold
	found      []Finding
	alike      map[string]int  // findings by all but their places
	placed     map[placed]bool // the places of each
}

// placed is a finding by its number at a place.
type placed struct {
	finding int
	where   string
}

// Check looks for all mistakes. Findings that the scenario says are meant are
// left out, and entries of its lint.ignore that match nothing are findings. They
// are in the order of the file.
func Check(plan *scenarios.Plan) []Finding {
	c := &context{
		Plan: plan, traffic: trafficOf(plan), alike: map[string]int{}, placed: map[placed]bool{},
		paths:      sync.OnceValue(func() []derive.Path { return derive.Paths(plan) }),
		thresholds: sync.OnceValue(func() []derive.Threshold { return derive.Thresholds(plan) }),
	}
	c.found = append(c.found, plan.Findings...)
	for sw := range plan.Switches {
		c.pausing = c.pausing || plan.Switches[sw].PFC.Enabled != 0
	}
	for _, r := range checks() {
		r.check(c)
	}
	c.once()
	c.ignore()
	for i := range c.found {
		c.found[i].Pos = plan.Place(c.found[i].Path)
	}
	slices.SortStableFunc(c.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.File, b.Pos.File), cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Col, b.Pos.Col), cmp.Compare(a.Rule.Code, b.Rule.Code))
	})
	return c.found
}

// add notes a finding. What is found alike at another place already gets one
// place more.
func (c *context) add(name, path, where, text, arithmetic, remedy string) {
	c.addAs(name, rules.Must(name).Severity, path, where, text, arithmetic, remedy)
}

// addAs is add with a severity of its own.
func (c *context) addAs(name string, s rules.Severity, path, where, text, arithmetic, remedy string) {
	key := strings.Join([]string{name, path, text, arithmetic, remedy}, "\n")
	if i, again := c.alike[key]; again {
		if at := (placed{i, where}); where != "" && !c.placed[at] {
			c.placed[at] = true
			c.found[i].Same = append(c.found[i].Same, where)
		}
		return
	}
	c.alike[key] = len(c.found)
	c.placed[placed{len(c.found), where}] = true
	c.found = append(c.found, Finding{
		Rule: rules.Must(name), Severity: s, Text: text, Path: path, Where: where, Arithmetic: arithmetic, Remedy: remedy,
	})
}

// ignore takes out what the scenario says is meant.
func (c *context) ignore() {
	block := c.Scenario().Lint
	if block == nil {
		return
	}
	for i, ig := range block.Ignore {
		meant, err := rules.Find(ig.Code)
		pattern, bad := topo.ParsePattern(ig.Where)
		if err != nil || bad != nil {
			continue // the plan was refused for it
		}
		hit := false
		var rest []Finding
		for _, f := range c.found {
			if f.Rule.Code != meant.Code {
				rest = append(rest, f)
				continue
			}
			kept, some := without(f, ig.Where, pattern)
			hit = hit || some
			rest = append(rest, kept...)
		}
		c.found = rest
		if !hit {
			c.add("unused-ignore", fmt.Sprintf("lint.ignore[%d]", i), "",
				fmt.Sprintf("the entry for %s matches no finding", meant.Name), "0 findings", "remove the entry, or correct code and where")
		}
	}
}

// without returns a finding less the places that a pattern names, if any remain,
// and whether it named one.
func without(f Finding, where string, pattern topo.Pattern) (kept []Finding, hit bool) {
	if where == "" {
		return nil, true
	}
	var places []string
	for _, p := range f.Places() {
		named := pattern.Match(p) || slices.ContainsFunc(strings.Fields(p), pattern.Match)
		hit = hit || named
		if !named {
			places = append(places, p)
		}
	}
	if hit && len(places) == 0 {
		return nil, true
	}
	if hit {
		f.Where, f.Same = places[0], places[1:]
	}
	return []Finding{f}, hit
}

// ports are those of switch i.
func (c *context) ports(i int) []topo.PortRef { return c.Graph.Ports(len(c.Graph.Endpoints) + i) }

// switchAt returns the number of the switch at a node, -1 if it is an endpoint.
func (c *context) switchAt(node int) int { return max(-1, node-len(c.Graph.Endpoints)) }

// portName is a port of a switch in words.
func (c *context) portName(sw, port int) string {
	return c.Switches[sw].Name + " port " + c.Graph.Links[c.ports(sw)[port].Link].Name
}

// size prints bytes for a person.
func size[T int64 | float64 | int](bytes T) string { return results.Size.Format(float64(bytes)) }

// percent prints a fraction as files write it.
func percent(fraction float64) string { return results.Ratio.Format(100*fraction) + "%" }

// lasts prints a time for a person.
func lasts(t sim.Time) string { return results.Duration.Format(float64(t)) }

// alphaOf prints alpha as it is written: 1/8 or 2.
func alphaOf(t *switching.Threshold) string {
	if a := t.Alpha; a > 0 && a < switching.AlphaOne && switching.AlphaOne%a == 0 {
		return fmt.Sprintf("1/%d", switching.AlphaOne/a)
	}
	return results.Count.Format(float64(t.Alpha) / switching.AlphaOne)
}
