package scenarios

import (
	"gopkg.in/yaml.v3"

	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// Fault is one thing that goes wrong: something of a link, a switch or a NIC.
type Fault struct {
	At  sim.Time `yaml:"at" min:"0s" max:"60s" doc:"when it begins"`
	For sim.Time `yaml:"for" min:"1ps" max:"60s" omit:"zero" doc:"how long it lasts; without it, to the end of the run"`

	Link   string `yaml:"link" oneof:"place" need:"true" doc:"the link or links that it happens to, such as \"leaf0:spine1\" or \"leaf0:spine*\""`
	Switch string `yaml:"switch" oneof:"place" doc:"the switch or switches that it happens to"`
	NIC    string `yaml:"nic" oneof:"place" doc:"the NIC or NICs that it happens to, such as h0 or \"h0/nic1\""`

	Down       bool            `yaml:"down" oneof:"what" doc:"a link is out of service: what is on the wire and what is sent are lost"`
	Rate       sim.Rate        `yaml:"rate" oneof:"what" min:"1Mbps" max:"100Tbps" doc:"a link runs at this rate, for it has lost lanes"`
	Loss       strict.Fraction `yaml:"loss" oneof:"what" min:"0" max:"1" doc:"a link loses frames with this probability"`
	DropEvery  int             `yaml:"drop_every" oneof:"what" min:"1" max:"1000000000" doc:"a link loses every N-th frame"`
	BER        strict.Fraction `yaml:"ber" oneof:"what" min:"0" max:"1" doc:"a link has this bit error rate, such as 1e-9; a frame with a wrong bit is lost"`
	Reboot     bool            `yaml:"reboot" oneof:"what" doc:"a switch restarts: its buffers are lost and its links are down for the time"`
	PauseStorm bool            `yaml:"pause_storm" oneof:"what" doc:"a NIC pauses its switch without end, for all its lossless priorities"`

	Kind      string `yaml:"kind" enum:"data|ack|cnp|pause|all" doc:"the frames that loss and drop_every concern; without it all"`
	Direction string `yaml:"direction" enum:"forward|back|both" doc:"the direction that loss, drop_every and ber concern: forward as the link's name is written, back, or both (as without it)"`
}

// DecodeNode reads the keys and fills in what a loss has besides.
func (f *Fault) DecodeNode(v strict.Value) {
	type keys Fault
	var k keys
	v.Decode(&k)
	*f = Fault(k)
	if f.losesKinds() && f.Kind == "" {
		f.Kind = "all"
	}
	if f.loses() && f.Direction == "" {
		f.Direction = "both"
	}
}

// EncodeNode writes what DecodeNode reads.
func (f *Fault) EncodeNode() *yaml.Node {
	type keys Fault
	return strict.EncodeStruct(keys(*f))
}

// losesKinds reports whether the fault loses frames of some kinds, loses
// whether it loses frames of a link in service.
func (f *Fault) losesKinds() bool { return f.Loss > 0 || f.DropEvery > 0 }

func (f *Fault) loses() bool { return f.losesKinds() || f.BER > 0 }

// what is the key that says what goes wrong.
func (f *Fault) what() string {
	switch {
	case f.Down:
		return "down"
	case f.Rate > 0:
		return "rate"
	case f.Loss > 0:
		return "loss"
	case f.DropEvery > 0:
		return "drop_every"
	case f.BER > 0:
		return "ber"
	case f.Reboot:
		return "reboot"
	case f.PauseStorm:
		return "pause_storm"
	default:
		return ""
	}
}
