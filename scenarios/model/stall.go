package model

import (
	"fmt"
	"strings"

	"rocesim/fabric"
)

// maxWaits is how many waits a stall report lists.
const maxWaits = 12

// ExplainStall says what is out of service and who waits for whom: unfinished
// messages, paused NICs, and switch queues that their neighbour has paused.
func (m *Model) ExplainStall(say Format) string {
	now := m.Now()
	g := m.Spec.Graph
	waits := m.outOfService()
	for _, w := range m.NICs.Unfinished(now) {
		f := m.flows[w.Conn]
		text := fmt.Sprintf("%s waits for acknowledgement of %s from %s", g.NodeName(int(f.Src)), say.Bytes(w.Unacked), g.NodeName(w.Dst))
		switch {
		case w.Paused:
			text = fmt.Sprintf("%s is paused by %s", g.NodeName(int(f.Src)), m.peer(int(f.Src), 0))
		case w.Window:
			text += ", its window is full"
		}
		waits = append(waits, text)
	}
	for i, s := range m.Switches {
		node := len(g.Endpoints) + i
		for _, b := range s.Stuck(now) {
			waits = append(waits, fmt.Sprintf("%s queue %d (%s) is paused by %s", m.portName(node, b.Port), b.Queue, say.Bytes(b.Bytes), m.peer(node, b.Port)))
		}
	}
	waits = compact(waits)
	if len(waits) > maxWaits {
		waits = append(waits[:maxWaits], fmt.Sprintf("and %d more", len(waits)-maxWaits))
	}
	return fmt.Sprintf("at %s nothing can move: %s", say.Time(now), strings.Join(waits, "; "))
}

func (m *Model) portName(node, port int) string {
	return m.Spec.Graph.NodeName(node) + fmt.Sprintf(":%d", port)
}

func (m *Model) peer(node, port int) string {
	p := m.Spec.Graph.Ports(node)[port]
	return m.portName(p.Peer.Node, p.Peer.Port)
}

// compact removes repeated lines, keeping order.
func compact(lines []string) []string {
	seen := map[string]bool{}
	out := lines[:0]
	for _, l := range lines {
		if !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out
}

// CheckConservation verifies the buffer accounting of every switch and that
// every packet in use is somewhere. It is for tests and the invariants build.
func (m *Model) CheckConservation() error {
	held := 0
	for i := range m.Links {
		held += m.Links[i].InFlight()
	}
	for _, s := range m.Switches {
		if err := s.CheckConservation(); err != nil {
			return err
		}
		for p := range s.NumPorts() {
			for q := range fabric.Priorities {
				held += s.Waiting(p, q)
			}
		}
	}
	held += m.NICs.ControlWaiting()
	if used := m.Packets.InUse(); used != held {
		return fmt.Errorf("%d packets are in use, %d are on links, in switches and NICs", used, held)
	}
	return nil
}
