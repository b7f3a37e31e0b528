package triage

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// auditLines are n requests of one server, each some milliseconds after the one before, written as their answers came:
// a few are slow, and come after later ones.
func auditLines(server, n int) string {
	rng := rand.New(rand.NewPCG(uint64(server), 7))
	lines := make([]string, n)
	at := time.Date(2026, 3, 4, 4, 40, 0, 0, time.UTC)
	for i := range n {
		at = at.Add(time.Duration(rng.IntN(20)) * time.Millisecond)
		stamp := at.Format("2006-01-02T15:04:05.000000Z")
		lines[i] = fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d-%d","stage":"ResponseComplete","requestURI":"/","verb":"get","user":{"username":"u"},"objectRef":{"resource":"pods","namespace":"prod","name":"p%d"},"responseStatus":{"code":200},"requestReceivedTimestamp":%q,"stageTimestamp":%q}`,
			server, i, i%7, stamp, stamp)
	}
	for i := 0; i+50 < n; i += 97 {
		lines[i], lines[i+50] = lines[i+50], lines[i]
	}
	return strings.Join(lines, "\n") + "\n"
}

// auditServers writes the logs of three servers into a folder.
func auditServers(t *testing.T, n int) []string {
	t.Helper()
	var paths []string
	for i := range 3 {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("master-%d-audit.log", i))
		if err := os.WriteFile(path, []byte(auditLines(i, n)), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func TestATimelineIsInOrderOverAllServers(t *testing.T) {
	paths := auditServers(t, 6000)
	kept, err := ReadTimeline(t.Context(), TimelineOptions{Options: Options{Inputs: paths}})
	if err != nil {
		t.Fatal(err)
	}
	if kept.Matched != 18_000 || len(kept.Rows) != 18_000 {
		t.Fatalf("%d of %d rows are kept", len(kept.Rows), kept.Matched)
	}
	for i := range kept.Rows[1:] {
		if kept.Rows[i].Time > kept.Rows[i+1].Time {
			t.Fatalf("row %d comes late", i)
		}
	}
}

func TestOnlyTheFirstRowsAreKept(t *testing.T) {
	tl, err := ReadTimeline(t.Context(), TimelineOptions{Options: Options{Inputs: auditServers(t, 500)}, Limit: 10, Filter: AuditFilter{Object: "pods/p3"}})
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadTimeline(t.Context(), TimelineOptions{Options: Options{Inputs: auditServers(t, 500)}, Filter: AuditFilter{Object: "pods/p3"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(tl.Rows) != 10 || tl.Matched != int64(len(all.Rows)) || tl.Rows[9].ID != all.Rows[9].ID {
		t.Errorf("%d rows of %d", len(tl.Rows), tl.Matched)
	}
}
