package farm

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios/sweep"
)

// message is a job as a coordinator sends it, changed.
func message(t testing.TB, change func(*Envelope)) (data []byte, hash string) {
	job := sweep.Job{Scenario: tiny, Seed: 7}
	e := Envelope{Protocol: protocol, Tool: "test", Hash: job.Hash("test"), Job: job}
	if change != nil {
		change(&e)
	}
	data, err := json.Marshal(e)
	require.NoError(t, err)
	return data, e.Hash
}

// rehash makes the hash fit again.
func rehash(e *Envelope) { e.Hash = e.Job.Hash(e.Tool) }

// A worker runs nothing that is not a whole job of its version which needs no
// file.
func TestParseEnvelope(t *testing.T) {
	t.Parallel()
	data, hash := message(t, nil)
	e, err := ParseEnvelope(data, hash, "test")
	require.NoError(t, err)
	assert.Equal(t, uint64(7), e.Job.Seed)

	for _, c := range []struct {
		name, want string
		change     func(*Envelope)
	}{
		{"protocol", `the job's protocol is "rocesim farm 2", this worker knows "rocesim farm 1"`, func(e *Envelope) { e.Protocol = "rocesim farm 2" }},
		{"version", "the job is for rocesim 0.2.0, the worker is rocesim test", func(e *Envelope) { e.Tool = "0.2.0"; rehash(e) }},
		{"seed", "the job was changed on its way: its hash is not that of its content", func(e *Envelope) { e.Job.Seed++ }},
		{"scenario", "the job was changed on its way: its hash is not that of its content", func(e *Envelope) { e.Job.Scenario += " " }},
		{"lost", "the job has lost -1 workers", func(e *Envelope) { e.Lost = -1 }},
		{"file", "the scenario names a file (cdf_file, line 3), and a worker reads none", func(e *Envelope) {
			e.Job.Scenario = "name: x\nworkload:\n  - {type: poisson, cdf_file: /etc/passwd}\n"
			rehash(e)
		}},
		{"hidden file", "the scenario names a file (cdf_file, line 2), and a worker reads none", func(e *Envelope) {
			e.Job.Scenario = "name: &n cdf_file\nworkload: [{type: poisson, *n : /etc/passwd}]\n"
			rehash(e)
		}},
		{"no YAML", "the scenario cannot be read: ", func(e *Envelope) { e.Job.Scenario = "{"; rehash(e) }},
		{"huge", "the scenario has 10000001 bytes; allowed are 10000000", func(e *Envelope) { e.Job.Scenario = strings.Repeat("#", 10_000_001); rehash(e) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, hash := message(t, c.change)
			_, err := ParseEnvelope(data, hash, "test")
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err = ParseEnvelope(data, strings.Repeat("0", 64), "test")
	assert.EqualError(t, err, "the job was changed on its way: its hash is not that of its content")
	for text, want := range map[string]string{
		"":                            "not a job: EOF",
		"[]":                          "not a job: json: cannot unmarshal array",
		`{"command":"rm"}`:            `not a job: json: unknown field "command"`,
		string(data) + string(data):   "not a job: something follows the JSON object",
		string(data[:len(data)-1]):    "not a job: unexpected EOF",
		`{"job":{"seed":-1}}`:         "not a job: json: cannot unmarshal number -1",
		`{"job":{"metrics":["a",1]}}`: "not a job: json: cannot unmarshal number",
	} {
		_, err := ParseEnvelope([]byte(text), hash, "test")
		assert.ErrorContains(t, err, want)
	}
}

// What a worker stored is checked as well.
func TestParseResult(t *testing.T) {
	t.Parallel()
	whole := result{Protocol: protocol, Tool: "test", Hash: "h", Kind: kindRecord, Record: &sweep.Record{Tool: "test"}}
	for _, c := range []struct {
		want   string
		change func(*result)
	}{
		{"", func(*result) {}},
		{"", func(r *result) { r.Kind, r.Record, r.Failure = kindFailure, nil, "why" }},
		{`the protocol is "x", this version knows "rocesim farm 1"`, func(r *result) { r.Protocol = "x" }},
		{"it is of rocesim 9, this is rocesim test", func(r *result) { r.Tool = "9" }},
		{"it is of job other", func(r *result) { r.Hash = "other" }},
		{`a result of kind "record" has to say more`, func(r *result) { r.Record = nil }},
		{`a result of kind "lost" has to say more`, func(r *result) { r.Kind = kindLost }},
		{"its record is of rocesim 9, this is rocesim test", func(r *result) { r.Record = &sweep.Record{Tool: "9"} }},
	} {
		r := whole
		c.change(&r)
		data, err := json.Marshal(r)
		require.NoError(t, err)
		_, err = parseResult(data, "h", "test")
		if c.want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, c.want)
		}
	}
	_, err := parseResult([]byte("x"), "h", "test")
	assert.ErrorContains(t, err, "not a result: ")
}

// A job that is none is refused, which is its result.
func TestRefused(t *testing.T) {
	t.Parallel()
	srv := startServer(t, nil)
	c := coordinator(t, connect(t, srv.ClientURL()), patient(noteTo(t)))
	var reports notes
	stop := start(t, connect(t, srv.ClientURL()), Worker{Name: "w", Run: fake, Ended: func(r Report) { reports.add(r.Outcome) }})
	out := newOutcome()
	require.NoError(t, c.Execute(context.Background(), []int{0}, func(int) (*sweep.Job, error) {
		return &sweep.Job{Scenario: "workload: [{cdf_file: secrets}]"}, nil
	}, out.done))
	assert.Equal(t, map[int]string{0: "worker refused the job: the scenario names a file (cdf_file, line 1), and a worker reads none"}, out.errs)
	require.NoError(t, stop())
	assert.Equal(t, Refused, reports.all())
}

// FuzzParseEnvelope: whatever arrives, it is an error or a job whose hash holds
// and which comes out of the message as it went in.
func FuzzParseEnvelope(f *testing.F) {
	data, _ := message(f, nil)
	f.Add(data, "test")
	f.Add([]byte(`{"protocol":"rocesim farm 1","tool_version":"test","hash":"x","job":{"scenario":"a: *b","seed":1}}`), "test")
	f.Add([]byte(`{"job":null}`), "")
	f.Fuzz(func(t *testing.T, data []byte, tool string) {
		var loose Envelope
		_ = json.Unmarshal(data, &loose) // to get beyond the hash now and then
		loose.Protocol, loose.Tool = protocol, tool
		rehash(&loose)
		for _, text := range [][]byte{data, mustMarshal(t, loose)} {
			e, err := ParseEnvelope(text, loose.Hash, tool)
			if err != nil {
				continue
			}
			require.Equal(t, loose.Hash, e.Job.Hash(tool))
			again, err := ParseEnvelope(mustMarshal(t, e), loose.Hash, tool)
			require.NoError(t, err)
			require.Equal(t, e, again)
		}
	})
}

func mustMarshal(t *testing.T, v any) []byte {
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return data
}
