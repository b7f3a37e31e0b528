package merge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// shown makes a report of one pod on a node, with a finding in it where there is a title.
func shown(pod, node, title string) *schema.Report {
	r, name := schema.New("v1"), "web-5c9d8f7b6-"+strings.Map(func(r rune) rune { return rune("bcdfghjklm"[r-'0']) },
		pod)
	r.Inputs = []schema.Input{{Path: pod + ".log", Namespace: "shop", Pod: name, Container: "app", Node: node}}
	r.Dumps = []schema.Dump{{Input: pod + ".log", Namespace: "shop", Pod: name, Container: "app", Go: "1.26",
		Buckets: []schema.Bucket{
			{Wait: "chan send", Count: 40, Frames: []schema.Frame{{Function: "runtime.gopark", Class: "runtime"},
				{Function: "shop.(*Cart).add", File: "cart.go", Line: 7, Class: "own"}}},
			{Wait: "select", Count: 9, Role: "http-server", Frames: []schema.Frame{{Function: "net.serve",
				Class: "own"}}},
			{Wait: "running", Count: 9, Frames: []schema.Frame{{Function: "shop.spin", Class: "own"}}},
		}}}
	if title != "" {
		r.Findings = []rules.Finding{{Rule: "TR1", Title: title, Severity: rules.High, Confidence: rules.ConfHigh,
			Fingerprint: title,
			Pods:        []rules.PodCount{{Namespace: "shop", Pod: name, Container: "app", Count: 1}}, PodsTotal: 1,
			FirstSeen: "2026-11-29T10:00:0" + pod[:1] + "Z", LastSeen: "2026-11-29T10:00:0" + pod[:1] + "Z"}}
	}
	r.Leads = []schema.Lead{{Title: "40 goroutines wait", Points: 3,
		Culprit: &rules.Place{Function: "shop.(*Cart).add"}, Certainty: schema.OnlySuspect}}
	r.Rules.Checked = 200
	return r
}

// copyOf decodes what a report is written as: Add may change what it gets.
func copyOf(t testing.TB, r *schema.Report) *schema.Report {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	out := &schema.Report{}
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func merged(t testing.TB, reports ...*schema.Report) *schema.Report {
	t.Helper()
	m := New()
	for _, r := range reports {
		m.Add(copyOf(t, r), "report.json")
	}
	return m.Report()
}

func TestAFindingIsCountedOnceForEachInstance(t *testing.T) {
	var all []*schema.Report
	for i := range 40 {
		node, title := "a", ""
		if i%4 == 0 {
			node, title = "b", "stuck"
		}
		all = append(all, shown(fmt.Sprintf("%d%04d", i%10, i), node, title))
	}
	r := merged(t, all...)
	m := r.Merged
	if m.Reports != 40 || m.Instances != 40 || !slices.Contains(m.Traits, rules.Trait{Name: "node", Value: "b",
		Instances: 10}) ||
		!slices.Contains(m.Traits, rules.Trait{Name: "revision", Value: "5c9d8f7b6", Instances: 40}) {
		t.Errorf("%+v", m)
	}
	if len(r.Findings) != 1 || r.Findings[0].PodsTotal != 10 || r.Findings[0].Spread.Instances != 10 {
		t.Fatalf("%+v", r.Findings)
	}
	const want = "Shown by 10 of 40 instances (25%). All of them run on node b; 25% of all instances do."
	if f := r.Findings[0]; f.Notes[0] != want || f.FirstSeen != "2026-11-29T10:00:00Z" ||
		f.LastSeen != "2026-11-29T10:00:08Z" {
		t.Errorf("%q, from %s to %s", f.Notes, f.FirstSeen, f.LastSeen)
	}
	if len(m.Blocked) != 1 || m.Blocked[0].Goroutines != 1600 || m.Blocked[0].Instances != 40 ||
		m.Blocked[0].Most != 40 ||
		m.Blocked[0].MostAt != "shop/web-5c9d8f7b6-bbbbb/app" {
		t.Errorf("%+v", m.Blocked)
	}
	if len(r.Leads) != 2 || r.Leads[1].Instances != 40 || r.Leads[1].Rank != 2 {
		t.Errorf("%+v", r.Leads)
	}
}

func TestWhatMayBeChanceSetsNothingApart(t *testing.T) {
	for name, nodes := range map[string]string{
		"two of two, where half are": "abababab", // the first and third have the finding
		"spread evenly":              "aabbaabb",
		"where all are":              "aaaaaaaa",
	} {
		var all []*schema.Report
		for i, node := range strings.Split(nodes, "") {
			title := ""
			if i == 0 || i == 2 {
				title = "stuck"
			}
			all = append(all, shown(fmt.Sprintf("%d%04d", i, i), node, title))
		}
		if got := merged(t, all...).Findings[0].Notes[0]; got != "Shown by 2 of 8 instances (25%)." {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAProcessWithoutAPodIsNamedByItsReport(t *testing.T) {
	r := schema.New("v1")
	r.Dumps = []schema.Dump{{Input: "dump.txt"}}
	r.Findings = []rules.Finding{{Fingerprint: "f", Title: "stuck"}}
	m := New()
	m.Add(copyOf(t, r), "a.json")
	m.Add(copyOf(t, r), "b.json")
	f := m.Report().Findings[0]
	if m.Report().Merged.Instances != 2 || f.PodsTotal != 2 || f.Pods[0].Process != "a.json" ||
		f.Pods[1].Process != "b.json" {
		t.Errorf("%+v", f.Pods)
	}
}

// TestAMergeOfMergesIsTheMergeOfAll splits reports at random, merges the parts in a random order, and these again.
func TestAMergeOfMergesIsTheMergeOfAll(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var all []*schema.Report
		for i := range 30 {
			r := shown(fmt.Sprintf("%d%04d", random.IntN(10), i), string(rune('a'+random.IntN(4))), []string{"",
				"stuck", "lost"}[random.IntN(3)])
			for k := range r.Findings {
				r.Findings[k].Severity = []rules.Severity{rules.High, rules.Low}[random.IntN(2)]
				r.Findings[k].Notes = []string{fmt.Sprint("note ", random.IntN(3))}
			}
			r.Leads[0].Points = float64(random.IntN(4))
			r.Leads = append(r.Leads, schema.Lead{Title: "alike", Points: 1, Certainty: schema.OnlySuspect,
				Culprit: &rules.Place{Function: fmt.Sprint("f", i%3)}})
			r.Skipped = []schema.Skipped{{Path: fmt.Sprint(i), Reason: "gone"}, {Path: "all", Reason: "gone"}}
			all = append(all, r)
		}
		flat := merged(t, all...)
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		a, b := random.IntN(len(all)), random.IntN(len(all))
		a, b = min(a, b), max(a, b)
		tree := merged(t, merged(t, all[b:]...), merged(t, merged(t, all[:a]...), merged(t, all[a:b]...)))
		want, _ := json.MarshalIndent(flat, "", " ")
		if got, _ := json.MarshalIndent(tree, "", " "); string(got) != string(want) {
			t.Fatalf("merged in a tree:\n%s\nflat:\n%s", got, want)
		}
	}
}

func TestWhatNoPartCouldReadIsListedOnceAndStaysAFailure(t *testing.T) {
	m := New()
	for part := range 2 {
		r := schema.New("")
		r.Skipped = []schema.Skipped{{Path: "logs", Reason: "gone", Named: part == 1}, {Path: "logs", Reason: "cut"}}
		m.Add(r, "r")
	}
	if r := m.Report(); len(r.Skipped) != 2 || r.SkippedCut != 0 || !r.Unreadable() || !r.Skipped[1].Named {
		t.Errorf("%+v and %d more", r.Skipped, r.SkippedCut)
	}
	for i := range maxListed {
		m.Skip(schema.Skipped{Path: fmt.Sprint(i)}) // digits come before letters
	}
	if r := m.Report(); len(r.Skipped) != maxListed || r.SkippedCut != 2 || !r.Unreadable() {
		t.Errorf("%d listed, %d more, unreadable: %t", len(r.Skipped), r.SkippedCut, r.Unreadable())
	}
}

func TestAMergeIsBounded(t *testing.T) {
	m := New()
	for i := range 3 {
		r := schema.New("")
		for k := range maxFindings {
			r.Findings = append(r.Findings, rules.Finding{Fingerprint: fmt.Sprint(i, k)})
			r.Leads = append(r.Leads, schema.Lead{Client: fmt.Sprint(i, k)})
			r.Skipped = append(r.Skipped, schema.Skipped{Path: fmt.Sprint(i, k)})
			r.Inputs = append(r.Inputs, schema.Input{Pod: fmt.Sprint(i, "-", k), Node: fmt.Sprint(i, k)})
		}
		m.Add(r, "r")
	}
	r := m.Report()
	if len(r.Findings) != maxFindings || len(r.Skipped) != maxListed || r.SkippedCut != 3*maxFindings-maxListed ||
		!slices.Contains(r.Merged.Traits, rules.Trait{Name: "node"}) || r.Merged.Instances != 3*maxFindings ||
		r.Merged.Cut != 2*maxFindings+3*maxFindings-maxSuspects {
		t.Errorf("%d findings, %d skipped and %d, %d instances, %d cut", len(r.Findings), len(r.Skipped), r.SkippedCut,
			r.Merged.Instances, r.Merged.Cut)
	}
}

// FuzzMerge holds reports that anybody wrote, merged ones too.
func FuzzMerge(f *testing.F) {
	text, _ := json.Marshal(shown("0", "a", "stuck"))
	f.Add(text, text)
	f.Add([]byte(`{"merged":{},"findings":[{"spread":{},"notes":[]}],"leads":[{}]}`),
		[]byte(`{"merged":{"traits":[{"name":"node"}]},"findings":[{"spread":null}]}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		m := New()
		for _, text := range [][]byte{a, b} {
			r := &schema.Report{}
			if json.Unmarshal(text, r) == nil {
				m.Add(r, "r")
			}
		}
		m.Report()
	})
}

// BenchmarkMerge merges the reports of 10,000 pods: what one report takes is the time over 10,000.
func BenchmarkMerge(b *testing.B) {
	report := shown("0", "a", "stuck")
	for b.Loop() {
		m := New()
		for i := range 10_000 {
			r := *report
			r.Inputs = []schema.Input{{Namespace: "shop", Pod: fmt.Sprint("web-", i), Node: fmt.Sprint("node-", i%300)}}
			r.Findings = slices.Clone(report.Findings)
			r.Leads = slices.Clone(report.Leads)
			m.Add(&r, "r")
		}
		m.Report()
	}
}
