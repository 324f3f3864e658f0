package hpcc

import (
	"bufio"
	"fmt"
	"io"
)

// FCTRow is one line of an fct.txt: a flow that finished.
type FCTRow struct {
	SrcNode, DstNode, SPort, DPort int
	Bytes                          int64
	// StartNs is on the clock of flow.txt. FCTNs is from the start to the last
	// acknowledgement's arrival, IdealNs the same on an empty network by the
	// original's formula (see Topology.IdealNs).
	StartNs, FCTNs, IdealNs int64
}

const (
	// baseIP is the address of node 0; node i has 256*i more, which keeps the
	// low byte at 1.
	baseIP = 0x0b000001
	// maxNode is the last node that has an address of its own.
	maxNode = 1<<16 - 1
)

// IP returns the address that the original gives to a node.
func IP(node int) uint32 {
	return baseIP + uint32(node/256)<<16 + uint32(node%256)<<8
}

// WriteFCT writes rows in the eight columns of the original's fct.txt: source
// and destination address (hexadecimal), source and destination port, bytes,
// start, completion time and ideal completion time in ns.
func WriteFCT(w io.Writer, rows []FCTRow) error {
	out := bufio.NewWriter(w)
	for _, r := range rows {
		_, err := fmt.Fprintf(out, "%08x %08x %d %d %d %d %d %d\n",
			IP(r.SrcNode), IP(r.DstNode), r.SPort, r.DPort, r.Bytes, r.StartNs, r.FCTNs, r.IdealNs)
		if err != nil {
			return err
		}
	}
	return out.Flush()
}
