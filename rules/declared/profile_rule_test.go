package declared

import (
	"errors"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

// wholeProfileRule is a rule about profiles without a fault; tests change one line of it.
const wholeProfileRule = `rules:
  - id: ACME002
    name: thumbnail-per-request
    category: hot-cpu
    severity: high
    confidence: medium
    profile: cpu
    order: 0
    family: images
    explains: [TR555]
    cores: 0.2
    stacks:
      - frames: ["acme.example/images.(*Scaler).Thumbnail"]
        not_under: ["acme.example/images.Warmup"]
      - at: ["image/draw.*"]
        under: ["acme.example/images.**"]
        has: [image/draw.drawRGBA]
    shares: {low: 0.05, medium: 0.2, high: 0.5}
    finds: thumbnails
    title: "{culprit} spends {share}{cores} on thumbnails"
    why: "{function} at {file}:{line}, {own_share}, {amount}, from {entry}"
    fix: keep them
    false_positives: none known
    next: [dump]
`

func TestLoadReadsRulesAboutProfiles(t *testing.T) {
	f, err := Load("mine.yaml", []byte(wholeProfileRule))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Rules) != 1 || f.Rules[0].Needs != rules.NeedsCPU || f.Rules[0].Hotspots == nil {
		t.Fatalf("%+v", f.Rules)
	}
	if err := rules.Validate(f.Rules); err != nil {
		t.Error(err)
	}
}

func TestLoadErrorsOfRulesAboutProfilesPointAtTheFault(t *testing.T) {
	for _, tt := range []struct {
		claim, old, new string
		line            int
		say             string
	}{
		{"a kind that isn't", "profile: cpu", "profile: gpu", 7, "the kinds are cpu, heap, allocs, mutex, block"},
		{"a match, which is for dumps", "    order: 0\n", "    match: [{leaked: true}]\n", 8, "match is for dumps"},
		{"a condition, which is for dumps", "    order: 0\n", "    when: count > 1\n", 8, "when is for dumps"},
		{"evidence besides", "    order: 0\n", "    needs: [dump]\n", 8, "needs is for dumps"},
		{"an order below none", "order: 0", "order: -1", 8, "0 or more"},
		{"cores below none", "cores: 0.2", "cores: -1", 11, "0 or more"},
		{"a pattern without a function", `"acme.example/images.(*Scaler).Thumbnail"`, `"acme.example/images"`, 13,
			"names no function"},
		{"a stack that begins nowhere", `- at: ["image/draw.*"]`, `- not_under: ["image/draw.*"]`, 15,
			"say where the work begins"},
		{"shares above all", "low: 0.05", "low: 5", 18, "shares above 0 and up to 1"},
		{"shares the wrong way round", "medium: 0.2", "medium: 0.02", 18, "ascending"},
		{"no share at all", "shares: {low: 0.05, medium: 0.2, high: 0.5}", "shares: {}", 18, "low is required"},
		{"an amount of CPU", "    order: 0\n", "    at_least: 3\n", 8, "for heap, allocs, mutex and block"},
		{"a placeholder of dumps", "{culprit} spends", "{goroutines} spend", 20, "unknown placeholder {goroutines}"},
		{"a command that isn't", "next: [dump]", "next: [rm]", 24, `unknown command "rm"`},
		{"a field that isn't", "has: [", "hass: [", 17, `unknown field "hass"`},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			text := strings.Replace(wholeProfileRule, tt.old, tt.new, 1)
			if text == wholeProfileRule {
				t.Fatal("the change does not change anything")
			}
			_, err := Load("mine.yaml", []byte(text))
			le, ok := errors.AsType[*LoadError](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(le.Message, tt.say) || le.Line != tt.line {
				t.Errorf("line %d, want %d: %v", le.Line, tt.line, err)
			}
		})
	}
}

func TestAPlaceholderThatBeginsASentenceBeginsItWithACapital(t *testing.T) {
	known := []string{"{function}", "the culprit", "{cores}", ""}
	for text, want := range map[string]string{
		"Safe to share. {function} makes one.": "Safe to share. The culprit makes one.",
		"{function} makes one.":                "The culprit makes one.",
		"Look at {function}: {function} does.": "Look at the culprit: the culprit does.",
		"A share{cores}. Much.":                "A share. Much.",
	} {
		if got := inSentences(text, known); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
