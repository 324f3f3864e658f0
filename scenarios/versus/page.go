package versus

import "rocesim/results/page"

// Page makes the page of the comparison, with charts of the first run of each
// side.
func (r *Result) Page() (*page.Document, error) {
	return page.Comparison(r.Comparison, r.Overlay.A, r.Overlay.B)
}

// Page makes the page of the comparison.
func (r *SweepResult) Page() (*page.Document, error) { return page.SweepComparison(r.SweepComparison) }
