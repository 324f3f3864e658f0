package farm

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// oneClaim is how long a coordinator may take to say that it is there. One that
// was killed together with its machine is missed by the server only later.
const oneClaim = 2 * time.Second

// claim says that the queue is ours, unless another coordinator answers that it
// is its own: each would take the other's results.
func (c *Coordinator) claim(ctx context.Context) error {
	short, cancel := context.WithTimeout(ctx, oneClaim)
	defer cancel()
	if answer, err := c.conn.nc.RequestWithContext(short, c.names.owner(), nil); err == nil {
		return fmt.Errorf("queue %s is in use by %s: wait for its end, or take another with --queue and -o", c.opt.Queue, answer.Data)
	}
	_, err := c.conn.nc.Subscribe(c.names.owner(), func(m *nats.Msg) {
		if m.Reply != "" {
			_ = m.Respond([]byte(c.conn.name)) // who asks takes silence for nobody
		}
		select {
		case c.contested <- struct{}{}:
		default: // it is known
		}
	})
	if err != nil {
		return c.conn.explain("claiming the queue", err)
	}
	return nil
}

// announce tells a coordinator that did not answer in time, and is there
// nevertheless, to look whose the queue is. One that does not hear it looks at
// its next tick.
func (c *Coordinator) announce() { _ = c.conn.nc.Publish(c.names.owner(), nil) }

// owned reports as an error that the queue has become another coordinator's. A
// process may be stopped, or swapped out, for longer than oneClaim: the other could
// not know of it. The later one keeps the queue, and this one must stop, as each
// would wait for results that the other has taken.
func (c *Coordinator) owned(ctx context.Context) error {
	short, cancel := context.WithTimeout(ctx, oneTry)
	defer cancel()
	info, err := c.stream.Info(short)
	if err != nil {
		return nil // what is wrong with the server comes up elsewhere
	}
	owner := info.Config.Metadata[metaOwner]
	if owner == c.owner {
		return nil
	}
	_, name, _ := strings.Cut(owner, " ")
	return fmt.Errorf("queue %s was taken over by %s, which asked whose it is and had no answer within %s, as if this process had been stopped: wait for the end of the other, or take another queue with --queue and -o",
		c.opt.Queue, name, oneClaim)
}
