package rc

// bitRing holds a bit for each number of a window that moves up. The caller
// knows where the window begins, and clears the bits that it leaves behind.
type bitRing struct{ words []uint64 } // 0 or a power of two of them

// size is how many numbers it holds.
func (b *bitRing) size() int64 { return int64(len(b.words)) * 64 }

// has reports the bit of n >= base.
func (b *bitRing) has(base, n int64) bool {
	if n-base >= b.size() {
		return false
	}
	word, bit := b.place(n)
	return *word&bit != 0
}

// set sets the bit of n >= base. It doubles the ring as often as needed, which
// ends when it is as large as the window.
func (b *bitRing) set(base, n int64) {
	for n-base >= b.size() {
		b.double(base)
	}
	word, bit := b.place(n)
	*word |= bit
}

// clear clears the bit of n, if the ring is large enough to hold it.
func (b *bitRing) clear(n int64) {
	if len(b.words) > 0 {
		word, bit := b.place(n)
		*word &^= bit
	}
}

func (b *bitRing) place(n int64) (word *uint64, bit uint64) {
	return &b.words[int(n/64)&(len(b.words)-1)], 1 << (n % 64)
}

func (b *bitRing) double(base int64) {
	larger := bitRing{words: make([]uint64, max(1, 2*len(b.words)))}
	for n := base; n < base+b.size(); n++ {
		if b.has(base, n) {
			word, bit := larger.place(n)
			*word |= bit
		}
	}
	*b = larger
}
