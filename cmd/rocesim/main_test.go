package main

import (
	"errors"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rocesim": main, "nats-server": natsServer})
}

// hang is how long a test waits for what is bound to come: far longer than it
// takes, so that only what hangs fails, also on a machine with ten times the
// work that it can do.
const hang = 4 * time.Minute

// TestScript runs the scripts of testdata/script as a user would type them.
// Besides the usual commands there is "exits N COMMAND...", which checks the
// exit code.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
		},
	})
}

// exits checks that a command ends with the given code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	if got := exitStatus(err); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// exitStatus is the exit code of a command that ended with err, -1 if it did
// not run.
func exitStatus(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}
