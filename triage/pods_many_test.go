package triage_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// yields is the spinning goroutine of the controller's dump, by its header and its first two lines.
var yields = regexp.MustCompile(`(?m)^(.* stderr F goroutine 19 .*\[)runnable\]:\n(.* stderr F )runtime\.Gosched\(\.\.\.\)\n` +
	`(.* stderr F )\t.*\n`)

// TestOfFiftyPodsTheFiveThatSpinAreNamedOnce has the controller's dump in each pod. In five of them a goroutine spins,
// in the others the same one sleeps: these get nothing above low.
func TestOfFiftyPodsTheFiveThatSpinAreNamedOnce(t *testing.T) {
	logs, err := filepath.Glob(filepath.Join("..", "testdata", "pods", "*", "*", "1.log"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("the controller's log: %q, %v", logs, err)
	}
	spins, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	sleeps := yields.ReplaceAll(spins, []byte("${1}sleep]:\n${2}time.Sleep(0x3b9aca00)\n${3}\truntime/time.go:363 +0x165\n"))
	if bytes.Equal(sleeps, spins) {
		t.Fatal("no goroutine of the controller's dump yields")
	}
	root, want := t.TempDir(), []string(nil)
	for i := range 50 {
		text, name := sleeps, fmt.Sprintf("web-%d", i)
		if i%10 == 7 {
			text, want = spins, append(want, name)
		}
		text = bytes.ReplaceAll(text, []byte("goroutine 19 gp"), fmt.Appendf(nil, "goroutine %d gp", 100_000+i))
		text = bytes.ReplaceAll(text, []byte("T02:14:"), fmt.Appendf(nil, "T02:%02d:", i)) // equal logs are one log
		dir := filepath.Join(root, fmt.Sprintf("shop_%s_00000000-0000-4000-8000-%012d", name, i), "server")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "0.log"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{root}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Dumps) != 50 {
		t.Errorf("%d dumps, want one of each pod", len(r.Dumps))
	}
	loud := slices.DeleteFunc(slices.Clone(r.Findings), func(f rules.Finding) bool {
		return !f.Alarm()
	})
	if len(loud) != 1 || loud[0].Name != "busy-wait" {
		t.Fatalf("%d alarms, want the culprit once: %+v", len(loud), loud)
	}
	f, got := loud[0], []string(nil)
	for _, p := range f.Pods {
		got = append(got, p.Pod)
	}
	if !slices.Equal(got, want) || f.PodsTotal != len(want) || f.Count != len(want) {
		t.Errorf("pods %q of %d with %d goroutines, want %q", got, f.PodsTotal, f.Count, want)
	}
	if id := f.Evidence[0].Goroutines; !slices.Equal(id, []uint64{100_007}) {
		t.Errorf("the first evidence is of goroutine %d, want that of the first pod", id)
	}
	if !bytes.Contains([]byte(f.Title), []byte("goroutine 100007")) {
		t.Errorf("%q names no goroutine of the first pod", f.Title)
	}
}
