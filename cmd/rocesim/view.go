package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"rocesim/cmd/rocesim/internal/viewer"
	"rocesim/scenarios/tune"
)

// viewFlags are the flags of view.
type viewFlags struct {
	port int
	open bool
}

func newView() *cobra.Command {
	f := &viewFlags{}
	cmd := &cobra.Command{
		Use:   "view [DIR]",
		Short: "Show results in the browser: all runs, sweeps, searches and comparisons below a directory",
		Long: `Serve the results below DIR, by default results/runs, to the browser of this machine:
a list of all runs, sweeps, searches and comparisons that can be sorted and
filtered, the page of each, and its files. New results are in the list when it is
loaded again; directories that are damaged, unfinished or not ours are listed with the
reason.

Only this machine can connect. Nothing outside DIR is shown, and nothing is written:
the page of a result that has none, or an old one, is made in memory.

Exit code 0: ended with Ctrl-C. 2: the directory or the port cannot be used.`,
		Example: `  rocesim view
  rocesim view results/runs --port 8080 --open`,
		Args: arguments(0, 1, "one directory or none"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := filepath.Join("results", "runs")
			if len(args) > 0 {
				dir = args[0]
			}
			return f.run(cmd, dir)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&f.port, "port", 0, "the `PORT` on 127.0.0.1; 0 takes a free one")
	flags.BoolVar(&f.open, "open", false, "open the browser")
	return cmd
}

// run serves until the context ends.
func (f *viewFlags) run(cmd *cobra.Command, dir string) error {
	if f.port < 0 || f.port > 65535 {
		return fmt.Errorf("--port is %d, allowed are 0, a free one, and 1 to 65535", f.port)
	}
	server, err := viewer.Open(dir, map[string]viewer.Builder{viewer.Run: pageOfRun, viewer.Sweep: pageOfSweep, viewer.Comparison: pageOfComparison, viewer.Search: tune.Page})
	if err != nil {
		return err
	}
	defer server.Close()
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(f.port)))
	if err != nil {
		return fmt.Errorf("--port %d cannot be used: %w; leave it out to get a free one", f.port, err)
	}
	url := fmt.Sprintf("http://%s/", listener.Addr())
	fmt.Fprintf(cmd.OutOrStdout(), "%s shows %s; end with Ctrl-C\n", url, dir)
	if f.open {
		if err := openBrowser(url); err != nil {
			note(cmd)(fmt.Sprintf("the browser cannot be opened: %v", err))
		}
	}
	return serve(cmd.Context(), listener, server)
}

// serve answers requests until the context ends, and then those under way.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() {
		brief, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if server.Shutdown(brief) != nil {
			server.Close()
		}
	})
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser opens an address as the system's user would.
func openBrowser(url string) error {
	command := []string{"xdg-open", url}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open", url}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", url}
	}
	browser := exec.Command(command[0], command[1:]...)
	if err := browser.Start(); err != nil {
		return err
	}
	return browser.Process.Release()
}
