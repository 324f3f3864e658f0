package dcqcn

import "rocesim/sim"

// Paper returns the tuned settings of the DCQCN paper for ports of rate line
// (SIGCOMM 2015), to be used with a CNP interval of 50 us. The paper gives no
// least rate and no separate hyper increase: 10 Mb/s is the lower end of what
// simulators use, and the hyper increase equals the additive one.
func Paper(line sim.Rate) Params {
	return Params{
		G:                 1.0 / 256,
		InitialAlpha:      1,
		AlphaPeriod:       55 * sim.Microsecond,
		AlphaAtCNP:        true,
		ReduceImmediately: true,
		MinRate:           min(10*sim.Mbps, line),
		ClampTarget:       true,
		TimerPeriod:       55 * sim.Microsecond,
		ByteCounter:       10_000_000,
		FastRecovery:      5,
		RateAI:            40 * sim.Mbps,
		RateHAI:           40 * sim.Mbps,
	}
}

// ConnectX returns the firmware defaults of NVIDIA ConnectX-5 and -6 adapters
// for ports of rate line, to be used with a CNP interval of 4 us. Source: the
// *_P1 settings that mlxconfig reports, equal in the dumps of several owners,
// and NVIDIA's "DCQCN CC Parameters". They do not scale with the line rate.
// The byte counter is in units of 64 bytes.
func ConnectX(line sim.Rate) Params {
	return Params{
		G:                        5.0 / 1024,
		InitialAlpha:             1023.0 / 1024,
		AlphaPeriod:              1 * sim.Microsecond,
		RateReduceMonitor:        4 * sim.Microsecond,
		MinDecreaseFactor:        0.5,
		MinRate:                  min(1*sim.Mbps, line),
		ClampTargetAfterIncrease: true,
		TimerPeriod:              300 * sim.Microsecond,
		ByteCounter:              32767 * 64,
		FastRecovery:             1,
		RateAI:                   5 * sim.Mbps,
		RateHAI:                  50 * sim.Mbps,
	}
}

// HPCC returns the "dcqcn" settings of the simulator of the HPCC paper (Li et
// al., SIGCOMM 2019; alibaba-edu/High-Precision-Congestion-Control, CC_MODE 1)
// for ports of rate line. Its increases scale with the line rate, 5 and 50
// Mb/s for each 25 Gb/s; its gaps are whole nanoseconds. It has no CNP
// interval: the notification comes on every ACK of a marked packet.
func HPCC(line sim.Rate) Params {
	return Params{
		G:                        1.0 / 256,
		InitialAlpha:             1,
		AlphaPeriod:              1 * sim.Microsecond,
		RateReduceMonitor:        4 * sim.Microsecond,
		MonitorDelay:             1 * sim.Nanosecond,
		MinRate:                  min(1*sim.Gbps, line),
		ClampTargetAfterIncrease: true,
		TimerPeriod:              300 * sim.Microsecond,
		FastRecovery:             1,
		RateAI:                   line / 5000,
		RateHAI:                  line / 500,
		FixedGap:                 true,
		Quantum:                  1 * sim.Nanosecond,
	}
}
