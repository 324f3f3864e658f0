package scenarios

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files under testdata")

// Each file under testdata/bad is wrong in one way or a few; the .err file
// beside it holds all that is said about it.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/bad/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 60)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			_, err = Parse(filepath.Base(file), data, nil)
			require.Error(t, err)
			checkErrors(t, err)
			golden := strings.TrimSuffix(file, ".yaml") + ".err"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(err.Error()+"\n"), 0o644))
			}
			want, readErr := os.ReadFile(golden)
			require.NoError(t, readErr)
			assert.Equal(t, string(want), err.Error()+"\n")
		})
	}
}

// checkErrors checks what holds for every message: it has a place, and speaks
// of the file instead of the program.
func checkErrors(t *testing.T, err error) {
	t.Helper()
	var all Errors
	require.True(t, errors.As(err, &all), "the error is of type Errors")
	require.NotEmpty(t, all)
	inside := regexp.MustCompile(`\b(strict|yaml|sim|topo|workload|reflect|scenarios)\.[A-Z]|\*yaml|goroutine|%!|\bnil\b|cannot unmarshal`)
	for _, e := range all {
		if !strings.HasPrefix(e.Pos.File, "--set ") {
			assert.Positive(t, e.Pos.Line, e.Error())
			assert.Positive(t, e.Pos.Col, e.Error())
		}
		assert.NotEmpty(t, e.Text)
		assert.NotRegexp(t, inside, e.Text)
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	_, err := Load(filepath.Join(dir, "absent.yaml"), nil)
	assert.EqualError(t, err, filepath.Join(dir, "absent.yaml")+": there is no such file")
	_, err = Load(dir, nil)
	assert.EqualError(t, err, dir+": cannot be read: is a directory")

	huge := filepath.Join(dir, "huge.yaml")
	f, err := os.Create(huge)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(100_000_000)) // sparse: it takes no space
	require.NoError(t, f.Close())
	_, err = Load(huge, nil)
	assert.EqualError(t, err, huge+": the file has more than 10000000 bytes; no scenario is that large")
}

func TestSetErrorsNameTheFlag(t *testing.T) {
	cases := []struct{ set, want string }{
		{"switch.lossless.xon=200", "--set switch.lossless.xon=200: switch.lossless.xon: 200 has no unit; allowed: a size such as 400KB (1000), 9KiB (1024) or 64B"},
		{"switch.ecn.kmni=200KB", `--set switch.ecn.kmni=200KB: switch.ecn.kmni: unknown key "kmni"; did you mean kmin? (allowed: at, cap_at_pmax, enabled, inclusive, kmax, kmin, mark_only, per, pmax, preset, queues, table, weight)`},
		{"switch.ecn={kmin: 9MB, kmax: 400KB}", "--set switch.ecn={kmin: 9MB, kmax: 400KB}: switch.ecn.kmin: 9MB is above kmax 400KB; allowed: kmin up to kmax"},
		{"switch.ecn.kmin=200KB", "--set switch.ecn.kmin=200KB: switch.ecn.kmin: given without kmax, which per of the preset is about too; give both, or per"},
		{"nic.receive.drain=1Gbps", "--set nic.receive.drain=1Gbps: nic.receive.buffer: missing; buffer is the size of the receive buffer, such as 400KB (1000), 9KiB (1024) or 64B"},
		{"workload[v].bytes=1MiB", `--set workload[v].bytes=1MiB: workload[v].bytes: the list has no element "v" (it has: w)`},
		{"workload[w].bytes=1XiB", `--set workload[w].bytes=1XiB: workload[0].bytes: "1XiB" has the unknown unit "XiB"; did you mean KiB? (allowed for a size: B, KB, MB, GB, TB, KiB, MiB, GiB, TiB)`},
		{"cc.preset=cubic", `--set cc.preset=cubic: cc.preset: unknown cc preset "cubic" (allowed: connectx, hpcc, none, paper)`},
		{"seed", "--set seed: allowed: path=value, such as switch.ecn.kmin=200KB or workload[shuffle].bytes=1MiB"},
	}
	for _, c := range cases {
		t.Run(c.set, func(t *testing.T) {
			_, err := Parse("small.yaml", []byte(small), []string{c.set})
			require.Error(t, err)
			checkErrors(t, err)
			assert.Equal(t, c.want, err.Error())
		})
	}
}

func FuzzParse(f *testing.F) {
	for _, e := range Library() {
		if e.Name != "cluster-200" { // too slow to plan over and over
			f.Add(e.Text, "seed=2")
		}
	}
	files, err := filepath.Glob("testdata/bad/*.yaml")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data, "switch.ecn.kmin=200KB")
	}
	f.Fuzz(func(t *testing.T, data []byte, set string) {
		sc, err := Parse("fuzz.yaml", data, []string{set})
		if err != nil {
			checkErrors(t, err)
			return
		}
		again, err := Parse("again.yaml", sc.Resolved(), nil)
		require.NoError(t, err, string(sc.Resolved()))
		assert.Equal(t, string(sc.Resolved()), string(again.Resolved()))
	})
}
