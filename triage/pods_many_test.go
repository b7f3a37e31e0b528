package triage_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		dir := filepath.Join(root, shopPod(i), "server")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "0.log"), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, spin
}

// shopPod is the folder of the i-th pod.
func shopPod(i int) string { return fmt.Sprintf("shop_web-%d_00000000-0000-4000-8000-%012d", i, i) }

// mixedInputs adds two pods to the fifty. Both spin and have equal logs; one has a second container and a copy of its
// log. It also adds inputs that name no pod: profiles, a report, a text, and a log that ends too early.
func mixedInputs(t *testing.T) (root string) {
	t.Helper()
	root, _ = fiftyPods(t)
	read := func(path string) []byte {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	log := read(filepath.Join(root, shopPod(7), "server", "0.log"))
	var saved, cut bytes.Buffer
	r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{filepath.Join("..", "testdata", "pods-fleet")}})
	if err == nil {
		err = report.JSON(&saved, r)
	}
	zw := gzip.NewWriter(&cut)
	if _, failed := zw.Write(log); err != nil || failed != nil || zw.Flush() != nil { // not closed: it is cut
		t.Fatal(err, failed)
	}
	for path, data := range map[string][]byte{
		shopPod(50) + "/server/0.log":            log,
		shopPod(51) + "/server/0.log":            log,
		"again/" + shopPod(51) + "/server/0.log": log,
		shopPod(51) + "/proxy/0.log":             read(filepath.Join(root, shopPod(8), "server", "0.log")),
		"report.json":                            saved.Bytes(),
		"old.log.gz":                             cut.Bytes(),
		"notes.txt":                              []byte("nothing"),
		"cpu.pb.gz":                              read(filepath.Join("..", "testdata", "profiles", "rsa-key.pb.gz")),
		"heap.pb.gz":                             read(filepath.Join("..", "testdata", "profiles", "heap-growth-3.pb.gz")),
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// inShards splits inputs into n parts, each with a report, and merges these. It returns the merged report and its JSON,
// without how many parts there were.
func inShards(t *testing.T, n int, o triage.Options) (*triage.Report, string) {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		o.Shard, o.Shards = i+1, n
		r, err := triage.Run(t.Context(), o)
		if err != nil || r.Merged.Reports != 1 || !slices.Equal(r.Merged.Shards, []schema.Shard{{Index: i + 1, Of: n}}) ||
			!r.Unreadable() {
			t.Fatalf("part %d: %+v, %v", i, r.Merged, err)
		}
		writeJSON(t, filepath.Join(dir, fmt.Sprint(i, ".json")), r)
	}
	r, err := triage.Merge(t.Context(), []string{dir}, nil)
	if err != nil || r.Merged.Reports != n || len(r.Merged.Shards) != n {
		t.Fatalf("%+v, %v", r.Merged, err)
	}
	r.Merged.Reports, r.Merged.Shards = 0, nil
	path := filepath.Join(dir, "merged")
	writeJSON(t, path, r)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(text)
}

func TestShardsMergedAreTheWhole(t *testing.T) {
	root := mixedInputs(t)
	o := triage.Options{Inputs: []string{root, filepath.Join(root, "absent")}, Source: fixtureSources, Version: "v1"}
	whole, want := inShards(t, 1, o)
	// 53 containers of pods, four of the saved report, and a process for each profile and for the log that is cut.
	if got := report.Headline(whole); !strings.HasPrefix(got, "8 of 60 instances: ") {
		t.Errorf("the headline: %s", got)
	}
	if last := whole.Leads[len(whole.Leads)-1]; last.Certainty != schema.OnlySuspect || len(whole.Merged.Blocked) == 0 {
		t.Errorf("no suspect or no blocked line: %+v", whole.Merged)
	}
	if f := whole.Findings[0]; f.Code == nil || f.Code.Fits != rules.FitsYes {
		t.Errorf("%s: its code is %+v", f.Title, f.Code)
	}
	var skipped []string
	for _, s := range whole.Skipped {
		skipped = append(skipped, filepath.Base(s.Path))
	}
	if !slices.Equal(skipped, []string{"absent", "old.log.gz", "0.log"}) {
		t.Errorf("skipped: %+v, want a copy within one pod, and no log of another", whole.Skipped)
	}
	known := o
	known.Baseline = filepath.Join(root, shopPod(7), "server", "0.log")
	if r, text := inShards(t, 1, known); len(r.Findings) >= len(whole.Findings) || r.Merged.Known < 8 {
		t.Errorf("%d findings of %d, %d that the baseline has", len(r.Findings), len(whole.Findings), r.Merged.Known)
	} else if _, got := inShards(t, 3, known); got != text {
		t.Errorf("3 shards with a baseline (-whole +merged):\n%s", cmp.Diff(text, got))
	}
	for _, n := range []int{2, 7} {
		if _, got := inShards(t, n, o); got != want {
			t.Errorf("%d shards (-whole +merged):\n%s", n, cmp.Diff(want, got))
		}
	}
}

func TestAnArchiveIsJudgedAsAWholeInAShard(t *testing.T) {
	titles := func(findings []rules.Finding) (all []string) {
		for i := range findings {
			all = append(all, findings[i].Rule+" "+findings[i].Title)
		}
		slices.Sort(all)
		return all
	}
	bundles := []string{"../testdata/bundles/fight-bodies.tar.gz", "../testdata/bundles/storm-nodeaffinity.tar.gz"}
	var want []rules.Finding
	for _, b := range bundles {
		r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{b}})
		if err != nil || len(r.Findings) == 0 {
			t.Fatalf("%s: %+v, %v", b, r.Findings, err)
		}
		want = append(want, r.Findings...)
	}
	r, _ := inShards(t, 3, triage.Options{Inputs: append(bundles, "absent")})
	if diff := cmp.Diff(titles(want), titles(r.Findings)); diff != "" {
		t.Errorf("-each bundle +merged shards:\n%s", diff)
	}
}

func TestWhatIsNotReadIsCountedOnceInAllShards(t *testing.T) {
	root, named := t.TempDir(), filepath.Join(t.TempDir(), "absent")
	const links = 1100 // more than a merged report lists; the folder without a file and the absent one are not read either
	for i := range links {
		if err := os.Symlink("nowhere", filepath.Join(root, fmt.Sprint(i, ".log"))); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []int{1, 3} {
		r, _ := inShards(t, n, triage.Options{Inputs: []string{root, named}})
		if got := len(r.Skipped) + r.SkippedCut; r.SkippedCut == 0 || got != links+2 {
			t.Errorf("%d shards: %d not read, %d of them not listed; want %d", n, got, r.SkippedCut, links+2)
		}
	}
}

func TestEachPodIsInOneShard(t *testing.T) {
	root, _ := fiftyPods(t)
	for _, first := range []int{0, 1} {
		pods := 0
		for i := range 7 {
			r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{root}, Shard: i + first, Shards: 7})
			if err != nil || r.Merged.Instances == 0 || r.Merged.Instances > 20 {
				t.Errorf("shard %d: %d pods of 50, %v", i+first, r.Merged.Instances, err)
			}
			pods += r.Merged.Instances
		}
		if pods != 50 {
			t.Errorf("counted from %d: %d pods of 50", first, pods)
		}
	}
}

func writeJSON(t *testing.T, path string, r *triage.Report) {
	t.Helper()
	var text bytes.Buffer
	if err := report.JSON(&text, r); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
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
