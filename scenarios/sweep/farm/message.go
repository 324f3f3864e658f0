package farm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"

	"rocesim/scenarios/strict"
	"rocesim/scenarios/sweep"
)

// Envelope is a job on its way to a worker.
type Envelope struct {
	// Protocol, Tool and Hash are checked before anything is run.
	Protocol string    `json:"protocol"`
	Tool     string    `json:"tool_version"`
	Hash     string    `json:"hash"`
	Job      sweep.Job `json:"job"`
	// Lost is how many workers died with the job before it was last given back.
	Lost int `json:"lost,omitempty"`
}

// Kinds of results.
const (
	kindRecord  = "record"  // the run ended
	kindFailure = "failure" // the run failed, or the job was refused
	kindLost    = "lost"    // set aside
)

// result is what a job ended with. It holds nothing of the worker, so that the
// results of two workers are equal.
type result struct {
	Protocol string        `json:"protocol"`
	Tool     string        `json:"tool_version"`
	Hash     string        `json:"hash"`
	Kind     string        `json:"kind"`
	Failure  string        `json:"failure,omitempty"`
	Record   *sweep.Record `json:"record,omitempty"`
}

// ParseEnvelope reads a job and checks that it is whole, is meant for this
// version, and needs nothing but itself.
func ParseEnvelope(data []byte, hash, tool string) (*Envelope, error) {
	var e Envelope
	if err := decodeStrictly(data, &e); err != nil {
		return nil, fmt.Errorf("not a job: %w", err)
	}
	switch {
	case e.Protocol != protocol:
		return nil, fmt.Errorf("the job's protocol is %q, this worker knows %q", e.Protocol, protocol)
	case e.Tool != tool:
		return nil, fmt.Errorf("the job is for rocesim %s, the worker is rocesim %s", e.Tool, tool)
	case e.Hash != hash || e.Job.Hash(tool) != hash:
		return nil, errors.New("the job was changed on its way: its hash is not that of its content")
	case e.Lost < 0:
		return nil, fmt.Errorf("the job has lost %d workers", e.Lost)
	}
	return &e, alone(e.Job.Scenario)
}

// parseResult reads what a worker stored and checks that it belongs to the job.
func parseResult(data []byte, hash, tool string) (*result, error) {
	var r result
	if err := decodeStrictly(data, &r); err != nil {
		return nil, fmt.Errorf("not a result: %w", err)
	}
	switch {
	case r.Protocol != protocol:
		return nil, fmt.Errorf("the protocol is %q, this version knows %q", r.Protocol, protocol)
	case r.Tool != tool:
		return nil, fmt.Errorf("it is of rocesim %s, this is rocesim %s", r.Tool, tool)
	case r.Hash != hash:
		return nil, fmt.Errorf("it is of job %s", short(r.Hash))
	case r.Kind == kindRecord && r.Record == nil, r.Kind != kindRecord && r.Failure == "":
		return nil, fmt.Errorf("a result of kind %q has to say more", r.Kind)
	case r.Record != nil && r.Record.Tool != tool:
		return nil, fmt.Errorf("its record is of rocesim %s, this is rocesim %s", r.Record.Tool, tool)
	}
	return &r, nil
}

// decodeStrictly reads one JSON value with known fields only.
func decodeStrictly(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON object")
	}
	return nil
}

// fileField is the one field of a scenario that names a file. Coordinators
// replace it by what is in the file.
const fileField = "cdf_file"

// alone reports as an error that a scenario names a file: a worker reads none.
func alone(scenario string) error {
	if len(scenario) > strict.MaxFileBytes {
		return fmt.Errorf("the scenario has %d bytes; allowed are %d", len(scenario), strict.MaxFileBytes)
	}
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(scenario), &root); err != nil {
		return fmt.Errorf("the scenario cannot be read: %w", err)
	}
	return namesNoFile(&root)
}

// namesNoFile walks through the nodes as written, without following aliases:
// what they stand for is visited where it is written.
func namesNoFile(n *yaml.Node) error {
	for i, child := range n.Content {
		key := child
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if n.Kind == yaml.MappingNode && i%2 == 0 && key.Value == fileField {
			return fmt.Errorf("the scenario names a file (%s, line %d), and a worker reads none", fileField, child.Line)
		}
		if err := namesNoFile(child); err != nil {
			return err
		}
	}
	return nil
}

// short is the beginning of a hash, enough for people to tell jobs apart.
func short(hash string) string { return hash[:min(len(hash), 12)] }
