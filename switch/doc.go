// Package switching models a shared-memory Ethernet switch: classification,
// buffer admission with priority flow control, ECN, routing and scheduling.
package switching
