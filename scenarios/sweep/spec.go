package sweep

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rocesim/results"
	"rocesim/scenarios"
	"rocesim/scenarios/grid"
	"rocesim/scenarios/strict"
)

// Spec is what a command line asks for. What it leaves out comes from the
// sweep section of the first scenario.
type Spec struct {
	// Files are scenarios; all are tried.
	Files []string
	// Sets are "path=value,value,...": an axis, or with one value a change of
	// the scenario. Links are "path,path,...", axes that move together.
	Sets, Links []string
	// Seeds, Metrics, Objective and Pareto are as in grid.Block; empty ones are
	// not given.
	Seeds     string
	Metrics   []string
	Objective string
	Pareto    []string
}

// source is one scenario file.
type source struct {
	file     string
	template *scenarios.Template
	base     *scenarios.Scenario
	seeds    []uint64
	// extra are the metrics that a record does not have anyway.
	extra []string
	// nodes and entries are the names that labels of metrics may have.
	nodes, entries []string
}

// Sweep is a checked grid over one or more scenarios.
type Sweep struct {
	Grid    grid.Grid
	sources []source
	fixed   []string
	// Metrics are drawn and told of. Pareto is empty or two of them.
	Metrics   []results.Subject
	asked     bool // for the metrics, by the command line or the file
	Objective *grid.Objective
	Pareto    []results.Subject
	columns   []results.Subject
	names     []string // of columns
}

// Load reads the scenarios and checks the grid, though not yet each setting.
// The error is of type strict.Errors where a place can be named.
func Load(spec Spec) (*Sweep, error) {
	first, err := scenarios.Load(spec.Files[0], nil)
	if err != nil {
		return nil, err
	}
	block := first.Sweep
	if block == nil {
		block = &grid.Block{}
	}
	s := &Sweep{}
	axes, err := s.axes(spec, block)
	if err != nil {
		return nil, err
	}
	if s.Grid, err = grid.New(axes, links(spec, block, axes)); err != nil {
		return nil, err
	}
	seeds := block.Seeds
	if spec.Seeds != "" {
		if seeds, err = grid.ParseSeeds(spec.Seeds); err != nil {
			return nil, fmt.Errorf("--seeds: %w", err)
		}
	}
	if err := s.read(files(spec, block), seeds); err != nil {
		return nil, err
	}
	if err := s.judges(spec, block); err != nil {
		return nil, err
	}
	for _, c := range s.columns {
		s.names = append(s.names, c.String())
	}
	for i := range s.sources {
		s.sources[i].extra = s.extra(&s.sources[i])
	}
	_, err = s.Runs()
	return s, err
}

// files are the scenarios of the command line and those that the file names,
// relative to it.
func files(spec Spec, block *grid.Block) []grid.File {
	var all []grid.File
	for _, path := range spec.Files {
		all = append(all, grid.File{Path: path})
	}
	for _, f := range block.Scenarios {
		if !filepath.IsAbs(f.Path) {
			f.Path = filepath.Join(filepath.Dir(spec.Files[0]), f.Path)
		}
		all = append(all, f)
	}
	return all
}

// axes takes those of the command line, or else those of the file but for those
// that the command line holds still. One value alone is a change of every run.
func (s *Sweep) axes(spec Spec, block *grid.Block) ([]grid.Axis, error) {
	var given, axes []grid.Axis
	for _, arg := range spec.Sets {
		a, err := grid.ParseArg(arg)
		if err != nil {
			return nil, err
		}
		if hasAxis(axes, a.Path) || len(a.Values) > 1 && hasAxis(given, a.Path) {
			return nil, strict.Errors{{Pos: a.Pos, Path: a.Path, Text: "this axis is given twice"}}
		}
		given = append(given, a)
		if len(a.Values) == 1 {
			s.fixed = append(s.fixed, arg)
		} else {
			axes = append(axes, a)
		}
	}
	if axes == nil {
		axes = slices.DeleteFunc(slices.Clone(block.Axes), func(a grid.Axis) bool { return hasAxis(given, a.Path) })
	}
	return axes, checkPaths(axes)
}

// checkPaths refuses axes that are no settings.
func checkPaths(axes []grid.Axis) error {
	for _, a := range axes {
		text := ""
		switch first, _, _ := strings.Cut(a.Path, "."); first {
		case "seed":
			text = "seeds are given with --seeds or sweep.seeds"
		case "sweep":
			text = "a sweep cannot vary itself"
		case "name", "question", "expectation", "source", "tune":
			text = "this changes no result"
		case "output":
			text = "a sweep writes tables of all runs, not the output of single ones"
		default:
			continue
		}
		return strict.Errors{{Pos: a.Pos, Path: a.Path, Text: text}}
	}
	return nil
}

// links reads those of the command line, or else takes those of the file. One
// of the file is void if one of its axes is not among those of the sweep.
func links(spec Spec, block *grid.Block, axes []grid.Axis) []grid.Link {
	var all []grid.Link
	for _, text := range spec.Links {
		link := grid.Link{Pos: strict.Pos{File: "--link " + text}}
		for path := range strings.SplitSeq(text, ",") {
			link.Paths = append(link.Paths, strings.TrimSpace(path))
		}
		all = append(all, link)
	}
	if all != nil {
		return all
	}
	for _, link := range block.Linked {
		held := func(path string) bool { return hasAxis(block.Axes, path) && !hasAxis(axes, path) }
		if !slices.ContainsFunc(link.Paths, held) {
			all = append(all, link)
		}
	}
	return all
}

func hasAxis(axes []grid.Axis, path string) bool {
	return slices.ContainsFunc(axes, func(a grid.Axis) bool { return a.Path == path })
}

// read loads each scenario with the fixed changes.
func (s *Sweep) read(files []grid.File, seeds grid.Seeds) error {
	names := map[string]string{}
	for _, f := range files {
		file := f.Path
		template, err := scenarios.LoadTemplate(file)
		if err != nil {
			return named(f, err)
		}
		base, err := template.Scenario(s.fixed)
		if err != nil {
			return err
		}
		if other, twice := names[base.Name]; twice {
			return named(f, fmt.Errorf("%s and %s are both named %q; rows of a sweep are told apart by the name", other, file, base.Name))
		}
		names[base.Name] = file
		plan, err := base.Plan()
		if err != nil {
			return err
		}
		src := source{file: file, template: template, base: base, seeds: seeds.From(base.Seed), entries: plan.Names}
		for i := range len(plan.Graph.Endpoints) + len(plan.Graph.Switches) {
			src.nodes = append(src.nodes, plan.Graph.NodeName(i))
		}
		for _, h := range plan.Graph.Hosts {
			src.nodes = append(src.nodes, h.Name)
		}
		s.sources = append(s.sources, src)
		for _, subject := range results.AllSubjects(plan.Names) {
			if !slices.ContainsFunc(s.columns, same(subject)) {
				s.columns = append(s.columns, subject)
			}
		}
	}
	return nil
}

// named is an error of a file where that is named, unless the error has a place
// in the file.
func named(f grid.File, err error) error {
	var errs strict.Errors
	if f.Pos == (strict.Pos{}) || errors.As(err, &errs) && errs[0].Pos.Line > 0 {
		return err
	}
	return strict.Errors{{Pos: f.Pos, Path: "sweep.scenarios", Text: err.Error()}}
}

func same(a results.Subject) func(results.Subject) bool {
	return func(b results.Subject) bool { return a.String() == b.String() }
}

// Runs is how many runs the sweep has. The error says that there are none to
// compare, or too many.
func (s *Sweep) Runs() (int, error) {
	factors := []grid.Factor{{Count: len(s.sources[0].seeds), What: "seeds"}}
	if len(s.sources) > 1 {
		factors = append(factors, grid.Factor{Count: len(s.sources), What: "scenarios"})
	}
	total, err := s.Grid.Count(factors...)
	if err == nil && total < 2 {
		err = fmt.Errorf("there is nothing to compare: one setting and one seed; give an axis such as --set switch.ecn.kmin=100KB,200KB, or --seeds 5")
	}
	return total, err
}

// Base is the first scenario, as it is without the axes.
func (s *Sweep) Base() *scenarios.Scenario { return s.sources[0].base }
