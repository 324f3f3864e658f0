package workload

import (
	"fmt"
	"strings"
)

// Names of the built-in distributions.
const (
	// WebSearch is the web search workload of the DCTCP paper (Alizadeh et
	// al., SIGCOMM 2010, figure 4), in the twelve points with which the HPCC
	// paper (Li et al., SIGCOMM 2019) and its followers use it.
	WebSearch = "websearch"
	// AliStorage is block storage traffic of Alibaba, published in 2019 with
	// the HPCC paper's traffic generator.
	AliStorage = "alistorage"
)

// CDFNames lists the built-in distributions.
func CDFNames() []string { return []string{AliStorage, WebSearch} }

// BuiltinCDF returns the distribution called name.
func BuiltinCDF(name string) (*CDF, error) {
	switch name {
	case WebSearch:
		return NewCDF(webSearchPoints())
	case AliStorage:
		return NewCDF(aliStoragePoints())
	}
	return nil, fmt.Errorf("%s is no built-in distribution; %s are", quote(name), strings.Join(CDFNames(), ", "))
}

func webSearchPoints() []Point {
	return []Point{
		{0, 0}, {10_000, 15}, {20_000, 20}, {30_000, 30}, {50_000, 40}, {80_000, 53},
		{200_000, 60}, {1_000_000, 70}, {2_000_000, 80}, {5_000_000, 90},
		{10_000_000, 97}, {30_000_000, 100},
	}
}

func aliStoragePoints() []Point {
	return []Point{
		{0, 0}, {4_000, 22.93}, {8_000, 69.21}, {16_000, 80.61}, {32_000, 90.47},
		{64_000, 93.53}, {128_000, 96.77}, {256_000, 97.53}, {2_000_000, 100},
	}
}
