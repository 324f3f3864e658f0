// Package rc is the reliable connected transport of one queue pair as two
// state machines: a Requester that cuts messages into packets and a Responder
// that judges the packets it receives. Neither knows time, links or packets in
// memory; the NIC turns segments into packets, verdicts into ACKs and NAKs, and
// runs the timers whose lengths and retry policy are here as well.
//
// Clauses are those of the InfiniBand Architecture Specification, Volume 1,
// chapter 9.7 (reliable service).
package rc
