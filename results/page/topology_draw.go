package page

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"rocesim/results"
)

// line is a connection that is drawn: a cable, or all cables between a switch and a
// group of hosts.
type line struct {
	from, to int // groups
	ports    [2][]int32
	// offset moves parallel lines apart, in pixels.
	offset float64
}

// lines bundles the cables of groups of hosts; others are drawn one by one,
// beside each other if they join the same nodes.
func (n *network) lines(all []group, of []int) []line {
	var drawn []line
	first := map[[2]int]int{}
	beside := map[[2]int]int{}
	for _, c := range n.cables {
		a, b := n.peers(c)
		pair := [2]int{of[a], of[b]}
		if k, ok := first[pair]; ok && all[of[a]].hosts && len(all[of[a]].members) > 1 {
			drawn[k].ports[0] = append(drawn[k].ports[0], c.a)
			drawn[k].ports[1] = append(drawn[k].ports[1], c.b)
			continue
		}
		if _, ok := first[pair]; !ok {
			first[pair] = len(drawn)
		}
		beside[pair]++
		drawn = append(drawn, line{from: of[a], to: of[b], ports: [2][]int32{{c.a}, {c.b}}, offset: float64(beside[pair] - 1)})
	}
	for i := range drawn {
		l := &drawn[i]
		l.offset = (l.offset - float64(beside[[2]int{l.from, l.to}]-1)/2) * 6
	}
	return drawn
}

// drawing is the SVG and what its parts stand for.
type drawing struct {
	svg    template.HTML
	wide   bool // wider than a page
	lanes  []lane
	groups []group
}

// manyLanes is from how many lanes the idle ones are drawn thin, so that the
// others can be seen.
const manyLanes = 300

// draw makes the drawing, coloured by utilisation.
func draw(n *network, loads []load) drawing {
	all, of := n.groups()
	l := place(n, all, of)
	lines := n.lines(all, of)
	slowest := int64(math.MaxInt64)
	for i := range n.run.Ports {
		slowest = min(slowest, int64(n.run.Ports[i].Rate))
	}
	d := drawing{groups: all, wide: l.width > drawWidth}
	var paths []string
	var heat []float64
	for i := range lines {
		for way := range 2 {
			ln := lane{ports: lines[i].ports[way], name: laneName(n.run, all, &lines[i], way)}
			width := 2 + 1.1*math.Log2(float64(len(ln.ports))*float64(n.run.Ports[ln.ports[0]].Rate)/float64(max(1, slowest)))
			paths = append(paths, fmt.Sprintf(`<path class="lane q%d" data-lane="%d" stroke-width="%.1f" d="%s"><title>%s</title></path>`,
				step(ln.busiest(loads), 1), len(d.lanes), min(8, width), half(&lines[i], way, &l, all), escape(ln.title(n.run, loads))))
			heat = append(heat, ln.busiest(loads))
			d.lanes = append(d.lanes, ln)
		}
	}
	order := upTo(len(paths))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heat[a], heat[b]) })
	var s strings.Builder
	kind := "network"
	if len(paths) > manyLanes {
		kind += " dense"
	}
	fmt.Fprintf(&s, `<svg class="%s" id="network" viewBox="0 0 %.0f %.0f" width="%.0f" role="group" aria-label="%s"><g id="lanes">`,
		kind, l.width, l.height, l.width, escape(n.describe(all)))
	for _, i := range order {
		s.WriteString(paths[i])
	}
	s.WriteString("</g><g>")
	for i := range all {
		box(&s, i, &all[i], l.at[i], l.room(all, i))
	}
	s.WriteString("</g></svg>")
	d.svg = template.HTML(s.String())
	return d
}

// laneName names one way of a line as the run names ports, or by its groups.
func laneName(run *results.Run, all []group, l *line, way int) string {
	if ports := l.ports[way]; len(ports) == 1 {
		return run.PortName(ports[0])
	}
	if way == 0 {
		return all[l.from].name + " > " + all[l.to].name
	}
	return all[l.to].name + " > " + all[l.from].name
}

// half is the path of a line from one of its ends to its middle: what the node there
// sends. A line that would cross another group of its row is a bow.
func half(ln *line, way int, l *layout, all []group) string {
	from, to := l.at[ln.from], l.at[ln.to]
	dx, dy := to.x-from.x, to.y-from.y
	length := math.Max(1, math.Hypot(dx, dy))
	bend := 2 * ln.offset
	if !l.round && l.between(all, ln.from, ln.to) {
		bend -= math.Copysign(0.35*length+30, dx)
	}
	control := point{(from.x+to.x)/2 - dy/length*bend, (from.y+to.y)/2 + dx/length*bend}
	if way == 1 {
		from, to = to, from
	}
	// The first half of the curve, and two pixels less, so that the halves can
	// be told apart.
	t := 0.5 - 1.5/length
	c := mix(from, control, t)
	end := mix(c, mix(control, to, t), t)
	return fmt.Sprintf("M%.1f %.1fQ%.1f %.1f %.1f %.1f", from.x, from.y, c.x, c.y, end.x, end.y)
}

// between reports whether two groups are in one row and another one stands between
// them.
func (l *layout) between(all []group, a, b int) bool {
	low, high := min(l.at[a].x, l.at[b].x), max(l.at[a].x, l.at[b].x)
	for i := range all {
		if l.at[i].y == l.at[a].y && l.at[i].y == l.at[b].y && l.at[i].x > low && l.at[i].x < high {
			return true
		}
	}
	return false
}

func mix(a, b point, t float64) point { return point{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t} }

// room is how wide the box of a group may be.
func (l *layout) room(all []group, i int) float64 {
	if l.round {
		return 64
	}
	row := 0
	for k := range all {
		if all[k].level == all[i].level && all[k].hosts == all[i].hosts {
			row++
		}
	}
	return min(120, (l.width-2*margin)/float64(row)-4)
}

// letter is about the width of a letter in the drawing, in pixels.
const letter = 7.2

// box draws a group with its name, as long as there is room for it.
func box(s *strings.Builder, i int, g *group, at point, room float64) {
	kind, texts := "switch", []string{fitting(g.name, room)}
	if g.hosts {
		kind = "host"
		if len(g.members) > 1 {
			kind, texts = "hosts", append(texts, fitting(results.Plural(len(g.members), "host"), room))
		}
	}
	width, height := 46.0, boxHeight+14*float64(len(texts)-1)
	for _, text := range texts {
		width = max(width, letter*float64(len([]rune(text)))+12)
	}
	width = min(room, width)
	left, top := at.x-width/2, at.y-boxHeight/2
	fmt.Fprintf(s, `<g class="box %s" data-group="%d" tabindex="0" role="button" aria-label="%s"><title>%s</title>`, kind, i, escape(g.label()), escape(g.label()))
	if kind == "hosts" {
		fmt.Fprintf(s, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="4"/>`, left+3, top+3, width, height)
	}
	fmt.Fprintf(s, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.0f" rx="4"/>`, left, top, width, height)
	for k, text := range texts {
		fmt.Fprintf(s, `<text x="%.1f" y="%.1f">%s</text>`, at.x, at.y+4+14*float64(k), escape(text))
	}
	s.WriteString("</g>")
}

// fitting shortens a text to the room of a box. It keeps the end, where the
// number is.
func fitting(text string, room float64) string {
	r, most := []rune(text), int((room-4)/letter+0.01)
	switch {
	case len(r) <= most:
		return text
	case most < 2:
		return ""
	}
	return "\u2026" + string(r[len(r)-most+1:])
}

// label says what a box is.
func (g *group) label() string {
	switch {
	case len(g.members) > 1:
		return fmt.Sprintf("%d hosts: %s", len(g.members), g.name)
	case g.hosts:
		return "host " + g.name
	}
	return "switch " + g.name
}

// describe says in a sentence what is drawn.
func (n *network) describe(all []group) string {
	hosts, boxes := 0, 0
	for _, g := range all {
		if g.hosts {
			hosts += len(g.members)
			boxes++
		}
	}
	switches := results.Plural(len(all)-boxes, "switch")
	if len(all)-boxes != 1 {
		switches = count(len(all)-boxes) + " switches"
	}
	text := fmt.Sprintf("Network of %s, %s and %s", results.Plural(hosts, "host"), switches, results.Plural(len(n.cables), "cable"))
	if boxes < hosts {
		text += fmt.Sprintf("; hosts with the same switches share one of %d boxes", boxes)
	}
	return text + "."
}
