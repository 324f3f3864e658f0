package grid

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"rocesim/scenarios/strict"
)

// MaxSeeds is how many seeds one setting may have.
const MaxSeeds = 10_000

// Seeds are those of each setting: a number of them, or a list. The zero value
// is the scenario's own seed.
type Seeds struct {
	Count int
	List  []uint64
}

// DecodeNode reads a number or a list of seeds.
func (s *Seeds) DecodeNode(v strict.Value) {
	*s = Seeds{}
	text := strings.Trim(v.Text(), "[]")
	parsed, err := ParseSeeds(text)
	if _, list := v.Elements(); list {
		parsed, err = parseSeedList(text)
	}
	if err != nil {
		v.Failf("%v", err)
		return
	}
	*s = parsed
}

// EncodeNode writes what DecodeNode reads.
func (s *Seeds) EncodeNode() *yaml.Node {
	if s.List == nil {
		return strict.Text(strconv.Itoa(max(s.Count, 1)))
	}
	n := strict.List()
	for _, seed := range s.List {
		n.Content = append(n.Content, strict.Text(strconv.FormatUint(seed, 10)))
	}
	return n
}

// ParseSeeds reads "5", five seeds, or "3,7,11", these three.
func ParseSeeds(text string) (Seeds, error) {
	if strings.Contains(text, ",") {
		return parseSeedList(text)
	}
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 1 || n > MaxSeeds {
		return Seeds{}, fmt.Errorf("%q is no number of seeds; allowed: 1 to %d, or a list such as 3,7,11", text, MaxSeeds)
	}
	return Seeds{Count: n}, nil
}

func parseSeedList(text string) (Seeds, error) {
	var s Seeds
	for part := range strings.SplitSeq(text, ",") {
		seed, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
		switch {
		case err != nil:
			return Seeds{}, fmt.Errorf("%q is no seed; allowed: whole numbers from 0 to 18446744073709551615", strings.TrimSpace(part))
		case slices.Contains(s.List, seed):
			return Seeds{}, fmt.Errorf("the seed %d is given twice", seed)
		case len(s.List) == MaxSeeds:
			return Seeds{}, fmt.Errorf("more than %d seeds; so many tell nothing new", MaxSeeds)
		}
		s.List = append(s.List, seed)
	}
	return s, nil
}

// From lists the seeds of a scenario whose own is first. They wrap around at
// the largest number.
func (s Seeds) From(first uint64) []uint64 {
	if s.List != nil {
		return s.List
	}
	seeds := []uint64{first}
	for i := 1; i < s.Count; i++ {
		next := seeds[i-1]
		if next == math.MaxUint64 {
			next = 0
		} else {
			next++
		}
		seeds = append(seeds, next)
	}
	return seeds
}
