package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rocesim/results/report"
	"rocesim/scenarios"
)

// A scenario asks for plots by the names of their files, and by default for all.
func TestScenariosAskForAllPlots(t *testing.T) {
	text := "name: x\nfabric: {topology: star, hosts: 2, host_link: {rate: 100Gbps, cable: 3m}}\n" +
		"workload: [{name: w, type: flows, flows: [{from: h0, to: h1, bytes: 1KB}]}]\n"
	sc, err := scenarios.Parse("x.yaml", []byte(text), nil)
	require.NoError(t, err)
	assert.Equal(t, report.Names(), sc.Output.Plots)
	for _, name := range report.Names() {
		_, err := scenarios.Parse("x.yaml", []byte(text), []string{"output.plots=[" + name + "]"})
		assert.NoError(t, err)
	}
}
