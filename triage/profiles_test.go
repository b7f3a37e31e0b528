package triage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

const profilesDir = "../testdata/profiles"

func TestACPUProfileIsReadJudgedAndListed(t *testing.T) {
	path := filepath.Join(profilesDir, "founding-rsa.pb.gz")
	r := runOn(t, path)
	if len(r.Profiles) != 1 || len(r.Dumps) != 0 || len(r.Skipped) != 0 || !r.Recognised() {
		t.Fatalf("%d profiles, %d dumps, skipped %v", len(r.Profiles), len(r.Dumps), r.Skipped)
	}
	p := r.Profiles[0]
	if p.Input != path || p.Kind != "cpu" || p.Type != "cpu" || p.Unit != "nanoseconds" || p.Samples < 100 || p.Cores <= 0 || p.Duration <= 0 || p.Explained < 0.5 {
		t.Errorf("profile: %+v", p)
	}
	if len(p.Top) == 0 || !slices.ContainsFunc(p.Top, func(f schema.TopFunction) bool {
		return f.Class == "own" && strings.HasSuffix(f.Function, ".newClientCertificate") && f.Cum > p.Total/2
	}) {
		t.Errorf("the top functions lack the culprit: %+v", p.Top)
	}
	if r.Inputs[0].Kind != "profile" {
		t.Errorf("kind %q", r.Inputs[0].Kind)
	}
	if len(r.Findings) != 1 || r.Findings[0].Rule != "TR501" {
		t.Errorf("findings: %+v", r.Findings)
	}
	if len(r.Advice) != 0 {
		t.Errorf("a profile that explains itself needs no recipe: %+v", r.Advice)
	}
}

func TestTextProfilesAreReadWhole(t *testing.T) {
	for file, want := range map[string]struct{ kind, rule string }{
		"heap-cache-debug1.txt":   {"heap", "TR601"},
		"mutex-holder-debug1.txt": {"mutex", "TR641"},
	} {
		r := runOn(t, filepath.Join(profilesDir, file))
		if len(r.Profiles) != 1 || r.Profiles[0].Kind != want.kind {
			t.Errorf("%s: profiles %+v, skipped %+v", file, r.Profiles, r.Skipped)
			continue
		}
		if len(r.Findings) != 1 || r.Findings[0].Rule != want.rule {
			t.Errorf("%s: want one finding of %s, got %d", file, want.rule, len(r.Findings))
		}
	}
}

func TestGoroutineProfilesStayDumps(t *testing.T) {
	for _, file := range []string{"goroutine-leak.pb.gz", "goroutine-leak-debug1.txt"} {
		if r := runOn(t, filepath.Join(profilesDir, file)); len(r.Dumps) != 1 || len(r.Profiles) != 0 {
			t.Errorf("%s: %d dumps, %d profiles", file, len(r.Dumps), len(r.Profiles))
		}
	}
}

func TestABrokenProfileIsSkippedAndTheOthersAreNot(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(profilesDir, "rsa-key.pb.gz"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{"cut.pb.gz": data[:len(data)/2], "whole.pb.gz": data} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := runOn(t, dir)
	if len(r.Profiles) != 1 || len(r.Findings) != 1 {
		t.Errorf("%d profiles, %d findings", len(r.Profiles), len(r.Findings))
	}
	if len(r.Skipped) == 0 || !strings.HasSuffix(r.Skipped[0].Path, "cut.pb.gz") {
		t.Errorf("skipped: %+v", r.Skipped)
	}
}

func TestHeapProfilesInOneFolderAreASeries(t *testing.T) {
	r := runOn(t, filepath.Join(profilesDir, "heap-growth-1.pb.gz"), filepath.Join(profilesDir, "heap-growth-2.pb.gz"), filepath.Join(profilesDir, "heap-growth-3.pb.gz"))
	if len(r.Findings) != 1 || r.Findings[0].Rule != "TR602" || len(r.Findings[0].Sources) != 3 {
		t.Errorf("want one TR602 with three sources, got %d findings", len(r.Findings))
	}
}

func TestAnIdleProcessIsAskedForADump(t *testing.T) {
	r := runOn(t, filepath.Join(profilesDir, "well-idle.pb.gz"))
	if len(r.Advice) != 1 || !strings.Contains(r.Advice[0].Why, "mostly idle") || len(r.Advice[0].Commands) == 0 {
		t.Errorf("advice: %+v", r.Advice)
	}
}

// spinner is a dump with a goroutine that polls the clock and one that is merely runnable.
const spinner = `goroutine 7 [runnable]:
time.Now()
	/usr/local/go/src/time/time.go:1158 +0x1d
example.com/shop/internal/pace.(*Pacer).until(0xc000010000, 0x5)
	/src/shop/internal/pace/pace.go:31 +0x40
example.com/shop/internal/pace.(*Pacer).Run(0xc000010000)
	/src/shop/internal/pace/pace.go:20 +0x33
created by main.main in goroutine 1
	/src/shop/main.go:14 +0x85

goroutine 8 [runnable]:
example.com/shop/internal/rare.(*Job).step(0xc000010040)
	/src/shop/internal/rare/rare.go:9 +0x40
created by main.main in goroutine 1
	/src/shop/main.go:15 +0x85
`

// sameProcess is that dump and a CPU profile of its process, in which share of 1,000 samples read the clock.
func sameProcessInputs(t *testing.T, share int64) (*rules.DumpInput, *rules.ProfileInput) {
	t.Helper()
	var d *rules.DumpInput
	parser := stackparse.NewParser(func(dump *stackparse.Dump) {
		d = &rules.DumpInput{Dump: dump, Input: "dump.txt", Process: "process 1", Locate: func(n int64) (string, int64) { return "dump.txt", n },
			Roles: make([]*rules.Role, len(dump.Buckets))}
	})
	for i, line := range strings.Split(spinner, "\n") {
		parser.Line([]byte(line), int64(i+1), nil)
	}
	parser.Close()
	if d == nil {
		t.Fatal("no dump")
	}
	p := &profile.Profile{
		Kind: profile.KindCPU, Types: []profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, Value: 1,
		Functions: []profile.Function{{Name: "time.Now", File: "time/time.go"}, {Name: "example.com/shop/internal/pace.(*Pacer).until", File: "/src/shop/internal/pace/pace.go"},
			{Name: "example.com/shop/internal/job.Do", File: "/src/shop/internal/job/job.go"}},
		Frames: []profile.Frame{{Func: 0, Line: 1158}, {Func: 1, Line: 31}, {Func: 2, Line: 8}},
		Stacks: []profile.Stack{
			{Frames: []int32{0, 1}, Values: []int64{share, share * 1e7}, Samples: share},
			{Frames: []int32{2}, Values: []int64{1000 - share, (1000 - share) * 1e7}, Samples: 1000 - share},
		},
		Labels: []profile.LabelSet{{}}, Duration: 10 * time.Second, Runtime: profile.RuntimeGo,
	}
	return d, &rules.ProfileInput{View: profile.NewView(p), Input: "cpu.pb.gz", Process: "process 1"}
}

func accusing(input string, goroutines ...uint64) rules.Finding {
	return rules.Finding{
		Category: rules.Spin, Confidence: rules.ConfMedium, Culprit: rules.Place{Function: "example.com/shop/internal/pace.(*Pacer).until"},
		Evidence: []rules.Evidence{{Input: input, Goroutines: goroutines, Count: 1}},
	}
}

func TestAProfileConfirmsTheSpinnerOfADump(t *testing.T) {
	d, p := sameProcessInputs(t, 600)
	pass := &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}}
	found := []rules.Finding{accusing("dump.txt", 7)}
	found = corroborate(found, pass)
	if f := found[0]; f.Confidence != rules.ConfHigh || len(f.Evidence) != 2 || f.Evidence[1].Input != "cpu.pb.gz" || !strings.Contains(f.Why, "60 %") {
		t.Errorf("%+v", f)
	}
}

func TestAProfileWithoutItsSamplesConfirmsNothing(t *testing.T) {
	d, p := sameProcessInputs(t, 10)
	pass := &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}}
	found := []rules.Finding{accusing("dump.txt", 7)}
	if found = corroborate(found, pass); found[0].Confidence != rules.ConfMedium {
		t.Errorf("1 %% of the samples confirms: %+v", found[0])
	}
	p.Process, found = "process 2", []rules.Finding{accusing("dump.txt", 7)}
	p.Stacks[0].Samples = 900
	if found = corroborate(found, pass); found[0].Confidence != rules.ConfMedium {
		t.Errorf("another process's profile confirms: %+v", found[0])
	}
}

func TestADumpConfirmsWhatAProfileAccuses(t *testing.T) {
	d, p := sameProcessInputs(t, 600)
	found := []rules.Finding{accusing("cpu.pb.gz")}
	found = corroborate(found, &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}})
	if f := found[0]; f.Confidence != rules.ConfHigh || len(f.Evidence) != 2 || !slices.Equal(f.Evidence[1].Goroutines, []uint64{7}) {
		t.Errorf("%+v", f)
	}
}

func TestASpinThatBothAccuseIsOneFinding(t *testing.T) {
	d, p := sameProcessInputs(t, 600)
	pass := &rules.Pass{Dumps: []*rules.DumpInput{d}, Profiles: []*rules.ProfileInput{p}}
	scheduler := accusing("cpu.pb.gz")
	scheduler.Culprit = rules.Place{Function: "runtime.gosched_m", File: "runtime/proc.go"}
	for _, second := range []rules.Finding{accusing("cpu.pb.gz"), scheduler} {
		found := corroborate([]rules.Finding{accusing("dump.txt", 7), second}, pass)
		if len(found) != 1 || found[0].Confidence != rules.ConfHigh || len(found[0].Evidence) != 2 || found[0].Evidence[0].Input != "dump.txt" {
			t.Errorf("%s: %+v", second.Culprit.Function, found)
		}
	}
	other := accusing("cpu.pb.gz")
	other.Culprit.Function = "example.com/shop/internal/rare.(*Job).step"
	if found := corroborate([]rules.Finding{accusing("dump.txt", 7), other}, pass); len(found) != 2 {
		t.Errorf("two functions spin, and %d are found", len(found))
	}
}

func TestRunnableGoroutinesWithoutSamplesAreInnocent(t *testing.T) {
	in, p := sameProcessInputs(t, 600)
	watch := func(function string) schema.Runnable {
		return schema.Runnable{Verdict: rules.VerdictWatch, Frame: schema.Frame{Function: function}, Count: 1}
	}
	d := &schema.Dump{Runnable: []schema.Runnable{watch("example.com/shop/internal/rare.(*Job).step"), watch("example.com/shop/internal/job.Do")}}
	exonerate(d, in, []*rules.ProfileInput{p})
	if d.Runnable[0].Verdict != rules.VerdictInnocent || d.Runnable[1].Verdict != rules.VerdictWatch {
		t.Errorf("%+v", d.Runnable)
	}
}

func TestProfilesOfOneProgramInOneFolderAreOfOneProcess(t *testing.T) {
	named := func(path, build string) *rules.ProfileInput {
		_, p := sameProcessInputs(t, 600)
		p.Input, p.Process, p.BuildID = path, "", build
		return p
	}
	a, b, c, e := named("pod/cpu.pb.gz", "x"), named("pod/heap.pb.gz", "x"), named("other/cpu.pb.gz", "x"), named("pod/old.pb.gz", "y")
	identity.NameProfiles(&rules.Pass{Profiles: []*rules.ProfileInput{a, b, c, e}})
	if a.Process == "" || a.Process != b.Process || a.Process == c.Process || a.Process == e.Process || c.Process == e.Process {
		t.Errorf("%q %q %q %q", a.Process, b.Process, c.Process, e.Process)
	}
}

// maxFindings and the median below are what a reader can act on: the bounds that the rule set was made for.
const maxFindings = 4

func TestRealProfilesGiveFewFindings(t *testing.T) {
	dir := filepath.Join(corpus(t), "profiles")
	book, err := LoadRules(nil)
	if err != nil {
		t.Fatal(err)
	}
	var counts []int
	for _, folder := range []string{"cpu", "heap", "contention", "other", "threadcreate", "non-go-or-unsymbolized"} {
		files, err := filepath.Glob(filepath.Join(dir, folder, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", folder, len(files), err)
		}
		for _, file := range files {
			r, err := Run(t.Context(), Options{Inputs: []string{file}, Book: &book})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) > maxFindings {
				t.Errorf("%s: %d findings", filepath.Base(file), len(r.Findings))
			}
			if folder == "cpu" {
				counts = append(counts, len(r.Findings))
			}
			if folder == "non-go-or-unsymbolized" && slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Severity.Rank() > rules.Low.Rank() }) {
				t.Errorf("%s: a program of another language is accused of Go's faults", filepath.Base(file))
			}
		}
	}
	slices.Sort(counts)
	if m := counts[len(counts)/2]; m != 1 {
		t.Errorf("the median of %d CPU profiles is %d findings, want 1", len(counts), m)
	}
}
