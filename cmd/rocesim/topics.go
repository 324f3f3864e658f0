package main

import "github.com/spf13/cobra"

// topics are pages of help that belong to no command.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "What the exit codes of all commands mean", Long: exitCodesTopic},
		{Use: "units", Short: "How quantities are written, in files and on the command line", Long: unitsTopic},
		{Use: "fields", Short: "How fields of a scenario and metrics are named", Long: fieldsTopic},
		{Use: "json", Short: "What --output json promises", Long: jsonTopic},
	}
}

const exitCodesTopic = `Every command ends with one of these codes, so that scripts and CI can act on it:

  0    done, and all is as it should be
  1    an expectation was not met, a comparison found worse, a check found something
  2    the input or the usage is wrong; what and where is on stderr
  3    the simulation found a fatal condition: a stall or a deadlock, and with
       rocesim run --strict a drop in a lossless class
  130  interrupted by a signal; what was done so far is kept and marked partial

rocesim COMMAND --help says what 1 means for a command.
`

const unitsTopic = `A quantity is a number and its unit; a bare number is an error where a unit is due.

  time      20ms, 2us, 500ns       ps ns us ms s
  rate      100Gbps, 400Mbps       bps Kbps Mbps Gbps Tbps
  size      400KB, 9KiB, 64B       B KB MB GB TB (powers of 1000), KiB MiB GiB TiB (of 1024)
  length    3m, 2km                mm cm m km
  share     20%, 0.2, 1e-9
  alpha     1/8, 0.125, 2, 2^-3

Where such a number is shown or written, its unit stands beside it: in CSV and JSON at
the end of the name, as in fct_us, goodput_gbps and peak_queue_bytes.
`

const fieldsTopic = `A field of a scenario is named by its keys with dots between them. An element of a list
is named by its name, by what it matches, or by its number from 0:

  switch.ecn.kmin                 nic.preset                 fabric.host_link.rate
  workload[shuffle].bytes         faults[0].at               switch.overrides[leaf3].ecn.kmin

rocesim run FILE --set PATH=VALUE changes one, rocesim sweep --set PATH=VALUE,VALUE,...
tries several. With shell completion the names and words are offered: see
rocesim completion --help. All fields are in the reference of the documentation, and in
rocesim schema.

Metrics are named as in expect: fct.p99, drops.lossless, fct.p99{workload=storage}.
`

const jsonTopic = `With --output json a command prints its result on stdout as one JSON document, indented
by two spaces. Names of values end in their unit, as in the CSV tables: _us, _gbps,
_bytes. Keys stay as they are within a release; new ones may come. rocesim worker, which
ends only when told to, prints a line for each job instead.

Progress, notes and errors are text on stderr as always; only rocesim validate, whose
result the errors are, has them in the document. The exit code says the same with and
without. -q keeps progress away, not the document.
`
