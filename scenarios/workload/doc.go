// Package workload generates the traffic of a run: who sends how many bytes to
// whom, and when.
//
// An entry (Flows, Incast, Permutation, AllToAll, Poisson, Saturate, Latency,
// Datagrams) is plain data with resolved units. NewDriver turns entries into
// one event source each: the Driver opens connections, posts messages to a
// Network and hears of their delivery and completion. Open loops (Flows,
// Incast, Poisson) follow the clock alone. Closed loops (the others) wait for
// completions, as applications do that own a buffer until the NIC gives it
// back. All draws come from streams named after the entry, so adding an entry
// does not change the traffic of another.
package workload
