package page

import (
	"html/template"

	"rocesim/results"
)

// maxDrawn is up to how many cables a network is drawn.
const maxDrawn = 4000

// Topology returns the drawing of a run's network, and the slider that shows
// queues and pauses at one time in it.
func Topology(run *results.Run) (Part, error) {
	n := newNetwork(run)
	section := Section{ID: "topology", Title: "Network"}
	if len(n.cables) == 0 || len(n.cables) > maxDrawn {
		section.Body = template.HTML("<p>" + escape(notDrawn(len(n.cables))) + "</p>")
		return Part{Sections: []Section{section}}, nil
	}
	loads := n.loads()
	d := draw(n, loads)
	view := topologyView{SVG: d.svg, Time: newTimeline(run), Steps: upTo(steps + 1), Bundled: bundled(d.groups), Wide: d.wide, Quantities: quantities(run, loads)}
	var err error
	if section.Body, err = Fill("topology.html", view); err != nil {
		return Part{}, err
	}
	return Part{
		Sections: []Section{section},
		Data:     []Data{{ID: "topology-data", Value: n.wire(&d, loads)}, {ID: "timeline-data", Value: view.Time}},
		Scripts:  []string{Asset("chart_format.js"), Asset("topology.js"), Asset("slider.js")},
		Styles:   []string{Asset("chart.css"), Asset("topology.css")},
	}, nil
}

func notDrawn(cables int) string {
	if cables == 0 {
		return "The run has no cables to draw."
	}
	return "The network is not drawn: it has " + results.Plural(cables, "cable") + ", too many to be told apart. The tables have them all."
}

// topologyView is what the template is filled with.
type topologyView struct {
	SVG     template.HTML
	Time    *timeline
	Steps   []int
	Bundled bool
	Wide    bool
	// Quantities are what the lines may be coloured by.
	Quantities []quantity
}

// quantity is a choice of colours; the page begins with the chosen one.
type quantity struct {
	Name, Text string
	Chosen     bool
}

// muchPaused is from which share of the run a paused port is what a drawing
// should begin with.
const muchPaused = 0.01

// quantities begins with what went wrong: drops where PFC should have prevented
// them, then pauses, else utilisation. Scripts colour by it; without them the
// drawing shows utilisation.
func quantities(run *results.Run, loads []load) []quantity {
	all := []quantity{{Name: "utilisation", Text: "utilisation"}, {Name: "paused", Text: "share of time paused"},
		{Name: "marked", Text: "share of packets marked"}, {Name: "dropped", Text: "packets dropped"}, {Name: "peak", Text: "deepest queue"}}
	var most load
	for _, l := range loads {
		most.paused, most.dropped = max(most.paused, l.paused), max(most.dropped, l.dropped)
	}
	switch {
	case results.Judge(run).LosslessDrops > 0 && most.dropped > 0:
		all[3].Chosen = true
	case float64(most.paused) >= muchPaused*float64(run.Manifest.SimulatedTime) && most.paused > 0:
		all[1].Chosen = true
	default:
		all[0].Chosen = true
	}
	return all
}

// bundled reports whether some box stands for several hosts.
func bundled(groups []group) bool {
	for _, g := range groups {
		if len(g.members) > 1 {
			return true
		}
	}
	return false
}

// wireTopology is what topology.js reads.
type wireTopology struct {
	// End is the length of the run in us.
	End    Number      `json:"end"`
	Ports  []wirePort  `json:"ports"`
	Lanes  []wireLane  `json:"lanes"`
	Groups []wireGroup `json:"groups"`
}

type wirePort struct {
	Name string `json:"name"`
	// Rate is in Gb/s.
	Rate Number `json:"rate"`
	Load load   `json:"load"`
}

type wireLane struct {
	Name  string  `json:"name"`
	Ports []int32 `json:"ports"`
}

// wireGroup has the ports of its members, and those at the other ends.
type wireGroup struct {
	Label string  `json:"label"`
	Out   []int32 `json:"out"`
	In    []int32 `json:"in"`
}

func (n *network) wire(d *drawing, loads []load) wireTopology {
	w := wireTopology{End: micros(n.run.Manifest.SimulatedTime)}
	for i := range n.run.Ports {
		rate := Number(results.FloatText(float64(n.run.Ports[i].Rate) / 1e9))
		w.Ports = append(w.Ports, wirePort{n.run.PortName(int32(i)), rate, loads[i]})
	}
	for _, l := range d.lanes {
		w.Lanes = append(w.Lanes, wireLane{l.name, l.ports})
	}
	at := make([]int, len(n.host))
	for i := range d.groups {
		w.Groups = append(w.Groups, wireGroup{Label: d.groups[i].label()})
		for _, m := range d.groups[i].members {
			at[m] = i
		}
	}
	for _, c := range n.cables {
		a, b := n.peers(c)
		ga, gb := &w.Groups[at[a]], &w.Groups[at[b]]
		ga.Out, ga.In = append(ga.Out, c.a), append(ga.In, c.b)
		gb.Out, gb.In = append(gb.Out, c.b), append(gb.In, c.a)
	}
	return w
}
