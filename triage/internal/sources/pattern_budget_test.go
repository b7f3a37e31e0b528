package sources

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/logpattern"
)

// logOf is a log with a pattern of n lines, one of twice as many, and a lost lease.
func logOf(i, n int) *logpattern.Log {
	m := logpattern.NewMiner()
	at := time.Date(2026, 3, 7, 1, 0, 0, 0, time.UTC)
	num := int64(0)
	line := func(text string) {
		num++
		m.Line([]byte(text), num, 0, at.Add(time.Duration(num)*time.Second).AppendFormat(nil, time.RFC3339Nano))
	}
	for range n {
		line(fmt.Sprintf("synced the volume of log %d", i))
		line("polled the server")
		line("polled the server")
	}
	line("I0307 01:00:00.000000       1 leaderelection.go:285] failed to renew lease prod/main: context deadline exceeded")
	line("leader election lost")
	return m.Close()
}

func TestLogsKeepThePatternsThatWeighMostWhateverIsReadFirst(t *testing.T) {
	const logs = 400
	kept := func(order []int, most int) (all []string, r *patternBudget, results []*Result) {
		r = &patternBudget{most: most}
		results = make([]*Result, logs)
		for _, i := range order {
			results[i] = &Result{Log: logOf(i, 10+i%7*40),
				Source: ingest.Source{Parts: []ingest.Part{{Path: fmt.Sprintf("log %d", i)}}}}
			r.add(results[i].Log)
			if r.used > most {
				t.Fatalf("%d bytes are kept, more than %d", r.used, most)
			}
		}
		for i, result := range results {
			for _, p := range result.Log.Patterns {
				all = append(all, fmt.Sprintf("%d: %d of %s", i, p.Count, p.Template))
			}
		}
		return all, r, results
	}
	inOrder := make([]int, logs)
	for i := range inOrder {
		inOrder[i] = i
	}
	whole, none, results := kept(inOrder, 1<<30)
	if got := none.skipped(results); got != nil {
		t.Errorf("nothing was dropped, and the report has %+v", got)
	}
	most := none.used * 3 / 5
	first, r, results := kept(inOrder, most)
	if len(first) == 0 || len(first) >= len(whole) || r.least == 0 {
		t.Fatalf("%d of %d patterns are kept", len(first), len(whole))
	}
	shuffled := slices.Clone(inOrder)
	rand.New(rand.NewPCG(1, 2)).Shuffle(logs, func(i, j int) {
		shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
	})
	for _, order := range [][]int{shuffled, func() []int { b := slices.Clone(inOrder); slices.Reverse(b); return b }()} {
		if again, _, _ := kept(order, most); !slices.Equal(first, again) {
			t.Errorf("another order keeps %d patterns, not %d, or others", len(again), len(first))
		}
	}
	lost := slices.ContainsFunc(first, func(s string) bool { return strings.Contains(s, "leader election lost") })
	if r.least <= 1024 && !lost {
		t.Errorf("the lost leases are gone, at %d lines: %q", r.least, first)
	}
	skips := r.skipped(results)
	want := fmt.Sprintf("patterns left out because they have fewer than %d lines: %d;", r.least, len(whole)-len(first))
	if len(skips) != 1 || skips[0].Path != "log 0" || !strings.Contains(skips[0].Reason, want) {
		t.Errorf("the report has %+v, want %q", skips, want)
	}
}
