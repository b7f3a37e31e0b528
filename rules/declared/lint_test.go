package declared

import (
	"strings"
	"testing"
)

// sound is whole with texts within their limits.
var sound = strings.NewReplacer("they stand at {file}:{line}", "They stand at {file}:{line}.",
	"close the channel in {creator}", "Close the channel in {creator}.").Replace(whole)

func TestDoubtsPointAtWhatCanHoldForNothing(t *testing.T) {
	both := map[string]bool{"ACME001": true}
	for _, tt := range []struct{ claim, old, new, say string }{
		{"a method of a value in parentheses", "(*Uploader).put", "(Uploader).put",
			"match[0].at[0]: it never matches: methods are (*Uploader).Name or Uploader.Name"},
		{"bounds the wrong way round", "count: {min: 2}", "count: {min: 2, max: 1}",
			"match[0].count: it never holds: no number is within these bounds"},
		{"a frame that must be there and must not", "count: {min: 2}",
			`frames: {none: ["example.com/a.(*Uploader).put"]}`, "match[0].frames.none[0]: it never holds"},
		{"a class that isn't", "when: count > 1", `when: class == "chan sent"`, `when: class is never "chan sent"`},
		{"a class that isn't, in a list", "when: count > 1", `when: class in ["select", "chan sent"]`,
			`when: class is never "chan sent"`},
		{"a role that isn't", "when: count > 1", `when: role != "uploadr"`, `when: role is never "uploadr"`},
		{"a title that names nobody", "{culprit} hangs in {goroutines}{waiting}", "uploads hang",
			"title: it names no culprit"},
		{"a title that is too long", "{culprit} hangs", "{culprit} " + strings.Repeat("hangs ", 20),
			"title: the title has"},
		{"a why of three sentences", "They stand", "One. Two. They stand", "why: why has 3 sentences"},
		{"a sentence of 26 words", "They stand", strings.Repeat("they ", 23) + "stand",
			"why: a sentence of why has 26 words"},
		{"a fix without an end", "in {creator}.", "in {creator}", "fix: fix does not end in a full stop"},
		{"a space before one that brings its own", "They stand", "They stand {waiting}", "why: it leaves two spaces"},
		{"nothing", "id: ACME001", "id: ACME001 ", ""},
		{"an own role", "when: count > 1", `when: role != "uploader"`, ""},
		{"no role", "when: count > 1", `when: role == ""`, ""},
	} {
		text := strings.Replace(sound, tt.old, tt.new, 1)
		if text == sound {
			t.Fatalf("%s: the change does not change anything", tt.claim)
		}
		f, err := Load("mine.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", tt.claim, err)
		}
		doubts := f.Doubts(both, both)
		switch {
		case tt.say == "" && len(doubts) > 0:
			t.Errorf("%s: %v", tt.claim, doubts)
		case tt.say != "" && (len(doubts) != 1 || !strings.Contains(doubts[0].Error(), tt.say)):
			t.Errorf("%s: %v, want %q", tt.claim, doubts, tt.say)
		}
	}
}

func TestDoubtsAboutOtherEvidence(t *testing.T) {
	both := map[string]bool{"ACME001": true}
	for _, tt := range []struct{ field, condition, say string }{
		{"objects", `{kind: widget, when: 'deleting'}`, "objects.kind: triage knows no such kind"},
		{"objects", `{kind: po, when: 'deleting'}`, ""},
		{"objects", `{when: 'conditions["Ready"].status == "false"'}`, `objects.when: status is never "false"`},
		{"objects", `{when: 'labels.status == "false"'}`, ""},
		{"objects", `{when: 'any(events, .type == "Error")'}`, `objects.when: type is never "Error"`},
		{"logs", `{when: 'level == "warn"'}`, `logs.when: level is never "warn"`},
		{"logs", `{when: 'fields.level == "warn" or level == "warning"'}`, ""},
		{"audit", `{when: 'verb in ["update", "modify"]'}`, `audit.when: verb is never "modify"`},
		{"metrics", `{when: 'value > 1'}`, ""},
	} {
		f, err := Load("mine.yaml", []byte(asking(tt.field, tt.condition, "{count}")))
		if err != nil {
			t.Fatal(err)
		}
		doubts := f.Doubts(both, both)
		if tt.say == "" && len(doubts) > 0 || tt.say != "" && (len(doubts) != 1 || !strings.Contains(doubts[0].Error(),
			tt.say)) {
			t.Errorf("%s: %v, want %q", tt.condition, doubts, tt.say)
		}
	}
}

func TestARuleWithoutAFixtureOrANearMissIsDoubtful(t *testing.T) {
	f, err := Load("mine.yaml", []byte(sound))
	if err != nil {
		t.Fatal(err)
	}
	one := map[string]bool{"ACME001": true}
	if d := f.Doubts(nil, one); len(d) != 1 || !strings.Contains(d[0].Error(),
		"mine.yaml:2:9: id: no fixture wants ACME001") {
		t.Errorf("%v", d)
	}
	if d := f.Doubts(one, nil); len(d) != 1 || !strings.Contains(d[0].Error(),
		`no fixture says "near miss of ACME001"`) {
		t.Errorf("%v", d)
	}
}
