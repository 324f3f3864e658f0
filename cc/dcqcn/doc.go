// Package dcqcn is the reaction point of DCQCN (Zhu et al., "Congestion Control
// for Large-Scale RDMA Deployments", SIGCOMM 2015), which sets a queue pair's
// rate: a cc.Controller. Its notification point is cc.NotificationPoint.
//
// Two machines go by that name, and Params describes both. The paper's reacts
// to a CNP at once and counts on the notification point to space them. The
// adapters' (ConnectX, and the simulator of the HPCC paper after them) only
// remembers that a CNP came and cuts the rate at the next of its own periodic
// checks.
//
// A Controller has no timers. It computes what its timers would have done when
// it is next asked, with the same result to the last bit; the order of what is
// due at the same instant is fixed: alpha, rate timer, cut, then the caller's
// own event (CNP or packet).
package dcqcn
