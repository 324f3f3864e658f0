package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"rocesim/fabric/topo"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// maxDrawn bounds how many hosts or pairs a number may ask for.
const maxDrawn = 1_000_000

// HostSet is a choice of hosts: a pattern such as "h[0-63]", a list of names
// and patterns, or a number of hosts to be drawn by the seed.
type HostSet struct {
	Count    int
	Patterns []string
}

// DecodeNode reads a number, a pattern or a list of patterns.
func (s *HostSet) DecodeNode(v strict.Value) {
	*s = HostSet{}
	if n, ok := v.Number(1, maxDrawn); ok {
		s.Count = n
		return
	}
	elements := []strict.Value{v}
	if list, ok := v.Elements(); ok {
		elements = list
	}
	for _, e := range elements {
		text, ok := e.Scalar()
		if !ok {
			e.Failf("%s stands where hosts belong, such as \"h[0-63]\", [h1, h5] or a number of them", e.Describe())
			continue
		}
		if _, err := topo.ParsePattern(text); err != nil {
			e.Failf("%v", err)
			continue
		}
		s.Patterns = append(s.Patterns, text)
	}
	if len(elements) == 0 {
		v.Failf("an empty list; at least one host is needed")
	}
}

// EncodeNode writes what DecodeNode reads.
func (s *HostSet) EncodeNode() *yaml.Node {
	if s.Count > 0 {
		return strict.Text(strconv.Itoa(s.Count))
	}
	list := strict.List()
	for _, p := range s.Patterns {
		n := &yaml.Node{}
		n.SetString(p)
		list.Content = append(list.Content, n)
	}
	return list
}

// all reports whether the set was left out, which means every host.
func (s *HostSet) all() bool { return s.Count == 0 && s.Patterns == nil }

// PairSet is a choice of senders and receivers: a list of [from, to], or a
// number of pairs to be drawn by the seed.
type PairSet struct {
	Count int
	List  [][2]string
}

// DecodeNode reads a number or a list of [from, to].
func (s *PairSet) DecodeNode(v strict.Value) {
	*s = PairSet{}
	if n, ok := v.Number(1, maxDrawn); ok {
		s.Count = n
		return
	}
	elements, ok := v.Elements()
	if !ok {
		v.Failf("%s stands where pairs belong, such as [[h0, h1], [h2, h3]] or a number of them", v.Describe())
		return
	}
	for _, e := range elements {
		ends, ok := e.Elements()
		var pair [2]string
		for i := range ends {
			if i < 2 {
				pair[i], _ = ends[i].Scalar()
			}
		}
		if !ok || len(ends) != 2 || pair[0] == "" || pair[1] == "" {
			e.Failf("%s stands where a pair belongs, such as [h0, h1]", e.Describe())
			continue
		}
		s.List = append(s.List, pair)
	}
}

// EncodeNode writes what DecodeNode reads.
func (s *PairSet) EncodeNode() *yaml.Node {
	if s.Count > 0 {
		return strict.Text(strconv.Itoa(s.Count))
	}
	list := strict.List()
	for _, p := range s.List {
		a, b := &yaml.Node{}, &yaml.Node{}
		a.SetString(p[0])
		b.SetString(p[1])
		list.Content = append(list.Content, strict.List(a, b))
	}
	return list
}

// hostNames finds hosts by name and by pattern.
type hostNames struct {
	names []string
	index map[string]int
}

func namesOf(g *topo.Graph) *hostNames {
	h := &hostNames{index: map[string]int{}}
	for i, host := range g.Hosts {
		h.names = append(h.names, host.Name)
		h.index[host.Name] = i
	}
	return h
}

// one returns the host called name.
func (h *hostNames) one(name string) (int, error) {
	if i, ok := h.index[name]; ok {
		return i, nil
	}
	return 0, fmt.Errorf("no host is called %q%s", name, h.offer(name))
}

// offer says which hosts there are.
func (h *hostNames) offer(name string) string {
	text := fmt.Sprintf("; there are %d hosts, %s to %s", len(h.names), h.names[0], h.names[len(h.names)-1])
	if len(h.names) <= 64 { // of many names, each is near to some other
		if near := strict.Nearest(name, h.names); near != "" {
			text += "; did you mean " + near + "?"
		}
	}
	return text
}

// match returns the hosts that any of the patterns names, ascending.
func (h *hostNames) match(patterns []string) ([]int, error) {
	chosen := map[int]bool{}
	for _, text := range patterns {
		p, err := topo.ParsePattern(text)
		if err != nil {
			return nil, err
		}
		found := 0
		if i, ok := h.index[text]; ok {
			chosen[i], found = true, 1
		} else {
			for i, name := range h.names {
				if p.Match(name) {
					chosen[i] = true
					found++
				}
			}
		}
		if asked := asksFor(text); found == 0 || found < asked {
			return nil, fmt.Errorf("%q matches %d hosts%s%s", text, found, wanted(asked), h.offer(text))
		}
	}
	out := make([]int, 0, len(chosen))
	for i := range h.names {
		if chosen[i] {
			out = append(out, i)
		}
	}
	return out, nil
}

// asksFor returns how many hosts a pattern with one range, "h[0-63]", asks
// for; 0 for other patterns, which take what there is.
func asksFor(text string) int {
	open, end := strings.IndexByte(text, '['), strings.IndexByte(text, ']')
	if open < 0 || end < open || strings.Count(text, "[") > 1 || strings.ContainsAny(text, "*?") {
		return 0
	}
	n := 0
	for part := range strings.SplitSeq(text[open+1:end], ",") {
		low, high, isRange := strings.Cut(part, "-")
		a, _ := strconv.Atoi(low)
		b, _ := strconv.Atoi(high)
		if !isRange {
			b = a
		}
		n += b - a + 1
	}
	return n
}

func wanted(asked int) string {
	if asked == 0 {
		return ""
	}
	return fmt.Sprintf(", it asks for %d", asked)
}

// draw takes count hosts at random out of those not in taken, ascending.
func (h *hostNames) draw(count int, taken []int, random *sim.Stream) ([]int, error) {
	used := make([]bool, len(h.names))
	for _, i := range taken {
		used[i] = true
	}
	free := make([]int, 0, len(h.names))
	for i := range h.names {
		if !used[i] {
			free = append(free, i)
		}
	}
	if count > len(free) {
		return nil, fmt.Errorf("%d hosts are asked for, %d are there to be drawn", count, len(free))
	}
	for i := range count {
		j := i + random.Intn(len(free)-i)
		free[i], free[j] = free[j], free[i]
	}
	out := free[:count]
	slices.Sort(out)
	return out, nil
}
