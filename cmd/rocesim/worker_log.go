package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"rocesim/scenarios/sweep/farm"
)

// workerLogInterval is how often a log file has a line of counts: workers run
// for days.
const workerLogInterval = 10 * time.Second

// jobLine is a line of --output json: what became of a job.
type jobLine struct {
	Worker   string  `json:"worker"`
	Queue    string  `json:"queue"`
	Hash     string  `json:"hash"`
	Scenario string  `json:"scenario,omitempty"`
	Seed     uint64  `json:"seed"`
	Outcome  string  `json:"outcome"`
	Failure  string  `json:"failure,omitempty"`
	Elapsed  float64 `json:"elapsed_s"`
}

func lineOf(r farm.Report) jobLine {
	return jobLine{workerName(), r.Queue, r.Hash, r.Scenario, r.Seed, r.Outcome, r.Failure, r.Elapsed.Seconds()}
}

func (j *jobLine) text() string {
	took := time.Duration(j.Elapsed * float64(time.Second)).Round(time.Millisecond)
	line := fmt.Sprintf("%s  job %s  %s  seed %d  %v", j.Outcome, j.Hash[:min(12, len(j.Hash))], j.Scenario, j.Seed, took)
	if j.Failure != "" {
		line += "  " + strings.ReplaceAll(j.Failure, "\n", "; ")
	}
	return line
}

// jobLog counts what became of jobs, shows the counts as they grow, and prints
// a line of each job that went wrong.
type jobLog struct {
	out         io.Writer
	json, quiet bool

	mu     sync.Mutex // guards what follows, and out
	meter  *meter     // where the counts are shown
	counts map[string]int
	shown  int // how many jobs the counts that were shown last were of
}

// newJobLog returns a log whose lines go to out, and whose counts and notes go
// where m prints.
func newJobLog(out io.Writer, m *meter) *jobLog {
	if m.width == 0 {
		m.interval = workerLogInterval
	}
	return &jobLog{out: out, meter: m, counts: map[string]int{}}
}

// note prints a remark that is about no job.
func (l *jobLog) note(text string) { fmt.Fprintf(l, "rocesim: note: %s\n", text) }

// follow shows the counts now and then until ctx ends.
func (l *jobLog) follow(ctx context.Context) {
	if l.quiet || l.json {
		return
	}
	ticker := time.NewTicker(l.meter.interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			l.show()
		}
	}
}

// show shows the counts if there are new ones.
func (l *jobLog) show() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if total, words := l.total(); total != l.shown {
		l.shown = total
		l.meter.print(words)
	}
}

// ended takes note of a job.
func (l *jobLog) ended(j jobLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.counts[j.Outcome]++
	switch {
	case l.quiet:
	case l.json:
		// One line each, so that a reader need not wait for the end. A closed
		// output does not stop the work.
		_ = json.NewEncoder(l.out).Encode(j)
	case slices.Contains([]string{farm.Failed, farm.SetAside, farm.Refused, farm.Unstored}, j.Outcome):
		l.clear()
		fmt.Fprintln(l.out, j.text())
	}
}

// clear makes room for a line: on a terminal it stands where the counts were,
// which are shown again below it.
func (l *jobLog) clear() {
	l.meter.done()
	if l.meter.width > 0 {
		l.shown = 0
	}
}

// Write passes on notes, on lines of their own.
func (l *jobLog) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clear()
	return l.meter.out.Write(text)
}

// total is how many jobs there were, and the same in words.
func (l *jobLog) total() (int, string) {
	total, parts := 0, []string{}
	for _, outcome := range []string{farm.Done, farm.Failed, farm.SetAside, farm.Known, farm.GivenBack, farm.Refused, farm.TooLate, farm.Unstored} {
		if n := l.counts[outcome]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, outcome))
		}
	}
	if total == 0 {
		parts = []string{"none"}
	}
	return total, fmt.Sprintf("%d jobs: %s", total, strings.Join(parts, ", "))
}

// summary prints how many jobs there were.
func (l *jobLog) summary() {
	if l.quiet || l.json {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.meter.done()
	total, words := l.total()
	l.shown = total // nothing is left to show
	fmt.Fprintln(l.out, words)
}
