package farm

import (
	"context"
	"fmt"
	"time"
)

// lookAfter notices what nobody tells: a server that stays away, a queue that
// another coordinator took or that was emptied by others, and that nobody works.
func (r *round) lookAfter(ctx context.Context) {
	tick := time.NewTicker(r.opt.Tick)
	defer tick.Stop()
	idle, said, looking, before := 0, false, false, -1
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.contested:
			looking = false
		case <-tick.C:
			looking = true
		}
		if err := r.unusable(ctx); err != nil {
			r.cancel(err)
			return
		}
		if !looking {
			continue
		}
		r.see(ctx)
		ended, outstanding := r.state()
		if ended != before || len(outstanding) == 0 {
			idle, before = 0, ended
			continue
		}
		// Nothing ended since the last look.
		if idle++; idle < 2 {
			continue
		}
		if err := r.stuck(ctx, outstanding, idle, &said); err != nil {
			r.cancel(err)
			return
		}
	}
}

// unusable says why the queue is nothing to us any more.
func (r *round) unusable(ctx context.Context) error {
	if err := r.conn.gone(); err != nil {
		return err
	}
	return r.owned(ctx)
}

// see tells how many workers there are.
func (r *round) see(ctx context.Context) {
	if r.opt.Seen == nil {
		return
	}
	short, cancel := context.WithTimeout(ctx, oneTry)
	defer cancel()
	// What is wrong with the server comes up elsewhere.
	if info, err := r.consumer.Info(short); err == nil {
		r.opt.Seen(info.NumAckPending, info.NumWaiting)
	}
}

// state is how many jobs are done, and which wait.
func (r *round) state() (ended int, outstanding map[string]*ticket) {
	r.mu.Lock()
	defer r.mu.Unlock()
	outstanding = make(map[string]*ticket, len(r.waiting))
	for hash, t := range r.waiting {
		outstanding[hash] = t
	}
	return r.ended, outstanding
}

// stuck looks for the reason why nothing ends. A long run is one, too.
func (r *round) stuck(ctx context.Context, outstanding map[string]*ticket, idle int, said *bool) error {
	var queued, running, asking int
	err := r.conn.try(ctx, "looking at the queue", func(ctx context.Context) error {
		info, err := r.stream.Info(ctx)
		if err != nil {
			return err
		}
		consumer, err := r.consumer.Info(ctx)
		if err == nil {
			queued, running, asking = int(info.State.Msgs), consumer.NumAckPending, consumer.NumWaiting
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case queued == 0 && idle%4 == 2:
		// Perhaps the results are there, and the server forgot to tell of them.
		r.lookAgain()
	case queued == 0 && idle%4 == 0:
		return r.publishAgain(ctx, outstanding, idle)
	case queued > 0 && running == 0 && asking == 0 && !*said:
		*said = true
		r.opt.Note(fmt.Sprintf("%d jobs are in the queue and no worker asks for one", queued))
	}
	return nil
}

// publishAgain puts jobs back into a queue that lost them, because somebody
// emptied it or they waited for too long.
func (r *round) publishAgain(ctx context.Context, outstanding map[string]*ticket, idle int) error {
	r.opt.Note(fmt.Sprintf("the queue is empty although %d jobs are not done; they are queued again", len(outstanding)))
	for hash, t := range outstanding {
		if err := r.publish(ctx, hash, t.job, fmt.Sprintf("%s.again.%d", r.session, idle), true); err != nil {
			return err
		}
	}
	return nil
}
