package rules

import (
	"slices"
	"strings"
	"testing"
)

const exampleDoc = `# TR901 first-rule

Two lines
of title

## Why

Wrapped
text.

A second
paragraph:

- One
  thing.
- Another
  one.

## Fix

Fix it.

## False positives

None.

## Since

v0.2

## See

- https://go.dev/doc
- the Go source

# TR902 second-rule

Another one

## Why

W.

## Fix

F.

## False positives

P.
`

func TestDocumentedJoinsWrappedLines(t *testing.T) {
	all := Documented(exampleDoc, []*Rule{{ID: "TR902"}, {ID: "TR901"}})
	got := all[1].Doc()
	want := Doc{
		Title: "Two lines of title", Why: "Wrapped text.\nA second paragraph:\n- One thing.\n- Another one.", Fix: "Fix it.", FalsePositives: "None.",
		Since: "v0.2", Refs: []string{"https://go.dev/doc", "the Go source"},
	}
	if got.Title != want.Title || got.Why != want.Why || got.Fix != want.Fix ||
		got.FalsePositives != want.FalsePositives ||
		got.Since != want.Since || !slices.Equal(got.Refs, want.Refs) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := all[0].Doc(); got.Title != "Another one" || got.Refs != nil {
		t.Errorf("the second rule has %+v", got)
	}
}

func TestValidateReportsFaultsOfDocumentation(t *testing.T) {
	rule := func(id, name string) *Rule {
		return &Rule{
			ID: id, Name: name, Category: Spin, Severity: High, Needs: NeedsDump,
			Run: func(*Pass) []Finding { return nil },
		}
	}
	if err := Validate(Documented(exampleDoc, []*Rule{rule("TR901", "first-rule"),
		rule("TR902", "second-rule")})); err != nil {
		t.Errorf("a good text: %v", err)
	}
	for _, tt := range []struct {
		claim, text string
		all         []*Rule
		want        string
	}{
		{"a rule without documentation", exampleDoc, []*Rule{rule("TR901", "first-rule"), rule("TR902", "second-rule"),
			rule("TR903", "third-rule")}, "TR903 (third-rule): its documentation lacks: why"},
		{"documentation without a rule", exampleDoc, []*Rule{rule("TR901", "first-rule")}, "describes TR902"},
		{"another name", exampleDoc, []*Rule{rule("TR901", "first-rule"), rule("TR902", "other-name")},
			`calls it "second-rule"`},
		{"a rule twice", exampleDoc + exampleDoc, []*Rule{rule("TR901", "first-rule"), rule("TR902", "second-rule")},
			"documented twice"},
		{"an unknown section", strings.Replace(exampleDoc, "## Fix", "## Mix", 1), []*Rule{rule("TR901", "first-rule")},
			`unknown or second section "Mix"`},
		{"a section twice", strings.Replace(exampleDoc, "## Fix", "## Why", 1), []*Rule{rule("TR901", "first-rule")},
			`unknown or second section "Why"`},
		{"a reference that is none", strings.Replace(exampleDoc, "- https", "https", 1),
			[]*Rule{rule("TR901", "first-rule")}, `under "See"`},
	} {
		err := Validate(Documented(tt.text, tt.all))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.claim, err, tt.want)
		}
	}
}

// The rules are documented at each start: the texts of all families together are as long as this one.
func BenchmarkParseDocs(b *testing.B) {
	text := strings.Repeat(strings.Replace(exampleDoc, "Wrapped\n",
		strings.Repeat("Wrapped text of sixty characters, as rules have it, in lines\n", 14), 1), 80)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		parseDocs(text, 160)
	}
}
