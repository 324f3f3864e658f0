package lint

import (
	"fmt"
	"slices"
	"strings"

	"rocesim/results"
)

// queueShares shows what the queues that the workload uses are guaranteed.
func (c *context) queueShares() {
	for sw := range c.Switches {
		c.sharesAt(sw)
	}
}

// sharesAt is the finding for one switch.
func (c *context) sharesAt(sw int) {
	users := map[uint8][]string{}
	var queues []uint8
	sum := 0
	for _, m := range c.traffic.markings {
		q := wayOf(&c.Switches[sw], m.dscp, m.priority).queue
		if c.Switches[sw].Queues[q].Strict {
			continue
		}
		if users[q] == nil {
			queues = append(queues, q)
			sum += c.Switches[sw].Queues[q].Weight
		}
		if name := fmt.Sprintf("DSCP %d", m.dscp); !slices.Contains(users[q], name) {
			users[q] = append(users[q], name)
		}
	}
	if len(queues) < 2 {
		return
	}
	slices.Sort(queues)
	var list []string
	for _, q := range queues {
		weight := c.Switches[sw].Queues[q].Weight
		list = append(list, fmt.Sprintf("queue %d (%s) %d / %d = %s %%", q, strings.Join(users[q], ", "), weight, sum, results.Ratio.Format(100*float64(weight)/float64(sum))))
	}
	c.add("queue-share", c.SwitchPath(sw, "queue_weights"), c.Switches[sw].Name, "queues with weights share the ports when all have packets",
		strings.Join(list, "; "), "change switch.queue_weights if another split is wanted")
}
