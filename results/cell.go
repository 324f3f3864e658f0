package results

import "rocesim/sim"

// MicrosText returns t in microseconds with the digits that CSV files have.
func MicrosText(t sim.Time) string { return string(appendMicros(nil, t)) }

// FloatText returns v with the digits that CSV files have, six significant
// ones.
func FloatText(v float64) string { return string(appendFloat(nil, v)) }

// ValueText returns value i with the digits that the series' file has: bytes of
// a queue, Gb/s of a rate, a part of 1 of a utilisation, packets of a count. It
// is empty where a ControlSeries has no value.
func (s *Series) ValueText(i int) string { return string(s.Kind.append(nil, s.Values[i])) }

// LowText and HighText return those of value i of a ControlSeries.
func (s *Series) LowText(i int) string { return string(s.Kind.append(nil, s.Low[i])) }

// HighText is described at LowText.
func (s *Series) HighText(i int) string { return string(s.Kind.append(nil, s.High[i])) }

// append adds a value as the file of the kind has it.
func (k SeriesKind) append(b []byte, value float64) []byte {
	if k == ControlSeries && value == 0 {
		return b
	}
	return appendFloat(b, value/k.fileUnit())
}

// parse reads what append wrote.
func (k SeriesKind) parse(text string) (float64, error) {
	if k == ControlSeries && text == "" {
		return 0, nil
	}
	v, err := parseFloat(text)
	return v * k.fileUnit(), err
}

// fileUnit is what one in the series' file stands for.
func (k SeriesKind) fileUnit() float64 {
	if k == RateSeries || k == ControlSeries {
		return 1e9
	}
	return 1
}

// ofPort reports whether series of the kind belong to ports; others have names
// of their own.
func (k SeriesKind) ofPort() bool {
	return k == QueueSeries || k == UtilisationSeries || k == MarkSeries
}
