package main

import (
	"errors"
	"fmt"
	"io"

	"rocesim/scenarios"
)

// Exit codes, the same for every sub-command.
const (
	exitOK          = 0
	exitFailed      = 1   // an expectation or comparison failed
	exitUsage       = 2   // bad usage or input
	exitFatal       = 3   // the simulation found a fatal condition
	exitInterrupted = 130 // ended by a signal: 128 + SIGINT, as shells have it
)

// ending is an error that knows its exit code. Its text may be empty where
// everything has been said already.
type ending struct {
	code int
	text string
}

func (e ending) Error() string { return e.text }

// exitCode reports err to the user and returns the process's exit code. An
// error that does not say otherwise is one of usage or input.
func exitCode(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	code := exitUsage
	var end ending
	if errors.As(err, &end) {
		code = end.code
	}
	var bad scenarios.Errors
	switch text := err.Error(); {
	case errors.As(err, &bad): // each line begins with file:line:column, as editors know it
		fmt.Fprintln(stderr, text)
	case text != "":
		fmt.Fprintf(stderr, "rocesim: %s\n", text)
	}
	return code
}
