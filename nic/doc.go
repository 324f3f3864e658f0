// Package nic models an RDMA NIC: queue pairs, their scheduling and pacing,
// the receive path, and priority flow control at the host.
package nic
