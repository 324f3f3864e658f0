package packet

// PSN is a 24-bit packet sequence number with serial arithmetic modulo 2^24
// (InfiniBand Architecture Volume 1, 9.7.2).
type PSN uint32

const (
	psnMask = 1<<24 - 1
	psnHalf = 1 << 23
)

// Add returns p advanced by n, which may be negative.
func (p PSN) Add(n int) PSN { return PSN(int64(p)+int64(n)) & psnMask }

// Diff returns the signed distance from q to p, in [-2^23, 2^23).
func (p PSN) Diff(q PSN) int {
	d := uint32(p-q) & psnMask
	if d >= psnHalf {
		return int(d) - 1<<24
	}
	return int(d)
}

// Before reports whether p comes before q in the window of half the space.
func (p PSN) Before(q PSN) bool { return p.Diff(q) < 0 }
