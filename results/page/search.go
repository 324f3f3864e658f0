package page

// Search is what the page of a search for the best setting shows.
type Search struct {
	Title string
	// Partial says why the search is not complete; empty if it is.
	Partial string
	// Verdict is what came out, in a sentence; Grade is "ok" if the best setting
	// is better by more than chance explains, "bad" if none meets the conditions,
	// else "warn".
	Verdict, Grade string
	// Goals, Conditions and Params say what was searched for, Best are the
	// "path=value" of the best setting.
	Goals, Conditions, Params, Best []string
	// Facts are what came out, in the words of the summary: the scenario as it
	// is, the best setting, the change.
	Facts []SearchFact
	// Summary is summary.txt.
	Summary string
	// Path are the settings in the order in which they were tried, path.csv;
	// Chart draws them.
	Path  *Table
	Chart *Chart
	// Scenario is the one with the best setting, best.yaml.
	Scenario string
}

// SearchFact is a line of the summary of a search.
type SearchFact struct{ Name, Text string }

// Document makes the page of a search: the verdict, the best setting, the path
// and the scenario with that setting.
func (s *Search) Document() (*Document, error) {
	lead, err := Fill("search_lead.html", s)
	if err != nil {
		return nil, err
	}
	d := &Document{Title: s.Title, Kind: "Search", Lead: lead}
	if s.Chart != nil {
		body, part, err := Charts(s.Chart)
		if err != nil {
			return nil, err
		}
		part.Sections = []Section{{"path", "The path", body}}
		d.Add(part)
	}
	table, err := s.Path.Body()
	if err != nil {
		return nil, err
	}
	rest, err := Fill("search_rest.html", s)
	if err != nil {
		return nil, err
	}
	d.Add(Part{Data: []Data{s.Path.Data()}, Sections: []Section{{"tried", "Settings tried", table}, {"best", "The best setting", rest}}})
	return d, nil
}
