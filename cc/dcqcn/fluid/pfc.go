package fluid

// Chip is the shared buffer of a switch, all of it for lossless traffic, as the
// buffer rules of SIGCOMM 2015 (section 4) have it. They are for the worst case,
// in which all priorities of all ports are congested at once.
type Chip struct {
	// Buffer is the whole memory in bytes (B).
	Buffer int64
	// Ports of the chip (n); each has eight priorities.
	Ports int
	// Headroom of one priority of one port in bytes (t_flight).
	Headroom int64
	// Beta sets the dynamic threshold: XOFF is at Beta/8 of what is free behind
	// the headroom. It is 8 times the alpha of a port's priority group.
	Beta float64
}

// queues is the number of priority groups of the chip.
func (c Chip) queues() float64 { return 8 * float64(c.Ports) }

// free is what headroom leaves, in bytes.
func (c Chip) free() float64 { return float64(c.Buffer) - c.queues()*float64(c.Headroom) }

// StaticPFC is the highest fixed XOFF threshold in bytes with which no packet can
// be lost: t_PFC <= (B - 8 n t_flight) / 8n. Negative if there is not even enough
// memory for the headroom.
func (c Chip) StaticPFC() float64 { return c.free() / c.queues() }

// DynamicECN is below what Kmin, in bytes, must be so that marks come before PFC
// under the dynamic threshold: t_ECN < Beta (B - 8 n t_flight) / (8n (Beta + 1)).
func (c Chip) DynamicECN() float64 { return c.Beta * c.free() / (c.queues() * (c.Beta + 1)) }
