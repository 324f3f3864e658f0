package rules_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/rules"
)

// Codes and names are unique, codes rise, and each rule says all it has to.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for _, r := range rules.All() {
		assert.Regexp(t, regexp.MustCompile(`^RS[1-9]\d\d$`), r.Code)
		assert.Regexp(t, regexp.MustCompile(`^[a-z0-9-]+$`), r.Name)
		assert.Greater(t, r.Code, last)
		assert.False(t, seen[r.Name], r.Name)
		last, seen[r.Name] = r.Code, true
		for _, text := range []string{r.Title, r.Why, r.Arithmetic, r.Remedy, r.Source} {
			assert.NotEmpty(t, text, r.Code)
		}
	}
}

func TestFind(t *testing.T) {
	byCode, err := rules.Find("RS202")
	require.NoError(t, err)
	byName, err := rules.Find("headroom-too-small")
	require.NoError(t, err)
	assert.Equal(t, byCode, byName)
	assert.Equal(t, "RS202 headroom-too-small", byName.String())

	_, err = rules.Find("headroom-to-small")
	require.Error(t, err)
	assert.Contains(t, err.Error(), `unknown rule "headroom-to-small"; did you mean headroom-too-small? (allowed: `)

	_, err = rules.Find("rs202")
	require.Error(t, err)
	assert.Contains(t, err.Error(), `unknown code of a rule "rs202"; did you mean RS202? (allowed: RS101, RS102, `)
	_, err = rules.Find("RS999")
	require.Error(t, err)
	assert.Contains(t, err.Error(), `unknown code of a rule "RS999"`)
	assert.NotContains(t, err.Error(), "headroom")
}

func TestSeverities(t *testing.T) {
	for i, name := range rules.Severities() {
		s, err := rules.ParseSeverity(name)
		require.NoError(t, err)
		assert.Equal(t, rules.Severity(i), s)
		assert.Equal(t, name, s.String())
	}
	_, err := rules.ParseSeverity("warn")
	assert.EqualError(t, err, `unknown severity "warn"; did you mean warning? (allowed: error, info, warning)`)
}

func TestPlaces(t *testing.T) {
	f := rules.Finding{Text: "a is wrong", Remedy: "set it right"}
	assert.Equal(t, "a is wrong: set it right", f.Sentence())
	assert.Empty(t, f.Places())
	f.Where, f.Same = "leaf0", []string{"leaf1"}
	assert.Equal(t, []string{"leaf0", "leaf1"}, f.Places())
}
