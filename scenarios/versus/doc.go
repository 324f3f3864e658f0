// Package versus sets two configurations against each other: it reads or
// simulates the runs of both sides, has their metrics compared (package
// results/compare), and says which fields of the scenario differ.
package versus
