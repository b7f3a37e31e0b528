package rules

import (
	"strings"
	"testing"
)

func TestValidateNamesTheRuleAndTheFault(t *testing.T) {
	docs := Doc{Title: "an upload that hangs", Why: "w", Fix: "f", FalsePositives: "p"}
	good := Rule{
		ID: "TR999", Name: "stuck-upload", Category: Leak, Severity: Low, Needs: NeedsDump,
		Docs: func() Doc { return docs },
		Run:  func(*Pass) []Finding { return nil },
	}
	for _, tt := range []struct {
		claim  string
		change func(*Rule)
		say    string
	}{
		{"no id", func(r *Rule) { r.ID = "" }, "id"},
		{"a name with a capital", func(r *Rule) { r.Name = "Stuck" }, "kebab-case"},
		{"a made-up category", func(r *Rule) { r.Category = "bad" }, `unknown category "bad"`},
		{"a made-up severity", func(r *Rule) { r.Severity = "bad" }, `unknown severity "bad"`},
		{"no evidence", func(r *Rule) { r.Needs = 0 }, "needs no evidence"},
		{"no function", func(r *Rule) { r.Run = nil }, "can't run"},
		{"no fix", func(r *Rule) {
			docs := docs
			docs.Fix = " "
			r.Docs = func() Doc { return docs }
		}, "lacks: fix"},
		{"no documentation", func(r *Rule) { r.Docs = nil }, "lacks: title"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			r := good
			tt.change(&r)
			err := Validate([]*Rule{&r})
			if err == nil || !strings.Contains(err.Error(), tt.say) {
				t.Errorf("error %v, want one about %q", err, tt.say)
			}
		})
	}
	if err := Validate([]*Rule{&good}); err != nil {
		t.Errorf("a good rule: %v", err)
	}
	if err := Validate([]*Rule{&good, &good}); err == nil || !strings.Contains(err.Error(), "its id is taken") {
		t.Errorf("two rules of one id: %v", err)
	}
}
