package farm

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/sweep"
)

// Passwords and tokens never reach a message, however the URL is written.
func TestPasswordsAreHidden(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"nats://me:word@host:4222":             "nats://host:4222",
		"tls://s3cr3t-token@host":              "tls://host",
		"me:word@host:4222":                    "host:4222",
		"nats://me:w@rd@host":                  "nats://host",
		"nats://me:100%@host":                  "nats://host",
		"nats://a:b@one,nats://c:d@two,three":  "nats://one,nats://two,three",
		"nats://10.0.0.1:4222":                 "nats://10.0.0.1:4222",
		"wss://user:pass@host:443/path?q=more": "wss://host:443/path?q=more",
	} {
		assert.Equal(t, want, withoutPassword(given))
	}
	for _, url := range []string{"nats://me:100%xyz@127.0.0.1:1", "nats://me:x yz@127.0.0.1:1", "nats://me:xyz@127.0.0.1:port"} {
		text := refusal(t, Server{URL: url})
		assert.Contains(t, text, "is not the URL of a NATS server: ", url)
		assert.Contains(t, text, "; expected such as tls://10.0.0.1:4222", url)
		assert.NotContains(t, text, "me:", url)
		assert.NotContains(t, strings.ReplaceAll(text, "expected", ""), "x", url)
	}
}

// eavesdropper is a server without TLS that writes down what clients say.
func eavesdropper(t *testing.T, host string) (url string, heard func() string) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	var mu sync.Mutex
	var lines []string
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprintf(conn, "INFO {\"server_id\":\"x\",\"version\":\"2.10.0\",\"max_payload\":1000,\"headers\":true,\"proto\":1}\r\n")
			go func() {
				for in := bufio.NewScanner(conn); in.Scan(); {
					mu.Lock()
					lines = append(lines, in.Text())
					mu.Unlock()
				}
			}()
		}
	}()
	return "nats://" + l.Addr().String(), func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(lines, "\n")
	}
}

// A server on another machine that does not prove who it is hears no token.
func TestNoTokenInTheClear(t *testing.T) {
	t.Parallel()
	url, heard := eavesdropper(t, elsewhere(t))
	text := refusal(t, Server{URL: url, TokenFile: file(t, "token", "s3cr3t")})
	assert.Contains(t, text, "is on another machine and did not prove who it is: use tls:// with --nats-ca")
	assert.Empty(t, heard())

	url, heard = eavesdropper(t, "127.0.0.1")
	refusal(t, Server{URL: url, TokenFile: file(t, "token", "s3cr3t"), Timeout: time.Second})
	assert.Contains(t, heard(), "s3cr3t", "on this machine it may: so the test can fail")
}

// Which servers need TLS is decided without a name server, which could lie.
func TestAllHere(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"nats://127.0.0.1:4222": true, "localhost": true, "localhost:4222": true, "nats://me:word@[::1]:4222": true, "nats://127.0.0.2": true,
		"nats://10.0.0.1:4222": false, "nats://localhost.evil.example": false, "nats://localhost:1,nats://host:1": false, "[::1]": true, "": false,
	} {
		assert.Equal(t, want, (&Server{URL: url}).allHere(), url)
	}
}

// A secret that others can read is none.
func TestSecretsArePrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret")
	_, _, err := ReadOrMakeSecret(path)
	require.NoError(t, err)
	for mode, bad := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o440: false, 0o644: true, 0o660: true, 0o604: true} {
		require.NoError(t, os.Chmod(path, mode))
		_, err := ReadSecret(path)
		if !bad {
			assert.NoError(t, err, mode)
			continue
		}
		want := fmt.Sprintf("%s can be read by everybody or written by others (mode %04o), so it is no secret: chmod 600 it, and make a new one if others may have read it", path, mode)
		assert.EqualError(t, err, want)
		for _, s := range []Server{{TokenFile: path}, {Creds: path}, {Cert: path, Key: path}} {
			s.URL = "nats://127.0.0.1:1"
			assert.Equal(t, want, refusal(t, s))
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing else is left")
	_, _, err = ReadOrMakeSecret(filepath.Join(path, "below", "a", "file"))
	assert.Error(t, err)
}

// A sweep that is killed leaves nothing among the temporary files: while it
// listens there is nothing. Results in the store leave no markers either.
func TestLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	secret, err := NewSecret()
	require.NoError(t, err)
	e, err := Listen("0", secret)
	require.NoError(t, err)
	defer e.Close()
	conn, err := Connect(context.Background(), Server{URL: e.URL(), Secret: secret, Timeout: hang})
	require.NoError(t, err)
	defer conn.Close()
	opt := patient(noteTo(t))
	opt.Memory = true
	c := coordinator(t, conn, opt)
	start(t, conn, Worker{Name: "w", Run: fake})
	execute(t, c, 100)
	stream, err := conn.js.Stream(context.Background(), c.names.objects())
	require.NoError(t, err)
	assert.LessOrEqual(t, stream.CachedInfo().State.Msgs, uint64(2*readers), "the last ones go with the queue")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

// Workers of a server that said it ends do not take that for a failure, and wait
// for another no longer than they wait for a job, whatever the queue held when they
// saw it last.
func TestFarewell(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		polite bool
		idle   time.Duration
		waits  string
	}{
		{"polite", true, 0, "5s"},
		{"impolite", false, 0, ""},
		{"polite, and soon idle", true, 500 * time.Millisecond, "500ms"},
		{"polite, and not idle for long", true, time.Minute, "5s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			secret, err := NewSecret()
			require.NoError(t, err)
			e, err := Listen("0", secret)
			require.NoError(t, err)
			defer e.Close()
			to := Server{URL: e.URL(), Secret: secret, Timeout: away}
			conn, err := Connect(context.Background(), to)
			require.NoError(t, err)
			defer conn.Close()
			var said notes
			ended := make(chan error, 1)
			w := Worker{Name: "w", Tool: "test", Run: fake, Note: said.add, Idle: c.idle}
			other, err := Connect(context.Background(), to)
			require.NoError(t, err)
			defer other.Close()
			opt := patient(noteTo(t))
			opt.Memory = true
			three := coordinator(t, other, opt)
			go func() {
				for waits(three) < 3 { // so that the worker sees jobs at once
					time.Sleep(10 * time.Millisecond)
				}
				ended <- w.Serve(context.Background(), conn)
			}()
			execute(t, three, 3)
			if c.polite {
				other.Farewell()
			}
			url := e.URL()
			e.Close()
			began := time.Now()
			err = <-ended
			if c.polite {
				assert.NoError(t, err)
				assert.Equal(t, "the sweep at "+url+" has ended; the worker waits "+c.waits+" for another", said.all())
			} else {
				assert.ErrorContains(t, err, "has been away for 5s")
			}
			if c.idle > 0 && c.idle < away {
				assert.Less(t, time.Since(began), away-time.Second)
			}
		})
	}
}

// One queue has one coordinator at a time.
func TestClaim(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	first, err := Connect(context.Background(), Server{URL: srv.ClientURL(), Timeout: hang, Name: "rocesim sweep host/1"})
	require.NoError(t, err)
	require.NoError(t, coordinator(t, first, patient(noteTo(t))).open(context.Background()))
	second := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	assert.EqualError(t, second.Execute(context.Background(), upTo(1), jobs, newOutcome().done),
		"queue q is in use by rocesim sweep host/1: wait for its end, or take another with --queue and -o")
	first.Close()
	require.NoError(t, second.open(context.Background()))
}

// A coordinator that was stopped while another asked whose the queue is finds that
// it has lost it: it ends with an error, leaves the queue alone, and what it has
// done stays done. The other does the rest.
func TestLostClaim(t *testing.T) {
	t.Parallel()
	for _, heard := range []bool{true, false} {
		t.Run(fmt.Sprintf("heard %v", heard), func(t *testing.T) {
			srv := startServer(t, nil)
			opt := patient(noteTo(t))
			if !heard {
				opt.Tick = 100 * time.Millisecond
			}
			stopped := coordinator(t, connect(t, srv.ClientURL()), opt)
			winner, err := Connect(context.Background(), Server{URL: srv.ClientURL(), Timeout: hang, Name: "rocesim sweep host/2"})
			require.NoError(t, err)
			defer winner.Close()
			second := coordinator(t, winner, patient(noteTo(t)))

			out, ended := newOutcome(), make(chan error, 1)
			go func() { ended <- stopped.Execute(context.Background(), upTo(4), jobs, out.done) }()
			require.Eventually(t, func() bool { return waits(second) == 4 }, hang, 10*time.Millisecond)
			// It would answer a claim, so this is what follows one without answer.
			if heard {
				require.NoError(t, second.make(context.Background()))
			} else {
				_, err := winner.js.UpdateStream(context.Background(), second.names.streamConfig(&second.opt, second.owner))
				require.NoError(t, err)
			}
			require.EqualError(t, <-ended, "queue q was taken over by rocesim sweep host/2, which asked whose it is and had no answer within 2s, as if this process had been stopped: wait for the end of the other, or take another queue with --queue and -o")
			assert.Empty(t, out.records)
			assert.Equal(t, uint64(4), waits(second), "no job was taken back")
			stopped.complete = true
			require.NoError(t, stopped.Close(context.Background()))
			assert.Equal(t, uint64(4), waits(second), "nor was the queue removed")

			require.NoError(t, second.make(context.Background()))
			start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: fake})
			execute(t, second, 4)
		})
	}
}

// Large jobs take the room of several.
func TestWeight(t *testing.T) {
	t.Parallel()
	r := &round{slots: make(chan struct{}, 20)}
	for size, want := range map[int]int{0: 1, slotBytes - 1: 1, slotBytes: 2, 10 * slotBytes: 11, 1000 * slotBytes: 20} {
		assert.Equal(t, want, r.weight(&sweep.Job{Scenario: strings.Repeat("x", size)}))
	}
	ctx, cancel := context.WithCancel(context.Background())
	require.NoError(t, r.reserve(ctx, 20))
	cancel()
	assert.ErrorIs(t, r.reserve(ctx, 1), context.Canceled)
}

// A server that listens on all addresses is found by the machine's name.
func TestURLFor(t *testing.T) {
	t.Parallel()
	secret, err := NewSecret()
	require.NoError(t, err)
	for listen, want := range map[string]string{"0.0.0.0:0": "tls://login1:", "0": "tls://127.0.0.1:"} {
		e, err := Listen(listen, secret)
		require.NoError(t, err)
		assert.Contains(t, e.URLFor("login1"), want)
		assert.Equal(t, e.URL(), e.URLFor(""))
		e.Close()
	}
}
