// Package strict reads YAML the way a careful person would: every key must be
// known, every quantity must carry its unit, every value must be possible, and
// everything that is wrong is said at once, with its place in the file.
//
// A file goes through three steps. Read parses it and checks its form: no key
// twice, no alias that contains itself, no file too large to be meant. Set
// changes values from the command line. Decode fills a Go struct, presets first,
// and records what is wrong in the Document; the caller adds what it finds by
// Failf, and Err returns all of it in the order of the file.
//
// What is allowed is written beside the Go field that receives it, in struct
// tags, so that the same tags drive the decoder, the documentation, the schema of
// editors and completion (Shape, Describe):
//
//	yaml:"key"    the name in the file ("-" hides the field)
//	doc:"..."     what it is, in a few words
//	min, max      limits, in the notation of the file ("1Kbps", "20ms")
//	enum:"a|b"    the only texts allowed
//	keys:"0..63"  limits of the keys of a map
//	oneof:"group" at most one field of the group may be given; giving one
//	              removes what a preset gave for the others
//	need:"true"   must be given, or another field of its oneof group
//	preset:"kind" this text names a preset that the other fields start from
//	about:"a b"   what a preset says here is about its values of these keys:
//	              giving them without this one clears it
//	omit:"zero"   Encode leaves the field out if it is zero
//
// Types whose form is not that of a struct implement Custom and Shaped.
package strict
