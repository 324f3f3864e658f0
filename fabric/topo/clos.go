package topo

// LeafSpine is the two-tier fabric: every leaf is linked to every spine.
type LeafSpine struct {
	Leaves, Spines int
	// Hosts are spread in blocks over groups of NICsPerHost leaves; NIC i of a
	// host is attached to leaf i of its group. With two NICs this is dual
	// homing, with eight the rail-optimised design, where a group of leaves
	// serves a pod and leaf i is its rail i.
	Hosts int
	// NICsPerHost is 1 if 0.
	NICsPerHost int
	// HostLink is every NIC's link, Uplink every leaf-spine pair's.
	HostLink, Uplink LinkSpec
}

// Build returns the graph with leaf0.., spine0... Errors are FieldErrors,
// joined.
func (t LeafSpine) Build() (*Graph, error) {
	nics := max(1, t.NICsPerHost)
	if err := t.check(nics); err != nil {
		return nil, err
	}
	var a assembler
	a.hosts(t.Hosts, nics)
	leaves, spines := make([]int, t.Leaves), make([]int, t.Spines)
	for i := range leaves {
		leaves[i] = a.node(0, "leaf%d", i)
	}
	for i := range spines {
		spines[i] = a.node(1, "spine%d", i)
	}
	a.attach(leaves, nics, t.HostLink)
	a.mesh(leaves, spines, t.Uplink)
	return a.finish()
}

func (t LeafSpine) check(nics int) error {
	var p problems
	p.within("leaves", t.Leaves, 1, MaxSwitches)
	p.within("spines", t.Spines, 1, MaxSwitches)
	p.within("hosts", t.Hosts, 1, MaxEndpoints)
	p.within("nics_per_host", t.NICsPerHost, 0, maxNICs)
	if t.Leaves%nics != 0 {
		p.add("leaves", "%d is not allowed with %d NICs per host, must be a multiple of %d: each NIC of a host has its own leaf",
			t.Leaves, nics, nics)
	}
	hostLink(t.HostLink, &p)
	t.Uplink.check("uplink", &p)
	size(t.Hosts, nics, t.Leaves*t.Spines*t.Uplink.count(), &p)
	return p.err()
}

// mesh links every lower switch with every upper one.
func (a *assembler) mesh(lower, upper []int, spec LinkSpec) {
	for _, l := range lower {
		for _, u := range upper {
			a.link(l, u, spec)
		}
	}
}

// FatTree is the three-tier fabric of k-port switches (Al-Fares, Loukissas,
// Vahdat, SIGCOMM 2008): k pods of k/2 edge and k/2 aggregation switches, k²/4
// cores and k³/4 NIC ports.
type FatTree struct {
	// K is the number of ports of every switch; it is even.
	K int
	// NICsPerHost is 1 if 0. With more, NIC i of a host is attached to edge i of
	// a group of that many edges in its pod, and there are k³/4/NICsPerHost
	// hosts.
	NICsPerHost int
	// HostLink is every NIC's link, Uplink every link between switches.
	HostLink, Uplink LinkSpec
}

// maxK makes 65,536 endpoints.
const maxK = 64

// Hosts returns how many hosts Build makes.
func (t FatTree) Hosts() int { return t.K * t.K * t.K / 4 / max(1, t.NICsPerHost) }

// Build returns the graph with edgeP_I and aggP_I (I in pod P) and coreN, where
// agg I of each pod reaches the cores I*k/2 up to (I+1)*k/2-1. Errors are
// FieldErrors, joined.
func (t FatTree) Build() (*Graph, error) {
	nics := max(1, t.NICsPerHost)
	if err := t.check(nics); err != nil {
		return nil, err
	}
	half := t.K / 2
	var a assembler
	a.hosts(t.Hosts(), nics)
	edges, aggs := make([]int, t.K*half), make([]int, t.K*half)
	for i := range edges {
		edges[i] = a.node(0, "edge%d_%d", i/half, i%half)
	}
	for i := range aggs {
		aggs[i] = a.node(1, "agg%d_%d", i/half, i%half)
	}
	cores := make([]int, half*half)
	for i := range cores {
		cores[i] = a.node(2, "core%d", i)
	}
	a.attach(edges, nics, t.HostLink)
	for pod := range t.K {
		a.mesh(edges[pod*half:(pod+1)*half], aggs[pod*half:(pod+1)*half], t.Uplink)
	}
	for i, agg := range aggs {
		first := i % half * half
		a.mesh([]int{agg}, cores[first:first+half], t.Uplink)
	}
	return a.finish()
}

func (t FatTree) check(nics int) error {
	var p problems
	p.within("nics_per_host", t.NICsPerHost, 0, maxNICs)
	switch {
	case t.K < 2 || t.K > maxK || t.K%2 != 0:
		p.add("k", "%d is not allowed, must be an even number from 2 to %d", t.K, maxK)
	case t.K/2%nics != 0:
		p.add("nics_per_host", "%d is not allowed with k = %d, must divide the %d edge switches of a pod", nics, t.K, t.K/2)
	}
	hostLink(t.HostLink, &p)
	t.Uplink.check("uplink", &p)
	size(t.Hosts(), nics, t.K*t.K*t.K/2*t.Uplink.count(), &p)
	return p.err()
}
