package triage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/triage"
)

const podFolder = "node/var/log/pods/shop_web-1_0b7c6a1e-2f3d-4c5b-8a9e-0f1e2d3c4b5a/app/0.log"

// logOf is a log of n lines, 1.7 s apart from a second on, in a framing: %[1]s is the time, %[2]s the text.
func logOf(framing string, from time.Duration, n int, ownTime bool) string {
	var b strings.Builder
	start := time.Date(2026, 3, 5, 10, 0, 0, 123456000, time.UTC).Add(from)
	for i := range n {
		at := start.Add(time.Duration(i) * 1700 * time.Millisecond)
		text := "sync of the cache failed: connection refused, again"
		if ownTime {
			text = at.Format("E0102 15:04:05.000000") + "       1 cache.go:41] " + text
		}
		fmt.Fprintf(&b, framing+"\n", at.Format("2006-01-02T15:04:05.000000000Z"), text)
	}
	return b.String()
}

const (
	criLine   = "%[1]s stderr F %[2]s"
	apiLine   = "%[1]s %[2]s"
	plainLine = "%[2]s"
)

// counted is how many lines of errors the report counts, and which inputs are left out.
func counted(r *triage.Report) (lines int64, out []string) {
	for _, p := range r.Patterns {
		lines += p.Count
	}
	for _, s := range r.Skipped {
		if strings.Contains(s.Reason, "counts once") {
			out = append(out, s.Path[strings.LastIndex(s.Path, "/")+1:])
		}
	}
	return lines, out
}

func TestOneLogInTwoPlacesCountsOnce(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		lines int64
		out   string
	}{
		"the node's file and that of the API": {map[string]string{
			podFolder: logOf(criLine, 0, 60, false), "logs/shop/web-1/app.log": logOf(apiLine, 0, 60, false)}, 60, "0.log"},
		"the end of it without framing": {map[string]string{
			podFolder: logOf(criLine, 0, 60, true), "web-1.log": logOf(plainLine, 34*time.Second, 40, true)}, 60, "web-1.log"},
		"two files without framing": {map[string]string{
			"all-logs/app.txt": logOf(plainLine, 0, 60, true), "pods/app.txt": logOf(plainLine, 0, 60, true)}, 60, "app.txt"},
		// Near misses.
		"two replicas that log the same at other times": {map[string]string{
			podFolder: logOf(criLine, 0, 60, false), "logs/shop/web-2/app.log": logOf(apiLine, 300*time.Millisecond, 60, false)}, 120, ""},
		"two replicas without any time": {map[string]string{
			"logs/shop/web-1/app.log": logOf(plainLine, 0, 60, false), "logs/shop/web-2/app.log": logOf(plainLine, 0, 60, false)}, 120, ""},
		"the shorter one goes on": {map[string]string{
			podFolder: logOf(criLine, 0, 60, false), "logs/shop/web-1/app.log": logOf(apiLine, 60*time.Second, 40, false)}, 100, ""},
	} {
		r := runFiles(t, c.files)
		lines, out := counted(r)
		if lines != c.lines || strings.Join(out, " ") != c.out {
			t.Errorf("%s: %d lines, left out %q; want %d, %q", name, lines, out, c.lines, c.out)
		}
	}
}

func TestADumpInTwoPlacesIsOneProcess(t *testing.T) {
	dump := readFile(t, spinDump)
	var cri, api strings.Builder
	for line := range strings.Lines(dump) {
		cri.WriteString("2026-03-05T10:00:00.5Z stderr F " + line)
		api.WriteString("2026-03-05T10:00:00.500000000Z " + line)
	}
	r := runFiles(t, map[string]string{podFolder: cri.String(), "logs/shop/web-1/app.log": api.String()})
	if len(r.Dumps) != 1 || len(r.Findings) == 0 || len(r.Findings[0].Sources) != 1 {
		t.Errorf("%d dumps, findings %+v", len(r.Dumps), r.Findings)
	}
}

func TestACopyOfADumpIsOneProcess(t *testing.T) {
	dump := readFile(t, spinDump)
	first, rest, _ := strings.Cut(dump, "goroutine 1 [")
	later := first + "goroutine 2 [" + rest
	web := func(n int) string {
		return strings.ReplaceAll(strings.ReplaceAll(podFolder, "web-1", fmt.Sprint("web-", n)), "0b7c6a1e", fmt.Sprint("0b7c6a1", n))
	}
	for name, c := range map[string]struct {
		files map[string]string
		dumps int
	}{
		"a copy of a file":          {map[string]string{"bundle/agent.log": dump, "copy.txt": dump}, 1},
		"a longer copy counts too":  {map[string]string{"bundle/agent.log": dump, "copy.txt": dump + "bye\n"}, 2},
		"taken one after the other": {map[string]string{"1.txt": dump, "2.txt": dump}, 2},
		"another goroutine":         {map[string]string{"a.txt": dump, "b.txt": later}, 2},
		"two pods": {map[string]string{strings.Replace(web(1), "0.log", "0.txt", 1): dump,
			strings.Replace(web(2), "0.log", "0.txt", 1): dump}, 2},
	} {
		r := runFiles(t, c.files)
		if len(r.Dumps) != c.dumps {
			t.Errorf("%s: %d dumps, want %d", name, len(r.Dumps), c.dumps)
		}
		for _, f := range r.Findings {
			if c.dumps == 1 && (f.PodsTotal > 1 || len(f.Sources) != 1) {
				t.Errorf("%s: %s is seen in %d processes: %q", name, f.Title, f.PodsTotal, f.Sources)
			}
		}
	}
}

func TestAKlogWithoutYearIsDatedByItsBundle(t *testing.T) {
	r := runFiles(t, map[string]string{
		"app.log":  logOf(plainLine, 0, 60, true),
		"pods.yml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b, creationTimestamp: \"2026-03-06T08:00:00Z\"}\nstatus: {phase: Running}\n",
	})
	for _, in := range r.Inputs {
		if strings.HasSuffix(in.Path, "app.log") && in.First != "2026-03-05T10:00:00Z" {
			t.Errorf("%s begins at %q", in.Path, in.First)
		}
	}
}
