package profile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	pprof "github.com/google/pprof/profile"
)

// FromPprof converts a profile of package github.com/google/pprof/profile, which it checks (CheckValid) and doesn't
// change. It reads what would be written: a label without a value is none. The error names what is wrong.
func FromPprof(q *pprof.Profile) (*Profile, error) {
	var data bytes.Buffer
	err := writable(q)
	if err == nil {
		err = q.WriteUncompressed(&data)
	}
	var p *Profile
	if err == nil {
		p, err = decode(data.Bytes())
	}
	if err != nil {
		return nil, fmt.Errorf("convert profile: %w", err)
	}
	return p, nil
}

// writable reports what is incomplete in a profile: writing it would panic.
func writable(q *pprof.Profile) error {
	if q == nil || slices.Contains(q.SampleType, nil) {
		return errors.New("it is nil, or one of its sample types is")
	}
	if err := q.CheckValid(); err != nil {
		return err
	}
	for _, s := range q.Sample {
		for key, units := range s.NumUnit {
			if len(units) != 0 && len(units) < len(s.NumLabel[key]) {
				return errors.New("a sample has fewer units than numbers")
			}
		}
	}
	return nil
}
