// Package viewer serves a directory of results to a browser on the same
// machine: an index of what is below it, the page of each result, and its files.
// It reads only: pages that are missing or old are made in memory.
//
// Nothing outside the directory can be reached, not by .. and not by symbolic
// links (os.Root). Requests must name this machine as their host, so that a web
// site cannot have its name point here and read along (DNS rebinding), and what is
// served may neither load nor send anything.
package viewer
