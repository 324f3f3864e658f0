package packet

import "rocesim/sim"

// Pause is a priority flow control frame (IEEE 802.1Qbb, 802.3 Annex 31D).
type Pause struct {
	// Vector has bit n set if the frame says something about priority n.
	Vector uint8
	// Quanta is the pause time of those priorities, in units of 512 bit times
	// of the receiving port; 0 resumes (XON).
	Quanta uint16
}

// QuantumBits is the length of one pause quantum in bit times.
const QuantumBits = 512

// MaxQuanta is the longest pause one frame can ask for.
const MaxQuanta = 0xFFFF

// QuantaTime returns how long quanta last on a port of rate r.
func QuantaTime(quanta uint16, r sim.Rate) sim.Time {
	return r.TxTimeCeil(int64(quanta) * QuantumBits / 8)
}
