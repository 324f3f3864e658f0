package switching

import "rocesim/fabric/packet"

// Bump moves packets that turn around to another class, as Tagger does (Hu et
// al., CoNEXT 2017): the tag is the DSCP. A packet that comes in at a port of
// From and leaves by one of To gets a new DSCP, whose class decides its egress
// queue, while it is charged to the priority group of the class that it came
// with; so a pause reaches the class that the neighbour sent it in.
type Bump struct {
	// From and To are by port.
	From, To []bool
	// DSCP is the new code point by the old one.
	DSCP [64]uint8
}

// turn gives p its new class if it turns around between two ports.
func (s *Switch) turn(in, out int, p *packet.Packet) {
	if s.bump.From[in] && s.bump.To[out] {
		p.DSCP = s.bump.DSCP[p.DSCP&63]
		p.Queue = s.classes[p.DSCP&63].queue
	}
}
