package farm

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// largestMessage holds the largest scenario that there may be.
const largestMessage = 16 << 20

// Embedded is a NATS server within this process. Its queue is in memory: it
// ends with the process, whose sweep directory has all that is finished.
type Embedded struct {
	server *server.Server
}

// Listen starts a server for those who have the secret. address is HOST:PORT;
// without HOST it can be reached from this machine only, and port 0 is any that
// is free.
func Listen(address string, secret *Secret) (*Embedded, error) {
	host, port, err := splitAddress(address)
	if err != nil {
		return nil, err
	}
	config, err := secret.serverTLS()
	if err != nil {
		return nil, err
	}
	public, err := secret.user.PublicKey()
	if err != nil {
		return nil, err
	}
	// The server wants a directory, and keeps nothing in it. It is taken away as
	// soon as the server runs, so that nothing stays if this process is killed.
	dir, err := os.MkdirTemp("", "rocesim-queue-")
	if err != nil {
		return nil, fmt.Errorf("the queue's server needs a directory for temporary files: %w", err)
	}
	defer os.RemoveAll(dir)
	e := &Embedded{}
	e.server, err = server.NewServer(&server.Options{
		ServerName: "rocesim", Host: host, Port: port, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: dir, MaxPayload: largestMessage, MaxPending: 4 * largestMessage,
		TLS: true, TLSConfig: config, TLSTimeout: longestTry.Seconds(), Nkeys: []*server.NkeyUser{{Nkey: public}},
	})
	if err != nil {
		return nil, err
	}
	if err := portFree(host, port); err != nil {
		return nil, err
	}
	e.server.Start()
	if !e.server.ReadyForConnections(10 * time.Second) {
		e.Close()
		return nil, fmt.Errorf("the queue's server did not start on %s within 10 s", address)
	}
	return e, nil
}

// portFree says what is wrong with an address before the server tries it, which
// would say so only in a log.
func portFree(host string, port int) error {
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(max(port, 0))))
	if err != nil {
		return fmt.Errorf("workers cannot be listened for: %w", err)
	}
	return l.Close()
}

// splitAddress reads HOST:PORT, :PORT or PORT.
func splitAddress(address string) (string, int, error) {
	whole := address
	if !strings.Contains(address, ":") {
		whole = ":" + address
	}
	host, text, err := net.SplitHostPort(whole)
	port, err2 := strconv.ParseUint(text, 10, 16)
	if err != nil || err2 != nil {
		return "", 0, fmt.Errorf("the address to listen on is %q, expected HOST:PORT, such as 10.0.0.1:4222, or PORT for workers on this machine", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if port == 0 {
		return host, server.RANDOM_PORT, nil
	}
	return host, int(port), nil
}

// URL is where the server is found on this machine, and on others unless it
// listens on all addresses.
func (e *Embedded) URL() string { return "tls://" + e.server.Addr().String() }

// URLFor is where others find the server, who know this machine as host.
func (e *Embedded) URLFor(host string) string {
	address, ok := e.server.Addr().(*net.TCPAddr)
	if !ok || !address.IP.IsUnspecified() || host == "" {
		return e.URL()
	}
	return "tls://" + net.JoinHostPort(host, strconv.Itoa(address.Port))
}

// Close ends the server.
func (e *Embedded) Close() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}
