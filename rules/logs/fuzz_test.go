package logs

import (
	"bytes"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// FuzzLogRules mines hostile lines, repeated at a steady pace, and holds what the rules make of them against the
// contract.
func FuzzLogRules(f *testing.F) {
	for _, seed := range []string{
		"level=info msg=\"bundle a/b: Resource is current\"\nlevel=info msg=\"getting history for release b\"",
		"E0304 10:00:00.000000       1 a.go:1] \"Reconciler error\" controllerKind=\"A\" name=\"b\" err=\"\x1b[31mno\"",
		"requeuing a/b\nfailed to renew lease a/b\nsuccessfully acquired lease a/b\nWaited for 9s due to client-side " +
			"throttling",
		"Memory cgroup out of memory: Killed process 1 (a) x\nStarting Kubernetes\napply request took too long " +
			"took=9s\netcdserver: request timed out",
		"Operation cannot be fulfilled on a.b \"c\": the object has been modified\nwatch of *v1.Pod ended with: x",
	} {
		f.Add([]byte(seed), uint16(300), uint8(7), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, rounds uint16, tenths uint8, pod bool) {
		m := logpattern.NewMiner()
		lines := bytes.Split(text[:min(len(text), 1<<10)], []byte("\n"))
		at, num := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC), int64(0)
		for range min(int(rounds), 2000) {
			for _, l := range lines[:min(len(lines), 8)] {
				num++
				m.Line(l, num, 0, []byte(at.Format(time.RFC3339Nano)))
			}
			at = at.Add(time.Duration(tenths) * 100 * time.Millisecond)
		}
		in := &rules.LogInput{Log: m.Close(), Input: "a.log"}
		if pod {
			in.Target = rules.Target{Namespace: "n", Pod: "p", Container: "c"}
		}
		for _, r := range Rules() {
			for _, found := range r.Apply(&rules.Pass{Logs: []*rules.LogInput{in}}) {
				if n := len([]rune(found.Title)); n == 0 || n > phrase.MaxTitle || len(found.Evidence) == 0 ||
					found.Severity.Rank() < 0 || found.Fingerprint == "" {
					t.Errorf("%s: %+v", r.ID, found)
				}
				if found.Severity.Rank() > r.Severity.Rank() {
					t.Errorf("%s: %s is worse than what the rule says that it gives", r.ID, found.Severity)
				}
			}
		}
	})
}
