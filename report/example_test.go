package report_test

import (
	"fmt"
	"os"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Text writes a report for people; triage.Run makes one of files.
func ExampleText() {
	r := &schema.Report{
		Inputs: []schema.Input{{Path: "api.log", Kind: "pod-log", Lines: 120}},
		Findings: []rules.Finding{{
			Rule: "TR208", Name: "closed-channel", Category: rules.Crash, Severity: rules.Critical, Confidence: rules.ConfHigh,
			Title:   "shop.(*Till).finish closes a nil channel (till.go:74)",
			Culprit: rules.Place{Function: "example.com/shop.(*Till).finish", File: "till.go", Line: 74},
			Why:     "shop.(*Till).finish closed a channel that was never made.",
			Fix:     "Make the channel in the constructor of what holds it.",
			Next:    rules.Commands("go test -race ./..."),
		}},
		Rules: schema.RuleCounts{Checked: 2, Fired: 1, Clear: 1},
	}
	if err := report.Text(os.Stdout, r, report.TextOptions{Width: 80, ASCII: true}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// api.log: pod-log, 120 lines, no dump in it
	//
	// VERDICT  shop.(*Till).finish closes a nil channel (till.go:74)
	// CRITICAL  closed-channel (TR208) - crash - confidence high
	//   > example.com/shop.(*Till).finish  till.go:74
	//   why   shop.(*Till).finish closed a channel that was never made.
	//   fix   Make the channel in the constructor of what holds it.
	//   next  go test -race ./...
	//
	// checked 2 rules
}
