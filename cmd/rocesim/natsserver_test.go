package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/nats-io/nats-server/v2/server"
)

// natsServer is the program of this name, for tests that end its process.
func natsServer() {
	flags := flag.NewFlagSet("nats-server", flag.ExitOnError)
	opt, err := server.ConfigureOptions(flags, os.Args[1:], nil, flags.Usage, nil)
	if err == nil {
		var s *server.Server
		if s, err = server.NewServer(opt); err == nil {
			s.ConfigureLogger()
			s.Start()
			s.WaitForShutdown()
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
