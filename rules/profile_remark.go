package rules

import (
	"cmp"
	"fmt"
	"time"
)

// profileRemark is a finding about a profile itself.
func profileRemark(in *ProfileInput, title, rule string, next []string) Finding {
	return Finding{
		Severity: Info, Confidence: ConfHigh, Title: cutTitle(title), Next: next,
		Evidence: []Evidence{{Input: in.Input, Text: fmt.Sprintf("%s samples in %s", thousands(in.Samples()),
			in.Duration.Round(time.Millisecond)), Count: 1}},
		Fingerprint: Fingerprint(rule, Place{Function: cmp.Or(in.Process, in.Input)}, ""),
	}
}
