package headroom

import (
	"fmt"
	"math/big"

	"rocesim/sim"
)

// Constants of SONiC's headroom calculation for Spectrum switches (sonic-swss
// e6b0c5b5, cfgmgr/buffer_headroom_mellanox.lua), in bytes unless said.
const (
	// lightSpeed in metres per second on the cable, as SONiC has it.
	lightSpeed = 198_000_000
	kib        = 1024
	// pipeline is what resume (xon) reserves: 19 KiB.
	pipeline = 19 * kib
	// quantumBytes is one pause quantum, 512 bits.
	quantumBytes = 64
	// tilePerGbit is what Spectrum-4 and -5 keep per Gb/s on the tile: 120 bits.
	tilePerGbit = 15
	// smallPacket is the packet that fills a cell worst.
	smallPacket = 64
)

// Spectrum describes a port of a Spectrum switch, whose headroom SONiC computes.
type Spectrum struct {
	Rate sim.Rate
	// Cable is its length in metres.
	Cable int
	// MTU is the port's, LosslessMTU that of the lossless traffic, in bytes.
	MTU, LosslessMTU int
	// Cell is the buffer's unit in bytes: 96 (Spectrum), 144 (-2, -3), 192 (-4,
	// -5).
	Cell int
	// SmallPercent is the share of 64-byte packets among the traffic.
	SmallPercent int
	// Tile is set on Spectrum-4 and -5.
	Tile bool
	// ConstantResponse takes 3.8 KiB for the peer's response instead of the
	// quanta of IEEE 802.3 Annex 31B.3.7.
	ConstantResponse bool
	// EightLanes doubles xon and adds an MTU to the size.
	EightLanes bool
}

// Profile is a row of pg_profile_lookup.ini, in bytes.
type Profile struct{ Size, Xon, Xoff int64 }

// Validate returns what is wrong with a port; nil if nothing is.
func (s Spectrum) Validate() error {
	for _, c := range []struct {
		name          string
		value, lo, hi int
	}{
		{"cable", s.Cable, 0, 100_000},
		{"MTU", s.MTU, 64, 65_535},
		{"lossless MTU", s.LosslessMTU, 64, 65_535},
		{"cell", s.Cell, 1, 65_536},
		{"share of small packets", s.SmallPercent, 0, 100},
	} {
		if c.value < c.lo || c.value > c.hi {
			return fmt.Errorf("%s is %d: allowed are %d to %d", c.name, c.value, c.lo, c.hi)
		}
	}
	_, err := s.response()
	return err
}

// Profile returns what SONiC configures for the port without a shared headroom
// pool. The error names a rate that the response table does not have.
func (s Spectrum) Profile() (Profile, error) {
	peer, err := s.response()
	if err != nil {
		return Profile{}, err
	}
	// Exact fractions: a rounded product could fall on the other side of a KiB.
	cable := big.NewRat(2*int64(s.Cable)*int64(s.Rate), 8*lightSpeed)
	reach := new(big.Rat).Add(cable, big.NewRat(int64(s.MTU), 1))
	reach.Add(reach, big.NewRat(8*kib, 10)) // MAC and PHY: 0.8 KiB
	reach.Add(reach, peer)
	if s.Tile {
		reach.Add(reach, big.NewRat(int64(s.Rate/sim.Gbps)*tilePerGbit, 1))
	}
	xoff := reach.Mul(reach, s.occupancy())
	xoff.Add(xoff, big.NewRat(int64(s.LosslessMTU), 1))
	p := Profile{Xon: pipeline, Xoff: ceilKiB(xoff)}
	if s.EightLanes {
		p.Xon *= 2
		p.Size = int64(s.MTU)
	}
	p.Size += p.Xon + p.Xoff
	return p, nil
}

// sonicQuanta10G is what SONiC's table has at 10G, where the standard allows 60.
const sonicQuanta10G = 67

// response is what the peer sends until it obeys a pause, in bytes.
func (s Spectrum) response() (*big.Rat, error) {
	if s.ConstantResponse {
		return big.NewRat(38*kib, 10), nil
	}
	quanta, ok := ieeeQuanta(s.Rate)
	if !ok {
		return nil, fmt.Errorf("no response time for %v: allowed are 10, 25, 40, 50, 100, 200, 400 and 800Gbps", s.Rate)
	}
	if s.Rate == 10*sim.Gbps {
		quanta = sonicQuanta10G
	}
	return big.NewRat(quanta*quantumBytes, 1), nil
}

// occupancy is how many bytes of cells a byte of traffic takes, small packets
// filling cells worst.
func (s Spectrum) occupancy() *big.Rat {
	worst := int64((2*s.Cell + s.Cell) / (1 + s.Cell)) // ceil(2c/(1+c))
	if s.Cell > 2*smallPacket {
		worst = int64((s.Cell + smallPacket - 1) / smallPacket)
	}
	mean := big.NewRat(int64(s.SmallPercent*smallPacket+(100-s.SmallPercent)*s.LosslessMTU), 100)
	small := new(big.Rat).Quo(big.NewRat(smallPacket, 1), mean) // share of small packets
	rest := new(big.Rat).Sub(big.NewRat(1, 1), small)
	return rest.Add(rest, small.Mul(small, big.NewRat(worst, 1)))
}

// ceilKiB rounds up to whole KiB.
func ceilKiB(r *big.Rat) int64 {
	n := new(big.Int).Mul(r.Denom(), big.NewInt(kib))
	q, m := new(big.Int).DivMod(r.Num(), n, new(big.Int))
	if m.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64() * kib
}
