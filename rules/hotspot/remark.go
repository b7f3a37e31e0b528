package hotspot

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// profileRemark is a finding about a profile itself.
func profileRemark(in *rules.ProfileInput, title, rule string, next []rules.Step) rules.Finding {
	return rules.Finding{
		Severity: rules.Info, Confidence: rules.ConfHigh, Title: phrase.CutTitle(title), Next: next,
		Evidence: []rules.Evidence{{Input: in.Input, Text: fmt.Sprintf("%s samples in %s", phrase.Thousands(in.Samples()),
			in.Duration.Round(time.Millisecond)), Count: 1}},
		Fingerprint: rules.Fingerprint(rule, rules.Place{Function: cmp.Or(in.Process, in.Input)}, ""),
	}
}
