// Package fluid is the fluid model of DCQCN: what a bottleneck settles at and
// whether it settles at all, by arithmetic instead of simulation.
//
// The model is of Zhu et al., "Congestion Control for Large-Scale RDMA
// Deployments", SIGCOMM 2015, section 5 (equations 5 to 9), and its analysis is
// of Zhu, Ghobadi, Misra, Padhye, "ECN or Delay: Lessons Learnt from Analysis of
// DCQCN and TIMELY", CoNEXT 2016, section 3. It assumes
//
//   - one queue with RED by its instantaneous length, and N flows of equal rate
//     and equal delay through it, all with packets of one size;
//   - that marks of packets are independent of each other, so that a time t at
//     rate R is free of marks with the chance (1-p)^(tR);
//   - a delay from mark to reaction that does not vary: the queue adds nothing,
//     as with marking at dequeue;
//   - the paper's reaction point: cuts as soon as a CNP comes, a target that
//     falls to the rate at every cut, additive increase only.
//
// Where a packet simulation differs: its queue is a sawtooth around the fluid's
// line, and RED is convex where it begins (Kmin) and where it steps (Kmax), so
// that more packets are marked for the same mean; its flows are never exactly
// equal. The mean queue is up to a third above the fixed point while that is well
// below Kmax (docs/fluid.md has a table).
// Loop.Approximations names settings that the model has no term for.
package fluid
