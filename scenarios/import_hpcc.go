package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"rocesim/scenarios/importer/hpcc"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Import is a scenario made from the files of another simulator, with what is
// needed to write results as that simulator does.
type Import struct {
	Scenario *Scenario
	topology *hpcc.Topology
	set      *hpcc.FlowSet
	config   *hpcc.Config // nil if there is no file
	groups   []flowGroup
	asked    asked
	sets     []string
}

// flowGroup is the flows that become one entry of the workload: those of one
// priority and destination port.
type flowGroup struct {
	pg, port int
	flows    []*hpcc.Flow
}

// ImportHPCC makes a scenario of the files of the HPCC ns-3 simulator, changed
// by sets of the form "path=value". It uses the presets hpcc-ns3, which have
// that simulator's assumptions, so that its results come out first; sets such
// as nic.preset=connectx-6-dx then show what a real network does. A preset that
// sets name replaces what the configuration says of its section, and another
// NIC the flooring of times too. configPath may be empty: the presets' values
// hold. What the files ask for and is not modelled is in the plan's notes. The
// error is of type Errors.
func ImportHPCC(topologyPath, flowsPath, configPath string, sets []string) (*Import, error) {
	im := &Import{sets: sets}
	if err := im.read(topologyPath, flowsPath, configPath); err != nil {
		return nil, located(err)
	}
	im.group()
	im.ask()
	sc, err := im.parse(importName(topologyPath))
	if err != nil {
		return nil, err
	}
	sc.notes = im.notes()
	im.Scenario = sc
	return im, nil
}

// read parses the files. Flows need the topology; everything else is reported
// at once.
func (im *Import) read(topologyPath, flowsPath, configPath string) error {
	var errs []error
	parse := func(path string, f func(name string, data []byte) error) {
		data, err := readAtMost(path, hpcc.MaxFileBytes)
		if err == nil {
			err = f(path, data)
		} else {
			err = Errors{{Pos: strict.Pos{File: path}, Text: err.Error()}}
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	parse(topologyPath, func(name string, data []byte) (err error) {
		im.topology, err = hpcc.ParseTopology(name, data)
		return err
	})
	if im.topology != nil {
		parse(flowsPath, func(name string, data []byte) (err error) {
			im.set, err = hpcc.ParseFlows(name, data, im.topology)
			return err
		})
	}
	if configPath != "" {
		parse(configPath, im.readConfig)
	}
	return errors.Join(errs...)
}

// readConfig parses the configuration and checks it against the other files.
func (im *Import) readConfig(name string, data []byte) (err error) {
	im.config, err = hpcc.ParseConfig(name, data)
	if err != nil {
		return err
	}
	if im.topology != nil && im.config.QCN {
		err = im.config.CheckRates(name, im.topology.Graph.Rates())
	}
	if err == nil && im.set != nil && im.duration() <= 0 {
		err = Errors{{Pos: strict.Pos{File: name}, Text: fmt.Sprintf(
			"SIMULATOR_STOP_TIME is %v, must be later than %v, the second in which the first flow starts", im.config.Stop, im.set.Base)}}
	}
	im.config.IgnoreUnmodelled()
	return err
}

// duration is how long the run lasts at most.
func (im *Import) duration() sim.Time {
	return min(im.config.Stop-im.set.Base, longestRun)
}

// longestRun is the limit of stop.max.
const longestRun = 60 * sim.Second

// group sorts the flows into entries.
func (im *Import) group() {
	for i := range im.set.Flows {
		f := &im.set.Flows[i]
		k := slices.IndexFunc(im.groups, func(g flowGroup) bool { return g.pg == f.PG && g.port == f.DPort })
		if k < 0 {
			k = len(im.groups)
			im.groups = append(im.groups, flowGroup{pg: f.PG, port: f.DPort})
		}
		im.groups[k].flows = append(im.groups[k].flows, f)
	}
	slices.SortFunc(im.groups, func(a, b flowGroup) int { return cmp.Or(cmp.Compare(a.pg, b.pg), cmp.Compare(a.port, b.port)) })
}

// notes are what the files ask for and does not happen, as sentences.
func (im *Import) notes() []string {
	var lines []string
	for _, list := range [][]hpcc.Problem{im.topology.Warnings, im.set.Warnings} {
		for _, p := range list {
			lines = append(lines, p.Error())
		}
	}
	if im.config != nil {
		for _, p := range im.config.Warnings {
			lines = append(lines, p.Error())
		}
		lines = append(lines, im.config.Summary()...)
	}
	return append(lines, im.asked.notes...)
}

// parse reads the scenario that describe writes. A long list of flows does not
// go through the text: each entry there has its first, the others follow here.
func (im *Import) parse(name string) (*Scenario, error) {
	doc, err := strict.Read("the imported scenario", im.describe(name))
	if err != nil {
		return nil, err
	}
	sc := decode(doc, im.sets)
	for i := range min(len(im.groups), len(sc.Workload)) {
		if list, ok := sc.Workload[i].Traffic.(*Flows); ok && len(list.Flows) == 1 {
			for _, f := range im.groups[i].flows[1:] {
				list.Flows = append(list.Flows, flowOf(f))
			}
		}
	}
	if _, err := sc.Plan(); err != nil {
		return nil, err
	}
	return sc, nil
}

func flowOf(f *hpcc.Flow) Flow {
	return Flow{
		From: strconv.Itoa(f.SrcNode), To: strconv.Itoa(f.DstNode), Bytes: strict.Bytes(f.Bytes), Start: f.Start,
		SrcPort: f.SPort, DstPort: f.DPort,
	}
}

// importName names a run after the directory of its files.
func importName(topologyPath string) string {
	dir, err := filepath.Abs(filepath.Dir(topologyPath))
	if err != nil {
		dir = ""
	}
	base := regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(filepath.Base(dir), "-")
	return "hpcc-" + base[:min(len(base), 80)]
}

// located turns the errors of the readers into those of a scenario.
func located(err error) error {
	var out Errors
	var collect func(err error)
	collect = func(err error) {
		var all Errors
		switch e := err.(type) {
		case Errors:
			all = e
		case hpcc.Problem:
			all = Errors{{Pos: strict.Pos{File: e.File, Line: e.Line, Col: e.Column}, Text: e.Text}}
		case *hpcc.Problems:
			for _, one := range e.List {
				collect(one)
			}
			if e.More > 0 {
				all = Errors{{Pos: strict.Pos{File: e.List[0].File}, Text: fmt.Sprintf("and %d more", e.More)}}
			}
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				collect(one)
			}
		}
		out = append(out, all...)
	}
	collect(err)
	return out
}
