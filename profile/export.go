package profile

import (
	"strings"

	pprof "github.com/google/pprof/profile"
)

// Pprof converts p to a profile of package github.com/google/pprof/profile, which shares no memory with p: one sample
// for each stack, one location for each call with what was inlined into it. Labels are strings, numbers with their
// unit too. Addresses are not kept; mappings are the program's file and those of locations without a name. Read of what
// the result writes has p's stacks, functions and values.
func (p *Profile) Pprof() *pprof.Profile {
	e := exporter{
		p: p, q: &pprof.Profile{DurationNanos: int64(p.Duration), Period: p.Period},
		functions: make([]*pprof.Function, len(p.Functions)),
		locations: map[string]*pprof.Location{},
		mappings:  map[string]*pprof.Mapping{},
	}
	if !p.Time.IsZero() {
		e.q.TimeNanos = p.Time.UnixNano()
	}
	for _, t := range p.Types {
		e.q.SampleType = append(e.q.SampleType, &pprof.ValueType{Type: t.Type, Unit: t.Unit})
	}
	e.q.DefaultSampleType = p.ValueType().Type
	e.q.PeriodType = &pprof.ValueType{Type: p.PeriodType.Type, Unit: p.PeriodType.Unit}
	e.q.Comments = append(e.q.Comments, p.Comments...)
	if p.Binary != "" || p.BuildID != "" {
		e.mapping(p.Binary).BuildID = p.BuildID
	}
	for i := range p.Stacks {
		e.q.Sample = append(e.q.Sample, e.sample(&p.Stacks[i]))
	}
	return e.q
}

// An exporter makes the tables of a pprof profile.
type exporter struct {
	p         *Profile
	q         *pprof.Profile
	functions []*pprof.Function // by index into p.Functions
	locations map[string]*pprof.Location
	mappings  map[string]*pprof.Mapping // by file
}

func (e *exporter) sample(s *Stack) *pprof.Sample {
	out := &pprof.Sample{Value: append([]int64(nil), s.Values...)}
	for from := 0; from < len(s.Frames); {
		end := from + 1
		for end < len(s.Frames) && e.p.Frames[s.Frames[end-1]].Inlined {
			end++
		}
		out.Location = append(out.Location, e.location(s.Frames[from:end]))
		from = end
	}
	for _, pair := range e.p.Labels[s.Label] {
		if out.Label == nil {
			out.Label = map[string][]string{}
		}
		key, value, _ := strings.Cut(pair, ": ")
		out.Label[key] = append(out.Label[key], value)
	}
	return out
}

// location returns the location of a call and of those inlined into it, innermost first.
func (e *exporter) location(frames []int32) *pprof.Location {
	key := string(appendKey(nil, frames))
	l := e.locations[key]
	if l != nil {
		return l
	}
	l = &pprof.Location{ID: uint64(len(e.q.Location) + 1)}
	for _, f := range frames {
		frame := &e.p.Frames[f]
		fn := &e.p.Functions[frame.Func]
		if fn.Name == "" && len(frames) == 1 {
			if fn.File != "" {
				l.Mapping = e.mapping(fn.File)
			}
			break
		}
		l.Line = append(l.Line, pprof.Line{Function: e.function(frame.Func), Line: int64(frame.Line)})
	}
	e.locations[key] = l
	e.q.Location = append(e.q.Location, l)
	return l
}

func (e *exporter) function(i int32) *pprof.Function {
	fn := e.functions[i]
	if fn == nil {
		f := &e.p.Functions[i]
		fn = &pprof.Function{ID: uint64(len(e.q.Function) + 1), Name: f.Name, SystemName: f.Name, Filename: f.File}
		e.functions[i] = fn
		e.q.Function = append(e.q.Function, fn)
	}
	return fn
}

func (e *exporter) mapping(file string) *pprof.Mapping {
	m := e.mappings[file]
	if m == nil {
		m = &pprof.Mapping{ID: uint64(len(e.q.Mapping) + 1), File: file}
		e.mappings[file] = m
		e.q.Mapping = append(e.q.Mapping, m)
	}
	return m
}
