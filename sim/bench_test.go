package sim

import (
	"fmt"
	"testing"
)

// holder re-arms each source after a random span: the hold model.
type holder struct {
	e      *Engine
	random *Stream
}

func (h *holder) Handle(now Time, i int) { h.e.Arm(ID(i), now+1+h.random.Time(Microsecond)) }

// BenchmarkHold is the cost of one event (find the minimum, handle, re-arm) by
// the number of sources.
func BenchmarkHold(b *testing.B) {
	for _, n := range []int{100, 1000, 2000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			h := &holder{e: NewEngine(), random: NewStream(1, "hold")}
			if _, err := h.e.AddClass("hold", n, false, h); err != nil {
				b.Fatal(err)
			}
			for i := range n {
				h.e.Arm(ID(i), 1+h.random.Time(Microsecond))
			}
			b.ReportAllocs()
			b.ResetTimer()
			h.e.Run(Never, b.N)
		})
	}
}
