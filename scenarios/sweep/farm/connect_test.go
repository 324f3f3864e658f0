package farm

import (
	"context"
	"crypto/ed25519"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/sweep"
)

// file writes a file of the test.
func file(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// refusal is the error of a connection.
func refusal(t *testing.T, s Server) string {
	if s.Timeout == 0 {
		s.Timeout = hang
	}
	conn, err := Connect(context.Background(), s)
	if err == nil {
		conn.Close()
	}
	require.Error(t, err)
	return err.Error()
}

// A server that is absent, or refuses us, or has no JetStream: the error names
// it and says what to look at.
func TestConnectErrors(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	free := l.Addr().String()
	require.NoError(t, l.Close())
	assert.Equal(t, "no NATS server answers at nats://"+free+": nats: no servers available for connection; check address, port and firewall, and that it runs",
		refusal(t, Server{URL: "nats://me:word@" + free}), "and no password is shown")

	plain := startServer(t, func(o *server.Options) { o.JetStream = false })
	assert.Equal(t, "the NATS server at "+plain.ClientURL()+" has no JetStream for us: start it with -js, or enable it for the account",
		refusal(t, Server{URL: plain.ClientURL()}))

	guarded := startServer(t, func(o *server.Options) { o.Authorization = "right" })
	assert.Contains(t, refusal(t, Server{URL: guarded.ClientURL()}), "refuses us: nats: Authorization Violation; look at --nats-creds, --nats-token-file, --secret or the URL's user")
	assert.Contains(t, refusal(t, Server{URL: guarded.ClientURL(), TokenFile: file(t, "token", "wrong\n")}), "refuses us")
	conn, err := Connect(context.Background(), Server{URL: guarded.ClientURL(), TokenFile: file(t, "token", "right\n"), Timeout: hang})
	require.NoError(t, err)
	conn.Close()

	for _, s := range []struct {
		what string
		Server
	}{
		{"credentials", Server{Creds: "none"}}, {"token", Server{TokenFile: "none"}},
		{"certificates of authorities", Server{CA: "none"}}, {"certificate", Server{Cert: "none", Key: "none"}},
	} {
		assert.Contains(t, refusal(t, s.Server), "the file with the "+s.what+" cannot be read: ")
	}
}

// mute accepts connections and never says a word.
func mute(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		var kept []net.Conn // a connection that nothing refers to is closed
		for {
			conn, err := l.Accept()
			if err != nil {
				runtime.KeepAlive(kept)
				return
			}
			kept = append(kept, conn)
		}
	}()
	return "nats://" + l.Addr().String()
}

// A server that takes connections and does not answer is given up after the
// timeout, and is not said to be absent.
func TestSlowServer(t *testing.T) {
	t.Parallel()
	url := mute(t)
	for _, prefix := range []string{"nats://", "tls://"} {
		url := strings.Replace(url, "nats://", prefix, 1)
		text := refusal(t, Server{URL: url, Timeout: time.Second, Insecure: true})
		assert.Contains(t, text, "the NATS server at "+url+" takes connections and does not answer (tried for 1s): ")
		assert.Contains(t, text, "look at the load of its machine and of this one, and whether it is a NATS server, or wait longer with --nats-timeout")
	}
}

// A server whose first answers come too late is tried again, also by one that does
// not wait for a server, and that is said once.
func TestLateHandshake(t *testing.T) {
	t.Parallel()
	secret, err := NewSecret()
	require.NoError(t, err)
	e, err := Listen("0", secret)
	require.NoError(t, err)
	defer e.Close()
	behind := strings.TrimPrefix(e.URL(), "tls://")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	go func() {
		for i := 0; ; i++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if i == 0 {
				defer conn.Close() // it is never answered
				continue
			}
			server, err := net.Dial("tcp", behind)
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(server, conn) }()
			go func() { _, _ = io.Copy(conn, server) }()
		}
	}()
	var said notes
	url := "tls://" + l.Addr().String()
	conn, err := Connect(context.Background(), Server{URL: url, Secret: secret, Timeout: time.Minute, Note: said.add})
	require.NoError(t, err)
	conn.Close()
	assert.Equal(t, "the NATS server at "+url+" took the connection, but did not answer within 4s; it is tried again for up to 1m0s (--nats-timeout)", said.all())
}

// A worker that may wait does so until there is a server.
func TestWait(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	addr := srv.Addr().(*net.TCPAddr)
	srv.Shutdown()
	srv.WaitForShutdown()
	got := make(chan error, 1)
	go func() {
		conn, err := Connect(context.Background(), Server{URL: srv.ClientURL(), Wait: true, Timeout: hang})
		if err == nil {
			conn.Close()
		}
		got <- err
	}()
	time.Sleep(100 * time.Millisecond)
	startServer(t, func(o *server.Options) { o.Port = addr.Port })
	require.NoError(t, <-got)
}

// Only TLS tells who a server on another machine is.
func TestTrust(t *testing.T) {
	t.Parallel()
	address := elsewhere(t)
	srv := startServer(t, func(o *server.Options) { o.Host = address })
	assert.Equal(t, "the NATS server at "+srv.ClientURL()+" is on another machine and did not prove who it is: use tls:// with --nats-ca, or --secret with a sweep that listens; --insecure trusts the network instead",
		refusal(t, Server{URL: srv.ClientURL()}))
	conn, err := Connect(context.Background(), Server{URL: srv.ClientURL(), Insecure: true, Timeout: hang})
	require.NoError(t, err)
	conn.Close()
}

// elsewhere is an address of this machine that is not the loopback's.
func elsewhere(t *testing.T) string {
	all, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no network but the loopback")
	return ""
}

// A server with a certificate is believed if the authority is named; so is a
// worker with one.
func TestCertificates(t *testing.T) {
	t.Parallel()
	cert, key := certificate(t)
	pair, err := tls.LoadX509KeyPair(cert, key)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	text, err := os.ReadFile(cert)
	require.NoError(t, err)
	require.True(t, pool.AppendCertsFromPEM(text))
	srv := startServer(t, func(o *server.Options) {
		o.TLS, o.TLSTimeout = true, 5
		o.TLSConfig = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	})
	url := "tls://" + srv.Addr().String()
	assert.Contains(t, refusal(t, Server{URL: url}), "did not prove who it is: ")
	conn, err := Connect(context.Background(), Server{URL: url, CA: cert, Cert: cert, Key: key, Timeout: hang})
	require.NoError(t, err)
	conn.Close()
	refusal(t, Server{URL: url, CA: cert})
}

// certificate makes one that is its own authority, good for servers and clients.
func certificate(t *testing.T) (cert, key string) {
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(nil, template, template, public, private)
	require.NoError(t, err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return file(t, "cert.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))),
		file(t, "key.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})))
}

// With the same secret both sides know each other; with another neither does.
func TestSecret(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "secret")
	secret, made, err := ReadOrMakeSecret(path)
	require.NoError(t, err)
	require.True(t, made)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	same, made, err := ReadOrMakeSecret(path)
	require.NoError(t, err)
	require.False(t, made)
	other, err := NewSecret()
	require.NoError(t, err)

	e, err := Listen("0", secret)
	require.NoError(t, err)
	defer e.Close()
	conn, err := Connect(context.Background(), Server{URL: e.URL(), Secret: same, Timeout: hang})
	require.NoError(t, err)
	conn.Close()
	assert.Equal(t, "the server at "+e.URL()+" does not have the secret of --secret: take that of the sweep", refusal(t, Server{URL: e.URL(), Secret: other}))
	assert.NotEmpty(t, refusal(t, Server{URL: e.URL()}), "without a secret the server is nobody")
	assert.NotEmpty(t, refusal(t, Server{URL: "nats://" + e.server.Addr().String()}))

	// A client that believes the server, without being believed.
	trusting, err := secret.clientTLS()
	require.NoError(t, err)
	raw, err := tls.Dial("tcp", listenTLS(t, other), trusting)
	require.ErrorIs(t, err, errOtherSecret)
	require.Nil(t, raw)

	_, err = ReadSecret(file(t, "secret", "SUNO\n"))
	assert.ErrorContains(t, err, "not a secret: expected one line that begins with SU, as rocesim sweep --listen makes it")
	_, err = ReadSecret("none")
	assert.EqualError(t, err, "the secret cannot be read: open none: no such file or directory")
}

// listenTLS is the address of a TLS server with the secret's key.
func listenTLS(t *testing.T, s *Secret) string {
	config, err := s.serverTLS()
	require.NoError(t, err)
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	go func() {
		conn, err := l.Accept()
		if err == nil {
			_ = conn.(*tls.Conn).Handshake()
			conn.Close()
		}
	}()
	return l.Addr().String()
}

func TestListenErrors(t *testing.T) {
	t.Parallel()
	secret, err := NewSecret()
	require.NoError(t, err)
	for _, bad := range []string{"", "host", "1.2.3.4:70000", "a:b:c", "127.0.0.1:-1"} {
		_, err := Listen(bad, secret)
		assert.ErrorContains(t, err, "expected HOST:PORT, such as 10.0.0.1:4222, or PORT for workers on this machine", bad)
	}
	e, err := Listen(":0", secret)
	require.NoError(t, err)
	defer e.Close()
	assert.Contains(t, e.URL(), "tls://127.0.0.1:", "without a host nobody else can connect")
	_, err = Listen(e.server.Addr().String(), secret)
	assert.ErrorContains(t, err, "workers cannot be listened for: listen tcp "+e.server.Addr().String()+": bind: address already in use")
}

// A server without room: the error says so, and what is done stays done.
func TestFullServer(t *testing.T) {
	t.Parallel()
	srv := startServer(t, func(o *server.Options) { o.JetStreamMaxStore = 20 << 10 })
	c := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	err := c.Execute(context.Background(), upTo(500), jobs, newOutcome().done)
	assert.ErrorContains(t, err, "the NATS server at "+srv.ClientURL()+" is full (job ")
	assert.ErrorContains(t, err, "give it more room or lift its limits")
	require.NoError(t, c.Close(context.Background()))
}

// The results do not fit: the worker tells the coordinator.
func TestNoRoomForResults(t *testing.T) {
	t.Parallel()
	srv := startServer(t, func(o *server.Options) { o.JetStreamMaxStore = 200 << 10 })
	c := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	conn := connect(t, srv.ClientURL())
	stop := start(t, conn, Worker{Name: "host/1", Run: func(ctx context.Context, j *sweep.Job) (*sweep.Record, error) {
		rec, err := fake(ctx, j)
		rec.Fingerprint = string(make([]byte, 300<<10))
		return rec, err
	}})
	out := newOutcome()
	err := c.Execute(context.Background(), upTo(3), jobs, out.done)
	assert.ErrorContains(t, err, "worker host/1: the NATS server at "+srv.ClientURL()+" is full (storing a result of ")
	assert.Empty(t, out.records)
	assert.Zero(t, waits(c), "the room of what is queued is given back")
	time.Sleep(10 * time.Millisecond)
	assert.ErrorContains(t, stop(), "is full")
}

// A job larger than a message may be.
func TestLargeJob(t *testing.T) {
	t.Parallel()
	srv := startServer(t, func(o *server.Options) { o.MaxPayload, o.MaxPending = 4096, 8192 })
	c := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	err := c.Execute(context.Background(), []int{0}, func(int) (*sweep.Job, error) {
		return &sweep.Job{Scenario: string(make([]byte, 5000))}, nil
	}, newOutcome().done)
	assert.ErrorContains(t, err, "bytes is larger than the NATS server at "+srv.ClientURL()+" allows (4096 bytes): raise its max_payload")
}

// A server that vanishes is waited for, and then given up; what is done stays
// done.
func TestVanishingServer(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	conn, err := Connect(context.Background(), Server{URL: srv.ClientURL(), Timeout: away})
	require.NoError(t, err)
	defer conn.Close()
	start(t, connectFor(t, srv.ClientURL(), away), Worker{Name: "w", Run: fake})
	out := newOutcome()
	var n atomic.Int32
	err = coordinator(t, conn, quick(noteTo(t))).Execute(context.Background(), upTo(1000), jobs, func(i int, rec *sweep.Record, err error) {
		out.done(i, rec, err)
		if n.Add(1) == 10 {
			go srv.Shutdown()
		}
	})
	assert.ErrorContains(t, err, "the NATS server at "+srv.ClientURL())
	assert.Regexp(t, "has been away for 5s|does not answer", err.Error())
	assert.GreaterOrEqual(t, len(out.records), 10)
	assert.Empty(t, out.twice)
}

// A request that was under way when the connection was lost is made again as
// soon as there is another, and not when its time is up, which may be all of
// the time that there is.
func TestLostRequest(t *testing.T) {
	t.Parallel()
	c := &Conn{url: "nats://there", timeout: time.Hour, again: make(chan struct{}), nc: connect(t, startServer(t, nil).ClientURL()).nc}
	var errs []error
	require.NoError(t, c.try(context.Background(), "asking", func(ctx context.Context) error {
		if len(errs) == 1 {
			return nil
		}
		c.down()
		c.up(nil)
		<-ctx.Done()
		errs = append(errs, ctx.Err())
		return ctx.Err()
	}))
	assert.Equal(t, []error{context.Canceled}, errs, "it was not waited for its end")
}

// A server that comes and goes for ever is given up like one that is silent.
func TestFlappingServer(t *testing.T) {
	t.Parallel()
	c := &Conn{url: "nats://there", timeout: 300 * time.Millisecond, again: make(chan struct{}), nc: connect(t, startServer(t, nil).ClientURL()).nc}
	assert.EqualError(t, c.try(context.Background(), "asking", func(ctx context.Context) error {
		c.down()
		c.up(nil)
		<-ctx.Done()
		return ctx.Err()
	}), "the NATS server at nats://there does not answer (asking, tried for 300ms): context canceled")
}

// A server that restarts is no more than a pause.
func TestRestartedServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	srv := startServer(t, func(o *server.Options) { o.StoreDir = dir })
	port := srv.Addr().(*net.TCPAddr).Port
	start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Slots: 2, Run: fake})
	var n atomic.Int32
	out := newOutcome()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	conn, err := Connect(ctx, Server{URL: srv.ClientURL(), Timeout: hang})
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, coordinator(t, conn, quick(noteTo(t))).Execute(ctx, upTo(120), jobs, func(i int, rec *sweep.Record, err error) {
		out.done(i, rec, err)
		if n.Add(1) == 50 {
			go func() {
				srv.Shutdown()
				srv.WaitForShutdown()
				startServer(t, func(o *server.Options) { o.StoreDir, o.Port = dir, port })
			}()
		}
	}))
	require.NoError(t, ctx.Err())
	assert.Len(t, out.records, 120)
	assert.Empty(t, out.errs)
	assert.Empty(t, out.twice)
}
