// Package hpcc reads and writes the files of the HPCC ns-3 simulator
// (alibaba-edu/High-Precision-Congestion-Control) and its descendants, which is
// the format that much published work on RDMA congestion control comes in.
//
// It reads topology.txt, flow.txt and config.txt, and writes fct.txt. The readers forgive what those files are known to contain: notes
// behind the last line, line counts that are wrong, flows out of order. All else
// that cannot be is an error, and all errors of a file come at once.
//
// Times in these files count from 0, but flows customarily start at 2 s. Runs
// start at the whole second before the first flow; outputs are shifted back.
package hpcc
