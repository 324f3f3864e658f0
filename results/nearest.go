package results

import (
	"slices"
	"strings"
)

// nearest returns up to three of the candidates that word may have meant: the
// nearest by edit distance, or else those that share its first part.
func nearest(word string, candidates []string) []string {
	type scored struct {
		name     string
		distance int
	}
	var near []scored
	limit := max(2, len(word)/3)
	for _, c := range candidates {
		if d := editDistance(word, c); d <= limit {
			near = append(near, scored{c, d})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return a.distance - b.distance })
	var names []string
	for _, n := range near[:min(3, len(near))] {
		names = append(names, n.name)
	}
	if len(names) > 0 {
		return names
	}
	family, _, _ := strings.Cut(word, ".")
	for _, c := range candidates {
		if first, _, _ := strings.Cut(c, "."); first == family && len(names) < 3 {
			names = append(names, c)
		}
	}
	return names
}

// editDistance is the number of single-letter insertions, deletions and
// replacements that turn a into b (Levenshtein 1966).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
