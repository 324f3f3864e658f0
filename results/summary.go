package results

import (
	"fmt"
	"math"

	"rocesim/sim"
)

// Summary is what a person reads first, and what summary.json holds. Units are
// in the names; times are in microseconds, rates in Gb/s of payload.
type Summary struct {
	Name          string   `json:"name"`
	Question      string   `json:"question,omitempty"`
	Seed          uint64   `json:"seed"`
	Fingerprint   string   `json:"fingerprint"`
	SimulatedUs   float64  `json:"simulated_us"`
	Stop          string   `json:"stop"`
	Partial       bool     `json:"partial"`
	Stall         string   `json:"stall,omitempty"`
	Deadlocks     []string `json:"deadlocks,omitempty"`
	Notes         []string `json:"notes,omitempty"`
	Verdict       Verdict  `json:"verdict"`
	PFC           PFC      `json:"pfc"`
	ECN           ECN      `json:"ecn"`
	Recovery      Recovery `json:"recovery"`
	Fabric        Fabric   `json:"fabric"`
	Flows         int      `json:"flows"`
	FinishedFlows int      `json:"finished_flows"`
	// GoodputGbps is that of all flows together over the time measured.
	GoodputGbps float64           `json:"goodput_gbps"`
	Workloads   []WorkloadSummary `json:"workloads"`
	// Storms are the pause trees that begin at NICs, the largest first.
	Storms []StormSummary `json:"storms,omitempty"`
	// Watchdog is what PFC watchdogs of switches did.
	Watchdog []WatchdogSummary `json:"watchdog,omitempty"`
	// Slowdown is over all workloads, by flow size.
	Slowdown []BucketSummary `json:"slowdown"`
	Latency  []LatencyGroup  `json:"latency_parts,omitempty"`
	// Why holds the most important explanations, the caller's to fill in.
	Why          []Finding `json:"why,omitempty"`
	Expectations []Outcome `json:"expectations,omitempty"`
}

// ECN counts marks and congestion notification packets.
type ECN struct {
	MarkedPackets int64 `json:"marked_packets"`
	CNPSent       int64 `json:"np_cnp_sent"`
	CNPHandled    int64 `json:"rp_cnp_handled"`
}

// Recovery counts what loss recovery did.
type Recovery struct {
	Retransmitted   int64 `json:"retransmitted_packets"`
	OutOfSequence   int64 `json:"out_of_sequence"`
	AckTimeouts     int64 `json:"local_ack_timeout_err"`
	RetriesExceeded int64 `json:"req_transport_retries_exceeded"`
}

// Fabric holds the extremes of queues and links.
type Fabric struct {
	PeakQueueBytes int64  `json:"peak_queue_bytes"`
	PeakQueueAt    string `json:"peak_queue_at,omitempty"`
	// MaxUtilisation is the busiest link's share of time spent sending.
	MaxUtilisation   float64 `json:"max_utilisation"`
	MaxUtilisationAt string  `json:"max_utilisation_at,omitempty"`
}

// WorkloadSummary is one workload's line.
type WorkloadSummary struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Flows    int    `json:"flows"`
	Finished int    `json:"finished"`
	// Failed flows are those whose queue pair gave up.
	Failed int `json:"failed"`
	// DeliveredBytes is payload delivered in the time measured.
	DeliveredBytes int64           `json:"delivered_bytes"`
	GoodputGbps    float64         `json:"goodput_gbps"`
	FCTUs          Distribution    `json:"fct_us"`
	SlowdownAll    Distribution    `json:"slowdown"`
	SlowdownBySize []BucketSummary `json:"slowdown_by_size"`
	// LatencyUs is the one-way latency, of latency probes only.
	LatencyUs *Distribution `json:"one_way_latency_us,omitempty"`
}

// BucketSummary is the slowdown of the flows of one size range; Bytes is
// "all" or the name of a Bucket.
type BucketSummary struct {
	Bytes    string       `json:"bytes"`
	Slowdown Distribution `json:"slowdown"`
}

// LatencyGroup is the breakdown of one path's latency on an idle fabric.
type LatencyGroup struct {
	Path    string             `json:"path"`
	TotalNs float64            `json:"total_ns"`
	Parts   []LatencyPartValue `json:"parts"`
}

// LatencyPartValue is one component of a LatencyGroup.
type LatencyPartValue struct {
	Component string  `json:"component"`
	Kind      string  `json:"kind"`
	Ns        float64 `json:"ns"`
}

// Summarise computes the summary of a run; Summary.Expect adds the outcomes of
// expectations.
func Summarise(run *Run) Summary {
	m := &run.Manifest
	s := Summary{
		Name: m.Name, Question: m.Question, Seed: m.Seed, Fingerprint: FingerprintText(m.Fingerprint),
		SimulatedUs: m.SimulatedTime.Micros(), Stop: m.Stop.String(), Partial: m.Partial(), Stall: m.Stall,
		Deadlocks: m.Deadlocks, Notes: m.Notes,
		Verdict: Judge(run), PFC: SummarisePFC(run), ECN: summariseECN(run), Recovery: summariseRecovery(run),
		Fabric: summariseFabric(run), Latency: run.LatencyGroups(),
	}
	metrics := NewMetrics(run)
	for i := range run.Workloads {
		w := summariseWorkload(metrics, int32(i))
		s.Flows += w.Flows
		s.FinishedFlows += w.Finished
		s.Workloads = append(s.Workloads, w)
	}
	// Without a time measured there is no goodput, and 0 is right.
	if rate, err := goodputTotal(metrics, selection{}); err == nil {
		s.GoodputGbps = round(rate/1e9, 1e-6)
	}
	s.Slowdown = SlowdownBySize(run)
	s.Storms, s.Watchdog = summariseStorms(run), summariseWatchdog(run)
	return s
}

// round rounds to a multiple of step, so that files show no noise of floating
// point behind the last digit that means something.
func round(value, step float64) float64 { return math.Round(value/step) / math.Round(1/step) }

func summariseWorkload(m *Metrics, index int32) WorkloadSummary {
	w := m.run.Workloads[index]
	s := WorkloadSummary{Name: w.Name, Type: w.Type}
	var fct, latency []float64
	for i := range m.run.Flows {
		f := &m.run.Flows[i]
		if f.Workload != index {
			continue
		}
		s.Flows++
		s.DeliveredBytes += f.Measured
		if f.Finished() {
			s.Finished++
		}
		if f.Unfinished == RetriesSpent {
			s.Failed++
		}
		if f.Completed != 0 {
			fct = append(fct, f.FCT().Micros())
		}
		if w.Probe && f.Delivered != 0 {
			latency = append(latency, f.OneWay().Micros())
		}
	}
	s.FCTUs = Distribute(fct).rounded()
	if len(latency) > 0 {
		d := Distribute(latency).rounded()
		s.LatencyUs = &d
	}
	s.SlowdownBySize = slowdownBySize(m.run, func(f *FlowRow) bool { return f.Workload == index })
	s.SlowdownAll = s.SlowdownBySize[0].Slowdown
	// A workload that never ran has no goodput, and 0 is right.
	if rate, err := goodput(m, selection{workload: w.Name, priority: -1}); err == nil {
		s.GoodputGbps = round(rate/1e9, 1e-6)
	}
	return s
}

// rounded rounds to a millionth: picoseconds, if the unit is microseconds.
func (d Distribution) rounded() Distribution {
	for _, v := range []*float64{&d.Min, &d.Mean, &d.P50, &d.P95, &d.P99, &d.P999, &d.Max} {
		*v = round(*v, 1e-6)
	}
	return d
}

// SlowdownBySize returns the slowdown of all flows and then of every Bucket.
func SlowdownBySize(run *Run) []BucketSummary {
	return slowdownBySize(run, func(*FlowRow) bool { return true })
}

// slowdownBySize returns "all" and then every bucket, empty ones included, so
// that files of two runs line up.
func slowdownBySize(run *Run, want func(*FlowRow) bool) []BucketSummary {
	buckets := Buckets()
	var all []float64
	values := make([][]float64, len(buckets))
	for i := range run.Flows {
		f := &run.Flows[i]
		if v := f.Slowdown(); v > 0 && want(f) {
			all = append(all, v)
			b := bucketIndex(buckets, f.Bytes)
			values[b] = append(values[b], v)
		}
	}
	rows := []BucketSummary{{"all", Distribute(all).rounded()}}
	for i, b := range buckets {
		rows = append(rows, BucketSummary{b.Name(), Distribute(values[i]).rounded()})
	}
	return rows
}

func summariseECN(run *Run) ECN {
	var e ECN
	for i := range run.Queues {
		e.MarkedPackets += run.Queues[i].ECNMarked
	}
	for i := range run.NICs {
		e.CNPSent += run.NICs[i].CNPSent
		e.CNPHandled += run.NICs[i].CNPHandled
	}
	return e
}

func summariseRecovery(run *Run) Recovery {
	var r Recovery
	for i := range run.NICs {
		n := &run.NICs[i]
		r.Retransmitted += n.Retransmitted
		r.OutOfSequence += n.OutOfSequence
		r.AckTimeouts += n.AckTimeouts
		r.RetriesExceeded += n.RetriesExceeded
	}
	return r
}

func summariseFabric(run *Run) Fabric {
	var f Fabric
	for i := range run.Queues {
		if q := &run.Queues[i]; q.PeakQueue > f.PeakQueueBytes {
			f.PeakQueueBytes, f.PeakQueueAt = q.PeakQueue, run.queueName(q.Port, q.Priority)
		}
	}
	for i := range run.Ports {
		if u := run.Ports[i].Utilisation(run.Manifest.SimulatedTime); u > f.MaxUtilisation {
			f.MaxUtilisation, f.MaxUtilisationAt = u, run.PortName(int32(i))
		}
	}
	f.MaxUtilisation = round(f.MaxUtilisation, 1e-6)
	return f
}

// queueName names a port and priority in sentences.
func (r *Run) queueName(port int32, priority uint8) string {
	return fmt.Sprintf("%s priority %d", r.PortName(port), priority)
}

// LatencyGroups groups Run.Latency by path, in the order of the parts.
func (r *Run) LatencyGroups() []LatencyGroup {
	var groups []LatencyGroup
	for _, part := range r.Latency {
		if len(groups) == 0 || groups[len(groups)-1].Path != part.Path {
			groups = append(groups, LatencyGroup{Path: part.Path})
		}
		g := &groups[len(groups)-1]
		g.TotalNs = round(g.TotalNs+part.Time.Nanos(), 1e-3)
		g.Parts = append(g.Parts, LatencyPartValue{part.Component, part.Kind, part.Time.Nanos()})
	}
	return groups
}

// share is span over all, 0 if nothing was simulated.
func share(span, all sim.Time) float64 {
	if all <= 0 {
		return 0
	}
	return round(float64(span)/float64(all), 1e-6)
}
