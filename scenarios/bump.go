package scenarios

import (
	"rocesim/fabric/topo"
	switching "rocesim/switch"
)

// Bump gives packets that turn around, from a higher tier down and up again,
// another class (Tagger: Hu et al., CoNEXT 2017).
type Bump struct {
	DSCP map[int]int `yaml:"dscp" keys:"0..63" min:"0" max:"63" need:"true" doc:"the map from the old code point to the new one; others stay"`
	From string      `yaml:"from" doc:"the neighbours that a packet comes from, a pattern; without it the switches of a higher tier"`
	To   string      `yaml:"to" doc:"the neighbours that it goes on to, a pattern; without it the switches of a higher tier"`
}

// checkBump checks what the limits of single values do not.
func (p *planner) checkBump(s *Switch, path string) {
	if s.Bump == nil || !p.ok(path) {
		return
	}
	if s.Trust == "pcp" {
		p.doc.Failf(path, "the new class is a code point, but switch.trust is pcp; allowed with trust: dscp")
	}
	for _, side := range [][2]string{{"from", s.Bump.From}, {"to", s.Bump.To}} {
		if _, err := topo.ParsePattern(side[1]); err != nil {
			p.doc.Failf(path+"."+side[0], "%v", err)
		}
	}
}

// bump resolves which ports it is about; nil without one.
func (r *switchResolver) bump() *switching.Bump {
	b := r.spec.Bump
	if b == nil {
		return nil
	}
	c := &switching.Bump{From: r.bumpPorts(b.From), To: r.bumpPorts(b.To)}
	for d := range c.DSCP {
		c.DSCP[d] = uint8(d)
		if to, ok := b.DSCP[d]; ok {
			c.DSCP[d] = uint8(to)
		}
	}
	return c
}

// bumpPorts marks the ports to neighbours that match, or to those of a higher
// tier.
func (r *switchResolver) bumpPorts(text string) []bool {
	g := r.plan.Graph
	pattern, err := topo.ParsePattern(text)
	ports := make([]bool, len(r.links()))
	for i, ref := range r.links() {
		peer := ref.Peer.Node
		if text != "" {
			ports[i] = err == nil && pattern.Match(g.NodeName(peer))
		} else if g.IsSwitch(peer) {
			ports[i] = g.Switches[peer-len(g.Endpoints)].Tier > g.Switches[r.number].Tier
		}
	}
	return ports
}
