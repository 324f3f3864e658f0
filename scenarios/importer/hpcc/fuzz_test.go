package hpcc

import (
	"bytes"
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

// FuzzFCT: what was read is what is written, once addresses are in one form.
func FuzzFCT(f *testing.F) {
	f.Add([]byte("0b000001 0b002001 10000 100 1000000 2000000000 170008 88000\n7 8 1 2 3 4 5 6\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := ParseFCT("f", data)
		if err != nil {
			return
		}
		var once, twice bytes.Buffer
		if err := WriteFCT(&once, rows); err != nil {
			t.Fatal(err)
		}
		again, err := ParseFCT("f", once.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteFCT(&twice, again); err != nil || !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("%q became %q (%v)", once.Bytes(), twice.Bytes(), err)
		}
	})
}

func FuzzPFC(f *testing.F) {
	f.Add([]byte("2000014121 1 0 1 1\n2000018769 64 1 20 0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := ParsePFC("f", data)
		for _, r := range rows {
			if err == nil && (r.Port < 0 || r.TimeNs < 0) {
				t.Fatalf("impossible row %+v", r)
			}
		}
	})
}
