package scenarios

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"

	"rocesim/results"
	"rocesim/scenarios/importer/hpcc"
	"rocesim/sim"
)

// fctFile is what the original calls the file of completion times.
const fctFile = "fct.txt"

// WriteFCT writes fct.txt into a directory: the flows of a run of the imported
// scenario that finished, in the order in which they did, in the eight columns
// of the original.
func (im *Import) WriteFCT(dir string, run *results.Run) error {
	return results.WriteFile(filepath.Join(dir, fctFile), func(out io.Writer) error { return hpcc.WriteFCT(out, im.FCT(run)) })
}

// FCT returns the rows of fct.txt. Times are in whole nanoseconds, rounded to
// the nearest. The last column is the original's formula for an idle network,
// whatever the presets.
func (im *Import) FCT(run *results.Run) []hpcc.FCTRow {
	payload := hpcc.DefaultConfig().PayloadSize
	if im.config != nil {
		payload = im.config.PayloadSize
	}
	// Messages of an entry are posted in the order of its list.
	next := make([]int, len(im.groups))
	var done []*results.FlowRow
	flows := map[uint32]*hpcc.Flow{}
	for i := range run.Flows {
		row := &run.Flows[i]
		f := im.groups[row.Workload].flows[next[row.Workload]]
		next[row.Workload]++
		if row.Completed > 0 {
			done = append(done, row)
			flows[row.ID] = f
		}
	}
	slices.SortStableFunc(done, func(a, b *results.FlowRow) int { return cmp.Compare(a.Completed, b.Completed) })
	rows := make([]hpcc.FCTRow, 0, len(done))
	for _, row := range done {
		f := flows[row.ID]
		rows = append(rows, hpcc.FCTRow{
			SrcNode: f.SrcNode, DstNode: f.DstNode, SPort: f.SPort, DPort: f.DPort, Bytes: f.Bytes, StartNs: f.StartNs,
			FCTNs:   int64((row.FCT() + sim.Nanosecond/2) / sim.Nanosecond),
			IdealNs: im.topology.IdealNs(f.Src, f.Dst, f.Bytes, payload),
		})
	}
	return rows
}
