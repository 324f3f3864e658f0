package hpcc

import (
	"testing"
)

func FuzzTopology(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 .5Gb/s 1e3 x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		topology, err := ParseTopology("f", data)
		if err != nil {
			return
		}
		for n := range topology.Graph.NumNodes() {
			topology.NodeID(n)
		}
		if len(topology.LossRate) != len(topology.Graph.Links) {
			t.Fatal("links and loss rates differ in number")
		}
	})
}

func FuzzFlows(f *testing.F) {
	topology, err := ParseTopology("f", []byte(small))
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte("2\n0 1 3 100 9 2\n1 0 3 100 9 2.000009913\n"))
	f.Add([]byte("1\n0 1 3 100 1099511627776 1e6\nnotes\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, err := ParseFlows("f", data, topology)
		if err != nil {
			return
		}
		for _, w := range set.Flows {
			if w.Start < 0 || w.Src == w.Dst || topology.IdealNs(w.Src, w.Dst, w.Bytes, 1) <= 0 {
				t.Fatalf("impossible flow %+v", w)
			}
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(complete))
	f.Add([]byte("KMAX_MAP 1 1 NaN\nRP_TIMER 1e300\n{}\n#\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig("f", data)
		if err != nil {
			return
		}
		for _, r := range c.RED {
			if r.Kmin < 0 || r.Kmin > r.Kmax || !(r.Pmax >= 0 && r.Pmax <= 1) {
				t.Fatalf("impossible thresholds %+v", r)
			}
		}
	})
}
