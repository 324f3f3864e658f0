package switching_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/fabric/packet"
	"rocesim/sim"
	switching "rocesim/switch"
)

// TestMMU plays the scripts of testdata/mmu. A script configures a switch of
// four ports, all of whose egress queues are held back, and then says what comes
// in and goes out:
//
//	config KEY=VALUE...   once, at first
//	in PORT BYTES [xN]    N frames arrive at PORT
//	out PORT [xN]         N of the frames that came in at PORT leave
//	state PORT            nothing happens
//	threshold PORT        the XOFF threshold of now
//
// What follows "=>" is the state of PORT's priority group afterwards.
func TestMMU(t *testing.T) {
	files, err := filepath.Glob("testdata/mmu/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			s := &mmuScript{t: t}
			for i, line := range strings.Split(string(text), "\n") {
				command, want, checked := strings.Cut(line, "=>")
				if fields := strings.Fields(command); len(fields) > 0 && fields[0] != "#" {
					got := s.do(fields)
					require.Equal(t, strings.TrimSpace(want), got, "%s:%d: %s", file, i+1, line)
					require.True(t, checked || got == "", "%s:%d: no expectation", file, i+1)
				}
			}
			for port := range 4 {
				s.bed.resume(port, 3)
			}
			s.bed.runAll()
			for port := range 4 {
				assert.Equal(t, "used 0 headroom 0", s.state(port), "port %d when all has left", port)
			}
			s.bed.conserved()
			assert.Zero(t, s.bed.pool.InUse())
		})
	}
}

type mmuScript struct {
	t   *testing.T
	bed *testbed
}

func (s *mmuScript) do(fields []string) string {
	if fields[0] == "config" {
		s.configure(fields[1:])
		return ""
	}
	port, err := strconv.Atoi(fields[1])
	require.NoError(s.t, err)
	drops := len(s.bed.drops)
	switch fields[0] {
	case "in":
		s.bed.receive(port, port, 3, int(s.number(fields[2])), s.times(fields[3:]))
	case "out":
		for range s.times(fields[2:]) {
			s.bed.run(s.bed.now + 10*sim.Microsecond) // until the wire is free
			s.bed.resume(port, 3)
			s.bed.pause(port, 3)
		}
	case "state":
	case "threshold":
		return fmt.Sprint(s.bed.sw.Threshold(port, 3))
	default:
		s.t.Fatalf("unknown command %q", fields[0])
	}
	s.bed.conserved()
	state := s.state(port)
	for _, d := range s.bed.drops[drops:] {
		state += ", dropped: " + d.cause.String()
	}
	return state
}

func (s *mmuScript) state(port int) string {
	used, headroom := s.bed.sw.GroupUse(port, 3)
	text := fmt.Sprintf("used %d headroom %d", used, headroom)
	if s.bed.sw.Pausing(port, 3) {
		text += " paused"
	}
	return text
}

func (s *mmuScript) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(s.t, err)
	return n
}

// times reads "xN"; nothing is once.
func (s *mmuScript) times(fields []string) int {
	if len(fields) == 0 {
		return 1
	}
	return int(s.number(strings.TrimPrefix(fields[0], "x")))
}

func (s *mmuScript) configure(fields []string) {
	c := defaults(4)
	c.PFC.Infinite = true
	g := &c.Groups[3]
	for _, f := range fields {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "shared":
			c.Buffer.Shared = s.number(value)
		case "reserved":
			g.Reserved = s.number(value)
		case "static":
			g.Threshold = switching.Threshold{Static: s.number(value)}
		case "alpha":
			over, under, _ := strings.Cut(value, "/")
			g.Threshold = switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne * s.number(over) / s.number(under)}
		case "headroom":
			for i := range c.Ports {
				c.Ports[i].Headroom = s.number(value)
			}
		case "headroompool":
			c.Buffer.HeadroomPool = s.number(value)
		case "partitions":
			c.Buffer.Partitions = int(s.number(value))
		case "cell":
			c.Buffer.Cell = int(s.number(value))
		case "xon":
			g.Xon = s.number(value)
		case "offset":
			g.XonOffset = s.number(value)
		case "live":
			g.LiveXon = true
		case "lossy":
			g.Lossless = false
		default:
			s.t.Fatalf("unknown key %q", key)
		}
	}
	s.bed = newTestbed(s.t, &c)
	for port := range c.Ports {
		s.bed.pause(port, 3)
	}
}

// For every cell size and frame size the charge is that of plain integer
// division.
func TestCellsRoundUp(t *testing.T) {
	for cell := 1; cell <= 256; cell++ {
		c := defaults(1)
		c.PFC.Infinite = true
		c.Buffer.Cell = cell
		c.Groups[3].Threshold.Static = 1 << 40
		b := newTestbed(t, &c)
		b.pause(0, 3)
		var want int64
		for frame := 64; frame <= 9216; frame++ {
			b.receive(0, 0, 3, frame, 1)
			want += int64((frame + cell - 1) / cell * cell)
			if used, _ := b.sw.GroupUse(0, 3); used != want {
				t.Fatalf("cell %d, frame %d: charged %d in all, want %d", cell, frame, used, want)
			}
		}
	}
}

// V-12 (Choudhury and Hahne 1998): n equally greedy groups settle at alpha*B/(1+alpha*n)
// each; ± one packet per group.
func TestDynamicThresholdFixedPoint(t *testing.T) {
	const buffer, frame = 12_000_000, 1000
	for _, row := range []struct {
		alpha float64
		want  [4]float64 // as a part of the buffer, for n = 1, 2, 4, 8
	}{
		{1. / 8, [4]float64{.1111, .1000, .0833, .0625}},
		{1. / 4, [4]float64{.2, .1667, .125, .0833}},
		{1. / 2, [4]float64{.3333, .25, .1667, .1}},
		{1, [4]float64{.5, .3333, .2, .1111}},
		{2, [4]float64{.6667, .4, .2222, .1176}},
		{8, [4]float64{.8889, .4706, .2424, .1231}},
	} {
		for i, n := range []int{1, 2, 4, 8} {
			c := defaults(8)
			c.PFC.Infinite = true
			c.Buffer.Shared = buffer
			c.Groups[3].Threshold = switching.Threshold{Dynamic: true, Alpha: int64(row.alpha * switching.AlphaOne)}
			b := newTestbed(t, &c)
			for port := range n {
				b.pause(port, 3)
			}
			for pausing := 0; pausing < n; {
				pausing = 0
				for port := range n {
					if b.sw.Pausing(port, 3) {
						pausing++
					} else {
						b.receive(port, port, 3, frame, 1)
					}
				}
			}
			for port := range n {
				used, _ := b.sw.GroupUse(port, 3)
				exact := row.alpha * buffer / (1 + row.alpha*float64(n))
				assert.InDelta(t, exact, used, frame, "alpha %v, n %d", row.alpha, n)
				assert.InDelta(t, row.want[i], float64(used)/buffer, 5e-5+frame/float64(buffer), "alpha %v, n %d", row.alpha, n)
			}
			b.conserved()
		}
	}
}

// Under whatever arrives, is paused and resumed, on however many memories,
// bytes are conserved at every step (V-23), a lossless group drops for want of
// headroom only, and in the end nothing is left.
func TestBytesAreConserved(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := defaults(4)
		c.Buffer = switching.Buffer{
			Cell: rapid.SampledFrom([]int{1, 208, 254}).Draw(rt, "cell"), Partitions: rapid.SampledFrom([]int{1, 2, 4}).Draw(rt, "partitions"),
			Shared: 200_000, HeadroomPool: rapid.SampledFrom([]int64{0, 60_000}).Draw(rt, "headroom pool"),
		}
		c.PFC.Refresh = 20 * sim.Microsecond
		for i := range c.Groups {
			c.Groups[i].Reserved = rapid.Int64Range(0, 5000).Draw(rt, "reserved")
			c.Groups[i].Threshold = switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne / 4}
			c.Queues[i].Lossy, c.Queues[i].Limit = i != 3, c.Groups[i].Threshold
		}
		b := newTestbed(t, &c)
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			in, out := rapid.IntRange(0, 3).Draw(rt, "in"), rapid.IntRange(0, 3).Draw(rt, "out")
			priority := rapid.SampledFrom([]int{0, 3, 3, 3, 6}).Draw(rt, "priority")
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				b.sw.ReceivePause(b.now, out, packet.Pause{Vector: 1 << 3, Quanta: uint16(rapid.IntRange(1, 5000).Draw(rt, "quanta"))})
			case 1:
				b.resume(out, 3)
			case 2:
				b.run(b.now + sim.Time(rapid.IntRange(1, 30_000_000).Draw(rt, "wait")))
			default:
				b.receive(in, out, priority, rapid.IntRange(64, 9216).Draw(rt, "size"), rapid.IntRange(1, 10).Draw(rt, "frames"))
			}
			require.NoError(rt, b.sw.CheckConservation())
		}
		b.runAll()
		require.NoError(rt, b.sw.CheckConservation())
		require.Zero(rt, b.pool.InUse())
		for port := range c.Ports {
			require.False(rt, b.sw.Pausing(port, 3))
			for n := range switching.Priorities {
				used, headroom := b.sw.GroupUse(port, n)
				require.Zero(rt, used+headroom)
			}
		}
		for _, d := range b.drops {
			require.Equal(rt, d.DSCP>>3 == 3, d.cause == switching.DropHeadroom, "%v", d.cause)
		}
	})
}

// The watermarks that operators read (SAI_INGRESS_PRIORITY_GROUP_STAT_*), and
// drops by cause.
func TestGroupStats(t *testing.T) {
	c := defaults(2)
	c.PFC.Infinite = true
	c.Buffer.Shared = 1000
	c.Groups[3].Threshold = switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne}
	c.Ports[0].Headroom = 300
	b := newTestbed(t, &c)
	assert.Equal(t, int64(1<<63-1), b.sw.Group(0, 3).LeastThreshold, "nothing was admitted yet")
	b.pause(1, 3)
	b.receive(0, 1, 3, 300, 1)
	b.receive(0, 1, 3, 250, 2)
	b.receive(0, 1, 3, 100, 1)
	assert.Equal(t, switching.GroupStats{
		Packets: 4, Bytes: 900, PeakShared: 550, PeakHeadroom: 250, LeastThreshold: 450,
		Drops: [switching.DropCauses]uint64{switching.DropHeadroom: 1},
	}, b.sw.Group(0, 3))
	assert.Equal(t, uint64(1), b.sw.Drops(switching.DropHeadroom))
	b.resume(1, 3)
	b.runAll()
	g := b.sw.Group(0, 3)
	assert.Equal(t, int64(550), g.PeakShared, "watermarks stay")
	assert.Equal(t, int64(250), g.PeakHeadroom)
}

// A port may have a threshold of its own (one misconfigured hop).
func TestThresholdOfOnePort(t *testing.T) {
	c := defaults(2)
	c.Ports[1].Threshold = &switching.Threshold{Dynamic: true, Alpha: switching.AlphaOne / 4}
	b := newTestbed(t, &c)
	assert.Equal(t, int64(100_000), b.sw.Threshold(0, 3))
	assert.Equal(t, int64(1<<40/4), b.sw.Threshold(1, 3))
	assert.Equal(t, int64(1<<40), b.sw.Threshold(1, 0), "lossy groups keep theirs")
}
