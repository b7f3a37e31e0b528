package triage

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func testFile(name string) string { return filepath.Join("..", "testdata", "profiles", name+".pb.gz") }

func compareFixtures(t *testing.T, before, after string) *schema.Report {
	t.Helper()
	r, err := Compare(context.Background(), []string{testFile(before)}, []string{testFile(after)},
		Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCompare_HeapProfilesByWhatIsInUse(t *testing.T) {
	r := compareFixtures(t, "heap-growth-1", "heap-growth-3")
	d := r.Diff
	if len(d.Profiles) != 1 || d.By != schema.ByFunction || !r.Recognised() || len(r.Skipped) != 0 {
		t.Fatalf("by %s, %d profiles, skipped %+v", d.By, len(d.Profiles), r.Skipped)
	}
	p := d.Profiles[0]
	if p.Kind != "heap" || p.Type != "inuse_space" || p.Unit != "bytes" || p.Rate != "amount" || p.Noise || p.Change < 1.84e8 || p.Change > 1.85e8 {
		t.Errorf("%+v", p)
	}
	if len(p.Payers) == 0 || !strings.HasSuffix(p.Payers[0].Function, "heap.(*Sessions).open") || p.Payers[0].Class != "own" || len(p.Payers[0].Callers) == 0 {
		t.Errorf("payers %+v", p.Payers)
	}
	if !slices.ContainsFunc(d.Findings.New, func(f rules.Finding) bool { return f.Rule == "TR602" }) || len(d.Findings.Both) != 1 {
		t.Errorf("findings %+v", d.Findings)
	}
}

func TestCompare_CPUProfilesByTimeWithCallers(t *testing.T) {
	d := compareFixtures(t, "client-cert-ecdsa", "client-cert-rsa").Diff
	p := d.Profiles[0]
	if p.Rate != "cores" || !p.Noise || p.Before.Cores < 0.9 || p.After.Cores < 0.9 {
		t.Errorf("%s, noise %v, %v and %v cores", p.Rate, p.Noise, p.Before.Cores, p.After.Cores)
	}
	i := slices.IndexFunc(p.Functions, func(d schema.ProfileDelta) bool { return d.Function == "crypto/rsa.GenerateKey" })
	if i < 0 {
		t.Fatal("the key's generation is missing")
	}
	fn := p.Functions[i]
	if fn.Noise || fn.Dispatches || fn.Before != 0 || fn.Change < 0.7 || len(fn.Callers) == 0 || fn.Callers[0].Class != "own" {
		t.Errorf("%+v", fn)
	}
	if len(d.Findings.New) != 1 || len(d.Findings.Gone) != 1 {
		t.Errorf("%d new, %d gone", len(d.Findings.New), len(d.Findings.Gone))
	}
}

func TestCompare_AProfileWithItselfHasNoChange(t *testing.T) {
	for _, name := range []string{"heap-growth-1", "client-cert-rsa", "allocs-well", "mutex-holder", "block-lock"} {
		r := compareFixtures(t, name, name)
		if len(r.Diff.Profiles) != 1 {
			t.Fatalf("%s: %+v", name, r.Skipped)
		}
		p := r.Diff.Profiles[0]
		if len(p.Functions)+len(p.Payers) != 0 || !p.Noise || p.Change != 0 || len(r.Diff.Findings.New)+len(r.Diff.Findings.Gone) != 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestCompare_ProfilesOfDifferentKindsAreNotCompared(t *testing.T) {
	r := compareFixtures(t, "client-cert-rsa", "heap-growth-1")
	if r.Recognised() || len(r.Diff.Profiles) != 0 || len(r.Skipped) != 2 || r.Skipped[0].Hint == "" {
		t.Errorf("%d profiles, skipped %+v", len(r.Diff.Profiles), r.Skipped)
	}
	if f := r.Diff.Findings; len(f.New)+len(f.Gone)+len(f.Both) != 0 {
		t.Errorf("what was not compared is new or gone: %+v", f)
	}
}

func TestCompare_AHeapProfileHoldsAllocations(t *testing.T) {
	p := compareFixtures(t, "heap-cache", "allocs-well").Diff.Profiles
	if len(p) != 1 || p[0].Kind != "allocs" || p[0].Type != "alloc_space" || p[0].Rate != "totals" {
		t.Errorf("%+v", p)
	}
}
