package why

import (
	"fmt"

	"rocesim/results"
)

// workloadEnd is how many messages of a workload are unfinished, by reason.
type workloadEnd struct {
	name  string
	total int64
	by    map[results.UnfinishedReason]int64
}

// unfinished counts unfinished messages of each workload by reason. Those that
// were only under way when the run ended share one finding.
func (e *explainer) unfinished() {
	ends := make([]workloadEnd, len(e.Workloads))
	for i := range ends {
		ends[i] = workloadEnd{name: e.Workloads[i].Name, by: map[results.UnfinishedReason]int64{}}
	}
	for i := range e.Flows {
		f := &e.Flows[i]
		end := &ends[f.Workload]
		end.total++
		if !f.Finished() {
			end.by[f.Unfinished]++
		}
	}
	var underWay []workloadEnd
	for _, end := range ends {
		switch {
		case len(end.by) == 1 && end.by[results.RunEnded] > 0:
			underWay = append(underWay, end)
		case len(end.by) > 0:
			e.add(e.unfinishedFinding(&end))
		}
	}
	if underWay != nil {
		e.add(e.underWayFinding(underWay))
	}
}

// severityOfUnfinished is that of messages which just needed more time.
func (e *explainer) severityOfUnfinished() results.Severity {
	if e.Manifest.Partial() {
		return results.SeverityWarning
	}
	return results.SeverityInfo
}

func (e *explainer) underWayFinding(ends []workloadEnd) results.Finding {
	f := results.Finding{Severity: e.severityOfUnfinished()}
	var parts []string
	for _, end := range ends {
		n := end.by[results.RunEnded]
		parts = append(parts, fmt.Sprintf("%s of %s of %s", count(n), count(end.total), end.name))
		f.Numbers = append(f.Numbers, numberOf("under way of "+end.name, n))
	}
	f.What = fmt.Sprintf("Messages were under way when the run ended (%s at %s): %s.", e.Manifest.Stop, span(e.Manifest.SimulatedTime), listed(parts))
	return f
}

func (e *explainer) unfinishedFinding(end *workloadEnd) results.Finding {
	f := results.Finding{Severity: e.severityOfUnfinished(), Where: end.name}
	var reasons []string
	var sum int64
	for _, r := range results.UnfinishedReasons() {
		n := end.by[r]
		if n == 0 {
			continue
		}
		sum += n
		reasons = append(reasons, count(n)+" "+e.unfinishedText(r))
		f.Numbers = append(f.Numbers, numberOf(r.String(), n))
		if r == results.RetriesSpent {
			f.Severity = results.SeverityError
			f.Remedy = "find the loss or the outage; more retries (nic.retry_count) or a longer time-out (nic.timeout) only bridge it"
		}
		if stuck := r == results.WindowFull || r == results.AwaitsAck; stuck && f.Severity != results.SeverityError {
			f.Severity = results.SeverityWarning
			f.Remedy = "they would wait for ever: give them a time-out (nic.timeout), and find the loss"
		}
	}
	f.What = fmt.Sprintf("%s of %s of %s unfinished: %s.", count(sum), results.Plural(end.total, "message"), end.name, listed(reasons))
	return f
}

// unfinishedText says a reason within a sentence.
func (e *explainer) unfinishedText(r results.UnfinishedReason) string {
	switch r {
	case results.RunEnded:
		return fmt.Sprintf("under way when the run ended (%s at %s)", e.Manifest.Stop, span(e.Manifest.SimulatedTime))
	case results.RetriesSpent:
		return "failed because the queue pair's retries were spent"
	case results.NotAcknowledged:
		return "datagrams not delivered: dropped, or on their way when the run ended"
	case results.NeverStarted:
		return "not started because a message before them never ended"
	case results.HeldByPause:
		return "held up by a pause of their NIC's port"
	case results.AwaitsTimeout:
		return "waiting for a retransmission time-out (nic.timeout; nic.rto_low and nic.rto_high with selective repeat)"
	case results.WindowFull:
		return "held up by a full window (nic.window) that no acknowledgement opens"
	case results.AwaitsAck:
		return "waiting for an acknowledgement that does not come, without a retransmission timer (nic.timeout 0)"
	}
	return r.String()
}
