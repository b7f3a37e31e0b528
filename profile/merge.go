package profile

import (
	"errors"
	"fmt"
	"slices"
)

// Merge adds profiles of one kind up: of several pods, or of one process at several times. Values and durations add
// up, so that Cores is the average of the processes; the time is the earliest. Types may be in another order; a
// type that one of them lacks is an error, and so are two kinds. Binary, BuildID and Go are kept where all agree. One
// profile comes back as it is.
func Merge(profiles ...*Profile) (*Profile, error) {
	if len(profiles) == 0 {
		return nil, errors.New("merge profiles: there are none")
	}
	if len(profiles) == 1 {
		return profiles[0], nil
	}
	first := profiles[0]
	b := newBuilder(0, 0)
	b.profile.Kind, b.profile.Types, b.profile.Value = first.Kind, first.Types, first.Value
	b.profile.Period, b.profile.PeriodType, b.profile.Merged = first.Period, first.PeriodType, 0
	b.profile.Runtime, b.profile.Go = first.Runtime, first.Go
	b.profile.Binary, b.profile.BuildID = first.Binary, first.BuildID
	for i, p := range profiles {
		if err := b.mergeProfile(p); err != nil {
			return nil, fmt.Errorf("merge profile %d: %w", i+1, err)
		}
	}
	p, err := b.buildStacks(nil)
	if err != nil {
		return nil, fmt.Errorf("merge profiles: %w", err)
	}
	p.deriveFromStacks()
	// The limit of frames is each profile's own, so that what was cut stays cut.
	p.Truncated = truncated(p, profiles)
	return p, nil
}

func (b *builder) mergeProfile(p *Profile) error {
	if p.Kind != b.profile.Kind {
		return fmt.Errorf("it is of kind %s, but the first is of kind %s", p.Kind, b.profile.Kind)
	}
	order := make([]int, len(b.profile.Types))
	for i, t := range b.profile.Types {
		if order[i] = slices.Index(p.Types, t); order[i] < 0 {
			return fmt.Errorf("it has no values of type %s (%s)", t.Type, t.Unit)
		}
	}
	b.mergeMetadata(p)
	frames := make([]int32, len(p.Frames))
	for i, f := range p.Frames {
		f.Func = b.function(p.Functions[f.Func])
		frames[i] = b.frame(f)
	}
	labels := make([]int32, len(p.Labels))
	for i, set := range p.Labels {
		labels[i] = b.labels(slices.Clone(set))
	}
	keys, values := []int32(nil), make([]int64, len(order))
	for i := range p.Stacks {
		s := &p.Stacks[i]
		keys = keys[:0]
		for _, f := range s.Frames {
			keys = append(keys, frames[f])
		}
		for j, from := range order {
			values[j] = s.Values[from]
		}
		if err := b.stacks.add(keys, labels[s.Label], values, s.Samples); err != nil {
			return err
		}
	}
	return nil
}

// mergeMetadata merges what a profile has once.
func (b *builder) mergeMetadata(p *Profile) {
	m := b.profile
	m.Merged += p.Merged
	m.Unparsed += p.Unparsed
	m.Duration += p.Duration
	if !p.Time.IsZero() && (m.Time.IsZero() || p.Time.Before(m.Time)) {
		m.Time = p.Time
	}
	for _, kept := range []struct{ to, from *string }{
		{&m.Runtime, &p.Runtime}, {&m.Go, &p.Go}, {&m.Binary, &p.Binary}, {&m.BuildID, &p.BuildID},
	} {
		if *kept.to != *kept.from {
			*kept.to = ""
		}
	}
	for _, c := range p.Comments {
		if len(m.Comments) < maxTextComments && !slices.Contains(m.Comments, c) {
			m.Comments = append(m.Comments, c)
		}
	}
}

// truncated is the average of the profiles' shares, weighted by their values.
func truncated(p *Profile, of []*Profile) float64 {
	total := float64(p.Total())
	if total == 0 {
		return 0
	}
	var cut float64
	for _, q := range of {
		cut += q.Truncated * float64(q.Total())
	}
	return cut / total
}
