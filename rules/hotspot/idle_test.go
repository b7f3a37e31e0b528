package hotspot

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/stackparse"
)

// TestAnIdleProcessIsAskedForADumpOnlyWhereThereIsNone compares the next steps of an idle process's profile.
func TestAnIdleProcessIsAskedForADumpOnlyWhereThereIsNone(t *testing.T) {
	for _, tt := range []struct{ claim, process, next string }{
		{"a profile alone", "", "--only stacks"},
		{"beside a dump of another process", "2", "--only stacks"},
		{"beside a dump of it", "1", "a CPU profile (10 s)"},
	} {
		in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 1000\n1 main.tick main.go:7\n").In
		in.Process = "1"
		if !in.Idle() {
			t.Fatal("the profile is not idle")
		}
		p := &rules.Pass{Profiles: []*rules.ProfileInput{in}}
		if tt.process != "" {
			p.Dumps = []*rules.DumpInput{{Dump: &stackparse.Dump{}, Process: tt.process}}
		}
		r := mostlyIdle(p, in)
		if len(r.next) != 1 || !strings.Contains(r.next[0].Command+" "+r.next[0].Comment, tt.next) {
			t.Errorf("%s: %v, want %q", tt.claim, r.next, tt.next)
		}
	}
}
