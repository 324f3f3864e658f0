// Package sim is the discrete-event kernel: simulated time, the event queue,
// named random streams and the run's fingerprint. It knows nothing of
// networks.
//
// A component that can cause events is a source. A source has one next event
// time, or none. The queue is a winner tree over all sources, and one packed
// key (time, source) is the whole order: the same scenario runs in the same
// order whatever was armed first, on whatever machine.
//
// Sources are grouped in classes, added in the order in which they act at one
// instant. The network model adds link arrivals before port transmissions
// before pause frames, so that a port that becomes free at t sees every packet
// that arrived at t.
package sim
