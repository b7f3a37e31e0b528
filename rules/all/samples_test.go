package all

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/fixtures"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// samples are what rules report about their fixtures, one finding for each rule: the first of its worst severity.
func samples(t *testing.T, all []*rules.Rule) map[string]rules.Finding {
	t.Helper()
	first := map[string]rules.Finding{}
	add := func(found []rules.Finding) {
		for _, f := range found {
			if known, ok := first[f.Rule]; !ok || f.Severity.Rank() > known.Severity.Rank() {
				first[f.Rule] = f
			}
		}
	}
	for _, fx := range dumpFixtures(t) {
		add(rulestest.ApplyAll(all, fx.pass()))
	}
	for _, fx := range profileFixtures(t) {
		add(applyProfiles(all, fx.In))
	}
	add(applyProfiles(all, heapSeries(t)...))
	for _, fx := range fixtures.All(t) {
		add(rulestest.ApplyAll(all, fx.Pass))
	}
	for _, r := range all {
		if _, ok := first[r.ID]; !ok {
			t.Errorf("rule %s (%s): no fixture shows what it reports", r.ID, r.Name)
		}
	}
	return first
}

// sampleColumns is the width of a sample's lines.
const sampleColumns = 110

// sampleMarkdown writes a finding as a block of text: severity, title, why and fix.
func sampleMarkdown(b *bytes.Buffer, f rules.Finding) {
	fmt.Fprintf(b, "\n```\n%s  %s\n", strings.ToUpper(string(f.Severity)), f.Title)
	for _, part := range []struct{ head, body string }{{"why", f.Why}, {"fix", f.Fix}} {
		line := "  " + part.head
		for _, word := range strings.Fields(part.body) {
			if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > sampleColumns {
				b.WriteString(line + "\n")
				line = "     "
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	b.WriteString("```\n")
}
