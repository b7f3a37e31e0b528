package rulestest

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
	"unicode/utf8"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse/frame"
)

var Update = flag.Bool("update", false, "write builtin-*.json, docs/rules.md and the golden files anew")

var NearMissOf = regexp.MustCompile(`near miss(?:es)? of ((?:TR\d+)(?:(?:, | and )TR\d+)*)`)

// Prepare finds out about dumps of one process what rules want to know.
func Prepare(dumps []*rules.DumpInput, roles *match.RoleSet) {
	program := frame.InferProgram(framesOf(dumps))
	for _, d := range dumps {
		d.Program = program
		d.Roles = match.NewAssigner(program, roles).Assign(d.Dump)
		d.Waits = parsed.Grapher()(d)
	}
}

func framesOf(dumps []*rules.DumpInput) iter.Seq[frame.Frame] {
	var all []frame.Frame
	for _, d := range dumps {
		for _, b := range d.Buckets {
			for _, f := range b.Frames {
				if f.Elided == 0 {
					all = append(all, f.Frame)
				}
			}
			if b.CreatedBy != nil {
				all = append(all, b.CreatedBy.Frame)
			}
		}
		for _, r := range d.Races {
			for _, f := range r.Frames {
				all = append(all, f.Frame)
			}
		}
	}
	return slices.Values(all)
}

func ApplyAll(all []*rules.Rule, p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, r := range all {
		if r.Applicable(p) {
			found = append(found, r.Apply(p)...)
		}
	}
	return found
}

// CheckFinding holds a finding against the contract that every report relies on.
func CheckFinding(t *testing.T, f *rules.Finding) {
	t.Helper()
	steptest.Check(t, f.Next)
	switch {
	case f.Title == "" || len([]rune(f.Title)) > phrase.MaxTitle:
		t.Errorf("%s: title of %d characters: %q", f.Rule, len([]rune(f.Title)), f.Title)
	case len(f.Evidence) == 0:
		t.Errorf("%s: no evidence", f.Rule)
	case f.Why == "" || f.Fix == "" || f.Fingerprint == "" || f.Severity.Rank() < 0 || f.Confidence.Rank() < 0:
		t.Errorf("%s: incomplete: %+v", f.Rule, f)
	case strings.ContainsAny(f.Title+f.Why+f.Fix, "{}\n\x1b"):
		t.Errorf("%s: unfilled or unprintable: %q %q %q", f.Rule, f.Title, f.Why, f.Fix)
	}
}

// The limits of what a reader gets at a time.
const (
	maxSentences = 2
	maxWords     = 25
)

var (
	quotation   = regexp.MustCompile(`“[^”]*”`)
	sentenceEnd = regexp.MustCompile(`[.!?](?:\s+|$)`)
)

// CheckTexts holds a finding to what a tired reader takes in: why in two sentences at most, one fix, and each doubt a
// sentence of its own; a quotation counts as a word. What something speaks against is of low confidence.
func CheckTexts(t *testing.T, f *rules.Finding) {
	t.Helper()
	CheckWords(t, f.Rule, f.Title, f.Why, f.Fix)
	checkText(t, f.Rule, "against", strings.Join(f.Against, " "), len(f.Against))
	if len(f.Against) > 0 && f.Confidence != rules.ConfLow {
		t.Errorf("%s: confidence %s, though %q", f.Rule, f.Confidence, f.Against)
	}
}

// CheckWords is CheckTexts for the texts of a rule, their placeholders filled in.
func CheckWords(t *testing.T, id, title, why, fix string) {
	t.Helper()
	if n := utf8.RuneCountInString(title); n > phrase.MaxTitle {
		t.Errorf("%s: a title of %d characters: %s", id, n, title)
	}
	checkText(t, id, "why", why, maxSentences)
	checkText(t, id, "fix", fix, 1)
}

func checkText(t *testing.T, id, name, text string, most int) {
	t.Helper()
	sentences := sentenceEnd.Split(strings.TrimSpace(quotation.ReplaceAllString(text, "quoted")), -1)
	if last := len(sentences) - 1; sentences[last] == "" {
		sentences = sentences[:last]
	} else {
		t.Errorf("%s: %s has no end: %q", id, name, text)
	}
	if len(sentences) > most {
		t.Errorf("%s: %s has %d sentences, more than %d: %q", id, name, len(sentences), most, text)
	}
	for _, s := range sentences {
		if n := len(strings.Fields(s)); n > maxWords {
			t.Errorf("%s: a sentence of %s has %d words, more than %d: %q", id, name, n, maxWords, s)
		}
	}
}

// CheckLongTitle holds that a title is a whole sentence however long names are, and that it names its object if it
// names the object's kind.
func CheckLongTitle(t *testing.T, f *rules.Finding) {
	t.Helper()
	CheckFinding(t, f)
	if strings.HasSuffix(f.Title, "…") {
		t.Errorf("%s: the title has lost its end: %q", f.Rule, f.Title)
	}
	if o := f.Object; o != nil && o.Kind != "" && strings.Contains(f.Title, o.Kind+" ") &&
		!strings.Contains(phrase.Restore(f.Title, o.Name), o.Name) {
		t.Errorf("%s: %q does not name %s", f.Rule, f.Title, o.Name)
	}
}

// A ProfileFixture is one profile with what its text describes.
type ProfileFixture struct {
	Name     string
	In       *rules.ProfileInput
	NearMiss []string
}

func ProfileInput(p *profile.Profile, name string) *rules.ProfileInput {
	return &rules.ProfileInput{View: profile.NewView(p), Input: name, Process: "program " + name}
}

// WrittenProfile reads a file of stacks.
func WrittenProfile(t testing.TB, name, text string) ProfileFixture {
	t.Helper()
	fx := ProfileFixture{Name: name}
	w := &ProfileWriter{P: &profile.Profile{Labels: []profile.LabelSet{{}}, Merged: 1, Runtime: profile.RuntimeGo},
		Funcs: map[profile.Function]int32{}}
	number := func(line, word string) float64 {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatalf("%s: %q: %v", name, line, err)
		}
		return n
	}
	comment := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		first, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
		case strings.HasPrefix(line, "#"):
			comment += strings.TrimPrefix(line, "#")
		case first == "kind":
			w.Begin(profile.Kind(rest))
		case first == "unnamed":
			w.P.Unsymbolized = number(line, rest)
		case first == "seconds":
			w.P.Duration = time.Duration(number(line, rest) * float64(time.Second))
		default:
			label := ""
			if strings.HasPrefix(rest, "{") {
				label, rest, _ = strings.Cut(rest[1:], "} ")
			}
			w.Stack(int64(number(line, first)), label, strings.Split(rest, " < "))
		}
	}
	if comment == "" {
		t.Errorf("%s: the comment does not say the situation", name)
	}
	for list := range strings.SplitSeq(comment, "near miss") {
		if before, _, ok := strings.Cut(list, "."); ok && strings.HasPrefix(list, " of ") ||
			strings.HasPrefix(list, "es of ") {
			fx.NearMiss = append(fx.NearMiss, regexp.MustCompile(`TR\d+`).FindAllString(before, -1)...)
		}
	}
	fx.In = ProfileInput(w.P, name)
	return fx
}

var inLine = regexp.MustCompile(`^(\S+) (\S+):(\d+)$`)

type ProfileWriter struct {
	P     *profile.Profile
	Funcs map[profile.Function]int32
	scale int64
}

func (w *ProfileWriter) Begin(kind profile.Kind) {
	count, value, unit := "contentions", "delay", "nanoseconds"
	w.scale = 1e6
	switch kind {
	case profile.KindCPU:
		count, value, w.scale = "samples", "cpu", 1e7
	case profile.KindHeap:
		count, value, unit, w.scale = "inuse_objects", "inuse_space", "bytes", 1<<20
	case profile.KindAllocs:
		count, value, unit, w.scale = "alloc_objects", "alloc_space", "bytes", 1<<20
	}
	w.P.Kind, w.P.Value = kind, 1
	w.P.Types = []profile.ValueType{{Type: count, Unit: "count"}, {Type: value, Unit: unit}}
}

func (w *ProfileWriter) Stack(n int64, label string, frames []string) {
	st := profile.Stack{Values: []int64{n, n * w.scale}, Samples: n}
	if label != "" {
		st.Label = int32(len(w.P.Labels))
		w.P.Labels = append(w.P.Labels, profile.LabelSet{label})
	}
	for _, f := range frames {
		f = strings.TrimSpace(f)
		fn, line := profile.Function{Name: f, File: "x.go"}, 1
		if m := inLine.FindStringSubmatch(f); m != nil {
			fn = profile.Function{Name: m[1], File: m[2]}
			line, _ = strconv.Atoi(m[3])
		}
		i, ok := w.Funcs[fn]
		if !ok {
			i = int32(len(w.P.Functions))
			w.P.Functions = append(w.P.Functions, fn)
			w.Funcs[fn] = i
		}
		fr := profile.Frame{Func: i, Line: int32(line)}
		k := slices.Index(w.P.Frames, fr)
		if k < 0 {
			k = len(w.P.Frames)
			w.P.Frames = append(w.P.Frames, fr)
		}
		st.Frames = append(st.Frames, int32(k))
	}
	w.P.Stacks = append(w.P.Stacks, st)
}

// Corpus is the folder with real dumps, from the environment.
func Corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TRIAGE_CORPUS")
	if dir == "" {
		t.Skip("TRIAGE_CORPUS is not set: real dumps are not at hand")
	}
	return dir
}
