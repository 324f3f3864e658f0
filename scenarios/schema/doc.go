// Package schema writes the format of scenarios as JSON Schema (draft 2020-12),
// for editors that complete, explain and check while one types. It is made from
// the shapes that the decoder's own struct tags give.
//
// What the schema refuses, rocesim refuses too. The reverse does not hold: a
// schema sees one value at a time, so limits of quantities, names of hosts and
// switches, metrics, patterns, and how values belong together are checked by
// rocesim validate only.
package schema
