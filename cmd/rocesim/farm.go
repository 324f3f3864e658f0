package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"rocesim/scenarios/sweep"
	"rocesim/scenarios/sweep/farm"
)

// natsFlags say how to reach a NATS server.
type natsFlags struct {
	server         farm.Server
	secret, listen string
	queue          string
	lease          time.Duration
}

// addTo adds the flags that coordinators and workers have in common.
func (f *natsFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.server.URL, "nats", "", "the NATS server with the queue of jobs, `URL` such as tls://10.0.0.1:4222")
	flags.StringVar(&f.secret, "secret", "", "`FILE` with the secret that a sweep with --listen and its workers share")
	flags.StringVar(&f.queue, "queue", "", "`NAME` of the queue; default for a sweep one of its own, for a worker all that there are")
	flags.StringVar(&f.server.Creds, "nats-creds", "", "`FILE` with the user's credentials for the NATS server")
	flags.StringVar(&f.server.TokenFile, "nats-token-file", "", "`FILE` with the token for the NATS server")
	flags.StringVar(&f.server.CA, "nats-ca", "", "`FILE` with the certificates that the NATS server's is checked with; default the system's")
	flags.StringVar(&f.server.Cert, "nats-cert", "", "`FILE` with our own certificate, for a server that wants one; with --nats-key")
	flags.StringVar(&f.server.Key, "nats-key", "", "`FILE` with the key of --nats-cert")
	flags.DurationVar(&f.server.Timeout, "nats-timeout", time.Minute, "go on trying for this `TIME` while the NATS server does not answer")
	flags.BoolVar(&f.server.Insecure, "insecure", false, "use a NATS server on another machine that TLS does not authenticate")
}

// addExecutor adds the flags of a command that has jobs executed.
func (f *natsFlags) addExecutor(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.listen, "listen", "", "let workers of other machines take part: `HOST:PORT` to wait for them on, or PORT for workers on this machine")
	cmd.Flags().DurationVar(&f.lease, "lease", 30*time.Second, "give a worker's runs to others this `TIME` after its last sign of life")
	f.addTo(cmd)
}

// check looks at what belongs together.
func (f *natsFlags) check() error {
	switch {
	case f.server.URL != "" && f.listen != "":
		return errors.New("--listen and --nats exclude each other: the first is a server of its own")
	case f.server.URL == "" && f.listen == "" && f.queue+f.secret+f.server.Creds+f.server.TokenFile+f.server.CA+f.server.Cert+f.server.Key != "":
		return errors.New("--queue, --secret and the options of the NATS server need --nats or --listen")
	case (f.server.Cert == "") != (f.server.Key == ""):
		return errors.New("--nats-cert and --nats-key belong together")
	case f.lease < 0 || f.lease > 0 && f.lease < time.Second:
		return fmt.Errorf("--lease is %v, allowed is 1s and more", f.lease)
	case f.server.Timeout <= 0:
		return fmt.Errorf("--nats-timeout is %v, allowed is more than 0s", f.server.Timeout)
	}
	if f.queue != "" {
		return farm.CheckQueue(f.queue)
	}
	return nil
}

// crew executes jobs, and has to be closed.
type crew struct {
	sweep.Executor
	tool        string            // the version that names runs
	coordinator *farm.Coordinator // nil without a queue
	workers     atomic.Int64      // as last seen
	close       []func()
}

// Close ends what was begun, the last first.
func (c *crew) Close() {
	for i := len(c.close) - 1; i >= 0; i-- {
		c.close[i]()
	}
}

// crew returns who executes the jobs of the directory: this process, or workers
// of a queue. Without flags there is no queue, as it would have to be as robust as
// what it serves and has nothing to give here.
func (f *natsFlags) crew(cmd *cobra.Command, dir string, workers int, fresh bool) (*crew, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	c := &crew{tool: version()}
	if f.server.URL == "" && f.listen == "" {
		c.Executor = sweep.Local{Workers: workers, Tool: c.tool}
		return c, nil
	}
	if f.server.URL != "" && cmd.Flags().Changed("workers") {
		return nil, errors.New("--workers is for a sweep that runs here: with --nats start rocesim worker, on this machine too")
	}
	if err := f.open(cmd, c, dir, fresh); err != nil {
		c.Close()
		return nil, err
	}
	if workers == 0 && !cmd.Flags().Changed("workers") {
		workers = runtime.GOMAXPROCS(0)
	}
	if f.listen != "" && workers > 0 {
		if err := f.ownWorkers(cmd, c, workers); err != nil {
			c.Close()
			return nil, err
		}
	}
	c.close = append(c.close, func() { c.removeQueue(cmd) })
	return c, nil
}

// open connects to the server, which it starts if it is to be our own.
func (f *natsFlags) open(cmd *cobra.Command, c *crew, dir string, fresh bool) error {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if f.queue == "" {
		f.queue = farm.QueueOf(hostName(), absolute, c.tool)
	}
	if f.listen != "" {
		if err := f.serve(cmd, c); err != nil {
			return err
		}
	} else if err := f.readSecret(); err != nil {
		return err
	}
	f.server.Name, f.server.Note = "rocesim "+cmd.Name()+" "+workerName(), note(cmd)
	conn, err := farm.Connect(cmd.Context(), f.server)
	if err != nil {
		return err
	}
	c.close = append(c.close, conn.Close)
	if f.listen != "" {
		c.close = append(c.close, conn.Farewell)
	}
	c.coordinator, err = farm.NewCoordinator(conn, farm.Options{
		Queue: f.queue, Tool: c.tool, Memory: f.listen != "", Fresh: fresh, Lease: f.lease,
		Note: note(cmd),
		Seen: func(running, waiting int) { c.workers.Store(int64(running + waiting)) },
	})
	if err != nil {
		return err
	}
	c.Executor = c.coordinator
	return nil
}

// removeQueue takes the queue from the server if all is done. Own workers that
// wait for a job see that at once.
func (c *crew) removeQueue(cmd *cobra.Command) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := c.coordinator.Close(ctx); err != nil {
		note(cmd)(fmt.Sprintf("the queue was not removed: %v; the server will do so after some days", err))
	}
}

// serve starts the server of --listen and tells how to join it.
func (f *natsFlags) serve(cmd *cobra.Command, c *crew) error {
	var err error
	var made bool
	if f.secret == "" {
		f.server.Secret, err = farm.NewSecret()
	} else {
		f.server.Secret, made, err = farm.ReadOrMakeSecret(f.secret)
	}
	if err != nil {
		return err
	}
	embedded, err := farm.Listen(f.listen, f.server.Secret)
	if err != nil {
		return err
	}
	c.close = append(c.close, embedded.Close)
	f.server.URL = embedded.URL()
	file := f.secret
	if file == "" {
		text, err := f.server.Secret.Text()
		if err != nil {
			return err
		}
		file = "secret"
		cmd.PrintErrf("rocesim: the secret for workers, of this sweep only: %s\n", text)
	} else if made {
		cmd.PrintErrf("rocesim: made the secret %s; workers need a copy of it\n", file)
	}
	cmd.PrintErrf("rocesim: workers join with: rocesim worker --nats %s --secret %s\n", embedded.URLFor(hostName()), file)
	return nil
}

// readSecret reads --secret, which must be there.
func (f *natsFlags) readSecret() (err error) {
	if f.secret != "" {
		f.server.Secret, err = farm.ReadSecret(f.secret)
	}
	return err
}

// ownWorkers lets this process take jobs from its own queue.
func (f *natsFlags) ownWorkers(cmd *cobra.Command, c *crew, workers int) error {
	conn, err := farm.Connect(cmd.Context(), f.server)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	own := farm.Worker{Name: workerName(), Tool: c.tool, Queue: f.queue, Slots: workers}
	var group sync.WaitGroup
	group.Go(func() {
		if err := own.Serve(ctx, conn); err != nil && ctx.Err() == nil {
			note(cmd)(fmt.Sprintf("this process works no longer: %v", err))
		}
	})
	c.close = append(c.close, func() {
		cancel()
		group.Wait()
		conn.Close()
	})
	return nil
}

// workerName tells workers apart in messages.
func workerName() string { return fmt.Sprintf("%s/%d", hostName(), os.Getpid()) }

// hostName is empty on a machine without one.
func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}
