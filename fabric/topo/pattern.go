package topo

import (
	"fmt"
	"strconv"
	"strings"
)

// Pattern matches names: "*" is any run of characters, "?" any one, "[0-3,7]" a
// whole number in one of the ranges. All else stands for itself.
type Pattern struct {
	text   string
	tokens []token
}

// token is one step of a pattern.
type token struct {
	kind   tokenKind
	char   byte
	ranges [][2]int
}

type tokenKind uint8

const (
	literal tokenKind = iota
	anyChar
	anyRun
	numbers
)

// ParsePattern reads a pattern. The error names the part that is wrong.
func ParsePattern(text string) (Pattern, error) {
	p := Pattern{text: text}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '*':
			p.tokens = append(p.tokens, token{kind: anyRun})
		case '?':
			p.tokens = append(p.tokens, token{kind: anyChar})
		case '[':
			end := strings.IndexByte(text[i:], ']')
			if end < 0 {
				return Pattern{}, fmt.Errorf("pattern %q: \"[\" without \"]\"", text)
			}
			ranges, err := parseRanges(text[i+1 : i+end])
			if err != nil {
				return Pattern{}, fmt.Errorf("pattern %q: %w", text, err)
			}
			p.tokens = append(p.tokens, token{kind: numbers, ranges: ranges})
			i += end
		default:
			p.tokens = append(p.tokens, token{kind: literal, char: c})
		}
	}
	return p, nil
}

// parseRanges reads "0-3,7".
func parseRanges(text string) ([][2]int, error) {
	var ranges [][2]int
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		a, errA := strconv.ParseUint(low, 10, 31)
		b, errB := strconv.ParseUint(high, 10, 31)
		if errA != nil || errB != nil || a > b {
			return nil, fmt.Errorf("\"[%s]\" is not allowed, must be numbers and ascending ranges like [0-3,7]", text)
		}
		ranges = append(ranges, [2]int{int(a), int(b)})
	}
	return ranges, nil
}

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Match reports whether the pattern matches all of name.
func (p Pattern) Match(name string) bool {
	ti, ni := 0, 0
	starToken, starName := -1, 0 // the last "*" and how far it has reached
	for ti < len(p.tokens) || ni < len(name) {
		if ti < len(p.tokens) {
			if p.tokens[ti].kind == anyRun {
				starToken, starName = ti, ni
				ti++
				continue
			}
			if n := p.tokens[ti].match(name, ni); n > 0 {
				ti, ni = ti+1, ni+n
				continue
			}
		}
		if starToken < 0 || starName >= len(name) {
			return false
		}
		starName++
		ti, ni = starToken+1, starName
	}
	return true
}

// match returns how many bytes of name from i on the token takes, 0 if it does
// not match there.
func (t *token) match(name string, i int) int {
	if i >= len(name) {
		return 0
	}
	switch t.kind {
	case anyChar:
		return 1
	case numbers:
		return t.matchNumber(name, i)
	default:
		if name[i] == t.char {
			return 1
		}
		return 0
	}
}

func (t *token) matchNumber(name string, i int) int {
	if i > 0 && isDigit(name[i-1]) {
		return 0
	}
	end := i
	for end < len(name) && isDigit(name[end]) {
		end++
	}
	v, err := strconv.ParseUint(name[i:end], 10, 31)
	if err != nil {
		return 0
	}
	for _, r := range t.ranges {
		if int(v) >= r[0] && int(v) <= r[1] {
			return end - i
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// MatchLinks returns the indices of the links whose name p matches, read in
// either direction: "spine1:*" finds "leaf0:spine1".
func (g *Graph) MatchLinks(p Pattern) []int {
	var found []int
	for i := range g.Links {
		name := g.Links[i].Name
		if p.Match(name) || p.Match(reversed(name)) {
			found = append(found, i)
		}
	}
	return found
}

// reversed turns "a:b#2" into "b:a#2".
func reversed(name string) string {
	ends, suffix, parallel := strings.Cut(name, "#")
	a, b, _ := strings.Cut(ends, ":")
	if parallel {
		suffix = "#" + suffix
	}
	return b + ":" + a + suffix
}

// Override applies f to every link that the pattern match names (see
// MatchLinks) and returns their number; 0 if match is no pattern. f may change
// the rate, the length and the delay.
func (g *Graph) Override(match string, f func(*Link)) int {
	p, err := ParsePattern(match)
	if err != nil {
		return 0
	}
	found := g.MatchLinks(p)
	for _, i := range found {
		f(&g.Links[i])
	}
	return len(found)
}
