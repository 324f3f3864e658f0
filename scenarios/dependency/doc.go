// Package dependency finds out before a run whether a network can deadlock: it
// follows all routes in use and looks for cyclic buffer dependency.
//
// A priority group that pauses its neighbour waits for the egress queues that
// hold its packets, and a paused queue waits for the group that paused it. A
// circle of such waits is necessary for a deadlock, though not sufficient (Hu
// et al., Deadlocks in Datacenter Networks, HotNets 2016): whether it closes
// depends on the load, which the detector in a run sees.
package dependency
