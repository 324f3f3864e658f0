// Package lint holds the project's rules as tests, so that `go test ./...`
// checks them on a machine with nothing but Go: formatting, vet, who may
// import whom, lengths, documentation, and what may not stand in any file.
// It has no code of its own.
package lint
