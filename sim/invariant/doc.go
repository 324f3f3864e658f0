// Package invariant says whether checks of invariants are compiled in. They
// are with the build tag "invariants"; without it the constant lets the
// compiler remove them.
package invariant
