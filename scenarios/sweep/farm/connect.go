package farm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Server says how to reach a NATS server.
type Server struct {
	// URL is such as tls://10.0.0.1:4222; it may have user and password, and
	// several may stand with commas between.
	URL string
	// Secret is that of a sweep that listens; nil for a server of another kind.
	Secret *Secret
	// Creds is a file of user credentials, TokenFile one with a token.
	Creds, TokenFile string
	// CA is a file of certificates that the server's is checked with, Cert and
	// Key are files of our own.
	CA, Cert, Key string
	// Insecure allows a server on another machine that TLS does not authenticate.
	Insecure bool
	// Timeout is how long to go on trying while the server does not answer.
	Timeout time.Duration
	// Wait says to go on trying also if there is no server yet.
	Wait bool
	// Name is what the server calls us in its lists.
	Name string
	// Note, if not nil, is called with each remark that is no result.
	Note func(string)
}

// oneTry is how long a single request may take, firstTry the first attempt to
// connect, of which each that was too short is followed by one of twice the time,
// up to longestTry: no server waits longer for a client's part of TLS, see Listen.
const (
	oneTry     = 5 * time.Second
	firstTry   = 4 * time.Second
	longestTry = 10 * time.Second
)

// onePing is how often a connection is tried that nothing is heard of. After
// three in vain it is lost, as if the machine at its other end had no power.
const onePing = 10 * time.Second

// Conn is a connection to a NATS server with JetStream, which it comes back to
// when it is lost.
type Conn struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	url     string // without password
	name    string // ours
	timeout time.Duration

	mu      sync.Mutex
	lost    time.Time     // when the connection was lost; zero while there is one
	refused error         // why the server is not used any more
	ending  bool          // the server said that it ends
	linger  time.Duration // how long to wait for another one then
	again   chan struct{} // closed and made anew when the connection is back
}

// Connect connects to a server. The error names it and says what to look at.
func Connect(ctx context.Context, s Server) (*Conn, error) {
	c := &Conn{url: withoutPassword(s.URL), name: s.Name, timeout: s.Timeout, again: make(chan struct{})}
	options, err := s.options()
	if err != nil {
		return nil, err
	}
	options = append(options,
		nats.DisconnectErrHandler(func(*nats.Conn, error) { c.down() }),
		nats.ReconnectHandler(func(nc *nats.Conn) { c.up(s.trusted(nc)) }),
	)
	if c.nc, err = c.dial(ctx, s, options); err != nil {
		return nil, err
	}
	if err := s.trusted(c.nc); err != nil {
		c.Close()
		return nil, err
	}
	if c.js, err = jetstream.New(c.nc, jetstream.WithDefaultTimeout(oneTry)); err != nil {
		c.Close()
		return nil, err
	}
	if err := c.try(ctx, "asking for JetStream", func(ctx context.Context) error {
		_, err := c.js.AccountInfo(ctx)
		return err
	}); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// dial connects, again and again if there is a server that is slow, or if asked to
// wait for one.
func (c *Conn) dial(ctx context.Context, s Server, options []nats.Option) (*nats.Conn, error) {
	began, said := time.Now(), false
	for patience := firstTry; ; patience = min(2*patience, longestTry) {
		one := min(patience, s.Timeout)
		nc, err := nats.Connect(s.URL, append(options, nats.Timeout(one))...)
		if err == nil {
			return nc, nil
		}
		again := isSlow(err) || s.Wait && isAbsence(err)
		if !again || time.Since(began) > s.Timeout {
			return nil, c.explainConnect(err)
		}
		if isSlow(err) && !said && s.Note != nil {
			s.Note(fmt.Sprintf("the NATS server at %s took the connection, but did not answer within %s; it is tried again for up to %s (--nats-timeout)", c.url, one, s.Timeout))
			said = true
		}
		if pause(ctx, time.Second) != nil {
			return nil, context.Cause(ctx)
		}
	}
}

// options are those of the client.
func (s *Server) options() ([]nats.Option, error) {
	options := []nats.Option{
		nats.Name(s.Name), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second),
		nats.PingInterval(onePing),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // each request hears of its own errors
	}
	if s.Secret != nil {
		more, err := s.Secret.options()
		return append(options, more...), err
	}
	if !s.Insecure {
		// Neither may a server talk us into others, nor may one elsewhere see a
		// password before it has proved who it is.
		options = append(options, nats.IgnoreDiscoveredServers())
		if !s.allHere() {
			options = append(options, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
		}
	}
	for _, f := range []struct {
		what, name, private string
		option              func() nats.Option
	}{
		{"credentials", s.Creds, s.Creds, func() nats.Option { return nats.UserCredentials(s.Creds) }},
		{"certificates of authorities", s.CA, "", func() nats.Option { return nats.RootCAs(s.CA) }},
		{"certificate", s.Cert, s.Key, func() nats.Option { return nats.ClientCert(s.Cert, s.Key) }},
	} {
		if f.name == "" {
			continue
		}
		if _, err := os.Stat(f.name); err != nil {
			return nil, fmt.Errorf("the file with the %s cannot be read: %w", f.what, err)
		}
		if err := checkPrivate(f.private); err != nil {
			return nil, err
		}
		options = append(options, f.option())
	}
	if s.TokenFile != "" {
		token, err := os.ReadFile(s.TokenFile)
		if err != nil {
			return nil, fmt.Errorf("the file with the token cannot be read: %w", err)
		}
		if err := checkPrivate(s.TokenFile); err != nil {
			return nil, err
		}
		options = append(options, nats.Token(strings.TrimSpace(string(token))))
	}
	if s.CA != "" || s.Cert != "" {
		options = append(options, nats.Secure(&tls.Config{MinVersion: tls.VersionTLS12}))
	}
	return options, nil
}

// trusted refuses a server that may be anybody.
func (s *Server) trusted(nc *nats.Conn) error {
	if _, err := nc.TLSConnectionState(); err == nil || s.Insecure {
		return nil
	}
	host, _, err := net.SplitHostPort(nc.ConnectedAddr())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsLoopback() {
		return nil
	}
	return unproved(withoutPassword(s.URL))
}

// unproved is the error of a server without TLS.
func unproved(url string) error {
	return fmt.Errorf("the NATS server at %s is on another machine and did not prove who it is: use tls:// with --nats-ca, or --secret with a sweep that listens; --insecure trusts the network instead", url)
}

// allHere says that all servers of the URL are on this machine, without asking
// a name server.
func (s *Server) allHere() bool {
	for part := range strings.SplitSeq(withoutPassword(s.URL), ",") {
		_, address, found := strings.Cut(part, "://")
		if !found {
			address = part
		}
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			host = strings.Trim(address, "[]/")
		}
		if ip := net.ParseIP(host); host != "localhost" && !(ip != nil && ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// withoutPassword hides passwords and tokens in URLs, also in those that are not
// well-formed.
func withoutPassword(urls string) string {
	parts := strings.Split(urls, ",")
	for i, part := range parts {
		at := strings.LastIndexByte(part, '@')
		if at < 0 {
			continue
		}
		scheme, _, found := strings.Cut(part[:at], "://")
		if found {
			scheme += "://"
		} else {
			scheme = ""
		}
		parts[i] = scheme + part[at+1:]
	}
	return strings.Join(parts, ",")
}

func (c *Conn) down() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost.IsZero() {
		c.lost = time.Now()
	}
}

func (c *Conn) up(refused error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lost, c.refused, c.ending = time.Time{}, refused, false
	close(c.again)
	c.again = make(chan struct{})
}

// back is closed when the connection was lost and is back.
func (c *Conn) back() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.again
}

// away says that the connection is lost at the moment.
func (c *Conn) away() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.lost.IsZero()
}

// gone reports as an error that the connection has been lost for too long.
func (c *Conn) gone() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.refused != nil:
		return c.refused
	case c.ending && (c.nc.IsClosed() || !c.lost.IsZero() && time.Since(c.lost) > c.linger):
		return errEnded
	case c.nc.IsClosed():
		return fmt.Errorf("the NATS server at %s ended the connection: %w", c.url, c.lastError())
	case !c.lost.IsZero() && time.Since(c.lost) > c.timeout:
		return fmt.Errorf("the NATS server at %s has been away for %s: %w; look whether it runs and at the network, or wait longer with --nats-timeout", c.url, c.timeout, c.lastError())
	}
	return nil
}

func (c *Conn) lastError() error {
	if err := c.nc.LastError(); err != nil {
		return err
	}
	return nats.ErrConnectionClosed
}

// errEnded says that the server ended as it had said, and that no other took its
// place.
var errEnded = errors.New("the sweep has ended")

// Farewell tells workers that the server, which is our own, ends now, so that
// they do not take its absence for a failure.
func (c *Conn) Farewell() {
	// Who does not hear it reports that the server is away.
	if c.nc.Publish(farewell, nil) == nil {
		_ = c.nc.FlushTimeout(time.Second)
	}
}

// hearFarewell calls heard when the server says that it ends. Another one may
// take its place for the time that is given.
func (c *Conn) hearFarewell(linger time.Duration, heard func()) error {
	_, err := c.nc.Subscribe(farewell, func(*nats.Msg) {
		c.mu.Lock()
		c.ending, c.linger = true, linger
		c.mu.Unlock()
		heard()
	})
	return err
}

// URL is where the server is, without password.
func (c *Conn) URL() string { return c.url }

// Close ends the connection.
func (c *Conn) Close() { c.nc.Close() }

// pause waits, or returns an error as soon as ctx is cancelled.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
