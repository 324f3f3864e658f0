package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rocesim/scenarios/headroom"
	"rocesim/scenarios/strict"
	"rocesim/sim"
)

// headroomFlags are the arguments of the headroom command, as texts with units.
type headroomFlags struct {
	chip, rate, cable, mtu, lossless, small string

	output *output
}

// headroomJSON is a profile as JSON has it.
type headroomJSON struct {
	Size int64 `json:"size_bytes"`
	Xon  int64 `json:"xon_bytes"`
	Xoff int64 `json:"xoff_bytes"`
}

func newHeadroom() *cobra.Command {
	var f headroomFlags
	cmd := &cobra.Command{
		Use:   "headroom",
		Short: "Compute a port's PFC headroom as SONiC does for Spectrum switches",
		Long: `Compute what a lossless priority group needs beyond XOFF, as SONiC computes it
for NVIDIA Spectrum switches: the columns of pg_profile_lookup.ini.

Exit code 0: done. 2: a value is wrong, or there is no such port.`,
		Example: `  rocesim headroom --rate 400Gbps --cable 40m
  rocesim headroom --chip spectrum-1 --rate 100Gbps --cable 300m --mtu 9100B
  rocesim headroom --rate 800Gbps --cable 5m --output json`,
		Args: arguments(0, 0, "flags only"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			port, err := f.port()
			if err != nil {
				return err
			}
			p, err := port.Profile()
			if err != nil {
				return err
			}
			profile := headroomJSON(p)
			return f.output.write(cmd.OutOrStdout(), profile, func(out io.Writer) error { return f.writeText(out, profile) })
		},
	}
	cmd.Flags().StringVar(&f.chip, "chip", "spectrum-4", "`CHIP`: spectrum-1 to spectrum-5")
	cmd.Flags().StringVar(&f.rate, "rate", "100Gbps", "the port's `RATE`; 800Gbps ports have eight lanes")
	cmd.Flags().StringVar(&f.cable, "cable", "5m", "`LENGTH` of the cable")
	cmd.Flags().StringVar(&f.mtu, "mtu", "9216B", "the port's MTU in `BYTES`")
	cmd.Flags().StringVar(&f.lossless, "lossless-mtu", "1024B", "the MTU of lossless traffic in `BYTES`")
	cmd.Flags().StringVar(&f.small, "small", "100%", "the `SHARE` of 64-byte packets")
	f.output = addOutput(cmd)
	return cmd
}

func chips() []string {
	return []string{"spectrum-1", "spectrum-2", "spectrum-3", "spectrum-4", "spectrum-5"}
}

// port turns the flags into a port.
func (f *headroomFlags) port() (headroom.Spectrum, error) {
	var p headroom.Spectrum
	cells := []int{96, 144, 144, 192, 192} // of chips
	chip := slices.Index(chips(), f.chip)
	if chip < 0 {
		return p, fmt.Errorf("--chip %s: allowed are spectrum-1 to spectrum-5", f.chip)
	}
	p.Cell = cells[chip]
	var err error
	if p.Rate, err = strict.ParseRate(f.rate); err != nil {
		return p, fmt.Errorf("--rate: %w", err)
	}
	length, err := strict.ParseLength(f.cable)
	if err != nil {
		return p, fmt.Errorf("--cable: %w", err)
	}
	mtu, err := strict.ParseBytes(f.mtu)
	if err != nil {
		return p, fmt.Errorf("--mtu: %w", err)
	}
	lossless, err := strict.ParseBytes(f.lossless)
	if err != nil {
		return p, fmt.Errorf("--lossless-mtu: %w", err)
	}
	small, err := strict.ParseFraction(f.small)
	if err != nil {
		return p, fmt.Errorf("--small: %w", err)
	}
	p.Cable, p.MTU, p.LosslessMTU = int(math.Ceil(float64(length))), int(mtu), int(lossless)
	p.SmallPercent = int(math.Round(100 * float64(small)))
	p.ConstantResponse = p.Cell < 192
	p.Tile, p.EightLanes = !p.ConstantResponse, p.Rate == 800*sim.Gbps
	return p, p.Validate()
}

// writeText begins with what was computed: most of it may be defaults.
func (f *headroomFlags) writeText(out io.Writer, p headroomJSON) error {
	fmt.Fprintf(out, "%s, %s, cable %s, MTU %s, lossless MTU %s, small packets %s\n", f.chip, f.rate, f.cable, f.mtu, f.lossless, f.small)
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "size\t%d B\txon, xoff and, on eight lanes, an MTU\n", p.Size)
	fmt.Fprintf(table, "xon\t%d B\tresume at or below\n", p.Xon)
	fmt.Fprintf(table, "xoff\t%d B\twhat can arrive after XOFF\n", p.Xoff)
	return table.Flush()
}
