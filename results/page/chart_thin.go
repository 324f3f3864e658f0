package page

// thin returns the places of values to keep, in order, at most about most of
// them: those of every group of neighbours where they are lowest and highest, so
// that no peak is lost.
func thin(values Numbers, most int) []int {
	n := len(values)
	if n <= most {
		return upTo(n)
	}
	groups := max(1, most/2)
	keep := make([]bool, n)
	keep[0], keep[n-1] = true, true
	for g := range groups {
		low, high := extremes(values, g*n/groups, (g+1)*n/groups)
		keep[low], keep[high] = true, true
	}
	var places []int
	for i, k := range keep {
		if k {
			places = append(places, i)
		}
	}
	return places
}

// extremes returns where the values from one place up to another are lowest
// and highest.
func extremes(values Numbers, from, to int) (low, high int) {
	low, high = from, from
	least, most := values[from].float(), values[from].float()
	for i := from + 1; i < to; i++ {
		v := values[i].float()
		if v < least {
			low, least = i, v
		}
		if v > most {
			high, most = i, v
		}
	}
	return low, high
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// pick returns the values at places.
func pick(values Numbers, places []int) Numbers {
	picked := make(Numbers, len(places))
	for i, p := range places {
		picked[i] = values[p]
	}
	return picked
}
