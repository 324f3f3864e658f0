package scenarios

import (
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Switch is what all switches are; Overrides change single ones.
type Switch struct {
	Preset       string          `yaml:"preset" preset:"switch" doc:"the switch model that the other values start from"`
	Forwarding   string          `yaml:"forwarding" enum:"store-and-forward|cut-through" doc:"whether a frame is received whole before it is sent on"`
	Latency      sim.Time        `yaml:"latency" min:"0ps" max:"1ms" doc:"the pipeline latency, from ingress to egress without queueing and serialisation"`
	IngressShare strict.Fraction `yaml:"ingress_share" min:"0" max:"1" doc:"the part of the latency that comes before buffer admission"`
	Routing      string          `yaml:"routing" enum:"ecmp|murmur3|spray-random|spray-round" doc:"how one of several equal next hops is chosen"`
	HashSeeds    string          `yaml:"hash_seeds" enum:"per-switch|same" doc:"whether switches hash differently; the same seed polarises"`
	Buffer       Buffer          `yaml:"buffer" doc:"the shared memory"`
	Trust        string          `yaml:"trust" enum:"dscp|pcp" doc:"what classifies a frame: its DSCP, or the 802.1Q priority of its tag (nic.framing: rocev2-vlan)"`
	PCPToTC      map[int]int     `yaml:"pcp_to_tc" keys:"0..7" min:"0" max:"7" omit:"zero" doc:"the map from 802.1Q priority to traffic class; others keep their number"`
	DSCPToTC     map[int]int     `yaml:"dscp_to_tc" keys:"0..63" min:"0" max:"7" doc:"the map from DSCP to traffic class"`
	DefaultTC    int             `yaml:"default_tc" min:"0" max:"7" doc:"the traffic class of a DSCP that the map does not name"`
	TCToGroup    map[int]int     `yaml:"tc_to_group" keys:"0..7" min:"0" max:"7" doc:"the map from traffic class to ingress priority group"`
	TCToQueue    map[int]int     `yaml:"tc_to_queue" keys:"0..7" min:"0" max:"7" doc:"the map from traffic class to egress queue"`
	PFC          PFC             `yaml:"pfc" doc:"priority flow control"`
	Lossless     Lossless        `yaml:"lossless" doc:"the ingress profile of lossless priority groups"`
	Headroom     Headroom        `yaml:"headroom" doc:"the room of a lossless group for what arrives after XOFF"`
	Lossy        Lossy           `yaml:"lossy" doc:"the profile of lossy groups and queues"`
	StrictQueues []int           `yaml:"strict_queues" min:"0" max:"7" doc:"the queues served before all others"`
	QueueWeights map[int]int     `yaml:"queue_weights" keys:"0..7" min:"1" max:"1000" doc:"the DWRR weights of the other queues"`
	Arbitration  string          `yaml:"arbitration" enum:"fifo|per-ingress" doc:"what a queue sends next: its oldest packet, as shared-memory chips do, or that of each ingress port in turn"`
	ECN          ECN             `yaml:"ecn" doc:"WRED/ECN marking"`
	Watchdog     *Watchdog       `yaml:"watchdog" doc:"the PFC watchdog"`
	Bump         *Bump           `yaml:"bump" doc:"a new class for packets that turn around, against deadlocks"`
	Overrides    []switchPatch   `yaml:"overrides" doc:"a list of {match: \"leaf3\", ...} with other values for some switches"`
}

// Buffer is the shared memory of a switch.
type Buffer struct {
	Cell         strict.Bytes `yaml:"cell" min:"1B" max:"64KiB" doc:"the unit of allocation; 1B counts bytes"`
	Partitions   int          `yaml:"partitions" min:"1" max:"64" doc:"the number of memories that the ports are divided among"`
	Shared       strict.Bytes `yaml:"shared" oneof:"memory" min:"1B" max:"1TB" doc:"the ingress shared pool"`
	Total        strict.Bytes `yaml:"total" oneof:"memory" min:"1B" max:"1TB" doc:"the whole memory, from which reserves and headroom are taken to find the shared pool"`
	HeadroomPool strict.Bytes `yaml:"headroom_pool" min:"0B" max:"1TB" doc:"the pool that all headroom comes from; 0B gives each group its own"`
	EgressLossy  strict.Bytes `yaml:"egress_lossy" min:"0B" max:"1TB" doc:"the pool of lossy queues; 0B is the shared pool"`
}

// PFC is IEEE 802.1Qbb at a switch.
type PFC struct {
	Enabled    bool            `yaml:"enabled" doc:"whether pause frames are sent and obeyed"`
	Priorities []int           `yaml:"priorities" min:"0" max:"7" doc:"the lossless priorities"`
	Quanta     int             `yaml:"quanta" min:"1" max:"65535" doc:"the pause time in units of 512 bit times"`
	Infinite   bool            `yaml:"infinite" doc:"whether a pause lasts until XON whatever its quanta"`
	Refresh    strict.Fraction `yaml:"refresh" min:"0" max:"1" doc:"the part of the pause time after which XOFF is repeated; 0 never repeats it"`
	Response   sim.Time        `yaml:"response" min:"0ps" max:"100us" doc:"the time that a port takes to obey a pause"`
}

// Lossless is the ingress profile of a lossless priority group.
type Lossless struct {
	Reserved   strict.Bytes `yaml:"reserved" min:"0B" max:"1GB" doc:"the guaranteed minimum of a group"`
	Alpha      strict.Alpha `yaml:"alpha" oneof:"threshold" min:"2^-16" max:"2^16" doc:"XOFF at alpha times the free shared pool"`
	Xoff       strict.Bytes `yaml:"xoff" oneof:"threshold" min:"1B" max:"1TB" doc:"XOFF at a fixed size"`
	ScaleAlpha bool         `yaml:"scale_alpha" doc:"whether alpha doubles with each doubling of a port's rate over the slowest host's"`
	Xon        strict.Bytes `yaml:"xon" min:"0B" max:"1TB" doc:"resume at or below this, or below threshold minus xon_offset, whichever is more"`
	XonOffset  strict.Bytes `yaml:"xon_offset" min:"0B" max:"1TB" doc:"how far below the threshold a group resumes"`
	LiveXon    bool         `yaml:"live_xon" doc:"whether to resume by the threshold of that moment instead of the one at XOFF"`
}

// Lossy is the profile of lossy priority groups and queues.
type Lossy struct {
	Reserved   strict.Bytes `yaml:"reserved" min:"0B" max:"1GB" doc:"the guaranteed minimum of a group"`
	Alpha      strict.Alpha `yaml:"alpha" oneof:"ingress" min:"2^-16" max:"2^16" doc:"the ingress limit as a factor of the free shared pool"`
	Limit      strict.Bytes `yaml:"limit" oneof:"ingress" min:"1B" max:"1TB" doc:"the ingress limit as a size"`
	QueueAlpha strict.Alpha `yaml:"queue_alpha" oneof:"egress" min:"2^-16" max:"2^16" doc:"the queue limit as a factor of the free pool"`
	QueueLimit strict.Bytes `yaml:"queue_limit" oneof:"egress" min:"1B" max:"1TB" doc:"the queue limit as a size"`
}

// Headroom says how much room a lossless group of a port has: one of a size, a
// table, a multiple of the link's delay, or the standard's worst case.
type Headroom struct {
	Bytes    *strict.Bytes `yaml:"bytes" oneof:"method" min:"0B" max:"1GB" doc:"a size"`
	Delays   int           `yaml:"delays" oneof:"method" min:"1" max:"100" doc:"a number of one-way delays of the link at its rate"`
	Table    []HeadroomRow `yaml:"table" oneof:"method" doc:"a list of {rate, cable, bytes} rows"`
	Standard bool          `yaml:"standard" oneof:"method" doc:"true for the worst case of IEEE 802.1Qbb with the delays of the port, enough for any mix of frames"`
}

// HeadroomRow is one row of a headroom table.
type HeadroomRow struct {
	Rate  sim.Rate      `yaml:"rate" need:"true" min:"1Mbps" max:"100Tbps" doc:"the rate of the port"`
	Cable strict.Length `yaml:"cable" need:"true" min:"1cm" max:"100km" doc:"the longest cable that the row is good for"`
	Bytes strict.Bytes  `yaml:"bytes" need:"true" min:"1B" max:"1GB" doc:"the headroom of a group"`
}

// ECN is WRED/ECN marking of lossless queues.
type ECN struct {
	Preset    string          `yaml:"preset" preset:"ecn" doc:"the profile that the other values start from"`
	Enabled   bool            `yaml:"enabled" doc:"whether packets are marked"`
	Kmin      strict.Bytes    `yaml:"kmin" min:"0B" max:"1GB" doc:"the queue at which marking begins"`
	Kmax      strict.Bytes    `yaml:"kmax" min:"1B" max:"1GB" omit:"zero" doc:"the queue above which all packets are marked"`
	Pmax      strict.Fraction `yaml:"pmax" min:"0" max:"1" doc:"the marking probability at kmax"`
	Per       sim.Rate        `yaml:"per" about:"kmin kmax" min:"0bps" max:"100Tbps" doc:"the rate that kmin and kmax are for, scaling with that of the port; 0bps uses them on all ports, as does giving kmin and kmax without it"`
	Table     []ECNRow        `yaml:"table" about:"kmin kmax" doc:"a list of {rate, kmin, kmax, pmax} rows for ports of these rates; giving kmin and kmax without it drops that of the preset"`
	Queues    []int           `yaml:"queues" min:"0" max:"7" doc:"the queues that mark; without it the lossless ones"`
	CapAtPmax bool            `yaml:"cap_at_pmax" doc:"whether the probability stays at pmax above kmax"`
	At        string          `yaml:"at" enum:"dequeue|enqueue" doc:"when the queue is measured"`
	Inclusive bool            `yaml:"inclusive" doc:"whether the departing packet counts"`
	Weight    int             `yaml:"weight" min:"0" max:"15" doc:"w of the average avg += (q-avg)/2^w; 0 is the queue itself"`
	MarkOnly  bool            `yaml:"mark_only" doc:"whether packets without ECN support are left alone instead of dropped"`
}

// ECNRow is the profile of ports of one rate.
type ECNRow struct {
	Rate sim.Rate        `yaml:"rate" need:"true" min:"1Mbps" max:"100Tbps" doc:"the rate of the port"`
	Kmin strict.Bytes    `yaml:"kmin" min:"0B" max:"1GB" doc:"the queue at which marking begins"`
	Kmax strict.Bytes    `yaml:"kmax" need:"true" min:"1B" max:"1GB" doc:"the queue above which all packets are marked"`
	Pmax strict.Fraction `yaml:"pmax" min:"0" max:"1" doc:"the marking probability at kmax"`
}
