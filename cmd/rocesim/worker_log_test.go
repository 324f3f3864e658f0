package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"rocesim/scenarios/sweep/farm"
)

// logged shows the counts before and after a job that went wrong and a note, on
// a terminal of width columns or, if that is 0, in a log. Both streams go to the
// same place, as they do on a terminal.
func logged(width int, set func(*jobLog)) string {
	var out strings.Builder
	l := newJobLog(&out, newMeter(&out, width, time.Now))
	set(l)
	l.show()
	l.ended(jobLine{Outcome: farm.Done})
	l.ended(jobLine{Outcome: farm.Done})
	l.show()
	l.show()
	l.ended(jobLine{Outcome: farm.Failed, Hash: "0123456789abcdef", Scenario: "tiny", Seed: 3, Failure: "on\nfire", Elapsed: 0.25})
	l.show()
	fmt.Fprintf(l, "rocesim: note: worker process 7 ended\n")
	l.show()
	l.summary()
	l.show()
	return out.String()
}

func TestWorkerOnTerminal(t *testing.T) {
	assert.Equal(t, "\r2 jobs: 2 done\x1b[K"+
		"\r\x1b[Kfailed  job 0123456789ab  tiny  seed 3  250ms  on; fire\n"+
		"\r3 jobs: 2 done, 1 failed\x1b[K"+
		"\r\x1b[Krocesim: note: worker process 7 ended\n"+
		"\r3 jobs: 2 done, 1 failed\x1b[K"+
		"\r\x1b[K3 jobs: 2 done, 1 failed\n", logged(80, func(*jobLog) {}))
}

func TestWorkerInLog(t *testing.T) {
	assert.Equal(t, `2 jobs: 2 done
failed  job 0123456789ab  tiny  seed 3  250ms  on; fire
3 jobs: 2 done, 1 failed
rocesim: note: worker process 7 ended
3 jobs: 2 done, 1 failed
`, logged(0, func(l *jobLog) { assert.Equal(t, 10*time.Second, l.meter.interval) }))
}

func TestWorkerAsJSON(t *testing.T) {
	var out strings.Builder
	l := newJobLog(&out, newMeter(&out, 80, time.Now))
	l.json = true
	l.follow(t.Context()) // returns at once
	l.ended(jobLine{Worker: "a/1", Queue: "q", Hash: "00ff", Scenario: "tiny", Seed: 3, Outcome: farm.Done, Elapsed: 0.5})
	l.summary()
	assert.Equal(t, `{"worker":"a/1","queue":"q","hash":"00ff","scenario":"tiny","seed":3,"outcome":"done","elapsed_s":0.5}`+"\n", out.String())
}

func TestQuietWorker(t *testing.T) {
	var out strings.Builder
	l := newJobLog(&out, newMeter(&out, 80, time.Now))
	l.quiet = true
	l.follow(t.Context())
	l.ended(jobLine{Outcome: farm.Failed})
	l.summary()
	assert.Empty(t, out.String())
}
