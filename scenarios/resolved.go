package scenarios

import (
	"bytes"
	"fmt"
	"slices"

	"rocesim/scenarios/strict"
)

// longList is how many flows an entry may have for the YAML encoder, which
// holds some 8 KB per flow; longer lists are written line by line.
const longList = 100

// Resolved returns the scenario as YAML with every value filled in. Loading it
// gives the same scenario.
func (sc *Scenario) Resolved() []byte {
	short := *sc
	short.Workload = slices.Clone(sc.Workload)
	long := map[int][]Flow{} // by entry
	for i := range short.Workload {
		if f, ok := short.Workload[i].Traffic.(*Flows); ok && len(f.Flows) > longList {
			long[i] = f.Flows
			short.Workload[i].Traffic = &Flows{TrafficCommon: f.TrafficCommon}
		}
	}
	text := strict.Encode(short)
	if len(long) == 0 {
		return text
	}
	return insertFlows(text, long)
}

// insertFlows puts lists of flows at the end of their entries of the encoded
// workload.
func insertFlows(text []byte, long map[int][]Flow) []byte {
	var out bytes.Buffer
	entry, inside := -1, false
	for line := range bytes.Lines(text) {
		if inside && !bytes.HasPrefix(line, []byte("    ")) { // the entry ends
			writeFlows(&out, long[entry])
			inside = bytes.HasPrefix(line, []byte("  - "))
			entry++
		}
		if bytes.HasPrefix(line, []byte("workload:")) {
			inside = true
		}
		out.Write(line)
	}
	if inside {
		writeFlows(&out, long[entry])
	}
	return out.Bytes()
}

// writeFlows writes a list as the last key of an entry.
func writeFlows(out *bytes.Buffer, flows []Flow) {
	if len(flows) == 0 {
		return
	}
	out.WriteString("    flows:\n")
	for _, f := range flows {
		fmt.Fprintf(out, "      - {from: %q, to: %q, bytes: %v, start: %v", f.From, f.To, f.Bytes, f.Start)
		if f.SrcPort != 0 {
			fmt.Fprintf(out, ", src_port: %d", f.SrcPort)
		}
		if f.DstPort != 0 {
			fmt.Fprintf(out, ", dst_port: %d", f.DstPort)
		}
		out.WriteString("}\n")
	}
}
