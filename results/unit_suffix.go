package results

// Suffix is how the base unit is written behind a number in an expect clause.
func (u Unit) Suffix() string { return u.suffixes()[0].text }
