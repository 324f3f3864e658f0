package fabric_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rocesim/fabric"
	"rocesim/fabric/packet"
	"rocesim/sim"
)

// arrival is what a receiver saw: a packet, or a pause frame.
type arrival struct {
	at    sim.Time
	port  int
	p     *packet.Packet
	pause packet.Pause
}

// receiver writes down what arrives; then, if set, it calls reply.
type receiver struct {
	got    []arrival
	pauses []arrival
	reply  func(now sim.Time, p *packet.Packet)
}

func (r *receiver) Receive(now sim.Time, port int, p *packet.Packet) {
	r.got = append(r.got, arrival{at: now, port: port, p: p})
	if r.reply != nil {
		r.reply(now, p)
	}
}

func (r *receiver) ReceivePause(now sim.Time, port int, f packet.Pause) {
	r.pauses = append(r.pauses, arrival{at: now, port: port, pause: f})
}

// cable is one direction of a cable with its pause channel and the port that
// sends into it.
type cable struct {
	t      testing.TB
	engine *sim.Engine
	links  fabric.Links
	pauses fabric.PauseChannels
	port   fabric.Port
	far    receiver
}

// newCable has a rate of 100 Gb/s and RoCEv2 framing unless port says
// otherwise; the port obeys priorities 3 and 4.
func newCable(t testing.TB, link fabric.LinkConfig, port fabric.PortConfig) *cable {
	t.Helper()
	c := &cable{t: t, engine: sim.NewEngine(), links: make(fabric.Links, 1), pauses: make(fabric.PauseChannels, 1)}
	linkID, err := c.engine.AddClass("link", 1, false, c.links)
	require.NoError(t, err)
	pauseID, err := c.engine.AddClass("pause", 1, false, c.pauses)
	require.NoError(t, err)
	link.To = &c.far
	c.links.Init(0, c.engine, linkID, link)
	c.pauses.Init(0, c.engine, pauseID, link)
	port.Link, port.Pauses = &c.links[0], &c.pauses[0]
	port.Framing = packet.RoCEv2()
	if port.Rate == 0 {
		port.Rate = 100 * sim.Gbps
	}
	port.Quantum = max(1, port.Quantum)
	port.Obeys = 1<<3 | 1<<4
	c.port.Init(port)
	return c
}

func (c *cable) run(until sim.Time) {
	c.t.Helper()
	require.True(c.t, c.engine.Run(until, 1<<40))
}

func (c *cable) times() (at []sim.Time) {
	for _, a := range c.far.got {
		at = append(at, a.at)
	}
	return at
}

func frame(size int) *packet.Packet { return &packet.Packet{Frame: uint16(size)} }

func xoff(priority int, quanta uint16) packet.Pause {
	return packet.Pause{Vector: 1 << priority, Quanta: quanta}
}
