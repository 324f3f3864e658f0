package hpcc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/sim"
)

// complete sets every key that is honoured, to other values than the defaults.
const complete = `PACKET_PAYLOAD_SIZE 4096 {packet size}
ENABLE_QCN 0
USE_DYNAMIC_PFC_THRESHOLD 0

CC_MODE 1  # DCQCN
ALPHA_RESUME_INTERVAL 1.5
RATE_DECREASE_INTERVAL 5
CLAMP_TARGET_RATE 1
RP_TIMER 300
EWMA_GAIN 0.00390625
FAST_RECOVERY_TIMES 1
RATE_AI 20Mb/s
RATE_HAI 200Mb/s
MIN_RATE 1000Mb/s
L2_CHUNK_SIZE 8000
L2_ACK_INTERVAL 2
L2_BACK_TO_ZERO 1
HAS_WIN 0
GLOBAL_T 0
VAR_WIN 1
RATE_BOUND 1
ACK_HIGH_PRIO 1
ERROR_RATE_PER_LINK 0.25
SIMULATOR_STOP_TIME 4.00
LINK_DOWN 1500 4 5
KMAX_MAP 2 100000000000 1600 25000000000 400
KMIN_MAP 2 25000000000 100 100000000000 400
PMAX_MAP 2 25000000000 0.5 100000000000 0.20
BUFFER_SIZE 2
`

func TestConfig(t *testing.T) {
	c, err := ParseConfig("config.txt", []byte(complete))
	require.NoError(t, err)
	want := Config{
		PayloadSize: 4096, CCMode: 1,
		AlphaInterval: 1500 * sim.Nanosecond, DecreaseInterval: 5 * sim.Microsecond, RPTimer: 300 * sim.Microsecond,
		ClampTarget: true, Gain: 1.0 / 256, FastRecovery: 1,
		AI: 20 * sim.Mbps, HAI: 200 * sim.Mbps, MinRate: sim.Gbps,
		AckInterval: 2, ChunkSize: 8000, BackToZero: true, VarWindow: true, AckHighPrio: true,
		RED: []REDPoint{
			{Rate: 25 * sim.Gbps, Kmin: 100_000, Kmax: 400_000, Pmax: 0.5},
			{Rate: 100 * sim.Gbps, Kmin: 400_000, Kmax: 1_600_000, Pmax: 0.2},
		},
		Buffer:   2 << 20,
		Stop:     4 * sim.Second,
		LinkDown: &LinkDown{At: 2*sim.Second + 1500*sim.Microsecond, A: 4, B: 5},
		LossRate: 0.25,
	}
	assert.Len(t, c.Honoured, strings.Count(complete, "\n")-1, "every line but the empty one")
	c.Honoured = nil
	assert.Equal(t, want, *c)
}

func TestConfigLists(t *testing.T) {
	c, err := ParseConfig("config.txt", []byte(`TOPOLOGY_FILE mix/topology.txt
FLOW_FILE mix/flow.txt
RP_TIMER 900
RP_TIMER 300 9
U_TARGET 0.95
COLOUR blue
KMAX_MAP 1 100000000000 1600
KMIN_MAP 1 100000000000 400
PMAX_MAP 1 100000000000 0.2
CC_MODE 3
RATE_BOUND 0
LINK_DOWN 0 0 0
`))
	require.NoError(t, err)
	assert.Equal(t, "mix/topology.txt", c.TopologyFile)
	assert.Equal(t, "mix/flow.txt", c.FlowFile)
	assert.Nil(t, c.LinkDown)
	assert.Equal(t, []Key{{Name: "COLOUR", Line: 6}}, c.Unknown)
	assert.Equal(t, []string{
		`config.txt:4:1: RP_TIMER is set twice; this value replaces the one in line 3`,
		`config.txt:4:14: "9" and what follows is ignored, RP_TIMER takes 1 value(s)`,
		`config.txt:11:12: RATE_BOUND 0 is not modelled: queue pairs are always paced at their rate`,
		`config.txt: EWMA_GAIN is missing and has no default in the original: 0.00390625 is used`,
		`config.txt: RATE_AI is missing and has no default in the original: 50Mbps is used`,
		`config.txt: RATE_HAI is missing and has no default in the original: 100Mbps is used`,
		`config.txt: L2_ACK_INTERVAL is missing and has no default in the original: 1 is used`,
		`config.txt:10:1: CC_MODE 3 (HPCC) is not modelled, only 1 (DCQCN) is`,
	}, texts(c.Warnings))
	c.Ignore("LINK_DOWN", "no link goes down here")
	c.Ignore("COLOUR", "it was never honoured")
	assert.Equal(t, []string{
		"TOPOLOGY_FILE (line 1), FLOW_FILE (line 2) ignored: files are named on the command line",
		"U_TARGET (line 5) ignored: it belongs to HPCC, which is not modelled",
		"LINK_DOWN (line 12) ignored: no link goes down here",
		"COLOUR (line 6) ignored: not a known key",
	}, c.Summary())
	assert.EqualError(t, c.CheckRates("config.txt", []sim.Rate{100 * sim.Gbps, 400 * sim.Gbps}),
		"config.txt: the topology has links of 400Gbps, for which there must be values in KMIN_MAP, KMAX_MAP and PMAX_MAP")
}

func TestConfigErrors(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"empty", "\n", `config.txt: the file is empty, expected lines of "KEY value"`},
		{"all at once", `ENABLE_QCN 2
RP_TIMER
RP_TIMER {what?}
RATE_AI 50
RATE_HAI 50Mbit
MIN_RATE 0Mb/s
EWMA_GAIN 120%
EWMA_GAIN 1.2
BUFFER_SIZE -1
ALPHA_RESUME_INTERVAL 1us
SIMULATOR_STOP_TIME Inf
LINK_DOWN 5 a 9
L2_ACK_INTERVAL 0
KMIN_MAP 2 100000000000 400
KMIN_MAP
PMAX_MAP 1 100000000000 1.2
`, `config.txt:1:12: "2" is not allowed, must be a whole number from 0 to 1
config.txt:2:9: RP_TIMER needs 1 value(s), 0 found
config.txt:3:9: RP_TIMER needs 1 value(s), 0 found
config.txt:5:10: "50Mbit" is not allowed, must be a rate from 1bps to 100Tbps like 100Gbps or 50Mb/s
config.txt:6:10: "0Mb/s" is not allowed, must be a rate from 1bps to 100Tbps like 100Gbps or 50Mb/s
config.txt:7:11: "120%" is not allowed, must be a number from 0 to 1
config.txt:8:11: "1.2" is not allowed, must be a number from 0 to 1
config.txt:9:13: "-1" is not allowed, must be a whole number from 1 to 1048576
config.txt:10:23: "1us" is not allowed, must be a time in us from 0 to 6e+07
config.txt:11:21: "Inf" is not allowed, must be a time in seconds from 0 to 1e+06
config.txt:12:13: "a" is not allowed, must be a whole number from 0 to 65535
config.txt:13:17: "0" is not allowed, must be a whole number from 1 to 1048576
config.txt:14:10: 2 pairs are announced, 2 words follow
config.txt:15:9: KMIN_MAP needs 1 value(s), 0 found
config.txt:16:25: "1.2" is not allowed, must be a value from 0 to 1
config.txt:15:1: KMIN_MAP has no value for 100Gbps, must have one for every rate of the other maps
config.txt: KMAX_MAP has no value for 100Gbps, must have one for every rate of the other maps`},
		{"Kmin above Kmax", "KMAX_MAP 1 100000000000 100\nKMIN_MAP 1 100000000000 400\nPMAX_MAP 1 100000000000 0.2\n",
			"config.txt:2:1: Kmin of 100Gbps is 400000 bytes, must be at most Kmax, which is 100000"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseConfig("config.txt", []byte(c.text))
			assert.EqualError(t, err, c.want)
		})
	}
}

func TestDefaultThresholds(t *testing.T) {
	c := DefaultConfig()
	r, ok := c.REDFor(100 * sim.Gbps)
	assert.True(t, ok)
	assert.Equal(t, REDPoint{Rate: 100 * sim.Gbps, Kmin: 400_000, Kmax: 1_600_000, Pmax: 0.2}, r)
	_, ok = c.REDFor(123 * sim.Gbps)
	assert.False(t, ok)
}

func TestModeNames(t *testing.T) {
	for mode, want := range map[int]string{1: "DCQCN", 3: "HPCC", 7: "TIMELY", 8: "DCTCP", 10: "HPCC-PINT", 2: "unknown"} {
		assert.Equal(t, want, modeName(mode))
	}
}

func TestIgnoreUnmodelled(t *testing.T) {
	c, err := ParseConfig("config.txt", []byte(`HAS_WIN 1
GLOBAL_T 1
VAR_WIN 1
L2_BACK_TO_ZERO 1
L2_CHUNK_SIZE 4000
ERROR_RATE_PER_LINK 0.1
LINK_DOWN 100 1 2
USE_DYNAMIC_PFC_THRESHOLD 0
L2_ACK_INTERVAL 2000
PACKET_PAYLOAD_SIZE 1000
`))
	require.NoError(t, err)
	c.IgnoreUnmodelled()
	var honoured []string
	for _, k := range c.Honoured {
		honoured = append(honoured, k.Name)
	}
	assert.Equal(t, []string{
		"HAS_WIN", "GLOBAL_T", "L2_BACK_TO_ZERO", "L2_CHUNK_SIZE", "ERROR_RATE_PER_LINK", "LINK_DOWN", "PACKET_PAYLOAD_SIZE",
	}, honoured)
	assert.Equal(t, []string{
		"VAR_WIN (line 3) ignored: a window stays as large as at line rate, in the original it shrinks with the rate",
		"USE_DYNAMIC_PFC_THRESHOLD (line 8) ignored: thresholds are dynamic, in the original too whatever it says",
		"L2_ACK_INTERVAL (line 9) ignored: every packet is acknowledged, in the original those behind the first so many bytes of a flow",
	}, c.Summary())

	quiet, err := ParseConfig("config.txt", []byte("HAS_WIN 0\nVAR_WIN 1\nL2_BACK_TO_ZERO 0\nLINK_DOWN 0 0 0\n"))
	require.NoError(t, err)
	quiet.IgnoreUnmodelled()
	assert.Empty(t, quiet.Summary(), "what is off is not missed")
}
