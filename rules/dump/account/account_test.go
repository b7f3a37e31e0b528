package account

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/rules"
)

const exampleTexts = `# closed-channel

- act: sends on a closed channel
- why: {who} sent on a channel
  that {other} had closed.
- fix: Let it wait.
- next: go test -race ./...
- next: go build -race # one replica of {who}

## "close of nil" or "close of closed"

- act: closes it again
- next: go vet ./...

## closers

- fix: Close it once.

## also closers

- more: {other} may have.

# next-rule

- act: acts
- next: @logs | tail # the end
- next: @more
- next: {forward}

# more

- next: exit
`

func TestAccount_TakesTheFirstPartOfEachChainThatHolds(t *testing.T) {
	b := Parse(exampleTexts)
	values := Values{"who": "a.F", "other": "{who} # b"}
	plain := []rules.Step{{Command: "go test -race ./..."}, {Command: "go build -race", Comment: "one replica of a.F"}}
	for _, tt := range []struct {
		claim string
		facts Facts
		want  Account
	}{
		{"no condition holds", Facts{Values: values}, Account{Act: "sends on a closed channel", Fix: "Let it wait.",
			Why: "a.F sent on a channel that {who} # b had closed.", Next: plain}},
		{"one of the quoted texts is there", Facts{Text: "close of closed channel", Values: values}, Account{
			Act: "closes it again", Why: "a.F sent on a channel that {who} # b had closed.", Fix: "Let it wait.",
			Next: []rules.Step{{Command: "go vet ./..."}}}},
		{"a case holds in two chains", Facts{Cases: []string{"closers"}, Values: values}, Account{
			Act: "sends on a closed channel", Why: "a.F sent on a channel that {who} # b had closed. {who} # b may have.",
			Fix: "Close it once.", Next: plain}},
		{"the first of a chain wins", Facts{Text: "close of nil", Cases: []string{"closers"}, Values: values}, Account{
			Act: "closes it again", Why: "a.F sent on a channel that {who} # b had closed. {who} # b may have.",
			Fix: "Let it wait.", Next: []rules.Step{{Command: "go vet ./..."}}}},
	} {
		if diff := cmp.Diff(tt.want, b.Account("closed-channel", tt.facts)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.claim, diff)
		}
	}
	want := Account{Act: "acts", Next: []rules.Step{{Command: "kubectl logs p | tail", Comment: "the end"},
		{Command: "exit"}, {Command: "kubectl port-forward p 6060:6060"}}}
	if diff := cmp.Diff(want, b.Account("next-rule", Facts{Target: rules.Target{Pod: "p"}})); diff != "" {
		t.Error(diff)
	}
}
