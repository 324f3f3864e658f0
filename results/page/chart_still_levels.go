package page

import (
	"fmt"
	"math"
	"strings"
)

// Size of the names of levels.
const (
	textHeight  = 13.0
	letterWidth = 5.9
)

// labelBox is where a text stands.
type labelBox struct{ left, bottom, width float64 }

// stillLevels draws thresholds with their names, which stand where they cover
// no line and no other name.
func (c *Chart) stillLevels(s *strings.Builder, f *frame, lines [][]point) {
	var names []string
	var at []float64
	for _, l := range c.Levels {
		if y := f.y(l.Value.float()); y >= f.top && y <= f.bottom {
			names, at = append(names, l.Name), append(at, y)
			fmt.Fprintf(s, `<path class="level" d="M%.1f %.1fH%.1f"/>`, f.left, y, f.right)
		}
	}
	var taken []labelBox
	for i, y := range at {
		b := f.freePlace(y, letterWidth*float64(len([]rune(names[i]))), lines, taken, at)
		taken = append(taken, b)
		fmt.Fprintf(s, `<text class="mark" x="%.1f" y="%.1f">%s</text>`, b.left, b.bottom-3, escape(names[i]))
	}
}

// freePlace returns a place above or below a level that covers least, of other
// names nothing if that can be.
func (f *frame) freePlace(y, width float64, lines [][]point, taken []labelBox, levels []float64) labelBox {
	var best labelBox
	least := math.Inf(1)
	for _, bottom := range []float64{y - 1, y + textHeight + 1, y - textHeight - 1, y + 2*textHeight + 1} {
		for back := range 21 { // from the right
			share := 1 - float64(back)/20
			b := labelBox{f.left + 4 + share*max(0, f.right-f.left-width-8), bottom, width}
			if best.width > 0 && (bottom-textHeight < f.top || bottom > f.bottom) {
				continue
			}
			if cost := b.crossings(lines) + 3*b.through(levels) + 1000*b.overlaps(taken); best.width == 0 || float64(cost) < least {
				best, least = b, float64(cost)
			}
		}
	}
	return best
}

// overlaps is how many other boxes a box covers.
func (b labelBox) overlaps(taken []labelBox) int {
	n := 0
	for _, t := range taken {
		if math.Abs(t.bottom-b.bottom) < textHeight && t.left < b.left+b.width && b.left < t.left+t.width {
			n++
		}
	}
	return n
}

// through is how many levels would strike a text out.
func (b labelBox) through(levels []float64) int {
	n := 0
	for _, y := range levels {
		if y < b.bottom-1 && y > b.bottom-textHeight+1 {
			n++
		}
	}
	return n
}

// crossings is how many pieces of lines touch a box.
func (b labelBox) crossings(lines [][]point) int {
	n := 0
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			p, q := line[i-1], line[i]
			if q.x >= b.left && p.x <= b.left+b.width && min(p.y, q.y) < b.bottom && max(p.y, q.y) > b.bottom-textHeight {
				n++
			}
		}
	}
	return n
}
