package farm

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// try makes a request, and again while the server does not answer, for up to
// the timeout. what says what is being done, for the error.
func (c *Conn) try(ctx context.Context, what string, request func(context.Context) error) error {
	began, returned := time.Now(), false
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		lost, err := c.once(ctx, request)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case lost && !returned:
			// The server that has just come back is asked, however long that took.
			// Only once: the request may be what drives it away.
			returned = true
			continue
		case !lost && !isSilence(err):
			return c.explain(what, err)
		}
		if gone := c.gone(); gone != nil {
			return gone
		}
		if time.Since(began) > c.timeout {
			return fmt.Errorf("the NATS server at %s does not answer (%s, tried for %s): %w", c.url, what, c.timeout, err)
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// once makes a request once. It is lost if the connection was and is back
// meanwhile: the answer may have been on its way, and is not waited for.
func (c *Conn) once(ctx context.Context, request func(context.Context) error) (lost bool, err error) {
	one, cancel := context.WithTimeout(ctx, min(oneTry, c.timeout/2))
	defer cancel()
	back := c.back()
	go func() {
		select {
		case <-back:
			cancel()
		case <-one.Done():
		}
	}()
	err = request(one)
	select {
	case <-back:
		return true, err
	default:
		return false, err
	}
}

// isSilence says that the request may have been in vain, and is worth another.
func isSilence(err error) bool {
	return slices.ContainsFunc([]error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse, jetstream.ErrAsyncPublishTimeout,
		jetstream.ErrNoHeartbeat, jetstream.ErrConsumerLeadershipChanged, jetstream.ErrServerShutdown,
	}, func(one error) bool { return errors.Is(err, one) })
}

// isAbsence says that there is nobody, or nobody yet.
func isAbsence(err error) bool {
	var network net.Error
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, io.EOF) || errors.As(err, &network) || isSilence(err)
}

// isSlow says that there is somebody who took a connection, and did not say what
// a server says, or do its part of TLS, in time.
func isSlow(err error) bool {
	var operation *net.OpError
	if errors.As(err, &operation) && operation.Op == "dial" {
		return false // nobody took it
	}
	var network net.Error
	return errors.Is(err, nats.ErrTimeout) || errors.As(err, &network) && network.Timeout()
}

// isFull says that a limit of the server stands in the way. The numbers are
// those of the server's API.
func isFull(err error) bool {
	var api *jetstream.APIError
	var state jetstream.JetStreamError
	if errors.As(err, &state) && state.APIError() != nil {
		api = state.APIError()
	} else if !errors.As(err, &api) {
		return false
	}
	const (
		accountResources = 10002
		resources        = 10023
		streamsLimit     = 10027
		memory           = 10028
		storage          = 10047
		storeFailed      = 10077
	)
	return slices.Contains([]jetstream.ErrorCode{accountResources, resources, streamsLimit, memory, storage, storeFailed}, api.ErrorCode)
}

// explain says what an answer of the server means.
func (c *Conn) explain(what string, err error) error {
	switch {
	case isFull(err):
		return fmt.Errorf("the NATS server at %s is full (%s): %w; give it more room or lift its limits", c.url, what, err)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("the NATS server at %s has no JetStream for us: start it with -js, or enable it for the account", c.url)
	case errors.Is(err, nats.ErrMaxPayload):
		return fmt.Errorf("%s is larger than the NATS server at %s allows (%d bytes): raise its max_payload", what, c.url, c.nc.MaxPayload())
	case errors.Is(err, nats.ErrConnectionClosed):
		if gone := c.gone(); gone != nil {
			return gone
		}
	}
	return fmt.Errorf("the NATS server at %s: %s: %w", c.url, what, err)
}

// flaw is what is wrong with a URL that was given with user or password.
func flaw(withoutThem string) string {
	for part := range strings.SplitSeq(withoutThem, ",") {
		var malformed *url.Error
		if _, err := url.Parse(part); errors.As(err, &malformed) {
			return malformed.Err.Error()
		}
	}
	return "special characters in user and password are written as %25 and the like"
}

// explainConnect says why there is no connection.
func (c *Conn) explainConnect(err error) error {
	var certificate *tls.CertificateVerificationError
	var malformed *url.Error
	switch {
	case errors.As(err, &malformed): // which shows the URL, with the password
		return fmt.Errorf("%s is not the URL of a NATS server: %s; expected such as tls://10.0.0.1:4222", c.url, flaw(c.url))
	case errors.Is(err, nats.ErrSecureConnWanted):
		return unproved(c.url)
	case errors.Is(err, errOtherSecret):
		return fmt.Errorf("the server at %s does not have the secret of --secret: take that of the sweep", c.url)
	case errors.As(err, &certificate):
		return fmt.Errorf("the NATS server at %s did not prove who it is: %w; --nats-ca names the authority, --secret that of a sweep", c.url, err)
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), strings.Contains(strings.ToLower(err.Error()), "authorization"):
		return fmt.Errorf("the NATS server at %s refuses us: %w; look at --nats-creds, --nats-token-file, --secret or the URL's user", c.url, err)
	case isSlow(err):
		return fmt.Errorf("the NATS server at %s takes connections and does not answer (tried for %s): %w; look at the load of its machine and of this one, and whether it is a NATS server, or wait longer with --nats-timeout", c.url, c.timeout, err)
	case isAbsence(err):
		return fmt.Errorf("no NATS server answers at %s: %w; check address, port and firewall, and that it runs", c.url, err)
	}
	return fmt.Errorf("no connection to the NATS server at %s: %w", c.url, err)
}
