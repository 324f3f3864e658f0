package scenarios

import (
	"fmt"

	"rocesim/nic"
	"rocesim/sim"
	switching "rocesim/switch"
)

// Watchdog is a switch's PFC watchdog, with the fields and defaults of SONiC's
// pfcwd (sonic-utilities, pfcwd/main.py).
type Watchdog struct {
	Detect     sim.Time `yaml:"detect" min:"1ms" max:"60s" omit:"zero" doc:"for how long a queue must be stormed before the watchdog acts; 200ms without it"`
	Restore    sim.Time `yaml:"restore" min:"1ms" max:"60s" omit:"zero" doc:"for how long no pause frame may come until PFC works again; twice detect without it, 200ms if neither is given"`
	Poll       sim.Time `yaml:"poll" min:"1ms" max:"60s" omit:"zero" doc:"the time between two looks, not above detect and restore; 200ms without it"`
	Action     string   `yaml:"action" enum:"drop|forward|alert" doc:"what is done: drop the queue's packets, ignore its pauses, or only count; drop without it"`
	Condition  string   `yaml:"condition" enum:"broadcom|mellanox" doc:"how a look tells a storm, which differs between chips; broadcom without it"`
	Ports      string   `yaml:"ports" enum:"all|hosts|none" doc:"the ports watched: all, those to hosts, or none; all without it"`
	ScalePorts bool     `yaml:"scale_ports" doc:"whether the times are multiplied by the begun groups of 32 ports of the switch, poll up to 1s"`
}

// Defaults and scaling of SONiC.
const (
	watchdogDefault = 200 * sim.Millisecond
	watchdogPorts   = 32
	watchdogMaxPoll = sim.Second
)

// times returns poll, detection and restoration with defaults filled in.
func (w *Watchdog) times() (poll, detect, restore sim.Time) {
	poll, detect, restore = w.Poll, w.Detect, w.Restore
	if restore == 0 {
		restore = watchdogDefault
		if detect > 0 {
			restore = 2 * detect
		}
	}
	if detect == 0 {
		detect = watchdogDefault
	}
	if poll == 0 {
		poll = watchdogDefault
	}
	return poll, detect, restore
}

// checkWatchdog checks what the limits of single values do not.
func (p *planner) checkWatchdog(w *Watchdog, path string) {
	if w == nil || !p.ok(path) {
		return
	}
	poll, detect, restore := w.times()
	text := poll.String()
	if w.Poll == 0 {
		text = "the default of " + text
	}
	switch {
	case poll > detect:
		p.doc.Failf(path+".poll", "%s is longer than the detection time %v; allowed: up to detect and restore", text, detect)
	case poll > restore:
		p.doc.Failf(path+".poll", "%s is longer than the restoration time %v; allowed: up to detect and restore", text, restore)
	}
}

// watchdog resolves the watchdog; nil without one. Its first look comes at a
// random instant, as switches are not started together.
func (r *switchResolver) watchdog(name string) *switching.WatchdogConfig {
	w := r.spec.Watchdog
	if w == nil || w.Ports == "none" || !r.spec.PFC.Enabled {
		return nil
	}
	c := &switching.WatchdogConfig{Action: watchdogAction(w.Action)}
	c.Poll, c.Detect, c.Restore = w.times()
	if n := len(r.links()); w.ScalePorts && n > watchdogPorts {
		times := sim.Time((n + watchdogPorts - 1) / watchdogPorts)
		c.Detect, c.Restore, c.Poll = times*c.Detect, times*c.Restore, max(c.Poll, min(times*c.Poll, watchdogMaxPoll))
	}
	if w.Condition == "mellanox" {
		c.Condition = switching.MellanoxStorm
	}
	if w.Ports == "hosts" {
		c.Ports = []int{}
		for i, ref := range r.links() {
			if !r.plan.Graph.IsSwitch(ref.Peer.Node) {
				c.Ports = append(c.Ports, i)
			}
		}
	}
	c.First = c.Poll - r.stream("watchdog/"+name).Time(c.Poll)
	r.doubtWatchdog(c)
	return c
}

func watchdogAction(name string) switching.WatchdogAction {
	switch name {
	case "forward":
		return switching.WatchdogForward
	case "alert":
		return switching.WatchdogAlert
	default:
		return switching.WatchdogDrop
	}
}

// doubtWatchdog warns of a watchdog that cannot see storms.
func (r *switchResolver) doubtWatchdog(c *switching.WatchdogConfig) {
	if r.spec.PFC.Infinite || r.spec.PFC.Refresh == 0 && c.Condition == switching.BroadcomStorm {
		r.find("watchdog-blind", "switch.watchdog", nil,
			"the watchdog looks for pause frames, but switches do not repeat theirs: it sees storms of NICs only",
			"a pause is sent once; the watchdog needs one in each look of "+c.Poll.String(), "set switch.pfc: {infinite: false, refresh: 50%}")
	}
}

// checkTimers warns if queue pairs give up before the slowest watchdog has ended a
// storm, and if NICs act later than the first one.
func (p *planner) checkTimers() {
	if p.plan.NICs == nil || p.plan.Switches == nil {
		return
	}
	var slowest, first *switching.WatchdogConfig
	for i := range p.plan.Switches {
		w := p.plan.Switches[i].Watchdog
		if w == nil {
			continue
		}
		if slowest == nil || w.Detect+w.Restore > slowest.Detect+slowest.Restore {
			slowest = w
		}
		if first == nil || w.Detect < first.Detect {
			first = w
		}
	}
	if slowest == nil {
		return
	}
	p.checkPatience(slowest)
	p.checkNICWatchdogs(first)
}

// checkPatience compares the time-outs of queue pairs with a watchdog.
func (p *planner) checkPatience(w *switching.WatchdogConfig) {
	patience := func(n *nic.Config) sim.Time { return n.Timeout * sim.Time(n.RetryCount+1) }
	least := w.Detect + w.Restore
	worst, names := p.worst(func(n *nic.Config) sim.Time {
		if n.Timeout == 0 || patience(n) >= least {
			return 0
		}
		return least - patience(n)
	})
	if worst == nil {
		return
	}
	p.find("retries-end-before-watchdog", "nic.timeout", names,
		fmt.Sprintf("queue pairs give up %v after their last progress (nic.timeout, nic.retry_count), and a watchdog takes %v at least to detect a storm and restore the queue; they will not live through it", patience(worst), least),
		fmt.Sprintf("%v x (%d + 1) = %v < %v + %v = %v", worst.Timeout, worst.RetryCount, patience(worst), w.Detect, w.Restore, least),
		fmt.Sprintf("set nic.timeout: %v or more, raise nic.retry_count, or shorten switch.watchdog.detect and restore", (least+sim.Time(worst.RetryCount))/sim.Time(worst.RetryCount+1)))
}

// checkNICWatchdogs compares the watchdogs of NICs with that of a switch.
func (p *planner) checkNICWatchdogs(w *switching.WatchdogConfig) {
	worst, names := p.worst(func(n *nic.Config) sim.Time {
		if n.StuckAfter < w.Detect {
			return 0
		}
		return n.StuckAfter
	})
	if worst == nil {
		return
	}
	p.find("nic-watchdog-late", "nic.watchdog", names,
		fmt.Sprintf("NICs stop their own storms after %v (nic.watchdog), no earlier than switches act, %v (switch.watchdog.detect)", worst.StuckAfter, w.Detect),
		fmt.Sprintf("%v >= %v", worst.StuckAfter, w.Detect), fmt.Sprintf("set nic.watchdog.after: %v or less, below switch.watchdog.detect", w.Detect/2))
}

// worst returns the first NIC with the largest mistake and the names of those with
// any; 0 is none. No name is given if all have one.
func (p *planner) worst(mistake func(n *nic.Config) sim.Time) (worst *nic.Config, names []string) {
	for i := range p.plan.NICs {
		n := &p.plan.NICs[i]
		m := mistake(n)
		if m == 0 {
			continue
		}
		names = append(names, n.Name)
		if worst == nil || m > mistake(worst) {
			worst = n
		}
	}
	if len(names) == len(p.plan.NICs) {
		names = nil
	}
	return worst, names
}
