package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"rocesim/results"
	"rocesim/scenarios"
)

// Job is one run. It needs nothing but itself, so that it can be executed
// anywhere.
type Job struct {
	// Scenario is YAML with every value filled in.
	Scenario string `json:"scenario"`
	// Seed takes the place of the scenario's.
	Seed uint64 `json:"seed"`
	// Metrics are those wanted beside results.AllSubjects. They are no part of
	// the hash.
	Metrics []string `json:"metrics,omitempty"`

	// ready is what Scenario says, if the job was made in this process: to read
	// it once for each run takes a third of the time of a run of 10 ms.
	ready *scenarios.Scenario
}

// Hash names what the job computes: the SHA-256 of the scenario, the version
// of rocesim that simulates it and the seed.
func (j *Job) Hash(tool string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d\n%s", tool, j.Seed, j.Scenario)
	return hex.EncodeToString(h.Sum(nil))
}

// setting names what jobs that differ in their seed have in common.
func (j *Job) setting(tool string) string { return sum([]byte(tool + "\n" + j.Scenario)) }

// name is that of the job's run in a store.
func (j *Job) name(tool string) string { return runName(j.setting(tool), j.Seed) }

// recordFormat changes when readers would notice.
const recordFormat = "rocesim record 1"

// Record is what remains of a run.
type Record struct {
	Format      string  `json:"format"`
	Tool        string  `json:"tool_version"`
	Scenario    string  `json:"scenario"`
	Seed        uint64  `json:"seed"`
	Fingerprint string  `json:"fingerprint"`
	Stop        string  `json:"stop"`
	SimulatedUs float64 `json:"simulated_us"`
	Events      uint64  `json:"events"`
	// Expectations is how many the scenario has, Unmet are those not met.
	Expectations int      `json:"expectations"`
	Unmet        []string `json:"unmet,omitempty"`
	// Metrics are in base units; null says that the run has no data for one.
	Metrics map[string]*float64 `json:"metrics"`
}

// Runner executes a job. The error says that the context was cancelled, or that
// the simulation failed, whatever way: a bug in it must not end a sweep.
type Runner func(context.Context, *Job) (*Record, error)

// NewRunner returns what executes one job after the other, each in the memory of
// the one before, and with its plan if only the seed differs. It is of use to one
// goroutine at a time. tool is the version written into records.
func NewRunner(tool string) Runner {
	var memory scenarios.Memory
	var plans planner
	return func(ctx context.Context, j *Job) (*Record, error) { return j.runIn(ctx, tool, &plans, &memory) }
}

// Run executes the job in its own memory, as a Runner does.
func (j *Job) Run(ctx context.Context, tool string) (*Record, error) {
	return j.runIn(ctx, tool, &planner{}, nil)
}

func (j *Job) runIn(ctx context.Context, tool string, plans *planner, memory *scenarios.Memory) (rec *Record, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			rec, err = nil, fmt.Errorf("internal error: %v", broken)
		}
	}()
	plan, err := plans.plan(j)
	if err != nil {
		return nil, err
	}
	run, err := plan.Run(ctx, scenarios.RunOptions{Tool: tool, MetricsOnly: true, Memory: memory})
	if err != nil {
		return nil, err
	}
	if run.Manifest.Stop == results.Interrupted {
		return nil, context.Cause(ctx)
	}
	return j.record(tool, plan, run)
}

// planner makes the plans of jobs that follow each other. Those of one setting
// usually do, and to make the plan of the next seed from the last one takes little.
type planner struct {
	scenario string
	last     *scenarios.Plan // of scenario
}

func (p *planner) plan(j *Job) (*scenarios.Plan, error) {
	if p.last != nil && p.scenario == j.Scenario {
		return p.last.WithSeed(j.Seed)
	}
	plan, err := j.plan()
	p.scenario, p.last = j.Scenario, plan
	return plan, err
}

// plan makes the plan of what the job simulates.
func (j *Job) plan() (*scenarios.Plan, error) {
	if j.ready == nil {
		sc, err := scenarios.ParseAlone("job", []byte(j.Scenario), []string{"seed=" + strconv.FormatUint(j.Seed, 10)})
		if err != nil {
			return nil, err
		}
		return sc.Plan()
	}
	sc := *j.ready // shared by the runs of all seeds
	sc.Seed = j.Seed
	return sc.Plan()
}

func (j *Job) record(tool string, plan *scenarios.Plan, run *results.Run) (*Record, error) {
	m := &run.Manifest
	rec := &Record{
		Format: recordFormat, Tool: tool, Scenario: plan.Name, Seed: j.Seed,
		Fingerprint: results.FingerprintText(m.Fingerprint), Stop: m.Stop.String(),
		SimulatedUs: m.SimulatedTime.Micros(), Events: m.Events,
		Expectations: len(plan.Expect), Metrics: map[string]*float64{},
	}
	metrics := results.NewMetrics(run)
	for _, o := range results.Evaluate(plan.Expect, metrics) {
		if !o.OK {
			rec.Unmet = append(rec.Unmet, o.Expectation)
		}
	}
	subjects := results.AllSubjects(plan.Names)
	for _, text := range j.Metrics {
		s, err := results.ParseSubject(text)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, s)
	}
	for _, s := range subjects {
		rec.Metrics[s.String()] = valueOf(s, metrics)
	}
	return rec, nil
}

// valueOf computes a metric, or returns nil if the run has no data for it.
func valueOf(s results.Subject, m *results.Metrics) *float64 {
	v, err := s.Of(m)
	if err != nil {
		return nil
	}
	return &v
}

// has reports whether all wanted metrics were looked at.
func (r *Record) has(metrics []string) bool {
	for _, name := range metrics {
		if _, ok := r.Metrics[name]; !ok {
			return false
		}
	}
	return true
}
