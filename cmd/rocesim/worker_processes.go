package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// supervise works through processes with one job at a time each, so that a job
// that ends its process takes no other with it.
func (f *workerFlags) supervise(cmd *cobra.Command, log *jobLog) error {
	ctx, cancel := context.WithCancelCause(cmd.Context())
	defer cancel(nil)
	program, err := os.Executable()
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	for range f.workers {
		group.Go(func() {
			for again := true; again && ctx.Err() == nil; {
				again = f.oneProcess(ctx, cmd, program, log, cancel)
			}
		})
	}
	group.Wait()
	if cmd.Context().Err() != nil {
		return nil
	}
	return context.Cause(ctx)
}

// oneProcess runs a worker process to its end. It reports whether there should
// be another: this one was killed, or broke.
func (f *workerFlags) oneProcess(ctx context.Context, cmd *cobra.Command, program string, log *jobLog, stop context.CancelCauseFunc) bool {
	child := exec.Command(program, childArgs(cmd)...)
	child.Args[0] = "rocesim"
	child.Stderr = log
	stdin, err := child.StdinPipe() // it ends when this is closed, which happens also if we are killed
	if err != nil {
		stop(err)
		return false
	}
	stdout, err := child.StdoutPipe()
	if err != nil {
		stop(err)
		return false
	}
	if err := child.Start(); err != nil {
		stop(err)
		return false
	}
	defer context.AfterFunc(ctx, func() { _ = stdin.Close() })()
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line jobLine
		if json.Unmarshal(lines.Bytes(), &line) == nil {
			log.ended(line)
		}
	}
	err = child.Wait()
	switch code := child.ProcessState.ExitCode(); {
	case ctx.Err() != nil || code == exitOK:
		return false
	case code == exitUsage: // it has said why
		stop(ending{code, ""})
		return false
	}
	log.note(fmt.Sprintf("worker process %d ended (%v); another takes its place", child.Process.Pid, err))
	select { // not at once, as the reason may be there still
	case <-ctx.Done():
	case <-time.After(time.Second):
	}
	return true
}

// childArgs are the arguments of a process with one job at a time: those given,
// but for what is the supervisor's own.
func childArgs(cmd *cobra.Command) []string {
	args := []string{cmd.Name(), "--child", "--workers=1", "--output=json"}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains([]string{"child", "workers", "output", "quiet"}, flag.Name) {
			args = append(args, "--"+flag.Name+"="+flag.Value.String())
		}
	})
	return args
}
