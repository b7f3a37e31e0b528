package triage_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// yields is the spinning goroutine of the controller's dump, by its header and its first two lines.
var yields = regexp.MustCompile(`(?m)^(.* stderr F goroutine 19 .*\[)runnable\]:\n(.* stderr F )runtime\.Gosched\(\.\.\.\)\n` +
	`(.* stderr F )\t.*\n`)

// TestOfFiftyPodsTheFiveThatSpinAreNamedOnce has the controller's dump in each pod. In five of them a goroutine spins,
// in the others the same one sleeps: these get nothing above low.
func TestOfFiftyPodsTheFiveThatSpinAreNamedOnce(t *testing.T) {
	root, want := fiftyPods(t)
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

// fiftyPods writes the logs of the pods, and returns those that spin.
func fiftyPods(t *testing.T) (root string, spin []string) {
	t.Helper()
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
	root = t.TempDir()
	for i := range 50 {
		text, name := sleeps, fmt.Sprintf("web-%d", i)
		if i%10 == 7 {
			text, spin = spins, append(spin, name)
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
	return root, spin
}

// TestShardsMergedAreTheWhole splits the pods into n parts, each with a report, and merges these.
func TestShardsMergedAreTheWhole(t *testing.T) {
	root, spin := fiftyPods(t)
	counts := func(n int) string {
		dir := t.TempDir()
		for i := range n {
			r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{root}, Shard: i + 1, Shards: n})
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := report.JSON(&text, r); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".json")), text.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r, err := triage.Merge(t.Context(), []string{dir}, nil)
		if err != nil || r.Merged.Reports != n {
			t.Fatalf("%+v, %v", r.Merged, err)
		}
		if got := report.Headline(r); !strings.HasPrefix(got, "5 of 50 instances: ") {
			t.Errorf("the headline of %d shards: %s", n, got)
		}
		r.Merged.Reports, r.Merged.Shards = 0, nil
		text := fmt.Sprintf("%+v\n", r.Merged)
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Object == nil { // the lease that all pods take is one finding about all of them
				text += fmt.Sprintln(f.Fingerprint, f.PodsTotal, f.Notes[0])
			}
		}
		return text
	}
	whole := counts(1)
	if want := fmt.Sprintf("Shown by %d of 50 instances", len(spin)); !strings.Contains(whole, want) {
		t.Errorf("%s\nlacks %q", whole, want)
	}
	for _, n := range []int{2, 7} {
		if got := counts(n); got != whole {
			t.Errorf("%d shards:\n%s\nwhole:\n%s", n, got, whole)
		}
	}
}

func TestEachPodIsInOneShard(t *testing.T) {
	root, _ := fiftyPods(t)
	for _, first := range []int{0, 1} {
		dumps := 0
		for i := range 7 {
			r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{root}, Shard: i + first, Shards: 7})
			if err != nil || len(r.Dumps) == 0 || len(r.Dumps) > 20 {
				t.Errorf("shard %d: %d dumps of 50, %v", i+first, len(r.Dumps), err)
			}
			dumps += len(r.Dumps)
		}
		if dumps != 50 {
			t.Errorf("counted from %d: %d dumps of 50", first, dumps)
		}
	}
}

func TestWhatIsNoReportCostsNoOtherReport(t *testing.T) {
	dir := t.TempDir()
	var good bytes.Buffer
	if err := report.JSON(&good, schema.New("")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"good.json": good.String(), "broken.json": "{", "other.json": `{"schema":"triage/v9"}`,
		"comparison.json": `{"schema":"triage/v1","diff":{}}`, "notes.txt": "not looked at",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var progress triage.Progress
	r, err := triage.Merge(t.Context(), []string{dir, filepath.Join(dir, "absent.json")}, &progress)
	if err != nil || r.Merged.Reports != 1 || progress.Done.Load() != 5 {
		t.Fatalf("%+v, %v, %d files", r.Merged, err, progress.Done.Load())
	}
	var names []string
	for _, s := range r.Skipped {
		names = append(names, filepath.Base(s.Path))
		if !s.Named || s.Hint == "" {
			t.Errorf("%+v", s)
		}
	}
	if want := []string{"absent.json", "broken.json", "comparison.json", "other.json"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
