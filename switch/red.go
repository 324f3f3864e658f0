package switching

import "rocesim/sim"

// red applies one RED profile to one queue that is longer than Kmin.
type red struct {
	kmin, kmax int64
	// slope is Pmax/(Kmax-Kmin) kept as a fraction: a packet is marked when
	// draw * span < pmax * (q - kmin), with draw in [0, 2^32).
	span, pmax uint64
	cap        bool
	weight     uint8
	average    int64 // of the queue, in 1/256 bytes, if weight > 0
}

func newRED(p *REDProfile) red {
	return red{
		kmin:   p.Kmin,
		kmax:   p.Kmax,
		span:   uint64(max(1, p.Kmax-p.Kmin)),
		pmax:   p.Pmax,
		cap:    p.CapAtPmax,
		weight: p.Weight,
	}
}

// floor is the queue length up to which the profile need not be asked. One that
// averages must see every length.
func (r *red) floor() int64 {
	if r.weight > 0 {
		return -1
	}
	return r.kmin
}

// hits reports whether a packet that meets q bytes of queue is to be marked.
// Above Kmax every packet is, unless the profile stays at Pmax there.
func (r *red) hits(q int64, random *sim.Stream) bool {
	if r.weight > 0 {
		r.average += (q<<8 - r.average) >> r.weight
		q = r.average >> 8
	}
	if q <= r.kmin {
		return false
	}
	excess := uint64(q - r.kmin)
	if q > r.kmax {
		if !r.cap {
			return true
		}
		excess = r.span
	}
	// span is below 2^32 bytes, so neither product overflows.
	return uint64(random.Uint32())*r.span < r.pmax*excess
}
