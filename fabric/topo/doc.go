// Package topo is the map of the network: endpoints, switches, the links
// between them, and the equal-cost next hops that follow from them.
//
// Builders (Star, Dumbbell, LeafSpine, FatTree, Ring, Explicit) make a Graph;
// NewRoutes computes shortest paths over it. Nothing here moves packets.
package topo
