// Command rocesim simulates lossless RoCEv2 networks packet by packet.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is main with what it reads and writes as arguments, and the exit code as
// its result.
func run(args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if broken := recover(); broken != nil {
			fmt.Fprintf(stderr, "rocesim: internal error: %v\nThis is a bug in rocesim. Please report it with the scenario and these lines:\n%s",
				broken, debug.Stack())
			code = exitFatal
		}
	}()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The first signal asks the run to end; from then on the next one kills.
	context.AfterFunc(ctx, stop)

	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return exitCode(root.ExecuteContext(ctx), stderr)
}
