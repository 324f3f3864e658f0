package workload

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

type validateCase struct {
	name  string
	entry Entry
	want  string
}

// Every entry says everything that is wrong with it, in the user's words.
func TestValidateTexts(t *testing.T) {
	hosts := testHosts(4, 2)
	for _, test := range append(openLoopCases(t), closedLoopCases()...) {
		t.Run(test.name, func(t *testing.T) {
			err := test.entry.Validate(hosts)
			assert.EqualError(t, err, test.want)
			var problems Problems
			require.ErrorAs(t, err, &problems)
			for _, p := range problems {
				assert.NotEmpty(t, p.Field)
			}
		})
	}
	for _, e := range everyKind() {
		assert.NoError(t, e.Validate(testHosts(8, 1)))
		assert.True(t, e.Bounded(), e.Label())
	}
}

func openLoopCases(t *testing.T) []validateCase {
	named := Common{Name: "x"}
	us := sim.Microsecond
	sizes, err := FixedSize(1000)
	require.NoError(t, err)
	return []validateCase{
		{"no flows", Flows{Common: named}, "flows: the list is empty; at least one flow is needed"},
		{"flow to itself", Flows{Common: named, Flows: []Flow{{Pair: Pair{Src: 2, Dst: 2}, Bytes: 1}}},
			"flows: host h2 sends to itself; sender and receiver must differ"},
		{"flow fields", Flows{Common: named, Flows: []Flow{{Pair: Pair{Src: 7, Dst: -1, DstNIC: 9}, Bytes: 0, Start: -us}}},
			"flows: host 7 does not exist; the fabric has 4 hosts, counted from 0\n" +
				"flows: host -1 does not exist; the fabric has 4 hosts, counted from 0\n" +
				"bytes: 0 bytes are out of range; 1 B to 1 TiB are allowed\n" +
				"start: -1us is negative"},
		{"flow NICs", Flows{Common: named, Flows: []Flow{{Pair: Pair{Src: 0, Dst: 1, SrcNIC: 3, DstNIC: -1}, Bytes: 1}}},
			"flows: host h0 has no NIC 3; it has 2, counted from 1\n" +
				"flows: host h1 has no NIC -1; it has 2, counted from 1"},
		{"class", Flows{Common: Common{Name: "x", NIC: -2, Class: Class{DSCP: 64, Rate: -1}}, Flows: []Flow{{Pair: Pair{Src: 0, Dst: 1}, Bytes: 1}}},
			"dscp: 64 is no code point; 0 to 63 are\nrate: -1bps is negative\nnic: -2 is no NIC; they are counted from 1"},
		{"too late", Flows{Common: named, Flows: []Flow{{Pair: Pair{Src: 0, Dst: 1}, Bytes: MaxBytes + 1, Start: sim.Never}}},
			"bytes: 1099511627777 bytes are out of range; 1 B to 1 TiB are allowed\n" +
				"start: is later than any run can reach (about 70 s)"},
		{"incast lists", Incast{Common: named, Senders: []int{1, 1, 9}, Bytes: 1},
			"senders: host h1 is listed twice\n" +
				"senders: host 9 does not exist; the fabric has 4 hosts, counted from 0\n" +
				"receivers: read a list of 0; at least 1 are needed"},
		{"incast to itself", Incast{Common: named, Senders: []int{0, 1}, Receivers: []int{1}, Bytes: 1},
			"receivers: host h1 is also a sender; a host cannot send to itself"},
		{"incast times", Incast{Common: named, Senders: []int{0}, Receivers: []int{1}, Bytes: 1, Every: us, Spread: 2 * us, Start: 5 * us, Stop: 5 * us, QPs: -1},
			"qps: -1 is negative\nstop: 5us is not after start 5us\nspread: 2us is longer than a round (every 1us)"},
		{"incast rounds", Incast{Common: named, Senders: []int{0}, Receivers: []int{1}, Bytes: 1, Rounds: 3},
			"rounds: 3 rounds need the time between them (every)"},
		{"incast NIC", Incast{Common: Common{Name: "x", NIC: 3}, Senders: []int{0}, Receivers: []int{1}, Bytes: 1},
			"senders: host h0 has no NIC 3; it has 2, counted from 1\nreceivers: host h1 has no NIC 3; it has 2, counted from 1"},
		{"poisson", Poisson{Common: named, Sources: []int{1}, Destinations: []int{1}, Load: 3, Flows: -1},
			"destinations: host h1 would send to itself; another destination is needed\n" +
				"sizes: no distribution of flow sizes is given\nload: 3 is out of range; above 0 and up to 2 are allowed\nflows: -1 is negative"},
		{"poisson without load", Poisson{Common: named, Sources: []int{1}, Destinations: []int{2}, Sizes: sizes},
			"load: 0 is out of range; above 0 and up to 2 are allowed"},
	}
}

func closedLoopCases() []validateCase {
	named := Common{Name: "x"}
	us := sim.Microsecond
	return []validateCase{
		{"permutation of one", Permutation{Common: named, Hosts: []int{0}, Bytes: -5, Partners: -1, QPs: -2},
			"hosts: read a list of 1; at least 2 are needed\n" +
				"bytes: -5 bytes are out of range; 1 B to 1 TiB are allowed\npartners: -1 is negative\nqps: -2 is negative"},
		{"all-to-all", AllToAll{Common: named, Hosts: []int{0}, Bytes: 1, Window: -1, Repeat: Repeat{Rounds: -1, Gap: -1}},
			"hosts: read a list of 1; at least 2 are needed\nwindow: -1 is negative\nrounds: -1 is negative\ngap: -1ps is negative"},
		{"connections", AllToAll{Common: named, Hosts: []int{0, 1, 2, 3}, Bytes: 1, QPs: 1 << 20},
			"hosts: needs 12582912 connections; at most 4194304 are allowed in one entry"},
		{"saturate", Saturate{Common: named, Bytes: 1, Depth: -1, Messages: -1, Gap: -1, Burst: Burst{Pause: us}},
			"pairs: the list is empty; at least one pair is needed\ndepth: -1 is negative\nmessages: -1 is negative\n" +
				"burst.messages: is 0, so there is nothing to pause after; give the length of a burst\ngap: -1ps is negative"},
		{"latency", Latency{Common: named, Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: 1},
			"every: is 0; a duration above 0 is needed"},
		{"datagrams", Datagrams{Common: named, Pairs: []Pair{{Src: 0, Dst: 1}}, Bytes: 1, Start: us, Steps: []RateStep{{us, 5}, {us, 0}}},
			"rate: 0 bit/s is too low; a rate above 0 is needed\n" +
				"steps: 1us is not after 1us; steps are in order of time and after the start\n" +
				"steps: 0 bit/s is too low; a rate above 0 is needed\n" +
				"steps: 1us is not after 1us; steps are in order of time and after the start"},
	}
}

func TestHostsWithoutNameOrNIC(t *testing.T) {
	hosts := Hosts{{Name: "h0"}, {Endpoints: []int{0}}}
	f := Flows{Common: Common{Name: "x"}, Flows: []Flow{{Pair: Pair{Src: 0, Dst: 1}, Bytes: 1}, {Pair: Pair{Src: 1, Dst: 1}, Bytes: 1}}}
	assert.EqualError(t, f.Validate(hosts), "flows: host h0 has no NIC\nflows: host 1 sends to itself; sender and receiver must differ")
}

func TestUnboundedEntries(t *testing.T) {
	for _, e := range []Entry{
		Incast{Every: 1}, Poisson{}, Saturate{}, Latency{}, Datagrams{},
	} {
		assert.False(t, e.Bounded(), "%T", e)
	}
}

func TestNewDriverReportsEveryEntry(t *testing.T) {
	pairs := []Pair{{Src: 0, Dst: 1}}
	_, err := NewDriver(&fakeNet{}, 1, testHosts(2, 1), []Entry{
		Saturate{Pairs: pairs, Bytes: 1},
		Latency{Common: Common{Name: "probe"}, Pairs: pairs, Bytes: 0, Every: 1},
		Latency{Common: Common{Name: "probe"}, Pairs: pairs, Bytes: 1, Every: -1},
	})
	assert.EqualError(t, err, `workload entry 1: name: is empty; every entry needs a name of its own
workload "probe": bytes: 0 bytes are out of range; 1 B to 1 TiB are allowed
workload "probe": name: is used twice; every entry needs a name of its own
workload "probe": every: -1ps is negative`)
}

func TestQueuePairsSpreadOverNICs(t *testing.T) {
	hosts := testHosts(3, 2)
	hosts[2].Endpoints = []int{4, 5, 6}
	tests := []struct {
		host, qp int
		nic      NIC
		want     int
	}{{0, 0, ByQP, 0}, {0, 1, ByQP, 1}, {0, 2, ByQP, 0}, {2, 2, ByQP, 6}, {2, 4, ByQP, 5}, {2, 0, 3, 6}, {1, 1, 1, 2}}
	for _, test := range tests {
		assert.Equal(t, test.want, hosts.endpoint(test.host, test.qp, test.nic), "%+v", test)
	}
}
