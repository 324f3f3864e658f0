package scenarios

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each scenario of the library opens with what it is for, says what it expects
// and where that comes from, and checks it.
func TestLibraryIsExplained(t *testing.T) {
	t.Parallel()
	all := Library()
	require.GreaterOrEqual(t, len(all), 20)
	for _, e := range all {
		t.Run(e.Name, func(t *testing.T) {
			assert.True(t, strings.HasPrefix(string(e.Text), "# "), "opens with a comment")
			sc, err := Parse(e.Name, e.Text, nil)
			require.NoError(t, err)
			assert.Equal(t, e.Name, sc.Name)
			assert.True(t, strings.HasSuffix(sc.Question, "?"), sc.Question)
			assert.NotEmpty(t, sc.Expectation)
			assert.NotEmpty(t, sc.Source)
			assert.NotEmpty(t, sc.Expect)
			p, err := sc.Plan()
			require.NoError(t, err)
			if e.Topic != "misconfiguration" {
				assert.Empty(t, p.Warnings)
			}
		})
	}
}

// Each file of the library belongs to a topic, and its name to one file.
func TestLibraryTopics(t *testing.T) {
	t.Parallel()
	topics := map[string]int{}
	for _, topic := range Topics() {
		topics[topic.Name] = 0
	}
	names := map[string]bool{}
	for _, e := range Library() {
		topics[e.Topic]++
		assert.False(t, names[e.Name], "%s is there twice", e.Name)
		names[e.Name] = true
	}
	for topic, scenarios := range topics {
		assert.Positive(t, scenarios, topic)
	}
	files, err := fs.Glob(libraryFiles, "*/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		assert.Contains(t, topics, path.Dir(file), file)
	}
}

func TestFindScenario(t *testing.T) {
	_, err := FindScenario("incast-9-1")
	require.Error(t, err)
	assert.Contains(t, err.Error(), `unknown scenario "incast-9-1"; did you mean incast-2-1? (allowed: `)
}

func TestFindPreset(t *testing.T) {
	p, err := FindPreset("nic", "connectx-5")
	require.NoError(t, err)
	assert.Equal(t, "connectx-5", p.Name)
	assert.Contains(t, string(p.Text()), "\nname: connectx-5\n")
	_, err = FindPreset("nic", "connectx5")
	assert.EqualError(t, err, `unknown nic preset "connectx5"; did you mean connectx-5? (allowed: bluefield-3, connectx-5, connectx-6-dx, connectx-7, hpcc-ns3, ideal, thor2)`)
	_, err = FindPreset("router", "x")
	assert.EqualError(t, err, `unknown router preset "x"`)
}
