package account

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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
- next: @inside ls /proc/PID/fd | wc -l

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
	want := Account{Act: "acts", Next: []rules.Step{{Command: "kubectl logs p --all-containers --ignore-errors --prefix | tail", Comment: "the end"},
		{Command: "exit"}, {Command: "kubectl exec p -- ls /proc/1/fd | wc -l"}}}
	if diff := cmp.Diff(want, b.Account("next-rule", Facts{Target: rules.Target{Pod: "p"}})); diff != "" {
		t.Error(diff)
	}
}

// What texts ask for, {names} and conditions, is in the Go code of their room.
func TestTextsAskForWhatTheirRoomFillsIn(t *testing.T) {
	classes, err := os.ReadFile("../../../stackparse/dump.go")
	if err != nil {
		t.Fatal(err)
	}
	library, err := os.ReadFile("library.go")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile(`\{(\w+)\}`)
	for _, room := range []string{"spin", "wait", "crash"} {
		text, err := os.ReadFile("../" + room + "/findings.md")
		if err != nil {
			t.Fatal(err)
		}
		code := string(classes) + string(library)
		files, err := filepath.Glob("../" + room + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code += string(source)
		}
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			if !strings.Contains(code, `"`+m[1]+`"`) {
				t.Errorf("%s: nothing fills in {%s}", room, m[1])
			}
		}
		for rule, parts := range Parse(string(text)) {
			for _, p := range parts {
				for _, f := range p.fields {
					if !slices.Contains([]string{"act", "why", "more", "fix", "next"}, f[0]) {
						t.Errorf("%s, %s: no field is called %q", room, rule, f[0])
					}
				}
				for one := range strings.SplitSeq(p.Condition, " or ") {
					if one != "" && !strings.HasPrefix(one, `"`) && !strings.Contains(code, `"`+one+`"`) &&
						!strings.HasPrefix(one, "SIG") {
						t.Errorf("%s, %s: nothing asks for %q", room, rule, one)
					}
				}
			}
		}
	}
}
