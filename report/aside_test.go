package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func TestWhatATeamIgnoresIsListedWithItsReason(t *testing.T) {
	r := waitingReport()
	r.Leads, r.Findings = []schema.Lead{}, []rules.Finding{}
	clean := text(t, r, report.TextOptions{})
	if strings.Contains(clean, "IGNORED") || strings.Contains(clean, "CONFIG") {
		t.Errorf("a report without a config names one:\n%s", clean)
	}
	r.Config = &schema.Config{Path: ".triage.yaml", Found: true}
	if s := text(t, r, report.TextOptions{}); strings.Contains(s, "IGNORED") || sectionOf(s, "CONFIG") == "" {
		t.Errorf("a config that ignores nothing:\n%s", s)
	}
	for i := range 20 {
		r.Ignored = append(r.Ignored, schema.Ignored{
			By: schema.Exception{Rule: "busy-wait", Reason: fmt.Sprintf("known\x1b[31m %d", i),
				Until: "2030-01-01"},
			Finding: rules.Finding{Name: "busy-wait", Severity: rules.High, Title: "x spins"},
		})
	}
	s := text(t, r, report.TextOptions{})
	ignored := sectionOf(s, "IGNORED")
	if !strings.Contains(ignored, "HIGH busy-wait: x spins, until 2030-01-01: known") || !strings.Contains(ignored,
		"+13 more rows") {
		t.Errorf("ignored:\n%s", ignored)
	}
	if strings.Contains(s, "\x1b") {
		t.Error("a reason reaches the terminal")
	}
	if headline := report.Headline(r); !strings.Contains(headline, "20 findings are ignored") ||
		strings.Contains(headline, "in usual numbers") {
		t.Errorf("headline %q", headline)
	}
	if s := text(t, r, report.TextOptions{All: true}); strings.Count(sectionOf(s, "IGNORED"), "until 2030") != 20 {
		t.Errorf("--all lists not all:\n%s", s)
	}
}
