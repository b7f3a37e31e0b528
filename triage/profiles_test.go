package triage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
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
	for file, want := range map[string]struct{ kind, culprit string }{
		"heap-cache-debug1.txt":   {"heap", "render"},
		"mutex-holder-debug1.txt": {"mutex", "Commit"},
	} {
		r := runOn(t, filepath.Join(profilesDir, file))
		if len(r.Profiles) != 1 || r.Profiles[0].Kind != want.kind {
			t.Errorf("%s: profiles %+v, skipped %+v", file, r.Profiles, r.Skipped)
			continue
		}
		if l := r.Leads; len(l) == 0 || l[0].Culprit == nil || !strings.HasSuffix(l[0].Culprit.Function, "."+want.culprit) {
			t.Errorf("%s: %s is not the first lead: %+v", file, want.culprit, l)
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

func TestEveryProfileIsAnswered(t *testing.T) {
	for _, file := range captures.Files(t, profilesDir) {
		if r := runOn(t, file); len(r.Profiles) > 0 && (len(r.Leads) == 0 || r.Leads[0].Title == "") {
			t.Errorf("%s: no lead", filepath.Base(file))
		}
	}
}

func TestAnIdleProcessIsAskedForADump(t *testing.T) {
	r := runOn(t, filepath.Join(profilesDir, "well-idle.pb.gz"))
	if len(r.Advice) != 1 || !strings.Contains(r.Advice[0].Why, "mostly idle") || len(r.Advice[0].Commands) == 0 {
		t.Errorf("advice: %+v", r.Advice)
	}
}

func TestProfilesOfOneProgramInOneFolderAreOfOneProcess(t *testing.T) {
	named := func(path, build string) *rules.ProfileInput {
		p := profile.NewView(&profile.Profile{
			Kind: profile.KindCPU, Types: []profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, BuildID: build,
			Functions: []profile.Function{{Name: "example.com/shop/internal/job.Do", File: "/src/shop/internal/job/job.go"}},
			Frames:    []profile.Frame{{Func: 0, Line: 8}},
			Stacks:    []profile.Stack{{Frames: []int32{0}, Values: []int64{1e9}, Samples: 100}},
			Labels:    []profile.LabelSet{{}}, Runtime: profile.RuntimeGo,
		})
		return &rules.ProfileInput{View: p, Input: path}
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
			if folder == "non-go-or-unsymbolized" && slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Alarm() }) {
				t.Errorf("%s: a program of another language is accused of Go's faults", filepath.Base(file))
			}
		}
	}
	slices.Sort(counts)
	if m := counts[len(counts)/2]; m != 1 {
		t.Errorf("the median of %d CPU profiles is %d findings, want 1", len(counts), m)
	}
}
