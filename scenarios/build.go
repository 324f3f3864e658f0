package scenarios

import (
	"rocesim/cc"
	"rocesim/cc/dcqcn"
	"rocesim/results"
	"rocesim/results/metrics"
	"rocesim/scenarios/model"
	"rocesim/scenarios/workload"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Build makes the network of a plan, ready to run.
func Build(p *Plan, observer switching.Observer) (*model.Model, error) {
	return p.build(observer, nil)
}

func (p *Plan) build(observer switching.Observer, memory *sim.Memory) (*model.Model, error) {
	return model.New(&model.Spec{
		Graph:         p.Graph,
		Routes:        p.Routes,
		Switches:      p.Switches,
		NICs:          p.NICs,
		Framing:       p.Framing,
		Quantum:       p.Quantum,
		InfinitePause: p.infinitePause(),
		Seed:          p.Seed,
		Control:       p.CC.control(),
		Address:       p.address(),
		Hosts:         p.Hosts,
		Entries:       p.Workload,
		Faults:        p.Faults,
		Convergence:   p.Convergence,
		Observer:      observer,
		Memory:        memory,
	})
}

// infinitePause reports whether pauses last until XON. NICs obey pauses as the
// switches that send them mean them.
func (p *Plan) infinitePause() bool {
	return len(p.Switches) > 0 && p.Switches[0].PFC.Infinite
}

// address returns what gives endpoints their addresses; nil for the default.
func (p *Plan) address() func(endpoint int) uint32 {
	if p.Addresses == nil {
		return nil
	}
	return func(endpoint int) uint32 { return p.Addresses[endpoint] }
}

// controllerSlab is how many reaction points one allocation holds.
const controllerSlab = 256

// control returns what makes the reaction points of new connections, or nil.
func (c *CCPlan) control() func(src int) cc.Controller {
	if !c.DCQCN {
		return nil
	}
	var slab []dcqcn.Controller
	return func(src int) cc.Controller {
		if len(slab) == 0 {
			slab = make([]dcqcn.Controller, controllerSlab)
		}
		k := &slab[0]
		slab = slab[1:]
		dcqcn.Init(k, c.Params[src], c.Lines[src])
		return k
	}
}

// collector returns a collector for what the plan's output asks for, or for
// metrics only.
func (p *Plan) collector(metricsOnly bool) *metrics.Collector {
	opt := metrics.Options{Sample: p.Output.Sample, Queues: p.Output.Queues, MetricsOnly: metricsOnly}
	if p.CC.DCQCN {
		opt.CongestionControl = "dcqcn"
	}
	for i, e := range p.Workload {
		w := results.Workload{Name: p.Names[i], Type: p.Types[i]}
		_, w.Probe = e.(workload.Latency)
		opt.Workloads = append(opt.Workloads, w)
	}
	return metrics.New(opt)
}
