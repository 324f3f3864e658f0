package viewer

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results"
	"rocesim/results/page"
	"rocesim/results/why"
	"rocesim/scenarios"
	"rocesim/scenarios/sweep"
)

// directory makes results of every kind: two runs, one with and one without a
// report, a sweep, a comparison, and what cannot be shown.
func directory(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "runs")
	entry, err := scenarios.FindScenario("single-flow")
	require.NoError(t, err)
	sc, err := scenarios.Parse("single-flow.yaml", entry.Text, nil)
	require.NoError(t, err)
	run, err := scenarios.Run(context.Background(), sc, scenarios.RunOptions{Tool: "test"})
	require.NoError(t, err)
	summary := results.Summarise(run)
	report := func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "report.html"), []byte("<p>as written"), 0o644)
	}
	require.NoError(t, results.Write(filepath.Join(dir, "with"), run, &summary, report))
	require.NoError(t, results.Write(filepath.Join(dir, "group", "without"), run, &summary))
	require.NoError(t, results.Write(filepath.Join(dir, "torn"), run, &summary))
	require.NoError(t, os.Remove(filepath.Join(dir, "torn", "flows.csv")))
	put(t, dir, "sweep/sweep.json", `{"format": "rocesim sweep 2", "state": "interrupted", "scenarios": [{"name": "x", "seeds": [1, 2]}],
		"axes": [{"path": "nic.mtu", "values": ["1024", "4096"]}], "objective": "minimise fct.p99"}`)
	put(t, dir, "later/manifest.json", `{"format": "rocesim run 99", "tool_version": "9.0"}`)
	put(t, dir, "search/tune.json", `{"format": "rocesim tune 1", "state": "finished", "scenario": "x", "goals": ["minimise fct.p99, weight 1"], "best": ["nic.mtu=4096"], "seeds": [1], "budget": 9}`)
	put(t, dir, "compared/comparison.json", `{"a": {"name": "old", "seeds": [1]}, "b": {"name": "new", "seeds": [1]}, "method": "values",
		"metrics": [{"metric": "fct.p99", "a": {"n": 1, "runs": 1, "mean": 2e6}, "b": {"n": 1, "runs": 1, "mean": 3e6}, "difference": 1e6, "low": 1e6, "high": 1e6, "verdict": "worse"}]}`)
	put(t, dir, "notes/todo.txt", "buy cables")
	put(t, dir, ".x.unfinished-1/flows.csv", "")
	return dir
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// serving starts a server of a directory.
func serving(t *testing.T, dir string) *httptest.Server {
	t.Helper()
	s, err := Open(dir, map[string]Builder{
		Run: func(dir string) (*page.Document, error) {
			run, err := results.Read(dir)
			if err != nil {
				return nil, err
			}
			return page.Run(run, why.NewReport(run), page.Extra{})
		},
		Sweep: sweep.Page,
	})
	require.NoError(t, err)
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		require.NoError(t, s.Close())
	})
	return server
}

// get returns status, headers and text of an address; host is sent if it is
// not empty.
func get(t *testing.T, server *httptest.Server, method, path, host string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequest(method, server.URL, nil)
	require.NoError(t, err)
	r.URL.Opaque = path // as it is, without cleaning
	if strings.HasPrefix(path, "//") {
		r.URL.Opaque = "//" + r.URL.Host + path
	}
	if host != "" {
		r.Host = host
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, response.Header, string(text)
}

func text(t *testing.T, server *httptest.Server, path string) string {
	t.Helper()
	status, _, text := get(t, server, "GET", path, "")
	require.Equal(t, 200, status, text)
	return text
}

func TestIndexListsAllWithReasons(t *testing.T) {
	dir := directory(t)
	require.NoError(t, os.Symlink("/etc", filepath.Join(dir, "out")))
	require.NoError(t, os.Symlink("group", filepath.Join(dir, "again")))
	server := serving(t, dir)
	index := text(t, server, "/")
	for _, want := range []string{
		"2 runs, 1 sweep, 1 search, 1 comparison, 2 damaged directories, 1 unfinished directory, 3 directories of something else.",
		`<a href="./with/">with</a>`, `<a href="./group/without/">group/without</a>`, `<tr class="ok">`, `<td class="wrap">LOSSLESS</td>`,
		"NOT FINISHED (interrupted); 2 settings, minimise fct.p99",
		"minimise fct.p99, weight 1, within 9 runs: nic.mtu=4096",
		"old and new: B is worse in fct.p99.",
		"run: torn: flows.csv is missing, so the directory is not complete",
		"run: later/manifest.json: format is &#34;rocesim run 99&#34;",
		"is being written, or was left by a process that was killed",
		"has files, but nothing that rocesim wrote: no manifest.json, sweep.json, tune.json or comparison.json",
		"is a symbolic link that leads nowhere or out of the directory, and is not followed",
		"is a symbolic link to a directory, and is not followed",
	} {
		assert.Contains(t, index, want)
	}
	assert.NotContains(t, index, "new-one")
	require.NoError(t, os.CopyFS(filepath.Join(dir, "new-one"), os.DirFS(filepath.Join(dir, "with"))))
	assert.Contains(t, text(t, server, "/"), `<a href="./new-one/">new-one</a>`, "what is new is seen on reload")
	assert.Contains(t, text(t, server, "/group/"), `<a href="./without/">without</a>`, "a directory of results has an index too")
}

func TestEmptyIndex(t *testing.T) {
	assert.Contains(t, text(t, serving(t, t.TempDir()), "/"), "Nothing here yet")
}

func TestReportIsServedOrMade(t *testing.T) {
	dir := directory(t)
	server := serving(t, dir)
	assert.Equal(t, "<p>as written", text(t, server, "/with/"), "the report of the directory")
	before := state(t, dir)
	made := text(t, server, "/group/without/")
	assert.Contains(t, made, "<h1>single-flow</h1>")
	assert.Equal(t, made, text(t, server, "/group/without/"))
	assert.Equal(t, before, state(t, dir), "nothing is written")

	put(t, dir, "with/report.html", "<p>edited by hand")
	assert.Contains(t, text(t, server, "/with/"), "<h1>single-flow</h1>", "a report that its manifest does not know is made anew")
	assert.Contains(t, text(t, server, "/torn/"), "This run cannot be shown")
	assert.Contains(t, text(t, server, "/torn/"), "flows.csv: missing")
	assert.Contains(t, text(t, server, "/later/"), "simulate the scenario again")
	assert.Contains(t, text(t, server, "/sweep/"), "the sweep has no tables yet (interrupted)")
	assert.Contains(t, text(t, server, "/search/"), "This search cannot be shown")
}

// state is the names, sizes and times of all files.
func state(t *testing.T, dir string) string {
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		fmt.Fprintln(&b, path, info.Size(), info.ModTime())
		return nil
	}))
	return b.String()
}

func TestNothingOutsideIsReached(t *testing.T) {
	dir := directory(t)
	put(t, filepath.Dir(dir), "secret.txt", "secret")
	secret := filepath.Join(filepath.Dir(dir), "secret.txt")
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "link.txt")))
	require.NoError(t, os.Symlink("../secret.txt", filepath.Join(dir, "relative.txt")))
	require.NoError(t, os.Symlink(filepath.Dir(dir), filepath.Join(dir, "up")))
	require.NoError(t, os.Remove(filepath.Join(dir, "group", "without", "pauses.csv")))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "group", "without", "pauses.csv")))
	require.NoError(t, os.Remove(filepath.Join(dir, "with", "report.html")))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "with", "report.html")))
	server := serving(t, dir)
	for _, path := range []string{
		"/../secret.txt", "/with/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "//etc/passwd", "/./../secret.txt",
		"/..\\secret.txt", "/link.txt", "/relative.txt", "/up/secret.txt", "/up/", "/with/report.html", "/group/without/pauses.csv", "/%00", "/nothing",
	} {
		status, _, text := get(t, server, "GET", path, "")
		assert.Equal(t, 404, status, path)
		assert.NotContains(t, text, "secret\n", path)
		assert.NotEqual(t, "secret", text, path)
	}
	assert.NotContains(t, text(t, server, "/with/"), "secret")
	assert.Contains(t, text(t, server, "/group/without/"), "pauses.csv is a symbolic link, and results are not read through links")
	assert.NotContains(t, text(t, server, "/?files"), "secret")
}

func TestOnlyThisMachineAsks(t *testing.T) {
	server := serving(t, t.TempDir())
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1:1": 200, "[::1]:80": 200, "[::1]": 200,
		"example.com": 403, "example.com:80": 403, "localhost.example.com": 403, "127.0.0.1.nip.io": 403, "127.0.0.2": 403, "0.0.0.0": 403, "192.168.0.1:8080": 403,
	} {
		status, _, text := get(t, server, "GET", "/", host)
		assert.Equal(t, want, status, host)
		if want == 403 {
			assert.Contains(t, text, "this server answers only localhost and 127.0.0.1")
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS"} {
		status, header, _ := get(t, server, method, "/", "")
		assert.Equal(t, 405, status, method)
		assert.Equal(t, "GET, HEAD", header.Get("Allow"))
	}
	status, _, text := get(t, server, "HEAD", "/", "")
	assert.Equal(t, 200, status)
	assert.Empty(t, text)
}

func TestTypesAndHeaders(t *testing.T) {
	dir := directory(t)
	put(t, dir, "notes/evil.html", "<script>alert(1)</script>")
	put(t, dir, "notes/evil.js", "alert(1)")
	put(t, dir, "notes/plot.svg", "<svg/>")
	server := serving(t, dir)
	for path, want := range map[string]string{
		"/": "text/html; charset=utf-8", "/with/": "text/html; charset=utf-8", "/with/report.html": "text/html; charset=utf-8",
		"/with/flows.csv": "text/plain; charset=utf-8", "/with/manifest.json": "text/plain; charset=utf-8", "/notes/todo.txt": "text/plain; charset=utf-8",
		"/notes/evil.html": "text/plain; charset=utf-8", "/notes/evil.js": "application/octet-stream", "/notes/plot.svg": "image/svg+xml", "/with/?files": "text/html; charset=utf-8",
		"/torn/": "text/html; charset=utf-8",
	} {
		_, header, _ := get(t, server, "GET", path, "")
		assert.Equal(t, want, header.Get("Content-Type"), path)
		assert.Equal(t, "nosniff", header.Get("X-Content-Type-Options"), path)
		assert.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'", path)
		assert.Contains(t, header.Get("Content-Security-Policy"), "sandbox allow-scripts", path)
		assert.Equal(t, "no-store", header.Get("Cache-Control"), path)
		assert.Empty(t, header.Get("Access-Control-Allow-Origin"), path)
	}
	status, header, _ := get(t, server, "GET", "/with", "")
	assert.Equal(t, 302, status)
	assert.Equal(t, "/with/", header.Get("Location"))
	files := text(t, server, "/with/?files")
	assert.Contains(t, files, `<a href="./flows.csv">flows.csv</a>`)
	assert.Contains(t, files, `<a href="./series/?files">series/</a>`)
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := Open(filepath.Join(dir, "no"), nil)
	assert.EqualError(t, err, filepath.Join(dir, "no")+": no such directory of results; rocesim run, sweep, tune and compare -o make some, by default below results/runs")
	put(t, dir, "file", "")
	_, err = Open(filepath.Join(dir, "file"), nil)
	assert.EqualError(t, err, filepath.Join(dir, "file")+": is a file; name the directory that holds results, such as results/runs")
}
