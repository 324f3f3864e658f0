// Package fabric holds the wires: one-directional links, the pause channel
// that runs beside each, and the sending half of a port.
//
// # Life of a packet
//
// Control moves forward only.
//
// Sender: a workload posts a message on a connection; if the port is idle the
// NIC's scheduler picks (control frames first, then the queue pairs of unpaused
// priorities in turn), the requester cuts one segment and gives it a sequence
// number, congestion control says when the queue pair may send next, and
// Link.Send puts the packet on the wire.
//
// Each switch: the link's arrival event calls Receive. The frame is classified
// (DSCP, traffic class, priority group, queue), admitted to the shared buffer
// (reserve, shared pool, headroom, or dropped with its cause), a group that
// crosses XOFF pauses its peer, routing picks the egress port, and the packet
// joins its queue. The port's scheduler takes it out, marks it if the queue is
// long, releases its buffer (a group that falls below XON resumes its peer) and
// puts it on the next wire. Pipeline latency before the buffer is part of the
// incoming link's delay and latency behind it part of the outgoing link's, so
// it costs no event.
//
// Receiver: the responder's verdict (deliver, duplicate, gap) decides on ACK or
// NAK, the notification point on a CNP; both wait in the NIC's control queues
// and travel home as packets. There they advance the requester and the
// congestion control, and complete messages.
//
// Priority flow control: a pause frame is sent by the port's MAC ahead of queued
// data, behind the frame on the wire. It travels on the link's pause channel and
// acts at the peer after propagation and the peer's response time.
package fabric
