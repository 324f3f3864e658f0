// Package sweep runs a scenario over a grid of settings and seeds, and tells
// which setting is best.
//
// A run is a Job: a scenario with every value filled in, and a seed. Its hash
// names its directory below runs/, where its Record stands once it is done, so
// that no run is repeated and an interrupted sweep goes on where it was. Who
// executes jobs, in which order and how many at a time, makes no difference to
// any file.
package sweep
