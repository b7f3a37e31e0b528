// Package steptest holds the steps of findings and advice against what a report promises of them.
package steptest

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// CheckReport is Check for all that a report proposes.
func CheckReport(t testing.TB, r *schema.Report) {
	t.Helper()
	for i := range r.Findings {
		Check(t, r.Findings[i].Next)
	}
	for _, a := range r.Advice {
		Check(t, a.Commands)
	}
}

// Check fails for each step that does not run as printed or whose Changes is wrong, and where one that changes
// something comes before one that does not need it: only the reading of a log follows, which holds the dump that a
// signal made.
func Check(t testing.TB, steps []rules.Step) {
	t.Helper()
	changed := false
	for _, s := range steps {
		switch {
		case strings.TrimSpace(s.Command) != s.Command || s.Command == "":
			t.Errorf("no command: %+v", s)
		case strings.Contains(s.Command, " # "), strings.HasPrefix(s.Command, "#"):
			t.Errorf("a comment in a command: %+v", s)
		case strings.ContainsAny(s.Command+s.Comment, "\n\r\x1b"):
			t.Errorf("more than a line: %+v", s)
		case strings.TrimSpace(s.Comment) != s.Comment || strings.HasSuffix(s.Comment, ".") ||
			strings.HasSuffix(s.Comment, ":"):
			t.Errorf("no fragment of a sentence: %+v", s)
		case utf8.RuneCountInString(s.Comment) > maxComment:
			t.Errorf("a comment of more than %d characters: %+v", maxComment, s)
		case deletes.MatchString(s.Command) && !selects.MatchString(s.Command):
			t.Errorf("it deletes more than the finding is about: %+v", s)
		case s.Changes != rules.Changes(s.Command):
			t.Errorf("it changes something: %v: %+v", rules.Changes(s.Command), s)
		case s.Changes && s.Comment == "":
			t.Errorf("what it changes is not explained: %+v", s)
		case changed && !s.Changes && !readsLog(s.Command):
			t.Errorf("it changes nothing and comes late: %+v in %+v", s, steps)
		}
		changed = changed || s.Changes
	}
}

// maxComment is a line of 112 columns, behind the label and the comment's sign.
const maxComment = 100

// deletes matches a kubectl command that deletes, selects one that names an object or labels: a field selector alone
// hits what others own.
var (
	deletes = regexp.MustCompile(`^kubectl .*\bdelete\b`)
	selects = regexp.MustCompile(`\bdelete \S+ (?:[a-z0-9'].*|.*-l \S+=)`)
)

// readsLog reports the commands that show the dump that a signal made: in the log of the container before its restart.
func readsLog(command string) bool {
	return strings.HasPrefix(command, "kubectl ") && strings.Contains(command, " logs -p ") ||
		strings.Contains(command, "/var/log/pods/") || strings.HasPrefix(command, "journalctl ")
}
