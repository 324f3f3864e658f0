package workload

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rocesim/sim"
)

func TestBuiltinMeans(t *testing.T) {
	// Summed by hand from the points: share of each interval times its middle.
	// Sizes are whole numbers above the lower end, which adds half a byte.
	tests := []struct {
		name string
		mean float64
	}{
		{WebSearch, 1_711_250.5},
		{AliStorage, 0.2293*2000 + 0.4628*6000 + 0.114*12000 + 0.0986*24000 + 0.0306*48000 +
			0.0324*96000 + 0.0076*192000 + 0.0247*1_128_000 + 0.5},
	}
	for _, test := range tests {
		c, err := BuiltinCDF(test.name)
		require.NoError(t, err)
		assert.InEpsilon(t, test.mean, c.Mean(), 1e-12, test.name)
	}
	for _, name := range CDFNames() {
		_, err := BuiltinCDF(name)
		assert.NoError(t, err)
	}
	_, err := BuiltinCDF("webserch")
	assert.EqualError(t, err, `"webserch" is no built-in distribution; alistorage, websearch are`)
}

// The tables agree with the generator files that researchers use.
func TestBuiltinsAgreeWithPublishedFiles(t *testing.T) {
	for name, file := range map[string]string{WebSearch: "WebSearch_distribution.txt", AliStorage: "AliStorage2019.txt"} {
		path := filepath.Join("../../../shared/inputs/cdf", file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Skipf("no sample files here: %v", err)
		}
		read, err := ParseCDF(path, data)
		require.NoError(t, err)
		c, err := BuiltinCDF(name)
		require.NoError(t, err)
		assert.Equal(t, read.Points(), c.Points())
	}
}

func TestSampleFilesParse(t *testing.T) {
	files, err := filepath.Glob("../../../shared/inputs/cdf/*.txt")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no sample files here")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		_, err = ParseCDF(file, data)
		assert.NoError(t, err)
	}
}

func TestQuantile(t *testing.T) {
	c, err := NewCDF([]Point{{10, 20}, {20, 60}, {20, 80}, {22, 100}})
	require.NoError(t, err)
	tests := []struct {
		u    float64
		want int64
	}{
		{0, 10}, {0.19, 10}, // a first point above 0 % is a mass
		{0.2, 11}, {0.239, 11}, {0.241, 12}, {0.5999, 20}, // 10 sizes share 40 %
		{0.6, 20}, {0.79, 20}, // a vertical step is a mass
		{0.8, 21}, {0.8999, 21}, {0.9001, 22}, {math.Nextafter(1, 0), 22},
	}
	for _, test := range tests {
		assert.Equal(t, test.want, c.Quantile(test.u), "u = %v", test.u)
	}
	// 0.2*10 + 0.4*15.5 + 0.2*20 + 0.2*21.5
	assert.InDelta(t, 16.5, c.Mean(), 1e-9)
	fixed, err := FixedSize(1)
	require.NoError(t, err)
	assert.EqualValues(t, 1, fixed.Quantile(0.999))
	assert.EqualValues(t, 1, fixed.Mean())
}

func drawCDF(t *rapid.T) *CDF {
	n := rapid.IntRange(1, 8).Draw(t, "points")
	bytes, percent := int64(0), 0.0
	points := []Point{{0, 0}}
	for i := range n {
		bytes += rapid.Int64Range(1, 5000).Draw(t, "bytes")
		percent += (100 - percent) * rapid.Float64Range(0, 0.9).Draw(t, "share")
		if i == n-1 {
			percent = 100
		}
		points = append(points, Point{bytes, percent})
	}
	c, err := NewCDF(points)
	require.NoError(t, err)
	return c
}

// Quantile is monotonic, stays within the points, and its average over an even
// draw is the mean.
func TestQuantileMatchesMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCDF(t)
		points := c.Points()
		largest := points[len(points)-1].Bytes
		const n = 20_000
		sum, last := 0.0, int64(1)
		for i := range n {
			size := c.Quantile((float64(i) + 0.5) / n)
			if size < last || size > largest {
				t.Fatalf("size %d after %d, largest %d", size, last, largest)
			}
			sum += float64(size)
			last = size
		}
		// The midpoint rule is off by less than one step of the largest size.
		require.InDelta(t, c.Mean(), sum/n, float64(largest)/n+1e-6)
	})
}

// The share of draws at or below each point is that point's percentage.
func TestQuantileMatchesPoints(t *testing.T) {
	c, err := BuiltinCDF(WebSearch)
	require.NoError(t, err)
	random := sim.NewStream(3, "cdf")
	const n = 200_000
	count := map[int64]int{}
	for range n {
		size := c.Quantile(random.Float64())
		for _, p := range c.Points() {
			if size <= p.Bytes {
				count[p.Bytes]++
			}
		}
	}
	for _, p := range c.Points() {
		share := p.Percent / 100
		deviation := math.Sqrt(share * (1 - share) / n)
		assert.InDelta(t, share, float64(count[p.Bytes])/n, 4*deviation+1e-12, "%d bytes", p.Bytes)
	}
}

func TestParseCDF(t *testing.T) {
	c, err := ParseCDF("f", []byte("# sizes\r\n\r\n0 0\r\n  100\t12.5 # small\n200, 50\n300 1e2"))
	require.NoError(t, err)
	assert.Equal(t, []Point{{0, 0}, {100, 12.5}, {200, 50}, {300, 100}}, c.Points())
}

func TestParseCDFErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "f:1:1: the file has no points; lines of two numbers (bytes, cumulative percent) up to 100 % are needed"},
		{"only comments", "# nothing\n", "f:1:1: the file has no points; lines of two numbers (bytes, cumulative percent) up to 100 % are needed"},
		{"one field", "0 0\n  100\n200 100\n", "f:2:3: read 1 fields; two are needed: bytes and cumulative percent"},
		{"three fields", "0 0\n100 100 7\n", "f:2:9: read 3 fields; two are needed: bytes and cumulative percent"},
		{"size is a word", "ten 100\n", `f:1:1: read "ten"; a whole number of bytes is needed`},
		{"size is a fraction", "1.5 100\n", `f:1:1: read "1.5"; a whole number of bytes is needed`},
		{"size too long", strings.Repeat("9", 60) + " 100", `f:1:1: read "` + strings.Repeat("9", 40) + `"…; a whole number of bytes is needed`},
		{"negative size", "-4 100\n", "f:1:1: -4 bytes are out of range; 0 to 1099511627776 are allowed"},
		{"huge size", "1099511627777 100\n", "f:1:1: 1099511627777 bytes are out of range; 0 to 1099511627776 are allowed"},
		{"percent is a word", "10  all\n", `f:1:5: read "all"; a percentage from 0 to 100 is needed`},
		{"over 100", "10 120\n", "f:1:1: 120 % is out of range; 0 to 100 are allowed"},
		{"not a number", "10 NaN\n", "f:1:1: NaN % is out of range; 0 to 100 are allowed"},
		{"sizes fall", "0 0\n100 50\n50 100\n", "f:3:1: 50 bytes follow 100; sizes must not fall"},
		{"percentages fall", "0 0\n100 50\n200 40\n300 100", "f:3:1: 40 % follows 50 %; percentages must not fall"},
		{"empty flows", "0 10\n100 100\n", "f:1:1: 10 % of the flows would be empty; a flow has at least 1 byte"},
		{"empty flows later", "0 0\n0 10\n100 100\n", "f:2:1: 10 % of the flows would be empty; a flow has at least 1 byte"},
		{"ends below 100", "0 0\n\n100 99.9\n", "f:3:5: the last percentage is 99.9; it must be 100"},
		{"fractions instead of percent", "0 0\n100 0.5\n200 1\n", "f:3:5: the last percentage is 1; it must be 100"},
		{"several", "x 0\n100 y\n200 z w\n300 100\n", "f:1:1: read \"x\"; a whole number of bytes is needed\n" +
			"f:2:5: read \"y\"; a percentage from 0 to 100 is needed\n" +
			"f:3:7: read 3 fields; two are needed: bytes and cumulative percent"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseCDF("f", []byte(test.text))
			assert.EqualError(t, err, test.want)
		})
	}
}

func TestParseCDFStopsReporting(t *testing.T) {
	_, err := ParseCDF("f", []byte(strings.Repeat("junk\n", 1000)))
	require.Error(t, err)
	lines := strings.Split(err.Error(), "\n")
	assert.Len(t, lines, maxCDFErrors+1)
	assert.Equal(t, "f:20:1: more errors are not shown", lines[maxCDFErrors])
}

func TestNewCDFErrors(t *testing.T) {
	tests := []struct {
		points []Point
		want   string
	}{
		{nil, "the distribution has no points; the last must be at 100 %"},
		{[]Point{{1, 50}}, "the last percentage is 50; it must be 100"},
		{[]Point{{5, 50}, {4, 100}}, "point 2: 4 bytes follow 5; sizes must not fall"},
	}
	for _, test := range tests {
		_, err := NewCDF(test.points)
		assert.EqualError(t, err, test.want)
	}
}

func FuzzParseCDF(f *testing.F) {
	for _, seed := range []string{"0 0\n1 100", "", "1 1e400\n", "10 20 30\n#\n", "0 0\n5 100\n5 100\n", "\xff\x00 9", "100 0x1p6\n200 100", "1,100"} {
		f.Add([]byte(seed))
	}
	position := regexp.MustCompile(`^name:\d+:\d+: .`)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseCDF("name", data)
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				require.Regexp(t, position, line)
			}
			return
		}
		points := c.Points()
		least, largest := int64(1), points[len(points)-1].Bytes
		for _, u := range []float64{0, 0.25, 0.5, math.Nextafter(1, 0)} {
			size := c.Quantile(u)
			require.GreaterOrEqual(t, size, least)
			require.LessOrEqual(t, size, largest)
			least = size
		}
		require.GreaterOrEqual(t, c.Mean(), 1.0)
		require.LessOrEqual(t, c.Mean(), float64(largest)*(1+1e-12))
		again, err := ParseCDF("name", []byte(printCDF(c)))
		require.NoError(t, err)
		require.Equal(t, points, again.Points())
	})
}

func printCDF(c *CDF) string {
	var b strings.Builder
	for _, p := range c.Points() {
		fmt.Fprintln(&b, p.Bytes, p.Percent)
	}
	return b.String()
}
