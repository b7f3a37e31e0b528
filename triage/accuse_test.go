package triage

import (
	"testing"

	"github.com/gotriage/triage/triage/schema"
)

// TestAnAccusedGoroutineIsAccusedInAllDumpsOfItsProcess has near misses beside: another process, goroutine or verdict.
func TestAnAccusedGoroutineIsAccusedInAllDumpsOfItsProcess(t *testing.T) {
	row := func(verdict string, ids ...uint64) schema.Runnable {
		return schema.Runnable{Goroutines: ids, Count: len(ids), Verdict: verdict, Reason: verdict}
	}
	dumps := []schema.Dump{
		{Process: "a", Runnable: []schema.Runnable{row("accused", 7), row("watch", 8)}},
		{Process: "a", Runnable: []schema.Runnable{
			row("watch", 7), row("watch", 8), row("watch", 7, 9), row("innocent", 7),
		}},
		{Process: "b", Runnable: []schema.Runnable{row("watch", 7)}},
		{Runnable: []schema.Runnable{row("accused", 7)}}, {Runnable: []schema.Runnable{row("watch", 7)}},
	}
	accuseInAllDumps(dumps)
	var got string
	for _, d := range dumps {
		for _, r := range d.Runnable {
			got += r.Reason[:1]
		}
		got += " "
	}
	if want := "aw awwi w a w "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
