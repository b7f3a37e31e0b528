package triage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/triage"
)

// crashTable is what `kubectl get pods -A -o wide` prints of a crash loop; a file of it is no log.
const crashTable = `+ kubectl get pods -A -o wide
NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE    IP          NODE   NOMINATED NODE   READINESS GATES
shop        index-66c8d7b9f4-x2z4k   0/1     CrashLoopBackOff   12 (3m ago)   4d3h   10.42.0.9   n1     <none>           <none>
shop        cart-7d9c6b8f5-x2z4k     1/1     Running            0             4d3h   10.42.0.8   n1     <none>           <none>
`

func TestATableInATextFileTellsOfObjects(t *testing.T) {
	for _, c := range []struct {
		name, text, rule string
		objects          int
	}{
		{"a crash loop", crashTable, "TR731", 2},
		{"a table in a log whose lines have times", "2026-03-04T05:00:00Z NAME   READY   STATUS             RESTARTS   AGE\n2026-03-04T05:00:00Z a      0/1     CrashLoopBackOff   12         5m\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pods")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{file}})
			if err != nil {
				t.Fatal(err)
			}
			steptest.CheckReport(t, r)
			rule, objects := "", 0
			if len(r.Findings) > 0 {
				rule = r.Findings[0].Rule
			}
			if r.Cluster != nil {
				objects = r.Cluster.Objects
			}
			if rule != c.rule || objects != c.objects {
				t.Errorf("rule %q about %d objects, want %q about %d", rule, objects, c.rule, c.objects)
			}
		})
	}
}
