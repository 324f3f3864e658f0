package lint

import (
	"fmt"

	switching "rocesim/switch"
)

// watchdogs compares the watchdogs at both ends of links between switches.
func (c *context) watchdogs() {
	for l := range c.Graph.Links {
		link := &c.Graph.Links[l]
		a, b := c.switchAt(link.A.Node), c.switchAt(link.B.Node)
		if a < 0 || b < 0 || c.Switches[a].PFC.Enabled == 0 || c.Switches[b].PFC.Enabled == 0 {
			continue // without PFC there is no watchdog; pfc-off-on-switch says it
		}
		one, other := watching(&c.Switches[a]), watching(&c.Switches[b])
		if one == nil && other == nil || one != nil && other != nil && one.Poll == other.Poll && one.Detect == other.Detect && one.Restore == other.Restore {
			continue
		}
		from, to := one, other // the one to change, and what it shall be like
		path := c.SwitchPath(a, "watchdog")
		if at := c.SwitchPath(b, "watchdog"); at != "switch.watchdog" {
			path, from, to = at, other, one
		}
		c.add("watchdog-differs", path, c.Switches[a].Name+" and "+c.Switches[b].Name+" link "+link.Name, "the two ends of a link watch for storms differently",
			fmt.Sprintf("%s; %s", watchdogText(one), watchdogText(other)), watchdogAlike(path, from, to))
	}
}

// watching is the watchdog of a switch's ports to switches, nil without one.
func watching(s *switching.Config) *switching.WatchdogConfig {
	if s.Watchdog == nil || s.Watchdog.Ports != nil {
		return nil
	}
	return s.Watchdog
}

// watchdogAlike is how to let one end watch as the other does.
func watchdogAlike(path string, from, to *switching.WatchdogConfig) string {
	if to == nil {
		to = from
		path = "switch.watchdog"
	}
	return fmt.Sprintf("set %s: {poll: %v, detect: %v, restore: %v, scale_ports: false}", path, to.Poll, to.Detect, to.Restore)
}

func watchdogText(w *switching.WatchdogConfig) string {
	if w == nil {
		return "no watchdog"
	}
	return fmt.Sprintf("poll %s, detect %s, restore %s", lasts(w.Poll), lasts(w.Detect), lasts(w.Restore))
}
