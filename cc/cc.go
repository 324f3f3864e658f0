// Package cc defines what a congestion control is to a NIC. An algorithm is
// pure: feedback in, pacing and window out. It holds no timer; whatever it does
// periodically it catches up on when it is next asked.
package cc

import "rocesim/sim"

// Ack is the feedback that an acknowledgement brings.
type Ack struct {
	// RTT is the time from the acknowledged packet's transmission.
	RTT sim.Time
	// Bytes newly acknowledged (payload).
	Bytes int64
	// Echo is set if the responder saw the acknowledged packet marked.
	Echo bool
}

// Controller is the sender's congestion control of one queue pair, also called
// its reaction point.
type Controller interface {
	// Sent is called when a packet of wire bytes (frame, preamble and gap)
	// starts at now. It returns the time from now until the queue pair's next
	// packet may start.
	Sent(now sim.Time, wire int) sim.Time
	// OnCNP is called when a congestion notification packet arrives.
	OnCNP(now sim.Time)
	// OnAck is called for each acknowledgement that advances the window.
	OnAck(now sim.Time, a Ack)
	// Rate returns the rate at which the queue pair would send at now.
	Rate(now sim.Time) sim.Rate
	// Window returns how many bytes may be in flight; 0 is without limit.
	Window() int64
}

// Fixed is a constant rate whatever happens: a traffic generator.
type Fixed struct {
	rate      sim.Rate
	psPerByte float64
}

// NewFixed returns the control that holds rate r.
func NewFixed(r sim.Rate) Fixed {
	return Fixed{rate: r, psPerByte: 8 * float64(sim.Second) / float64(r)}
}

// Sent paces at the fixed rate, counting wire bytes.
func (f Fixed) Sent(_ sim.Time, wire int) sim.Time { return sim.Time(float64(wire) * f.psPerByte) }

// OnCNP ignores the notification.
func (Fixed) OnCNP(sim.Time) {}

// OnAck ignores the acknowledgement.
func (Fixed) OnAck(sim.Time, Ack) {}

// Rate returns the fixed rate.
func (f Fixed) Rate(sim.Time) sim.Rate { return f.rate }

// Window returns 0: no limit.
func (Fixed) Window() int64 { return 0 }
