package lint_test

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/scenarios"
	"rocesim/scenarios/lint"
)

// changes are settings that make findings, in all combinations.
func changes() []string {
	return []string{
		"switch.preset=sonic-tomahawk3", "switch.preset=sonic-spectrum1", "switch.preset=bench-100g", "switch.preset=hpcc-ns3", "switch.hash_seeds=same",
		"switch.pfc.enabled=false", "switch.pfc.priorities=[]", "switch.pfc.priorities=[3, 4, 5]", "switch.pfc.refresh=0", "switch.pfc.infinite=true",
		"switch.headroom={bytes: 0B}", "switch.headroom={standard: true}", "switch.headroom={delays: 3}", "switch.lossless={xoff: 10KB}", "switch.lossless.alpha=1/64",
		"switch.buffer={total: 8MB, headroom_pool: 100KB}", "switch.trust=pcp", "switch.tc_to_queue={3: 6}", "switch.tc_to_group={3: 0}", "switch.watchdog={}",
		"switch.ecn.enabled=false", "switch.ecn={preset: simai}", "switch.ecn={preset: dcqcn-paper}", "switch.ecn.mark_only=false", "switch.ecn.queues=[0, 6]",
		"switch.routing=spray-round", "nic.preset=ideal", "nic.dscp=3", "nic.cnp.echo=true", "nic.cnp.dscp=26", "nic.mtu=256", "nic.mtu=9000", "nic.recovery=selective-repeat",
		"nic.pfc.enabled=false", "nic.dscp_to_priority={26: 4}", "cc.preset=none", "cc.preset=connectx", "cc.preset=paper", "cc.rate_hai=0bps",
	}
}

// Whatever a scenario is, lint ends, says all that a finding needs, says nothing
// twice, and says the same again.
func TestAnyScenario(t *testing.T) {
	library := scenarios.Library()
	rapid.Check(t, func(t *rapid.T) {
		e := rapid.SampledFrom(library).Draw(t, "scenario")
		sets := rapid.SliceOfNDistinct(rapid.SampledFrom(changes()), 0, 5, rapid.ID[string]).Draw(t, "sets")
		sc, err := scenarios.Parse(e.Name, e.Text, sets)
		if err != nil {
			t.Skip("not a scenario")
		}
		p, err := sc.Plan()
		require.NoError(t, err)
		found := lint.Check(p)
		seen := map[string]bool{}
		for _, f := range found {
			key := f.Rule.Code + f.Path + f.Text + f.Arithmetic + f.Where
			assert.False(t, seen[key], key)
			seen[key] = true
			for _, text := range []string{f.Text, f.Path, f.Arithmetic, f.Remedy, f.Pos.File} {
				assert.NotEmpty(t, text, key)
			}
			assert.NotContains(t, f.Text+f.Arithmetic+f.Remedy, "%!")
			assert.LessOrEqual(t, f.Severity, f.Rule.Severity)
		}
		assert.Equal(t, found, lint.Check(p))
	})
}

// The largest headroom that the remedies name is enough: with it nothing is said
// any more.
func TestHeadroomRemedyCures(t *testing.T) {
	number := regexp.MustCompile(`bytes: (\d+)B\}`)
	for _, c := range []struct{ rate, cable, mtu, rule string }{
		{"100Gbps", "300m", "4096", "headroom-too-small"},
		{"400Gbps", "2km", "1024", "headroom-too-small"},
		{"25Gbps", "3m", "9000", "headroom-for-smaller-mtu"},
	} {
		link := "{rate: " + c.rate + ", cable: " + c.cable + "}"
		sets := []string{"fabric.host_link=" + link, "fabric.uplink=" + link, "nic.mtu=" + c.mtu}
		found := of(lint.Check(resolve(t, clean, append(sets, "switch.headroom={bytes: 15KB}")...)), c.rule)
		require.NotEmpty(t, found, c.rule)
		enough := 0
		for _, f := range found {
			match := number.FindStringSubmatch(f.Remedy)
			require.NotNil(t, match, f.Remedy)
			bytes, err := strconv.Atoi(match[1])
			require.NoError(t, err)
			enough = max(enough, bytes)
		}
		found = lint.Check(resolve(t, clean, append(sets, "switch.headroom={bytes: "+strconv.Itoa(enough)+"B}")...))
		assert.Empty(t, of(found, "headroom-too-small"))
		assert.Empty(t, of(found, "headroom-for-smaller-mtu"))
	}
}
