package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rocesim/scenarios/strict"
	"rocesim/scenarios/workload"
)

// readDistributions replaces the files of Poisson entries by their points, so
// that the resolved scenario needs no other file. Relative paths start at dir.
func (sc *Scenario) readDistributions(dir string) {
	for i := range sc.Workload {
		path := strict.Indexed("workload", i)
		t, ok := sc.Workload[i].Traffic.(*Poisson)
		if !ok || t.CDFFile == "" || sc.doc.Failed(path) {
			continue
		}
		file := t.CDFFile
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		points, err := readDistribution(file)
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				sc.doc.Failf(path+".cdf_file", "%s", strings.TrimSuffix(line, "\n"))
			}
			continue
		}
		t.CDFFile, t.Sizes = "", points
	}
}

// refuseFiles makes each named file an error.
func (sc *Scenario) refuseFiles() {
	for i := range sc.Workload {
		if t, ok := sc.Workload[i].Traffic.(*Poisson); ok && t.CDFFile != "" {
			sc.doc.Failf(strict.Indexed("workload", i)+".cdf_file", "names a file, and none is read here; sizes: can hold what is in it")
		}
	}
}

// readDistribution reads a file of "bytes cumulative_percent" lines.
func readDistribution(file string) ([]SizePoint, error) {
	// Pipes and devices might never end.
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", file)
	}
	data, err := readFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	cdf, err := workload.ParseCDF(file, data)
	if err != nil {
		return nil, err
	}
	var out []SizePoint
	for _, p := range cdf.Points() {
		out = append(out, SizePoint{Bytes: strict.Bytes(p.Bytes), Below: strict.Fraction(p.Percent / 100)})
	}
	return out, nil
}
