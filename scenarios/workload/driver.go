package workload

import (
	"fmt"
	"strings"

	"rocesim/sim"
)

// Driver runs the workload of one simulation. It is a sim.Handler whose source
// i is entry i.
type Driver struct {
	sources []*source
	table   *table
	engine  *sim.Engine
	first   sim.ID
}

// NewDriver validates entries and opens their connections on net. It returns
// every problem of every entry at once.
func NewDriver(net Network, seed uint64, hosts Hosts, entries []Entry) (*Driver, error) {
	if err := validate(hosts, entries); err != nil {
		return nil, err
	}
	d := &Driver{table: &table{}}
	for i, e := range entries {
		c := e.common()
		s := &source{
			net: net, hosts: hosts, table: d.table, seed: seed,
			entry: int32(i), name: c.Name, class: c.Class, nic: c.NIC,
		}
		s.generator = e.start(s)
		d.sources = append(d.sources, s)
	}
	return d, nil
}

func validate(hosts Hosts, entries []Entry) error {
	var found []string
	seen := map[string]bool{}
	for i, e := range entries {
		label := fmt.Sprintf("workload %q", e.Label())
		if e.Label() == "" {
			label = fmt.Sprintf("workload entry %d", i+1)
			found = append(found, label+": name: is empty; every entry needs a name of its own")
		} else if seen[e.Label()] {
			found = append(found, label+": name: is used twice; every entry needs a name of its own")
		}
		seen[e.Label()] = true
		if err := e.Validate(hosts); err != nil {
			for line := range strings.Lines(err.Error()) {
				found = append(found, label+": "+strings.TrimSuffix(line, "\n"))
			}
		}
	}
	if found == nil {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(found, "\n"))
}

// Attach gives the driver its place in engine e: source i is first+i. It may
// be any class of sources, because a message that follows a completion is
// posted at least one picosecond after the event that reported it.
func (d *Driver) Attach(e *sim.Engine, first sim.ID) {
	d.engine, d.first = e, first
	for i := range d.sources {
		d.arm(i)
	}
}

// Sources returns the number of event sources the driver needs.
func (d *Driver) Sources() int { return len(d.sources) }

// Handle does everything that entry i has to do at now.
func (d *Driver) Handle(now sim.Time, i int) {
	s := d.sources[i]
	for s.agenda.next() <= now {
		s.generator.wake(now, s.agenda.pop())
	}
	d.arm(i)
}

// arm brings the engine up to date with the agenda of entry i. What is due now
// needs nothing: its event is being handled.
func (d *Driver) arm(i int) {
	id := d.first + sim.ID(i)
	next := d.sources[i].agenda.next()
	switch {
	case next == d.engine.Armed(id):
	case next == sim.Never:
		d.engine.Disarm(id)
	default:
		d.engine.Arm(id, next)
	}
}

// Delivered notes that the last byte of msg is in the responder's memory at
// now, which may lie a little ahead of the engine.
func (d *Driver) Delivered(now sim.Time, msg uint32) {
	m := d.table.at(msg)
	if m.Delivered != sim.Never {
		panic(fmt.Sprintf("workload: message %d delivered at %v and again at %v", msg, m.Delivered, now))
	}
	m.Delivered = now
	p := &d.sources[m.Entry].progress
	p.Delivered++
	p.DeliveredBytes += m.Bytes
}

// Completed notes that the requester has the completion of msg at now, which
// may lie a little ahead of the engine; for datagrams, that the last packet
// has left. A closed loop goes on from there.
func (d *Driver) Completed(now sim.Time, msg uint32) {
	m := d.table.at(msg)
	if m.Completed != sim.Never || m.Failed() {
		panic(fmt.Sprintf("workload: message %d completed at %v, but it had ended before", msg, now))
	}
	m.Completed = now
	s := d.sources[m.Entry]
	s.progress.Completed++
	if !s.follows {
		return
	}
	s.agenda.push(max(now, d.engine.Now()+1), int32(m.token))
	d.arm(int(m.Entry))
}

// Failed notes that the queue pair of msg went into the error state: msg will
// never be completed, and a closed loop that waits for it stops, as the
// application's would.
func (d *Driver) Failed(_ sim.Time, msg uint32) {
	m := d.table.at(msg)
	if m.Completed != sim.Never || m.Failed() {
		panic(fmt.Sprintf("workload: message %d failed, but it had ended before", msg))
	}
	m.token |= failedBit
	d.sources[m.Entry].progress.Failed++
}

// Len returns how many messages were posted.
func (d *Driver) Len() int { return d.table.n }

// Message returns message msg as it stands.
func (d *Driver) Message(msg uint32) Message { return *d.table.at(msg) }

// Messages returns a copy of the flow table in the order of posting. Large
// tables are better read by Len and Message.
func (d *Driver) Messages() []Message {
	all := make([]Message, 0, d.table.n)
	for _, page := range d.table.pages {
		all = append(all, page[:min(pageSize, d.table.n-len(all))]...)
	}
	return all
}

// Progress counts the messages of all entries.
func (d *Driver) Progress() Progress {
	var sum Progress
	for _, s := range d.sources {
		sum.add(s.progress)
	}
	return sum
}

// Unfinished returns how many messages were posted and can still be completed.
func (d *Driver) Unfinished() int { return d.Progress().Unfinished() }

// Done reports whether nothing is under way and nothing will be posted any
// more.
func (d *Driver) Done() bool {
	for _, s := range d.sources {
		if s.agenda.next() != sim.Never || s.progress.Unfinished() > 0 {
			return false
		}
	}
	return true
}
