package rulestest

import (
	"flag"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/fixture"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse/frame"
)

var Update = flag.Bool("update", false, "write builtin-*.json, docs/rules.md and the golden files anew")

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
	case strings.ContainsAny(f.Title+f.Why+f.Fix, "{}\n\x1b") || strings.Contains(f.Title+f.Why+f.Fix, "%!"):
		t.Errorf("%s: unfilled or unprintable: %q %q %q", f.Rule, f.Title, f.Why, f.Fix)
	}
}

// CheckTexts holds a finding to what a tired reader takes in: why in two sentences at most, one fix, and each doubt a
// sentence of its own; a quotation counts as a word. What something speaks against is of low confidence.
func CheckTexts(t *testing.T, f *rules.Finding) {
	t.Helper()
	CheckWords(t, f.Rule, f.Title, f.Why, f.Fix)
	for _, fault := range phrase.SentenceFaults("against", strings.Join(f.Against, " "), len(f.Against)) {
		t.Errorf("%s: %s", f.Rule, fault)
	}
	if len(f.Against) > 0 && f.Confidence != rules.ConfLow {
		t.Errorf("%s: confidence %s, though %q", f.Rule, f.Confidence, f.Against)
	}
}

// CheckWords is CheckTexts for the texts of a rule, their placeholders filled in.
func CheckWords(t *testing.T, id, title, why, fix string) {
	t.Helper()
	for _, fault := range phrase.Faults(title, why, fix) {
		t.Errorf("%s: %s", id, fault)
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
	p, comment, err := fixture.Stacks(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	fx := ProfileFixture{Name: name, In: ProfileInput(p, name)}
	if comment == "" {
		t.Errorf("%s: the comment does not say the situation", name)
	}
	for list := range strings.SplitSeq(comment, "near miss") {
		if before, _, ok := strings.Cut(list, "."); ok && strings.HasPrefix(list, " of ") ||
			strings.HasPrefix(list, "es of ") {
			fx.NearMiss = append(fx.NearMiss, regexp.MustCompile(`TR\d+`).FindAllString(before, -1)...)
		}
	}
	return fx
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
