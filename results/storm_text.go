package results

import (
	"fmt"
	"strings"
)

// StormSummary is a pause tree that begins at a NIC: a slow receiver or a
// storm. Rates are in Gb/s of payload, -1 if not sampled.
type StormSummary struct {
	Root     string             `json:"root"`
	Host     string             `json:"host"`
	Priority uint8              `json:"priority"`
	FirstUs  float64            `json:"first_us"`
	LastUs   float64            `json:"last_us"`
	Paused   float64            `json:"root_paused_fraction"`
	Hops     int                `json:"hops"`
	Ports    []StormPortSummary `json:"ports"`
	Victims  []VictimSummary    `json:"victims,omitempty"`
}

// StormPortSummary is one port of the tree, root first.
type StormPortSummary struct {
	Port     string  `json:"port"`
	Cause    string  `json:"cause,omitempty"`
	Depth    int     `json:"depth"`
	FirstUs  float64 `json:"first_us"`
	PausedUs float64 `json:"paused_us"`
	Pauses   int     `json:"pauses"`
}

// VictimSummary is a workload that leaves NICs of the tree.
type VictimSummary struct {
	Workload         string  `json:"workload"`
	ToRoot           int     `json:"flows_to_root"`
	Others           int     `json:"flows_elsewhere"`
	OthersUnfinished int     `json:"flows_elsewhere_unfinished"`
	BeforeGbps       float64 `json:"goodput_before_gbps"`
	DuringGbps       float64 `json:"goodput_during_gbps"`
	AfterGbps        float64 `json:"goodput_after_gbps"`
}

// WatchdogSummary is one storm that a watchdog detected.
type WatchdogSummary struct {
	Queue      string   `json:"queue"`
	Action     string   `json:"action"`
	DetectedUs float64  `json:"detected_us"`
	RestoredUs *float64 `json:"restored_us,omitempty"`
	TxOK       int64    `json:"tx_ok_packets"`
	TxDropped  int64    `json:"tx_dropped_packets"`
	RxOK       int64    `json:"rx_ok_packets"`
	RxDropped  int64    `json:"rx_dropped_packets"`
}

// maxStorms is how many pause trees a summary has.
const maxStorms = 3

// summariseStorms describes the trees that begin at NICs.
func summariseStorms(run *Run) []StormSummary {
	if !run.nicsPause() {
		return nil
	}
	var out []StormSummary
	for _, t := range PauseTrees(run) {
		if _, ok := t.RootHost(run); ok && len(out) < maxStorms {
			out = append(out, t.summary(run))
		}
	}
	return out
}

// nicsPause reports whether any NIC has sent XOFF.
func (r *Run) nicsPause() bool {
	hosts := r.hosts()
	for i := range r.Queues {
		if r.Queues[i].TxXoff > 0 && r.Ports[r.Queues[i].Port].Node < hosts {
			return true
		}
	}
	return false
}

func (t *PauseTree) summary(run *Run) StormSummary {
	root := &t.Ports[0]
	host, _ := t.RootHost(run)
	s := StormSummary{
		Root: run.PortName(root.Port), Host: run.Nodes[host], Priority: t.Priority,
		FirstUs: root.First.Micros(), LastUs: root.Last.Micros(), Paused: share(root.Time, root.Last-root.First), Hops: t.depth(),
	}
	for i := range t.Ports {
		p := &t.Ports[i]
		row := StormPortSummary{Port: run.PortName(p.Port), Depth: p.Depth, FirstUs: p.First.Micros(), PausedUs: p.Time.Micros(), Pauses: p.Pauses}
		if p.Cause >= 0 {
			row.Cause = run.PortName(t.Ports[p.Cause].Port)
		}
		s.Ports = append(s.Ports, row)
	}
	for _, v := range t.Victims {
		s.Victims = append(s.Victims, VictimSummary{
			Workload: run.Workloads[v.Workload].Name, ToRoot: v.ToRoot, Others: v.Others, OthersUnfinished: v.OthersUnfinished,
			BeforeGbps: gbps(v.Before), DuringGbps: gbps(v.During), AfterGbps: gbps(v.After),
		})
	}
	return s
}

// gbps converts a rate; negative stays -1.
func gbps(rate float64) float64 {
	if rate < 0 {
		return -1
	}
	return round(rate/1e9, 1e-6)
}

func summariseWatchdog(run *Run) []WatchdogSummary {
	var out []WatchdogSummary
	for i := range run.Storms {
		r := &run.Storms[i]
		w := WatchdogSummary{
			Queue: run.queueName(r.Port, r.Priority), Action: r.Action, DetectedUs: r.Detected.Micros(),
			TxOK: r.TxOK, TxDropped: r.TxDropped, RxOK: r.RxOK, RxDropped: r.RxDropped,
		}
		if r.Restored > 0 {
			us := r.Restored.Micros()
			w.RestoredUs = &us
		}
		out = append(out, w)
	}
	return out
}

// maxStormLines bounds what the text shows of each tree and of the watchdogs;
// summary.json has all.
const maxStormLines = 12

// stormPaused is the part of the time between its first and its last pause from
// which a NIC is said to storm; a slow receiver lets go now and then.
const stormPaused = 0.99

// storms writes the pause trees that begin at NICs, and what watchdogs did.
func (t *textWriter) storms(s *Summary) {
	for i := range s.Storms {
		t.line("")
		t.storm(&s.Storms[i])
	}
	if len(s.Watchdog) == 0 {
		return
	}
	t.line("")
	for i := range s.Watchdog {
		if i == maxStormLines {
			t.line("%-10s and %d more storms, see storms.csv", "", len(s.Watchdog)-i)
			break
		}
		t.labelled("watchdog", s.Watchdog[i].sentence())
	}
}

func (w *WatchdogSummary) sentence() string {
	end := "not restored"
	if w.RestoredUs != nil {
		end = "restored at " + formatTime(micros(*w.RestoredUs))
	}
	return fmt.Sprintf("%s: storm detected at %s, action %s, %s; sent %s and dropped %s, received %s and dropped %s",
		w.Queue, formatTime(micros(w.DetectedUs)), w.Action, end,
		Plural(w.TxOK, "packet"), thousands(w.TxDropped), thousands(w.RxOK), thousands(w.RxDropped))
}

func (t *textWriter) storm(s *StormSummary) {
	label := "storm"
	if s.Paused < stormPaused {
		label = "slow NIC"
	}
	t.labelled(label, fmt.Sprintf("the NIC of %s paused %s priority %d from %s to %s, %s of that time; the pauses spread to %s, %s away",
		s.Host, s.Root, s.Priority, formatTime(micros(s.FirstUs)), formatTime(micros(s.LastUs)), percent(s.Paused),
		Plural(len(s.Ports)-1, "other port"), Plural(s.Hops, "hop")))
	t.line("%-10s%-40s %12s %12s %8s", "", "paused port", "first", "paused for", "pauses")
	for i, p := range s.Ports {
		if i == maxStormLines {
			t.line("%-10sand %d more, see summary.json", "", len(s.Ports)-i)
			break
		}
		name := strings.Repeat("  ", p.Depth) + p.Port
		t.line("%-10s%-40s %12s %12s %8s", "", shorten(name, 40), formatTime(micros(p.FirstUs)), formatTime(micros(p.PausedUs)), thousands(int64(p.Pauses)))
	}
	for i := range s.Victims {
		t.labelled("", s.Victims[i].sentence(s.Host))
	}
}

func (v *VictimSummary) sentence(host string) string {
	text := fmt.Sprintf("victim %s: %s to %s and %s elsewhere leave paused NICs", v.Workload, Plural(v.ToRoot, "flow"), host, thousands(int64(v.Others)))
	if v.OthersUnfinished > 0 {
		text += fmt.Sprintf(" (%s of these unfinished)", thousands(int64(v.OthersUnfinished)))
	}
	var rates []string
	for _, r := range []struct {
		gbps float64
		when string
	}{{v.BeforeGbps, "before"}, {v.DuringGbps, "during the pauses"}, {v.AfterGbps, "after"}} {
		if r.gbps >= 0 {
			rates = append(rates, DataRate.Format(r.gbps*1e9)+" "+r.when)
		}
	}
	if rates != nil {
		text += "; goodput " + strings.Join(rates, ", ")
	}
	return text
}
