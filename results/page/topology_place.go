package page

import (
	"cmp"
	"math"
	"slices"
)

// point is a place in the drawing, in pixels.
type point struct{ x, y float64 }

// layout is where groups are drawn. Round says that they stand in a circle.
type layout struct {
	at            []point
	width, height float64
	round         bool
}

// Measures of the drawing in pixels.
const (
	drawWidth = 1180.0
	margin    = 34.0
	boxHeight = 24.0
	tierGap   = 190.0 // between tiers of switches
	hostGap   = 96.0  // between hosts and their switches
	mostPlace = 100.0 // that a name makes of a group in its row
)

// place puts hosts below, and each level of switches above the one before. A network
// of one level whose switches are joined in a circle is round.
func place(n *network, all []group, of []int) layout {
	top, switches := 0, 0
	for _, g := range all {
		top = max(top, g.level)
		if !g.hosts {
			switches++
		}
	}
	if top == 1 && n.joints(of) >= switches {
		return placeRound(all, switches)
	}
	rows := make([][]int, top+1)
	for i, g := range all {
		rows[g.level] = append(rows[g.level], i)
	}
	l := layout{at: make([]point, len(all)), width: drawWidth}
	for _, row := range rows {
		l.width = max(l.width, 2*margin+longestPlace(row, all)*float64(len(row)))
	}
	// Wide networks are higher too, or the lines between tiers would be flat.
	stretch := math.Sqrt(l.width / drawWidth)
	y := margin
	for level := top; level >= 0; level-- {
		if len(rows[level]) == 0 {
			continue
		}
		if level == 0 {
			orderByParents(rows[0], all, l.at)
		}
		spread(rows[level], l.at, l.width, y)
		l.height = y + margin + 12 // boxes of hosts have two lines
		if level == 1 && top > 1 {
			y += hostGap * stretch
		} else {
			y += tierGap * stretch
		}
	}
	return l
}

// longestPlace is what the longest name in a row needs.
func longestPlace(row []int, all []group) float64 {
	longest := 0
	for _, i := range row {
		longest = max(longest, len([]rune(all[i].name)))
	}
	return min(mostPlace, letter*float64(longest)+12)
}

// joints counts the pairs of switches that are joined.
func (n *network) joints(of []int) int {
	pairs := map[[2]int]bool{}
	for _, c := range n.cables {
		if a, b := n.peers(c); !n.host[a] && !n.host[b] {
			pairs[[2]int{min(of[a], of[b]), max(of[a], of[b])}] = true
		}
	}
	return len(pairs)
}

// spread places groups evenly on a row.
func spread(row []int, at []point, width, y float64) {
	step := (width - 2*margin) / float64(len(row))
	for k, i := range row {
		at[i] = point{margin + step*(float64(k)+0.5), y}
	}
}

// orderByParents sorts hosts by the middle of their switches.
func orderByParents(row []int, all []group, at []point) {
	middle := func(i int) float64 {
		sum := 0.0
		for _, u := range all[i].under {
			sum += at[u].x
		}
		return sum / float64(max(1, len(all[i].under)))
	}
	slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(middle(a), middle(b)) })
}

// placeRound puts switches on a circle, and hosts outside of the first switch
// that they are attached to.
func placeRound(all []group, switches int) layout {
	l := layout{at: make([]point, len(all)), width: drawWidth, round: true}
	behind := make([][]int, switches)
	for i, g := range all {
		if g.hosts && len(g.under) > 0 {
			behind[g.under[0]] = append(behind[g.under[0]], i)
		}
	}
	inner := min(360, max(100, float64(switches)*48/(2*math.Pi)+60))
	outer := inner + hostGap
	l.height = 2 * (outer + margin)
	centre := point{l.width / 2, l.height / 2}
	put := func(i int, angle, radius float64) {
		l.at[i] = point{centre.x + radius*1.25*math.Sin(angle), centre.y - radius*math.Cos(angle)}
	}
	share := 2 * math.Pi / float64(max(1, switches))
	for s, hosts := range behind {
		angle := share * float64(s)
		put(s, angle, inner)
		for k, h := range hosts {
			put(h, angle+share*0.8*((float64(k)+0.5)/float64(len(hosts))-0.5), outer)
		}
	}
	return l
}
