package rules

import (
	"flag"
	"iter"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
)

var update = flag.Bool("update", false, "write builtin.bin, docs/rules.md and the golden files anew")

var nearMissOf = regexp.MustCompile(`near miss(?:es)? of ((?:TR\d+)(?:(?:, | and )TR\d+)*)`)

// prepare finds out about dumps of one process what rules want to know.
func prepare(dumps []*DumpInput, roles *RoleSet) {
	program := frame.InferProgram(framesOf(dumps))
	for _, d := range dumps {
		d.Program = program
		d.Roles = Assign(d.Dump, program, roles)
		d.Waits = WaitsOf(d)
	}
}

func framesOf(dumps []*DumpInput) iter.Seq[frame.Frame] {
	return func(yield func(frame.Frame) bool) {
		for _, d := range dumps {
			for _, b := range d.Buckets {
				for _, f := range b.Frames {
					if f.Elided == 0 && !yield(f.Frame) {
						return
					}
				}
				if b.CreatedBy != nil && !yield(b.CreatedBy.Frame) {
					return
				}
			}
			for _, r := range d.Races {
				for _, f := range r.Frames {
					if !yield(f.Frame) {
						return
					}
				}
			}
		}
	}
}

func applyAll(all []*Rule, p *Pass) []Finding {
	var found []Finding
	for _, r := range all {
		if r.Applicable(p) {
			found = append(found, r.Apply(p)...)
		}
	}
	return found
}

// checkFinding holds a finding against the contract that every report relies on.
func checkFinding(t *testing.T, f *Finding) {
	t.Helper()
	switch {
	case f.Title == "" || len([]rune(f.Title)) > MaxTitle:
		t.Errorf("%s: title of %d characters: %q", f.Rule, len([]rune(f.Title)), f.Title)
	case len(f.Evidence) == 0:
		t.Errorf("%s: no evidence", f.Rule)
	case f.Why == "" || f.Fix == "" || f.Fingerprint == "" || f.Severity.Rank() < 0 || f.Confidence.Rank() < 0:
		t.Errorf("%s: incomplete: %+v", f.Rule, f)
	case strings.ContainsAny(f.Title+f.Why+f.Fix, "{}\n\x1b"):
		t.Errorf("%s: unfilled or unprintable: %q %q %q", f.Rule, f.Title, f.Why, f.Fix)
	}
}

// A profileFixture is one profile with what its text describes.
type profileFixture struct {
	name     string
	in       *ProfileInput
	nearMiss []string
}

func profileInput(p *profile.Profile, name string) *ProfileInput {
	return &ProfileInput{View: profile.NewView(p), Input: name, Process: "program " + name}
}

// writtenProfile reads a file of stacks.
func writtenProfile(t testing.TB, name, text string) profileFixture {
	t.Helper()
	fx := profileFixture{name: name}
	w := &profileWriter{p: &profile.Profile{Labels: []profile.LabelSet{{}}, Merged: 1, Runtime: profile.RuntimeGo},
		funcs: map[profile.Function]int32{}}
	comment := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case strings.HasPrefix(line, "#"):
			comment += strings.TrimPrefix(line, "#")
		case first == "kind":
			w.begin(profile.Kind(rest))
		case first == "unnamed":
			share, err := strconv.ParseFloat(rest, 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			w.p.Unsymbolized = share
		case first == "seconds":
			s, err := strconv.ParseFloat(rest, 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			w.p.Duration = time.Duration(s * float64(time.Second))
		default:
			n, err := strconv.ParseInt(first, 10, 64)
			if err != nil {
				t.Fatalf("%s: %q: %v", name, line, err)
			}
			label := ""
			if strings.HasPrefix(rest, "{") {
				label, rest, _ = strings.Cut(rest[1:], "} ")
			}
			w.stack(n, label, strings.Split(rest, " < "))
		}
	}
	if comment == "" {
		t.Errorf("%s: the comment does not say the situation", name)
	}
	for list := range strings.SplitSeq(comment, "near miss") {
		if before, _, ok := strings.Cut(list, "."); ok && strings.HasPrefix(list, " of ") ||
			strings.HasPrefix(list, "es of ") {
			fx.nearMiss = append(fx.nearMiss, regexp.MustCompile(`TR\d+`).FindAllString(before, -1)...)
		}
	}
	fx.in = profileInput(w.p, name)
	return fx
}

var inLine = regexp.MustCompile(`^(\S+) (\S+):(\d+)$`)

type profileWriter struct {
	p     *profile.Profile
	funcs map[profile.Function]int32
	scale int64
}

func (w *profileWriter) begin(kind profile.Kind) {
	p := w.p
	p.Kind = kind
	switch kind {
	case profile.KindCPU:
		p.Types, p.Value, w.scale = []profile.ValueType{{Type: "samples", Unit: "count"},
			{Type: "cpu", Unit: "nanoseconds"}}, 1, 1e7
	case profile.KindHeap:
		p.Types, p.Value, w.scale = []profile.ValueType{{Type: "inuse_objects", Unit: "count"},
			{Type: "inuse_space", Unit: "bytes"}}, 1, 1<<20
	case profile.KindAllocs:
		p.Types, p.Value, w.scale = []profile.ValueType{{Type: "alloc_objects", Unit: "count"},
			{Type: "alloc_space", Unit: "bytes"}}, 1, 1<<20
	default:
		p.Types, p.Value, w.scale = []profile.ValueType{{Type: "contentions", Unit: "count"},
			{Type: "delay", Unit: "nanoseconds"}}, 1, 1e6
	}
}

func (w *profileWriter) stack(n int64, label string, frames []string) {
	st := profile.Stack{Values: []int64{n, n * w.scale}, Samples: n}
	if label != "" {
		st.Label = int32(len(w.p.Labels))
		w.p.Labels = append(w.p.Labels, profile.LabelSet{label})
	}
	for _, f := range frames {
		f = strings.TrimSpace(f)
		fn, line := profile.Function{Name: f, File: "x.go"}, 1
		if m := inLine.FindStringSubmatch(f); m != nil {
			fn = profile.Function{Name: m[1], File: m[2]}
			line, _ = strconv.Atoi(m[3])
		}
		i, ok := w.funcs[fn]
		if !ok {
			i = int32(len(w.p.Functions))
			w.p.Functions = append(w.p.Functions, fn)
			w.funcs[fn] = i
		}
		fr := profile.Frame{Func: i, Line: int32(line)}
		k := slices.Index(w.p.Frames, fr)
		if k < 0 {
			k = len(w.p.Frames)
			w.p.Frames = append(w.p.Frames, fr)
		}
		st.Frames = append(st.Frames, int32(k))
	}
	w.p.Stacks = append(w.p.Stacks, st)
}

// corpus is the folder with real dumps, from the environment.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TRIAGE_CORPUS")
	if dir == "" {
		t.Skip("TRIAGE_CORPUS is not set: real dumps are not at hand")
	}
	return dir
}
