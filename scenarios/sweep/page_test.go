package sweep

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/scenarios"
)

// swept sweeps a small scenario over three axes, two of which move together.
func swept(t *testing.T) string {
	t.Helper()
	entry, err := scenarios.FindScenario("incast-2-1")
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "incast-2-1.yaml")
	require.NoError(t, os.WriteFile(file, entry.Text, 0o644))
	s, err := Load(Spec{Files: []string{file}, Sets: []string{"switch.lossless.alpha=1/8,1/4", "nic.mtu=1024,4096", "stop.max=99ms,98ms"},
		Links: []string{"nic.mtu,stop.max"}, Seeds: "2", Objective: "fct.p99"})
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "sweep")
	out, err := s.Run(context.Background(), Options{Dir: dir, Tool: "test"})
	require.NoError(t, err)
	require.NoError(t, out.Write(dir, nil))
	return dir
}

// data is a value that the page has for scripts.
func data(t *testing.T, html, id string, into any) {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script type="application/json" id="` + id + `">(.*?)</script>`).FindStringSubmatch(html)
	require.NotNil(t, m, id)
	require.NoError(t, json.Unmarshal([]byte(m[1]), into))
}

func TestPageHasTheTable(t *testing.T) {
	dir := swept(t)
	html, err := os.ReadFile(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	f, err := os.ReadFile(filepath.Join(dir, "settings.csv"))
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(string(f))).ReadAll()
	require.NoError(t, err)
	var table struct {
		Columns []struct{ Name, Doc string }
		Rows    [][]string
	}
	data(t, string(html), "settings-table-data", &table)
	assert.Equal(t, rows[1:], table.Rows, "digit for digit")
	for i, c := range table.Columns {
		assert.Equal(t, rows[0][i], c.Name)
		assert.NotEmpty(t, c.Doc, c.Name)
	}
	var grid struct {
		Dimensions []struct {
			Name    string
			Places  []string
			Numbers []float64
		}
		Metrics []struct {
			Name, Better string
			Mean, Half   int
		}
		Pareto []int
	}
	data(t, string(html), "sweep-data", &grid)
	require.Len(t, grid.Dimensions, 2)
	assert.Equal(t, []string{"1/8", "1/4"}, grid.Dimensions[0].Places)
	assert.Equal(t, []float64{0.125, 0.25}, grid.Dimensions[0].Numbers)
	assert.Equal(t, "nic.mtu with stop.max", grid.Dimensions[1].Name)
	assert.Equal(t, []string{"1024 / 99ms", "4096 / 98ms"}, grid.Dimensions[1].Places)
	assert.Nil(t, grid.Dimensions[1].Numbers, "two fields have no one number")
	assert.Equal(t, "fct.p99", grid.Metrics[0].Name, "the objective is seen first")
	assert.Equal(t, "lower is better", grid.Metrics[0].Better)
	for _, m := range grid.Metrics {
		assert.Contains(t, rows[0][m.Mean], "_mean", m.Name)
		assert.Contains(t, rows[0][m.Half], "_ci95", m.Name)
	}
}

// TestPageCommand checks that the command of a page is the sweep.
func TestPageCommand(t *testing.T) {
	m := manifestJSON{Scenarios: []scenarioJSON{{Name: "a b", Seeds: []uint64{1, 7}}}, Fixed: []string{"name=it's"}, Objective: "minimise fct.p99", Pareto: []string{"fct.p99", "pfc.paused_time"},
		Axes: []axisJSON{{0, "x.y", []string{"1", "2"}}, {1, "p", []string{"3", "4"}}, {1, "q", []string{"5", "6"}}}}
	assert.Equal(t, `rocesim sweep 'a b.yaml' --set 'name=it'\''s' --set x.y=1,2 --set p=3,4 --set q=5,6 --link p,q --seeds 1,7 --objective 'minimise fct.p99' --pareto fct.p99,pfc.paused_time`, m.command())
}

func TestPageErrors(t *testing.T) {
	dir := swept(t)
	whole, err := os.ReadFile(filepath.Join(dir, "settings.csv"))
	require.NoError(t, err)
	lines := strings.SplitAfter(string(whole), "\n")
	swap := lines[0] + lines[2] + lines[1] + strings.Join(lines[3:], "")
	for _, c := range []struct{ file, text, want string }{
		{"settings.csv", swap, "settings.csv:2: this setting is not the one that belongs here: the file was changed"},
		{"settings.csv", strings.Join(lines[:3], ""), "settings.csv: there are 2 settings, and the grid of sweep.json has 4: the file was changed"},
		{"settings.csv", lines[0], "settings.csv: there is no setting in it"},
		{"settings.csv", strings.Replace(string(whole), "nic.mtu", "nic.mtv", 1), "settings.csv:1: a column of scenario or of an axis is missing: the file was changed"},
		{"settings.csv", lines[0] + "x,y\n", "settings.csv: record on line 2: wrong number of fields"},
		{"runs.csv", "a,b\n", "runs.csv:1: there is no column stop or error: the file was changed"},
		{manifestFile, "{", "sweep.json: not written by rocesim sweep, or changed: unexpected end of JSON input"},
	} {
		old, err := os.ReadFile(filepath.Join(dir, c.file))
		require.NoError(t, err)
		put(t, dir, c.file, c.text)
		_, err = Page(dir)
		require.Error(t, err, c.want)
		assert.Equal(t, filepath.Join(dir, c.want), err.Error())
		put(t, dir, c.file, string(old))
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "settings.csv")))
	_, err = Page(dir)
	assert.EqualError(t, err, dir+": the sweep has no tables yet (finished); the same rocesim sweep command goes on with it")
	empty := t.TempDir()
	_, err = Page(empty)
	assert.EqualError(t, err, empty+": not the directory of a sweep, it has no sweep.json")
}

// TestPageOfInterruptedSweep says so, and which settings have no values.
func TestPageOfInterruptedSweep(t *testing.T) {
	dir := swept(t)
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	require.NoError(t, err)
	put(t, dir, manifestFile, strings.Replace(string(text), `"state": "finished"`, `"state": "interrupted"`, 1))
	runs, err := os.ReadFile(filepath.Join(dir, "runs.csv"))
	require.NoError(t, err)
	put(t, dir, "runs.csv", strings.Replace(string(runs), ",stopped,", ",failed,", 1))
	require.NoError(t, WritePage(dir))
	html, err := os.ReadFile(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	assert.Contains(t, string(html), "Partial sweep")
	var grid struct{ Notes map[string]string }
	data(t, string(html), "sweep-data", &grid)
	assert.Equal(t, map[string]string{"0": "failed"}, grid.Notes)
}

// lattice makes the directory of a sweep of n by n settings with the metrics
// that are drawn and many that are not.
func lattice(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	var places, settings, runs strings.Builder
	settings.WriteString("scenario,a.x,b.y,runs,runs_unmet,recommended,pareto")
	runs.WriteString("scenario,stop,error\n")
	for _, m := range []string{"fct.p99_us", "pfc.paused_time_us", "goodput.total_gbps", "ecn.marks", "queue.peak_bytes", "queue.mean_bytes"} {
		settings.WriteString("," + m + "_mean," + m + "_ci95")
	}
	settings.WriteString("\n")
	for i := range n {
		fmt.Fprintf(&places, `%q`, fmt.Sprint(i))
		if i < n-1 {
			places.WriteString(",")
		}
		for k := range n {
			fmt.Fprintf(&settings, "x,%d,%d,3,0,0,0%s\n", i, k, strings.Repeat(",1234.567890123456,0.1234567890123456", 6))
			runs.WriteString("x,finished,\n")
		}
	}
	put(t, dir, "settings.csv", settings.String())
	put(t, dir, "runs.csv", runs.String())
	put(t, dir, manifestFile, fmt.Sprintf(`{"format": "rocesim sweep 2", "state": "finished", "scenarios": [{"name": "x", "seeds": [1]}], "objective": "minimise fct.p99",
		"axes": [{"path": "a.x", "values": [%s]}, {"dimension": 1, "path": "b.y", "values": [%s]}], "metrics": ["fct.p99"], "pareto": ["fct.p99", "pfc.paused_time"]}`, &places, &places))
	return dir
}

// TestPageOfLargeSweep keeps pages small: first by leaving out metrics, and at
// last there is none, which is no failure of the sweep.
func TestPageOfLargeSweep(t *testing.T) {
	dir := lattice(t, 120)
	require.NoError(t, WritePage(dir))
	html, err := os.ReadFile(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	assert.Less(t, len(html), 5<<20)
	var grid struct{ Metrics []struct{ Name string } }
	data(t, string(html), "sweep-data", &grid)
	assert.Len(t, grid.Metrics, 2, "the objective and what is traded")

	dir = lattice(t, 260)
	err = WritePage(dir)
	assert.EqualError(t, err, dir+": too large for a page: the main columns of its 67,600 settings are 7.649 MB, and a page holds 4 MB; the tables and plots are complete")
	assert.ErrorIs(t, err, errLarge)
}
