package all

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/phrase"
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
	programProfiles = "../../testdata/profiles"
	writtenProfiles = "../testdata/stacks"
)

func profileFixtures(t testing.TB) []rulestest.ProfileFixture {
	t.Helper()
	var all []rulestest.ProfileFixture
	for _, path := range captures.Files(t, programProfiles) {
		if in := readProfile(t, path); in.Kind != profile.KindGoroutine && in.Kind != profile.KindGoroutineLeak {
			all = append(all, rulestest.ProfileFixture{Name: filepath.Base(path), In: in})
		}
	}
	files, err := os.ReadDir(writtenProfiles)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(writtenProfiles, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rulestest.WrittenProfile(t, f.Name(), string(data)))
	}
	return all
}

// applyProfiles applies every rule to profiles alone, hotspots worked out as the engine does.
func applyProfiles(all []*rules.Rule, inputs ...*rules.ProfileInput) []rules.Finding {
	board := hotspot.NewBoard(all)
	for _, in := range inputs {
		in.Hotspots = board.Hotspots(in)
	}
	return rulestest.ApplyAll(all, &rules.Pass{Profiles: inputs})
}

func TestAllRulesOnAllProfiles(t *testing.T) {
	all := Rules()
	var lines []string
	for _, fx := range profileFixtures(t) {
		found := applyProfiles(all, fx.In)
		for i := range found {
			f := &found[i]
			rulestest.CheckFinding(t, f)
			rulestest.CheckWords(t, fx.Name+": "+f.Rule, f.Title, f.Why, f.Fix)
			lines = append(lines, fmt.Sprintf("%s: %s %s %s, confidence %s: %s", fx.Name, f.Rule, f.Name, f.Severity,
				f.Confidence, rules.PlaceName(rules.Place{Function: rules.PlainName(f.Culprit.Function)})))
			if slices.Contains(fx.NearMiss, f.Rule) {
				t.Errorf("%s says it is a near miss of %s, which fires: %s", fx.Name, f.Rule, f.Title)
			}
		}
		if len(found) == 0 {
			lines = append(lines, fx.Name+": nothing")
		}
		if len(found) > 1 {
			t.Errorf("%s: one cause gives %d findings: %s", fx.Name, len(found), titles(found))
		}
	}
	got := strings.Join(lines, "\n") + "\n"
	path := filepath.Join("..", "testdata", "profiles.golden")
	if *rulestest.Update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("profiles.golden (-) is not what the rules find (+); "+
			"go test ./rules/all -run OnAllProfiles -update writes it anew:\n%s", diff)
	}
}

// TestAFindingAboutHashesNamesNoneThatItsFramesDoNotContain holds advice to what the profile shows: SHA-256 beside
// frames of SHA-1 reads as if the program called it.
func TestAFindingAboutHashesNamesNoneThatItsFramesDoNotContain(t *testing.T) {
	names := map[string]string{"SHA-1": "sha1", "SHA-256": "sha256", "SHA-512": "sha512", "SHA-3": "sha3", "MD5": "md5"}
	for _, frame := range []string{"crypto/sha1.Sum", "crypto/sha256.Sum256", "crypto/md5.Sum",
		"hash/crc32.ChecksumIEEE"} {
		fx := rulestest.WrittenProfile(t, "hashes", "# Hashes of files.\nkind cpu\nseconds 10\n600 "+frame+
			" < example.com/app/files.(*Index).Add /src/files.go:31\n"+
			"200 example.com/app/files.(*Index).Load /src/files.go:60\n")
		found := applyProfiles(Rules(), fx.In)
		if len(found) != 1 || found[0].Rule != "TR510" {
			t.Fatalf("%s: %s", frame, titles(found))
		}
		text := found[0].Title + found[0].Why + found[0].Fix
		for name, pkg := range names {
			if strings.Contains(text, name) && !strings.Contains(frame, pkg) {
				t.Errorf("%s: the finding names %s: %s", frame, name, text)
			}
		}
	}
}

func titles(found []rules.Finding) string {
	all := make([]string, len(found))
	for i := range found {
		all[i] = found[i].Rule + " " + found[i].Title
	}
	return strings.Join(all, "; ")
}

// aboutProfiles reports whether a rule looks at profiles and at nothing else.
func aboutProfiles(r *rules.Rule) bool {
	return r.Needs&(rules.NeedsCPU|rules.NeedsHeap|rules.NeedsAllocs|rules.NeedsHeaps|rules.NeedsMutex|rules.NeedsBlock|rules.NeedsProfile) != 0
}

func TestEveryProfileRuleHasAProfileThatFiresAndANearMiss(t *testing.T) {
	all := Rules()
	fired, missed := map[string]bool{"TR602": true}, map[string]bool{} // TR602 needs two profiles
	for _, fx := range profileFixtures(t) {
		for _, f := range applyProfiles(all, fx.In) {
			fired[f.Rule] = true
		}
		for _, id := range fx.NearMiss {
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

// TestHealthyProcessesRaiseNoAlarm reads the profiles of programs that do their work: well-*.
func TestHealthyProcessesRaiseNoAlarm(t *testing.T) {
	all, n := Rules(), 0
	for _, fx := range profileFixtures(t) {
		if !strings.HasPrefix(fx.Name, "well-") && !strings.Contains(fx.Name, "-well") && !strings.HasPrefix(fx.Name,
			"mutex-quiet") && !strings.HasPrefix(fx.Name, "block-idle") {
			continue
		}
		n++
		for _, f := range applyProfiles(all, fx.In) {
			if f.Alarm() {
				t.Errorf("%s: %s %s: %s", fx.Name, f.Rule, f.Severity, f.Title)
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
			found := applyProfiles(Rules(), readProfile(t, captures.File(t, programProfiles, file)))
			if len(found) != 1 {
				t.Fatalf("%d findings, want one: %s", len(found), titles(found))
			}
			f := &found[0]
			for _, want := range []struct{ what, in, text string }{
				{"rule", f.Name, "(key-generation|certificate-minting)"},
				{"category", string(f.Category), "hot-cpu"},
				{"severity", string(f.Severity), "high"},
				{"culprit", f.Culprit.Function, `tenant\.\(\*authority\)\.newClientCertificate$`},
				{"title", f.Title, `spends \d\d% of CPU \(\d\.\d cores\)`},
				{"call sites", f.Evidence[1].Text, `Reconcile calls it at tenant\.go:\d+, :\d+, :\d+, :\d+`},
				{"fix", f.Fix, "[Kk]eep|[Cc]ache"},
			} {
				if !regexp.MustCompile(want.text).MatchString(want.in) {
					t.Errorf("%s: %q doesn't say %s", want.what, want.in, want.text)
				}
			}
			if !slices.ContainsFunc(f.Path, func(p rules.PathFrame) bool {
				return strings.HasSuffix(p.Function,
					".Reconcile")
			}) {
				t.Errorf("the path doesn't show the reconcile: %+v", f.Path)
			}
		})
	}
}

func readProfile(t testing.TB, path string) *rules.ProfileInput {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Read(data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return rulestest.ProfileInput(p, filepath.Base(path))
}

// heapSeries are three heap profiles of one process that grows.
func heapSeries(t testing.TB) []*rules.ProfileInput {
	t.Helper()
	all := make([]*rules.ProfileInput, 3)
	for i := range all {
		all[i] = readProfile(t, captures.File(t, programProfiles, fmt.Sprintf("heap-growth-%d.pb.gz", i+1)))
		all[i].Process = "program burn"
	}
	return all
}

func TestHeapGrowthIsSeenOverTheProfilesOfOneProcess(t *testing.T) {
	series := func() []*rules.ProfileInput { return heapSeries(t) }
	t.Run("three that grow are one finding, sure and severe", func(t *testing.T) {
		found := applyProfiles(Rules(), series()...)
		if len(found) != 1 || found[0].Rule != "TR602" || found[0].Confidence != rules.ConfHigh || found[0].Severity != rules.High {
			t.Fatalf("want one TR602, high: %s", titles(found))
		}
		if len(found[0].Evidence) != 3 || found[0].Evidence[0].Input != "heap-growth-3.pb.gz" {
			t.Errorf("evidence: %+v", found[0].Evidence)
		}
	})
	t.Run("a rate is given only where the profiles lie apart", func(t *testing.T) {
		for span, want := range map[time.Duration]string{200 * time.Millisecond: "", 4 * time.Minute: " in 8m0s ("} {
			all := series()
			for i, in := range all {
				in.Time = time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC).Add(time.Duration(i) * span)
			}
			found := applyProfiles(Rules(), all...)
			if len(found) != 1 || strings.Contains(found[0].Why, "a minute") != (want != "") ||
				!strings.Contains(found[0].Why, want) {
				t.Errorf("%s apart: %s", span, titles(found))
			}
		}
	})
	t.Run("their order doesn't matter", func(t *testing.T) {
		all := series()
		slices.Reverse(all)
		if found := applyProfiles(Rules(), all...); len(found) != 1 || found[0].Rule != "TR602" {
			t.Errorf("want one TR602: %s", titles(found))
		}
	})
	t.Run("two processes don't make a series", func(t *testing.T) {
		all := series()
		for i, in := range all {
			in.Process = fmt.Sprintf("process %d", i)
		}
		for _, f := range applyProfiles(Rules(), all...) {
			if f.Rule == "TR602" {
				t.Errorf("near miss of TR602: %s", f.Title)
			}
		}
	})
	t.Run("nor do two heaps of which the later allocated less", func(t *testing.T) {
		all := series()
		all[0].Time, all[2].Time = all[2].Time, all[0].Time
		for _, f := range applyProfiles(Rules(), all...) {
			if f.Rule == "TR602" {
				t.Errorf("near miss of TR602: %s", f.Title)
			}
		}
	})
}

func TestAStackBelongsToOneRule(t *testing.T) {
	board := hotspot.NewBoard(Rules())
	for _, fx := range profileFixtures(t) {
		hotspots := board.Hotspots(fx.In)
		seen := map[int32]string{}
		for id, hot := range hotspots.ByRule {
			for _, h := range hot.Hits {
				if other := seen[h.Stack]; other != "" {
					t.Fatalf("%s: stack %d belongs to %s and %s", fx.Name, h.Stack, other, id)
				}
				seen[h.Stack] = id
			}
			if hot.Weight.Value < 0 || hot.Share < 0 || hot.Share > 1+1e-9 || hot.Lower > hot.Share+1e-9 || math.IsNaN(hot.Lower) {
				t.Errorf("%s: %s: value %d, share %v, lower %v", fx.Name, id, hot.Weight.Value, hot.Share, hot.Lower)
			}
		}
	}
}

func TestARuleAppliedByItselfFiresToo(t *testing.T) {
	in := readProfile(t, captures.File(t, programProfiles, "rsa-key.pb.gz"))
	for _, r := range Rules() {
		if r.ID != "TR501" {
			continue
		}
		if found := r.Apply(&rules.Pass{Profiles: []*rules.ProfileInput{in}}); len(found) != 1 {
			t.Errorf("%d findings", len(found))
		}
		return
	}
	t.Error("there is no TR501")
}

func TestAProfileThatAddsUpToMoreThanANumberHoldsIsNotJudged(t *testing.T) {
	in := readProfile(t, captures.File(t, programProfiles, "rsa-key.pb.gz"))
	for i := range in.Stacks {
		in.Stacks[i].Values = []int64{1, math.MaxInt64}
	}
	if found := applyProfiles(Rules(), rulestest.ProfileInput(in.Profile, "made up")); len(found) != 0 {
		t.Errorf("%s", titles(found))
	}
}

func TestSeverityFollowsShareCoresAndIdleness(t *testing.T) {
	const stack = "crypto/rsa.GenerateKey rsa.go:300 < example.com/shop/certs.Renew certs.go:4 < main.main main.go:3"
	const rest = "example.com/shop/work.Do work.go:9 < main.main main.go:3"
	for _, tt := range []struct {
		claim              string
		share, of, seconds string
		want               rules.Severity // "" for no finding
	}{
		{"half of two cores is high", "1000", "1000", "10", rules.High},
		{"half of half a core is medium: no half a core goes there", "250", "250", "10", rules.Medium},
		{"a tenth is medium", "120", "880", "10", rules.Medium},
		{"three in a hundred are low", "40", "960", "10", rules.Low},
		{"one in a hundred is within chance of nothing", "12", "988", "10", ""},
		{"an idle process gives nothing above low", "200", "200", "100", rules.Low},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds "+tt.seconds+"\n"+tt.share+" "+stack+"\n"+
				tt.of+" "+rest+"\n").In
			got := rules.Severity("")
			for _, f := range applyProfiles(Rules(), in) {
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

func TestTheImpactIsSeverityAndTheDoubtIsConfidence(t *testing.T) {
	const rest = "example.com/shop/work.Do work.go:9 < main.main main.go:3"
	for _, tt := range []struct {
		claim, kind, stack, seconds string
		share, of                   int
		want                        string // rule, severity and confidence
	}{
		{"a poll of files that takes a tenth of a core is low", "cpu", "os.Stat stat.go:9", "10", 100, 50, "TR585 low medium"},
		{"one that takes half a core is medium", "cpu", "os.Stat stat.go:9", "10", 500, 250, "TR585 medium medium"},
		{"a key that is made for each call is medium at a fifth of a core", "cpu", "crypto/rsa.GenerateKey rsa.go:300",
			"10", 200, 200, "TR501 medium medium"},
		{"JSON may be what a server is for, however much of it", "cpu", "encoding/json.Marshal encode.go:9", "10", 900, 50,
			"TR533 medium low"},
		{"a bufio.Writer's writes are not small", "cpu",
			"os.(*File).Write file.go:9 < bufio.(*Writer).Flush bufio.go:9", "10", 900, 50, ""},
		{"allocations at an unknown rate are doubted", "allocs", "io.ReadAll io.go:9", "0", 900, 50, "TR620 medium low"},
		{"at 90 MiB a second they are not", "allocs", "io.ReadAll io.go:9", "10", 900, 50, "TR620 medium medium"},
		{"io.Copy reads no body whole", "allocs", "io.copyBuffer io.go:9 < io.Copy io.go:12", "10", 300, 250, ""},
		{"waits since an unknown start are doubted", "mutex", "sync.(*Mutex).Unlock mutex.go:9", "0", 9000, 0, "TR641 medium low"},
		{"nine in ten seconds of ten are not", "mutex", "sync.(*Mutex).Unlock mutex.go:9", "10", 9000, 0, "TR641 medium medium"},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			in := rulestest.WrittenProfile(t, "written", fmt.Sprintf("# one\nkind %s\nseconds %s\n%d %s < %s\n%d %s\n",
				tt.kind, tt.seconds, tt.share, tt.stack, "example.com/shop/a.Do a.go:4 < main.main main.go:3", tt.of+1, rest)).In
			got := ""
			if found := applyProfiles(Rules(), in); len(found) > 0 {
				got = fmt.Sprint(found[0].Rule, " ", found[0].Severity, " ", found[0].Confidence)
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestLongCulpritsAreShortenedInTitles(t *testing.T) {
	name := "example.com/shop/averylongpackagenamethatsaysalot.(*ReconcilerOfSomethingWithALongName).ensureCertificateFor"
	in := rulestest.WrittenProfile(t, "written", "# one\nkind cpu\nseconds 10\n900 crypto/rsa.GenerateKey rsa.go:300 < "+name+
		" x.go:4 < main.main main.go:3\n").In
	for _, f := range applyProfiles(Rules(), in) {
		if n := len([]rune(f.Title)); n > phrase.MaxTitle || !strings.Contains(f.Title, "ensureCertificateFor") ||
			f.Rule == "TR501" && !strings.HasSuffix(f.Title, "generating keys") {
			t.Errorf("%d characters: %s", n, f.Title)
		}
	}
}
