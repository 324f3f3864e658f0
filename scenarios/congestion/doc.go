// Package congestion is the cc section of a scenario: the congestion control in
// the units of a user, and what it comes to on a NIC of one rate.
package congestion
