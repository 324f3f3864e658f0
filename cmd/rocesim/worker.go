package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"rocesim/scenarios/sweep/farm"
)

// workerFlags are the flags of worker.
type workerFlags struct {
	nats    natsFlags
	workers int
	idle    time.Duration
	quiet   bool
	child   bool
	output  *output
}

func newWorker() *cobra.Command {
	f := &workerFlags{}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Simulate the runs of sweeps on other machines",
		Long: `Take jobs from the queue of a NATS server and simulate them, until told to stop.

The jobs are those of rocesim sweep and rocesim tune with --nats, or with --listen,
which are a server themselves. A worker serves all sweeps on the server that are of its
own version of rocesim, and runs nothing but scenarios. Each of --workers is a process
of its own: what ends one, such as a lack of memory, does not end the others, and the
job is given to another worker.

It counts what became of jobs: done, failed, set aside (their third worker died), given
back, known (their result was there), refused, or of no use (their sweep has ended). On
a terminal the counts are one line that renews itself, else a line every 10 s if there
are new ones. What goes wrong has a line at once. --output json prints a line a job.

Exit code 0: told to stop by SIGINT or SIGTERM, or nothing to do for --idle; jobs under
way are given back. 2: an argument is wrong, or the server is away or takes no results.`,
		Example: `  rocesim worker --nats tls://10.0.0.1:4222 --secret secret
  rocesim worker --nats tls://nats.example:4222 --nats-creds worker.creds --workers 8 --idle 10m`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.nats.addTo(cmd)
	flags.IntVar(&f.workers, "workers", 0, "simulate `N` runs at a time; default one for each processor")
	flags.DurationVar(&f.idle, "idle", 0, "end when there was nothing to do for this `TIME`; default never")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print neither counts nor lines for jobs")
	flags.BoolVar(&f.child, "child", false, "end with the process at the other end of standard input")
	cobra.CheckErr(flags.MarkHidden("child"))
	f.output = addOutput(cmd)
	return cmd
}

// run checks the arguments, and works alone or through processes.
func (f *workerFlags) run(cmd *cobra.Command) error {
	if f.nats.server.URL == "" {
		return errors.New("--nats is missing: the server to take jobs from, such as tls://10.0.0.1:4222")
	}
	if err := checkWorkers(cmd, f.workers); err != nil {
		return err
	}
	if f.idle < 0 {
		return fmt.Errorf("--idle is %v, allowed is 0s, for ever, and more", f.idle)
	}
	if err := f.nats.check(); err != nil {
		return err
	}
	if err := f.nats.readSecret(); err != nil {
		return err
	}
	if f.workers == 0 {
		f.workers = runtime.GOMAXPROCS(0)
	}
	log := newJobLog(cmd.OutOrStdout(), newMeter(cmd.ErrOrStderr(), terminalWidth(cmd.ErrOrStderr()), time.Now))
	log.json, log.quiet = f.output.is("json"), f.quiet
	defer log.summary()
	f.nats.server.Note = log.note
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	go log.follow(ctx)
	if f.workers == 1 {
		return f.work(cmd, log)
	}
	// What keeps all processes from the server is said once.
	conn, err := f.connect(ctx)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	conn.Close()
	return f.supervise(cmd, log)
}

func (f *workerFlags) connect(ctx context.Context) (*farm.Conn, error) {
	f.nats.server.Name, f.nats.server.Wait = "rocesim worker "+workerName(), true
	return farm.Connect(ctx, f.nats.server)
}

// work simulates in this process, one job at a time.
func (f *workerFlags) work(cmd *cobra.Command, log *jobLog) error {
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	if f.child {
		go func() {
			// Whatever ends it, the other process is gone or wants us to go.
			_, _ = io.Copy(io.Discard, os.Stdin)
			cancel()
		}()
	}
	conn, err := f.connect(ctx)
	if err != nil {
		return unlessStopped(ctx, err)
	}
	defer conn.Close()
	debug.SetGCPercent(sweepGC)
	worker := farm.Worker{
		Name: workerName(), Tool: version(), Queue: f.nats.queue, Slots: 1, Idle: f.idle,
		Ended: func(r farm.Report) { log.ended(lineOf(r)) },
		Note:  log.note,
	}
	return unlessStopped(ctx, worker.Serve(ctx, conn))
}

// unlessStopped is no error if the worker was told to stop.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
