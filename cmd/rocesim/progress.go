package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"rocesim/scenarios"
	"rocesim/sim"
)

// How often progress is printed. A log file wants fewer lines than a terminal,
// which shows only the last.
const (
	terminalInterval = 200 * time.Millisecond
	logInterval      = 5 * time.Second
)

// eraseRest is the ECMA-48 control sequence that clears from the cursor to the
// end of the line.
const eraseRest = "\x1b[K"

// meter prints how far a run has come: one line that is rewritten on a
// terminal, a line now and then elsewhere. It is the only part of rocesim that
// looks at the clock on the wall.
type meter struct {
	out      io.Writer
	width    int // columns of the terminal; 0 if out is none
	interval time.Duration
	now      func() time.Time

	start, last time.Time
	lastEvents  uint64
	written     bool
}

// newMeter returns a meter that prints to out, a terminal of width columns or,
// if width is 0, something else.
func newMeter(out io.Writer, width int, now func() time.Time) *meter {
	m := &meter{out: out, width: width, interval: logInterval, now: now}
	if width > 0 {
		m.interval = terminalInterval
	}
	m.start = now()
	m.last = m.start
	return m
}

// update prints p if the last time is long enough ago.
func (m *meter) update(p scenarios.Progress) {
	now := m.now()
	since := now.Sub(m.last)
	if since < m.interval {
		return
	}
	speed := float64(p.Events-m.lastEvents) / since.Seconds()
	m.last, m.lastEvents = now, p.Events
	m.print(progressLine(p, speed, now.Sub(m.start)))
}

// print shows a line.
func (m *meter) print(line string) {
	if m.width == 0 {
		fmt.Fprintln(m.out, line)
		return
	}
	if len(line) >= m.width {
		line = line[:m.width-1]
	}
	fmt.Fprint(m.out, "\r", line, eraseRest)
	m.written = true
}

// done removes the line from the terminal, so that the summary stands alone.
func (m *meter) done() {
	if m.written {
		fmt.Fprint(m.out, "\r", eraseRest)
	}
}

// progressLine words p; speed is in events per second, elapsed is how long the
// run has taken.
func progressLine(p scenarios.Progress, speed float64, elapsed time.Duration) string {
	parts := []string{simulated(p.Now)}
	bounded := p.Stop > 0 && p.Stop < sim.Never
	done := p.Now.Seconds() / p.Stop.Seconds()
	if bounded {
		parts = append(parts, fmt.Sprintf("%.0f %% of %v", 100*done, p.Stop))
	}
	parts = append(parts,
		count(speed)+" events/s",
		count(float64(p.Packets))+" packets",
		fmt.Sprintf("%d of %d flows done", p.Ended, p.Posted))
	if bounded && done > 0 {
		left := time.Duration(float64(elapsed) * (1 - done) / done)
		parts = append(parts, "ETA "+left.Round(time.Second).String())
	}
	return strings.Join(parts, ", ")
}

// simulated prints simulated time in a unit that stays the same while it grows.
func simulated(t sim.Time) string {
	if t < sim.Millisecond {
		return fmt.Sprintf("%.1f us simulated", t.Micros())
	}
	return fmt.Sprintf("%.2f ms simulated", t.Micros()/1000)
}

// count prints a large number and the prefix of its unit, as "9.8 M".
func count(n float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if n >= u.size {
			return fmt.Sprintf("%.1f %s", n/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.0f", n)
}

// defaultWidth is the number of columns of a terminal that does not say.
const defaultWidth = 80

// terminalWidth returns the number of columns of w, or 0 if it is no terminal
// that can rewrite a line.
func terminalWidth(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	switch {
	case err != nil:
		return 0
	case width == 0:
		return defaultWidth
	}
	return width
}
