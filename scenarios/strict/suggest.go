package strict

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that a person who typed word most likely
// meant, or "" if none is close.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", len(word)/2+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// didYouMean returns a clause that offers the nearest candidate, or "".
func didYouMean(word string, candidates []string) string {
	if near := Nearest(word, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// Unknown says that word is not among candidates: it offers the nearest one
// and lists all.
func Unknown(what, word string, candidates []string) string {
	sorted := slices.Sorted(slices.Values(candidates))
	if len(sorted) == 0 {
		return "unknown " + what + " " + quote(word)
	}
	return "unknown " + what + " " + quote(word) + didYouMean(word, sorted) +
		" (allowed: " + abbreviate(sorted, 40) + ")"
}

// abbreviate joins at most n words.
func abbreviate(words []string, n int) string {
	if len(words) > n {
		words = append(slices.Clone(words[:n]), "...")
	}
	return strings.Join(words, ", ")
}

// distance is the optimal string alignment distance: insertions, deletions,
// replacements and swaps of neighbours.
func distance(a, b string) int {
	const longest = 64 // longer words are no misspelt keys
	if len(a) > longest || len(b) > longest {
		return longest
	}
	var rows [3][longest + 1]int
	for j := range len(b) + 1 {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, previous, row := &rows[(i+2)%3], &rows[i%3], &rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, previous[j]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
