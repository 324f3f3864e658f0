package scenarios

import (
	"rocesim/fabric/packet"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// NIC is what all network adapters are; Overrides change single ones.
type NIC struct {
	Preset            string       `yaml:"preset" preset:"nic" doc:"the adapter that the other values start from"`
	MTU               int          `yaml:"mtu" min:"64" max:"9000" doc:"the payload bytes of a full packet (path MTU)"`
	Framing           string       `yaml:"framing" enum:"rocev2|rocev2-vlan|rocev2-ipv6|rocev1|hpcc-ns3" doc:"what surrounds the payload"`
	DSCP              int          `yaml:"dscp" min:"0" max:"63" doc:"the code point of data and ACKs"`
	TTL               int          `yaml:"ttl" min:"1" max:"255" omit:"zero" doc:"the hop limit of packets; without it 64"`
	DSCPToPriority    map[int]int  `yaml:"dscp_to_priority" keys:"0..63" min:"0" max:"7" doc:"the NIC's map from DSCP to PFC priority; others take DSCP/8"`
	PFC               NICPFC       `yaml:"pfc" doc:"the reaction to pause frames"`
	TxLatency         sim.Time     `yaml:"tx_latency" min:"0ps" max:"1ms" doc:"the time from posting a work request to the first bit on an idle port"`
	RxLatency         sim.Time     `yaml:"rx_latency" min:"0ps" max:"1ms" doc:"the time from the last bit to the data in memory"`
	AckLatency        sim.Time     `yaml:"ack_latency" min:"0ps" max:"1ms" doc:"the time from the last bit of a packet to the first of its ACK"`
	AcksUnpaused      bool         `yaml:"acks_unpaused" doc:"whether ACKs are sent while the priority of their data is paused"`
	AckEvery          int          `yaml:"ack_every" min:"0" max:"1000000" doc:"the number of packets of a message after which an ACK is sent; 0 sends it at the end only"`
	CNP               CNP          `yaml:"cnp" doc:"congestion notification"`
	PacketInterval    sim.Time     `yaml:"packet_interval" min:"0ps" max:"1ms" doc:"the least time between two packets of the port"`
	MessageInterval   sim.Time     `yaml:"message_interval" min:"0ps" max:"1ms" doc:"the least time between the starts of two messages of the port"`
	QPMessageInterval sim.Time     `yaml:"qp_message_interval" min:"0ps" max:"1ms" doc:"the least time between the starts of two messages of a queue pair"`
	PCIe              sim.Rate     `yaml:"pcie" min:"0bps" max:"100Tbps" doc:"the rate to and from memory; 0bps is without limit"`
	Arbitration       string       `yaml:"arbitration" enum:"packet|message" doc:"what queue pairs take turns by"`
	Timeout           sim.Time     `yaml:"timeout" min:"0ps" max:"60s" doc:"the retransmission time-out; 0ps never"`
	RetryCount        int          `yaml:"retry_count" min:"0" max:"7" doc:"the retries before a queue pair fails"`
	NakInterval       sim.Time     `yaml:"nak_interval" min:"0ps" max:"1s" doc:"the time after which a NAK for the same gap is repeated; 0ps never"`
	Recovery          string       `yaml:"recovery" enum:"go-back-n|go-back-0|selective-repeat" doc:"what is sent again after a loss: all from there on, the message from its start, or what is missing; a queue pair does what both of its NICs can do"`
	Window            strict.Bytes `yaml:"window" min:"0B" max:"100GB" doc:"the most payload that a queue pair has outstanding; 0B is without limit"`
	RTOLow            sim.Time     `yaml:"rto_low" min:"1us" max:"60s" omit:"zero" doc:"the retransmission time-out of selective repeat with fewer than 3 packets outstanding; 100us without it"`
	RTOHigh           sim.Time     `yaml:"rto_high" min:"1us" max:"60s" omit:"zero" doc:"the retransmission time-out of selective repeat otherwise; 320us without it"`
	Receive           *Receive     `yaml:"receive" doc:"the receive buffer, if the host may be too slow"`
	Watchdog          *NICWatchdog `yaml:"watchdog" doc:"what stops a stuck NIC from pausing its switch"`
	OutOfOrder        bool         `yaml:"out_of_order" doc:"whether packets are accepted in any order"`
	ClockPPM          int          `yaml:"clock_ppm" min:"0" max:"1000" doc:"how much slower than nominal a NIC's clock may run, in millionths"`
	Jitter            sim.Time     `yaml:"jitter" min:"0ps" max:"100us" doc:"the most random delay of a packet; less than the shortest frame lasts"`
	Overrides         []nicPatch   `yaml:"overrides" doc:"a list of {match: \"h3\", ...} with other values for some NICs"`
}

// NICPFC is how a NIC obeys pause frames.
type NICPFC struct {
	Enabled    bool     `yaml:"enabled" doc:"whether pause frames are obeyed"`
	Priorities []int    `yaml:"priorities" min:"0" max:"7" doc:"the priorities whose pauses are obeyed; without it those that the switches pause"`
	Response   sim.Time `yaml:"response" min:"0ps" max:"100us" doc:"the time that the NIC takes to obey"`
}

// CNP is how a NIC notifies senders of congestion.
type CNP struct {
	DSCP  int      `yaml:"dscp" min:"0" max:"63" doc:"the code point of notification packets"`
	Delay sim.Time `yaml:"delay" min:"0ps" max:"1ms" doc:"the time from a marked packet to the first bit of its notification"`
	Scope string   `yaml:"scope" enum:"qp|source|port" doc:"what the interval between notifications (cc.cnp_interval) is kept for"`
	Echo  bool     `yaml:"echo" doc:"whether the notification travels on the ACK instead of a packet of its own"`
}

// frame returns what surrounds payloads.
func (n *NIC) frame() packet.Framing {
	base := packet.RoCEv2()
	switch n.Framing {
	case "rocev2-vlan":
		return base.Tagged()
	case "rocev2-ipv6":
		return base.IPv6()
	case "rocev1":
		return base.RoCEv1()
	case "hpcc-ns3":
		return hpccFraming()
	default:
		return base
	}
}

// hpccFraming is that of the HPCC ns-3 simulator: 48 bytes of headers around a
// payload, ACKs of 60 and pause frames of 43 bytes, nothing else on the wire.
// Its CNP travels on the ACK; the size here is that of an ACK.
func hpccFraming() packet.Framing {
	return packet.Framing{Data: 48, Ack: 60, CNP: 60, PFC: 43, Pad: 1}
}
