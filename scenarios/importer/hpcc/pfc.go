package hpcc

// PFCRow is one line of a pfc.txt: a pause or resume frame that arrived.
type PFCRow struct {
	// TimeNs is on the clock of flow.txt.
	TimeNs int64
	// Node is the id of the node that received the frame.
	Node int
	// AtSwitch tells a switch from a host.
	AtSwitch bool
	// Port of that node in the graph, from 0; the file counts from 1.
	Port int
	// Pause is set for XOFF, clear for XON.
	Pause bool
}

// pfcColumns is the number of words of a line of pfc.txt.
const pfcColumns = 5

// ParsePFC reads a pfc.txt with the columns time (ns), node, node type (0 host,
// 1 switch), port, and type (1 pause, 0 resume). The error is a *Problems.
func ParsePFC(name string, data []byte) ([]PFCRow, error) {
	r := report{file: name}
	var rows []PFCRow
	for _, line := range r.split(data) {
		f := line.fields
		if len(f) != pfcColumns {
			r.errorAt(line.number, 1, "%d word(s), must be \"time node node_type port type\"", len(f))
			continue
		}
		rows = append(rows, PFCRow{
			TimeNs:   r.whole(f[0], 0, 1<<62),
			Node:     int(r.whole(f[1], 0, maxNode)),
			AtSwitch: r.whole(f[2], 0, 1) == 1,
			Port:     int(r.whole(f[3], 1, 65535)) - 1,
			Pause:    r.whole(f[4], 0, 1) == 1,
		})
	}
	return rows, r.err()
}
