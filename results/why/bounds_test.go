package why

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"rocesim/results"
)

// One pause frame may be on its way when the run ends; two are lost.
func TestLostPausesFromTwoOn(t *testing.T) {
	for received, lost := range map[int64]bool{10: false, 9: false, 8: true} {
		run := quiet()
		run.Queues[leaf1].TxPause, run.Queues[host1].RxPause = 10, received
		dropped(run, true, "headroom overrun", "data")
		reason, _, _ := newExplainer(run).reason(&run.Drops[0])
		if lost {
			assert.Contains(t, reason, "pause frames got lost: leaf0 sent 10, h1 received 8")
		} else {
			assert.NotContains(t, reason, "pause", "%d received", received)
		}
	}
}

// CNPs that are on their way when the run ends are few: up to a twentieth of them,
// or one, is no loss.
func TestLostNotificationsFromATwentiethOn(t *testing.T) {
	for _, c := range []struct {
		sent, handled int64
		want          string
	}{
		{1000, 950, ""},
		{1000, 949, "because 51 of 1,000 CNPs got lost"},
		{10, 9, ""},
		{10, 8, "because 2 of 10 CNPs got lost"},
	} {
		run := quiet()
		run.Queues[leaf0].ECNMarked, run.NICs[0].ECNMarked = 5000, 5000
		run.NICs[0].CNPSent, run.NICs[1].CNPHandled = c.sent, c.handled
		e := newExplainer(run)
		e.ecn()
		if c.want == "" {
			assert.Equal(t, results.SeverityInfo, e.findings[0].Severity, "%d of %d", c.handled, c.sent)
			continue
		}
		assert.Equal(t, results.SeverityWarning, e.findings[0].Severity)
		assert.Contains(t, e.findings[0].What, c.want)
	}
}
