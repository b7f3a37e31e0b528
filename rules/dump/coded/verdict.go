package coded

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
)

// A verdict is what a rule concludes about goroutines that wait.
type verdict struct {
	guilty   bool
	proven   bool
	doubt    account.Doubt
	severity rules.Severity // "" is the rule's
}

// The doubts of these rules.
const (
	mayWatch      account.Doubt = "One goroutine that waits alone to receive may watch for a failure that did not come."
	mayIdle       account.Doubt = "Goroutines that only receive may be idle: workers without work."
	justWoken     account.Doubt = "A profile only counts: those that were just woken look the same."
	betweenOwners account.Doubt = "A profile only counts: the lock may be between two owners."
)

// but is v with a doubt if something holds; the first doubt counts.
func (v verdict) but(holds bool, d account.Doubt) verdict {
	if holds && v.doubt == "" {
		v.doubt = d
	}
	return v
}

// of is v with an impact that is not the rule's.
func (v verdict) of(s rules.Severity) verdict {
	v.severity = s
	return v
}

func (v verdict) confidence() rules.Confidence { return v.doubt.Confidence(v.proven) }

func (v verdict) against() []string {
	if v.doubt == "" {
		return nil
	}
	return []string{string(v.doubt)}
}
