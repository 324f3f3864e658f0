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
	var taken []labelBox
	for _, l := range c.Levels {
		y := f.y(l.Value.float())
		if y < f.top || y > f.bottom {
			continue
		}
		at := f.freePlace(y, letterWidth*float64(len([]rune(l.Name))), lines, taken)
		taken = append(taken, at)
		fmt.Fprintf(s, `<path class="level" d="M%.1f %.1fH%.1f"/><text x="%.1f" y="%.1f">%s</text>`,
			f.left, y, f.right, at.left, at.bottom-3, escape(l.Name))
	}
}

// freePlace returns a place above or below a level that covers least, of other
// names nothing if that can be.
func (f *frame) freePlace(y, width float64, lines [][]point, taken []labelBox) labelBox {
	var best labelBox
	least := math.Inf(1)
	for _, bottom := range []float64{y - 1, y + textHeight + 1, y - textHeight - 1, y + 2*textHeight + 1} {
		for back := range 21 { // from the right
			share := 1 - float64(back)/20
			b := labelBox{f.left + 4 + share*max(0, f.right-f.left-width-8), bottom, width}
			if best.width > 0 && (bottom-textHeight < f.top || bottom > f.bottom) {
				continue
			}
			if cost := b.crossings(lines) + 1000*b.overlaps(taken); best.width == 0 || float64(cost) < least {
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
