package hpcc

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
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
	// fctColumns is the number of words of a line of fct.txt.
	fctColumns = 8
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

// ParseFCT reads an fct.txt. Nodes may also be plain decimal ids, as some
// descendants of the original write them. The error is a *Problems.
func ParseFCT(name string, data []byte) ([]FCTRow, error) {
	r := report{file: name}
	var rows []FCTRow
	for _, line := range r.split(data) {
		f := line.fields
		if len(f) != fctColumns {
			r.errorAt(line.number, 1, "%d word(s), must be \"sip dip sport dport bytes start fct ideal\"", len(f))
			continue
		}
		const far = 1 << 62
		rows = append(rows, FCTRow{
			SrcNode: r.address(f[0]), DstNode: r.address(f[1]),
			SPort: int(r.whole(f[2], 0, 65535)), DPort: int(r.whole(f[3], 0, 65535)),
			Bytes: r.whole(f[4], 0, far), StartNs: r.whole(f[5], 0, far),
			FCTNs: r.whole(f[6], 0, far), IdealNs: r.whole(f[7], 0, far),
		})
	}
	return rows, r.err()
}

// address reads a node as an address or as an id.
func (r *report) address(f field) int {
	if strings.HasPrefix(f.text, "0b") && len(f.text) == 8 {
		ip, err := strconv.ParseUint(f.text, 16, 32)
		if err == nil && ip&0xff == baseIP&0xff {
			return int(ip-baseIP) >> 8
		}
	}
	id, ok := f.integer(0, maxNode)
	if !ok {
		r.bad(f, fmt.Sprintf("an address like %08x, or a node id from 0 to %d", IP(1), maxNode))
	}
	return int(id)
}
