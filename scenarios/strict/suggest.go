package strict

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Nearest returns the candidate that a person who typed word most likely
// meant: the shortest that has it inside, dashes aside, or else the one that is
// written most alike; "" if none is close.
func Nearest(word string, candidates []string) string {
	if c := containing(word, candidates); c != "" {
		return c
	}
	best, bestDistance := "", len(word)/2+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// leastContained is how many letters say what a name is about: "tomahawk-3" is
// meant to be inside another name, "ms" is not.
const leastContained = 4

// containing returns the shortest candidate that has word inside, or "".
func containing(word string, candidates []string) string {
	best, word := "", letters(word)
	if len(word) < leastContained {
		return ""
	}
	for _, c := range candidates {
		if strings.Contains(letters(c), word) && (best == "" || len(c) < len(best)) {
			best = c
		}
	}
	return best
}

// letters is a name without its case and what stands between its parts.
func letters(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
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
	return unknown(what, word, didYouMean(word, sorted), sorted)
}

func unknown(what, word, hint string, sorted []string) string {
	if len(sorted) == 0 {
		return "unknown " + what + " " + quote(word)
	}
	return "unknown " + what + " " + quote(word) + hint + " (allowed: " + abbreviate(sorted, 40) + ")"
}

// unknownKey says that a group has no such key. Unless the key is a slip of the
// pen, it offers the places where the format has one of that name: who writes
// --set kmin=200KB knows the key, but not the way there.
func (d *Document) unknownKey(path, key string, fields []field) string {
	sorted := slices.Sorted(slices.Values(keysOf(fields)))
	near := Nearest(key, sorted)
	if near != "" && distance(key, near) == 1 || d.format == nil {
		return Unknown("key", key, sorted)
	}
	if paths := d.pathsTo(key, path); len(paths) > 0 {
		return unknown("key", key, "; did you mean "+strings.Join(paths, " or ")+"?", sorted)
	}
	return Unknown("key", key, sorted)
}

// mostPaths is how many places a hint names.
const mostPaths = 3

// pathsTo returns where the format has a key: of all places those with the
// fewest keys above them, at most mostPaths. Of lists the first element is named.
// A key that was read inside a group is looked for in the same section only. If
// a place is where it was read, it belongs to another type, and is nowhere else.
func (d *Document) pathsTo(key, read string) []string {
	if d.keys == nil {
		d.keys = groupShape(reflect.New(d.format).Elem()).Describe()
	}
	read = regexp.MustCompile(`\[[0-9]+\]`).ReplaceAllString(read, "[]")
	section, _ := strings.CutSuffix(read, key)
	if dot := strings.IndexByte(section, '.'); dot >= 0 {
		section = section[:dot+1]
	}
	var paths []string
	fewest := 0
	for _, k := range d.keys {
		if k.Key != key || !strings.HasPrefix(k.Path, section) {
			continue
		}
		if k.Path == read {
			return nil
		}
		path := strings.ReplaceAll(k.Path, "[]", "[0]")
		above := strings.Count(path, ".")
		if len(paths) == 0 || above < fewest {
			paths, fewest = nil, above
		}
		if above == fewest && len(paths) < mostPaths && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
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
