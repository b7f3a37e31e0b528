package rules_test

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/stackparse"
)

const dump = `goroutine 1 [chan receive]:
main.main()
	/src/main.go:9 +0x1d

goroutine 7 [chan send, 5 minutes]:
main.upload(0x1)
	/src/upload.go:12 +0x2a
created by main.main in goroutine 1
	/src/main.go:7 +0x3b
`

// passOf is the Pass of one dump.
func passOf(text string) *rules.Pass {
	p := &rules.Pass{}
	parser := stackparse.NewParser(func(d *stackparse.Dump) {
		p.Dumps = append(p.Dumps, &rules.DumpInput{Dump: d, Input: "dump.txt"})
	})
	num := int64(0)
	for line := range strings.Lines(text) {
		num++
		parser.Line([]byte(strings.TrimSuffix(line, "\n")), num, nil)
	}
	parser.Close()
	return p
}

// A rule is a value: its documentation and a function from a Pass to findings. Apply completes the findings.
func ExampleRule_Apply() {
	rule := &rules.Rule{
		ID: "ACME001", Name: "stuck-sender", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump,
		Docs: func() rules.Doc {
			return rules.Doc{
				Title: "Goroutines wait to send", Why: "No one receives.", Fix: "Receive, or select on a context.",
				FalsePositives: "The receiver is slow.",
			}
		},
		Run: func(p *rules.Pass) []rules.Finding {
			var found []rules.Finding
			for _, d := range p.Dumps {
				for _, b := range d.Buckets {
					if b.Class == stackparse.ClassChanSend {
						blame := rules.BlameBucket(d, b)
						found = append(found, rules.Finding{
							Title: blame.Culprit.Function + " waits to send", Culprit: blame.Culprit, Path: blame.Path,
							Evidence: []rules.Evidence{rules.EvidenceOf(d, b, "")},
						})
					}
				}
			}
			return found
		},
	}
	if err := rules.Validate([]*rules.Rule{rule}); err != nil {
		fmt.Println(err)
	}
	for _, f := range rule.Apply(passOf(dump)) {
		fmt.Println(f.Rule, f.Severity, f.Title)
		fmt.Printf("%s:%d: %s\n", f.Evidence[0].Input, f.Evidence[0].Line, f.Evidence[0].Text)
	}
	// Output:
	// ACME001 medium main.upload waits to send
	// dump.txt:5: goroutine 7 [chan send, 5 minutes]
}

// Rules are also written in YAML; Load checks them and points at the line of a fault.
func Example_declared() {
	file, err := declared.Load("acme.yaml", []byte(`
rules:
  - id: ACME002
    name: stuck-upload
    category: leak
    severity: high
    confidence: medium
    match:
      - class: [chan send]
        at: [main.upload]
    finds: An upload that no one receives
    title: "{culprit} waits{waiting}"
    why: "{goroutines} of {creator} wait to send."
    fix: Receive what {culprit} sends.
    false_positives: The receiver is slow.
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, rule := range file.Rules {
		for _, f := range rule.Apply(passOf(dump)) {
			fmt.Println(f.Rule, f.Title)
			fmt.Println(f.Why)
		}
	}
	// Output:
	// ACME002 main.upload waits for at least 5 minutes
	// 1 goroutine of main.main wait to send.
}

// An input that holds nothing counts as lacking.
func ExampleRule_Missing() {
	rule := &rules.Rule{Needs: rules.NeedsDump | rules.NeedsLogs}
	p := &rules.Pass{Dumps: []*rules.DumpInput{{}}, Profiles: []*rules.ProfileInput{{}}, Logs: []*rules.LogInput{{}}}
	fmt.Println(rule.Missing(p))
	// Output: a goroutine dump and a log whose lines have timestamps
}
