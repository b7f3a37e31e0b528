package profile

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gotriage/triage/internal/symbol"
)

// A fixture writes small profiles. A line is "VALUES | leaf < caller < entry | key=value", a frame "func@file:line";
// "leaf <in caller" says that leaf was inlined.
type fixture struct {
	types    string // "samples/count cpu/nanoseconds"
	period   string // "cpu/nanoseconds 10000000"
	seconds  float64
	at       int64 // seconds since 1970
	build    string
	standard string // the default sample type
	lines    string
}

// cpu is the fixture of a CPU profile of ten seconds: each line begins with a number of samples.
func cpu(lines string) fixture {
	return fixture{types: "samples/count cpu/nanoseconds", period: "cpu/nanoseconds 10000000", seconds: 10, lines: lines}
}

func heap(lines string) fixture {
	return fixture{types: "alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes",
		period: "space/bytes 524288", lines: lines}
}

func waits(lines string) fixture {
	return fixture{types: "contentions/count delay/nanoseconds", period: "contentions/count 1", lines: lines}
}

func (f fixture) proto(t testing.TB) *profile.Profile {
	t.Helper()
	p := &profile.Profile{TimeNanos: f.at * 1e9, DurationNanos: int64(f.seconds * 1e9), DefaultSampleType: f.standard}
	for s := range strings.FieldsSeq(f.types) {
		name, unit, _ := strings.Cut(s, "/")
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	kind, period, _ := strings.Cut(f.period, " ")
	name, unit, _ := strings.Cut(kind, "/")
	p.PeriodType = &profile.ValueType{Type: name, Unit: unit}
	p.Period, _ = strconv.ParseInt(period, 10, 64)
	p.Mapping = []*profile.Mapping{{ID: 1, Start: 0x400000, Limit: 0x800000, File: "/srv/shop", BuildID: f.build}}
	w := protoWriter{p: p, funcs: map[string]*profile.Function{}, locs: map[string]*profile.Location{}}
	for line := range strings.Lines(f.lines) {
		if line = strings.TrimSpace(line); line != "" {
			w.sample(t, line)
		}
	}
	return p
}

// read encodes the fixture and reads it back.
func (f fixture) read(t testing.TB) *Profile {
	t.Helper()
	p, err := Read(encode(t, f.proto(t)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (f fixture) view(t testing.TB) *View { return NewView(f.read(t)) }

func encode(t testing.TB, p *profile.Profile) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type protoWriter struct {
	p     *profile.Profile
	funcs map[string]*profile.Function
	locs  map[string]*profile.Location
}

func (w *protoWriter) sample(t testing.TB, line string) {
	t.Helper()
	parts := strings.Split(line, "|")
	s := &profile.Sample{}
	for v := range strings.FieldsSeq(parts[0]) {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			t.Fatalf("fixture line %q: %v", line, err)
		}
		s.Value = append(s.Value, n)
	}
	if len(s.Value) == 1 && len(w.p.SampleType) == 2 {
		s.Value = append(s.Value, s.Value[0]*w.p.Period)
	}
	for physical := range strings.SplitSeq(parts[1], " < ") {
		if physical = strings.TrimSpace(physical); physical != "" {
			s.Location = append(s.Location, w.location(physical))
		}
	}
	for _, part := range parts[2:] {
		for pair := range strings.FieldsSeq(part) {
			key, value, _ := strings.Cut(pair, "=")
			if s.Label == nil {
				s.Label = map[string][]string{}
			}
			s.Label[key] = append(s.Label[key], value)
		}
	}
	w.p.Sample = append(w.p.Sample, s)
}

func (w *protoWriter) location(text string) *profile.Location {
	if l := w.locs[text]; l != nil {
		return l
	}
	l := &profile.Location{ID: uint64(len(w.locs) + 1), Address: 0x400000 + uint64(len(w.locs)), Mapping: w.p.Mapping[0]}
	for call := range strings.SplitSeq(text, " <in ") {
		name, at, _ := strings.Cut(strings.TrimSpace(call), "@")
		if name == "?" {
			continue // no symbol
		}
		file, line, _ := strings.Cut(at, ":")
		n, _ := strconv.ParseInt(line, 10, 64)
		l.Line = append(l.Line, profile.Line{Function: w.function(name, file), Line: n})
	}
	w.locs[text] = l
	w.p.Location = append(w.p.Location, l)
	return l
}

func (w *protoWriter) function(name, file string) *profile.Function {
	key := name + "@" + file
	if fn := w.funcs[key]; fn != nil {
		return fn
	}
	fn := &profile.Function{ID: uint64(len(w.funcs) + 1), Name: name, Filename: file}
	w.funcs[key] = fn
	w.p.Function = append(w.p.Function, fn)
	return fn
}

// stackText writes a stack as fixtures have it, to compare and to read.
func stackText(p *Profile, s *Stack) string {
	var sb strings.Builder
	for i, f := range s.Frames {
		if i > 0 {
			if p.Frames[s.Frames[i-1]].Inlined {
				sb.WriteString(" <in ")
			} else {
				sb.WriteString(" < ")
			}
		}
		fr := p.At(f)
		fmt.Fprintf(&sb, "%s@%s:%d", fr.Func, fr.File, fr.Line)
	}
	return sb.String()
}

func mustTime(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// selectionOf is the stacks with a frame that one of the patterns matches.
func selectionOf(t *testing.T, v *View, patterns ...string) *Selection {
	t.Helper()
	p := symbol.NewPatterns(0)
	for _, text := range patterns {
		if _, err := p.Add(text); err != nil {
			t.Fatal(err)
		}
	}
	f := p.Finder()
	return v.Select(func(_ int, st *Stack) (inner, outer int, ok bool) {
		inner, outer = -1, -1
		for k, fr := range st.Frames {
			if len(f.Append(nil, v.FuncAt(fr))) == 0 {
				continue
			}
			if outer = k; inner < 0 {
				inner = k
			}
		}
		return inner, outer, inner >= 0
	})
}
