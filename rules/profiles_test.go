package rules

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/profile"
)

// Profiles come from two folders: ../testdata/profiles holds what real programs left, testdata/stacks small ones
// written by hand for what no program there does. A file of stacks says the situation in a comment, then "kind cpu" (or
// heap, allocs, mutex, block), its "seconds", and a line for each stack: a number and its frames, leaf first, as
// "function [file:line] < function …", a label in braces before them. "unnamed 0.9" is the share of stacks without
// names. The number is samples of 10 ms for cpu, MiB for heap and allocs, milliseconds for mutex and block. A comment
// that says "near miss of TR501" makes the file that rule's near miss: it must not fire.
//
// What all rules find in all of them is in testdata/profiles.golden; go test -update writes it, and then it is
// read.

const (
	programProfiles = "../testdata/profiles"
	writtenProfiles = "testdata/stacks"
)

func profileFixtures(t testing.TB) []profileFixture {
	t.Helper()
	var all []profileFixture
	for _, dir := range []string{programProfiles, writtenProfiles} {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			path := filepath.Join(dir, f.Name())
			switch data, err := os.ReadFile(path); {
			case err != nil:
				t.Fatal(err)
			case dir == writtenProfiles:
				all = append(all, writtenProfile(t, f.Name(), string(data)))
			case strings.HasSuffix(f.Name(), ".pb.gz"), strings.HasSuffix(f.Name(), ".txt"):
				p, err := profile.Read(data)
				if err != nil {
					t.Fatalf("%s: %v", path, err)
				}
				if p.Kind != profile.KindGoroutine && p.Kind != profile.KindGoroutineLeak {
					all = append(all, profileFixture{name: f.Name(), in: profileInput(p, f.Name())})
				}
			}
		}
	}
	return all
}

// applyProfiles applies every rule to profiles alone, claims worked out as the engine does.
func applyProfiles(all []*Rule, inputs ...*ProfileInput) []Finding {
	board := NewBoard(all)
	for _, in := range inputs {
		in.Claims = board.Claims(in)
	}
	return applyAll(all, &Pass{Profiles: inputs})
}

func TestAllRulesOnAllProfiles(t *testing.T) {
	all := All()
	var lines []string
	for _, fx := range profileFixtures(t) {
		found := applyProfiles(all, fx.in)
		for i := range found {
			f := &found[i]
			checkFinding(t, f)
			lines = append(lines, fmt.Sprintf("%s: %s %s %s %s", fx.name, f.Rule, f.Name, f.Severity,
				frame.ShortFunc(PlainName(f.Culprit.Function))))
			if slices.Contains(fx.nearMiss, f.Rule) {
				t.Errorf("%s says it is a near miss of %s, which fires: %s", fx.name, f.Rule, f.Title)
			}
		}
		if len(found) == 0 {
			lines = append(lines, fx.name+": nothing")
		}
		if len(found) > 1 {
			t.Errorf("%s: one cause gives %d findings: %s", fx.name, len(found), titles(found))
		}
	}
	got := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("testdata", "profiles.golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("what the rules find in the profiles (-want +got):\n%s", diff)
	}
}

func titles(found []Finding) string {
	all := make([]string, len(found))
	for i := range found {
		all[i] = found[i].Rule + " " + found[i].Title
	}
	return strings.Join(all, "; ")
}

// aboutProfiles reports whether a rule looks at profiles and at nothing else.
func aboutProfiles(r *Rule) bool {
	return r.Needs&(NeedsCPU|NeedsHeap|NeedsAllocs|NeedsHeaps|NeedsMutex|NeedsBlock|NeedsProfile) != 0
}

func TestEveryProfileRuleHasAProfileThatFiresAndANearMiss(t *testing.T) {
	all := All()
	fired, missed := map[string]bool{"TR602": true}, map[string]bool{} // TR602 needs two: TestHeapGrowth…
	for _, fx := range profileFixtures(t) {
		for _, f := range applyProfiles(all, fx.in) {
			fired[f.Rule] = true
		}
		for _, id := range fx.nearMiss {
			missed[id] = true
		}
	}
	missed["TR602"] = true
	for _, r := range all {
		if !aboutProfiles(r) {
			continue
		}
		if !fired[r.ID] {
			t.Errorf("rule %s (%s): no profile makes it fire", r.ID, r.Name)
		}
		if !missed[r.ID] {
			t.Errorf("rule %s (%s): no profile's comment says \"near miss of %s\"", r.ID, r.Name, r.ID)
		}
	}
}

// TestHealthyProcessesGiveNothingAboveLow reads the profiles of programs that do their work: well-*.
func TestHealthyProcessesGiveNothingAboveLow(t *testing.T) {
	all, n := All(), 0
	for _, fx := range profileFixtures(t) {
		if !strings.HasPrefix(fx.name, "well-") && !strings.Contains(fx.name, "-well") && !strings.HasPrefix(fx.name,
			"mutex-quiet") && !strings.HasPrefix(fx.name, "block-idle") {
			continue
		}
		n++
		for _, f := range applyProfiles(all, fx.in) {
			if f.Severity.Rank() > Low.Rank() {
				t.Errorf("%s: %s %s: %s", fx.name, f.Rule, f.Severity, f.Title)
			}
		}
	}
	if n < 5 {
		t.Errorf("%d profiles of healthy processes, expected at least 5", n)
	}
}

func TestTheFoundingCaseNamesTheFunctionItsCallSitesAndTheFix(t *testing.T) {
	for _, file := range []string{"founding-rsa.pb.gz", "founding-ecdsa.pb.gz"} {
		t.Run(file, func(t *testing.T) {
			found := applyProfiles(All(), readProfile(t, file))
			if len(found) != 1 {
				t.Fatalf("%d findings, want one: %s", len(found), titles(found))
			}
			f := &found[0]
			for _, want := range []struct{ what, in, text string }{
				{"rule", f.Name, "(key-generation|certificate-minting)"},
				{"category", string(f.Category), "hot-cpu"},
				{"severity", string(f.Severity), "high"},
				{"culprit", f.Culprit.Function, `tenant\.\(\*authority\)\.newClientCertificate$`},
				{"title", f.Title, `spends \d\d % of CPU \(\d\.\d cores\)`},
				{"call sites", f.Why, `Reconcile asks for it at 4 call sites: tenant\.go:\d+, :\d+, :\d+, :\d+\.`},
				{"fix", f.Fix, "[Kk]eep"},
			} {
				if !regexp.MustCompile(want.text).MatchString(want.in) {
					t.Errorf("%s: %q doesn't say %s", want.what, want.in, want.text)
				}
			}
			if !slices.ContainsFunc(f.Path, func(p PathFrame) bool {
				return strings.HasSuffix(p.Function,
					".Reconcile")
			}) {
				t.Errorf("the path doesn't show the reconcile: %+v", f.Path)
			}
		})
	}
}

func readProfile(t testing.TB, name string) *ProfileInput {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(programProfiles, name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return profileInput(p, name)
}

func TestHeapGrowthIsSeenOverTheProfilesOfOneProcess(t *testing.T) {
	series := func() []*ProfileInput {
		all := make([]*ProfileInput, 3)
		for i := range all {
			all[i] = readProfile(t, fmt.Sprintf("heap-growth-%d.pb.gz", i+1))
			all[i].Process = "program burn"
		}
		return all
	}
	t.Run("three that grow are one finding, sure and severe", func(t *testing.T) {
		found := applyProfiles(All(), series()...)
		if len(found) != 1 || found[0].Rule != "TR602" || found[0].Confidence != ConfHigh || found[0].Severity != High {
			t.Fatalf("want one TR602, high: %s", titles(found))
		}
		if len(found[0].Evidence) != 3 || found[0].Evidence[0].Input != "heap-growth-3.pb.gz" {
			t.Errorf("evidence: %+v", found[0].Evidence)
		}
	})
	t.Run("their order doesn't matter", func(t *testing.T) {
		all := series()
		slices.Reverse(all)
		if found := applyProfiles(All(), all...); len(found) != 1 || found[0].Rule != "TR602" {
			t.Errorf("want one TR602: %s", titles(found))
		}
	})
	t.Run("two processes don't make a series", func(t *testing.T) {
		all := series()
		for i, in := range all {
			in.Process = fmt.Sprintf("process %d", i)
		}
		for _, f := range applyProfiles(All(), all...) {
			if f.Rule == "TR602" {
				t.Errorf("near miss of TR602: %s", f.Title)
			}
		}
	})
	t.Run("nor do two heaps of which the later allocated less", func(t *testing.T) {
		all := series()
		all[0].Time, all[2].Time = all[2].Time, all[0].Time
		for _, f := range applyProfiles(All(), all...) {
			if f.Rule == "TR602" {
				t.Errorf("near miss of TR602: %s", f.Title)
			}
		}
	})
}

func TestAStackIsClaimedOnce(t *testing.T) {
	board := NewBoard(All())
	for _, fx := range profileFixtures(t) {
		claims := board.Claims(fx.in)
		seen := map[[2]int32]string{}
		for id, cl := range claims.byRule {
			for _, h := range cl.hits {
				k := [2]int32{h.Stack, int32(cl.index)}
				if other := seen[k]; other != "" {
					t.Fatalf("%s: stack %d is claimed by %s and %s", fx.name, h.Stack, other, id)
				}
				seen[k] = id
			}
			if cl.Value < 0 || cl.Share < 0 || cl.Share > 1+1e-9 || cl.Lower > cl.Share+1e-9 || math.IsNaN(cl.Lower) {
				t.Errorf("%s: %s: value %d, share %v, lower %v", fx.name, id, cl.Value, cl.Share, cl.Lower)
			}
		}
	}
}

func TestARuleAppliedWithoutClaimsFiresToo(t *testing.T) {
	in := readProfile(t, "rsa-key.pb.gz")
	for _, r := range All() {
		if r.ID != "TR501" {
			continue
		}
		if found := r.Apply(&Pass{Profiles: []*ProfileInput{in}}); len(found) != 1 {
			t.Errorf("%d findings", len(found))
		}
		return
	}
	t.Error("there is no TR501")
}

// TestTheCulpritsAreThoseOfTheManifest holds the first finding of every profile that has one guilty function against
// the list that its maker wrote.
func TestTheCulpritsAreThoseOfTheManifest(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(programProfiles, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	all, rows := All(), strings.Split(strings.TrimSpace(string(data)), "\n")
	column := map[string]int{}
	for i, name := range strings.Split(rows[0], "\t") {
		column[name] = i
	}
	n := 0
	for _, row := range rows[1:] {
		cell := strings.Split(strings.TrimRight(row, "\r"), "\t")
		file, culprit, own := cell[column["file"]], cell[column["culprit"]], cell[column["own"]]
		share, err := strconv.ParseFloat(own, 64)
		if culprit == "-" || err != nil || share < 20 || strings.HasPrefix(file, "goroutine") {
			continue
		}
		n++
		found := applyProfiles(all, readProfile(t, file))
		if len(found) == 0 {
			t.Errorf("%s: nothing is found, and %s is guilty", file, culprit)
			continue
		}
		names := strings.Split(culprit, "|")
		onPath := func(p PathFrame) bool {
			return slices.ContainsFunc(names, func(name string) bool {
				return strings.HasSuffix(frame.Base(PlainName(p.Function)), strings.TrimSpace(name))
			})
		}
		if !onPath(PathFrame{Function: found[0].Culprit.Function}) && !slices.ContainsFunc(found[0].Path, onPath) {
			t.Errorf("%s: %s is accused, and %s is guilty", file, found[0].Culprit.Function, culprit)
		}
	}
	if n < 40 {
		t.Errorf("%d rows with a culprit, expected at least 40", n)
	}
}

func TestAProfileThatAddsUpToMoreThanANumberHoldsIsNotJudged(t *testing.T) {
	in := readProfile(t, "rsa-key.pb.gz")
	for i := range in.Stacks {
		in.Stacks[i].Values = []int64{1, math.MaxInt64}
	}
	if found := applyProfiles(All(), profileInput(in.Profile, "made up")); len(found) != 0 {
		t.Errorf("%s", titles(found))
	}
}

func TestSeverityFollowsShareCoresAndIdleness(t *testing.T) {
	const stack = "crypto/rsa.GenerateKey rsa.go:300 < example.com/shop/certs.Renew certs.go:4 < main.main main.go:3"
	const rest = "example.com/shop/work.Do work.go:9 < main.main main.go:3"
	for _, tt := range []struct {
		claim              string
		share, of, seconds string
		want               Severity // "" for no finding
	}{
		{"half of two cores is high", "1000", "1000", "10", High},
		{"half of half a core is medium: no half a core goes there", "250", "250", "10", Medium},
		{"a tenth is medium", "120", "880", "10", Medium},
		{"three in a hundred are low", "40", "960", "10", Low},
		{"one in a hundred is within chance of nothing", "12", "988", "10", ""},
		{"an idle process gives nothing above low", "200", "200", "100", Low},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := writtenProfile(t, "written", "# one\nkind cpu\nseconds "+tt.seconds+"\n"+tt.share+" "+stack+"\n"+
				tt.of+" "+rest+"\n").in
			got := Severity("")
			for _, f := range applyProfiles(All(), in) {
				if f.Rule == "TR501" {
					got = f.Severity
				}
			}
			if got != tt.want {
				t.Errorf("severity %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLongCulpritsAreShortenedInTitles(t *testing.T) {
	name := "example.com/shop/averylongpackagenamethatsaysalot.(*ReconcilerOfSomethingWithALongName).ensureCertificateFor"
	in := writtenProfile(t, "written", "# one\nkind cpu\nseconds 10\n900 crypto/rsa.GenerateKey rsa.go:300 < "+name+
		" x.go:4 < main.main main.go:3\n").in
	for _, f := range applyProfiles(All(), in) {
		if n := len([]rune(f.Title)); n > MaxTitle || !strings.Contains(f.Title, "ensureCertificateFor") ||
			f.Rule == "TR501" && !strings.HasSuffix(f.Title, "generating keys") {
			t.Errorf("%d characters: %s", n, f.Title)
		}
	}
}
