package meters

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// passOf reads the files of a fixture, rules/testdata/meters/NAME.txtar: NAMESPACE/POD/CONTAINER/metrics.txt and files of
// control groups beside it, objects.yaml, and `want`, the findings of all rules about meters, one a line:
//
//	TR710 medium contention web-0
//
// A comment that says "near miss of TR710" makes the fixture that rule's near miss.
func passOf(t testing.TB, files []txtar.File) *rules.Pass {
	t.Helper()
	p := &rules.Pass{}
	targets := map[string]rules.Target{}
	var groups [][]*cgroup.Group
	for _, f := range files {
		parts := strings.Split(f.Name, "/")
		switch {
		case strings.HasSuffix(f.Name, ".yaml"):
			r := kube.NewReader(kube.NewStore(0))
			if err := r.Read(f.Name, bytes.NewReader(f.Data)); err != nil {
				t.Fatal(err)
			}
			p.Cluster = kube.Merge([]*kube.Objects{r.Close()})
			continue
		case len(parts) == 4:
			targets[f.Name] = rules.Target{Namespace: parts[0], Pod: parts[1], Container: parts[2]}
		}
		if strings.HasPrefix(parts[len(parts)-1], "metrics") {
			s, err := metrics.Read(bytes.NewReader(f.Data), 1)
			if err != nil {
				t.Fatal(err)
			}
			p.Metrics = append(p.Metrics, &rules.MeterInput{Meter: s, Input: f.Name, Target: targets[f.Name]})
			continue
		}
		g, err := cgroup.Read(f.Name, bytes.NewReader(f.Data), 1)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, g)
	}
	for _, g := range cgroup.Merge(groups) {
		p.Cgroups = append(p.Cgroups, &rules.MeterInput{Meter: g, Input: g.Input, Target: targets[g.Input]})
	}
	return p
}

func TestMeterRulesOnAllMeterFixtures(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("..", "testdata", "meters", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	fired, missed := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			files := ar.Files
			if n := len(files) - 1; n >= 0 && files[n].Name == "want" {
				want, files = strings.FieldsFunc(string(files[n].Data), func(r rune) bool { return r == '\n' }), files[:n]
			}
			got := []string{}
			for _, f := range rulestest.ApplyAll(Rules(), passOf(t, files)) {
				rulestest.CheckFinding(t, &f)
				who, _, _ := strings.Cut(f.Title, " ")
				got = append(got, strings.Join([]string{f.Rule, string(f.Severity), string(f.Category), who}, " "))
				fired[f.Rule] = true
				t.Logf("%s: %s", f.Title, f.Evidence[0].Text)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s\nwant (-), got (+):\n%s", ar.Comment, diff)
			}
			for _, m := range rulestest.NearMissOf.FindAllStringSubmatch(strings.Join(strings.Fields(string(ar.Comment)), " "), -1) {
				for _, id := range regexp.MustCompile(`TR\d+`).FindAllString(m[1], -1) {
					missed[id] = true
				}
			}
		})
	}
	for _, r := range Rules() {
		if !fired[r.ID] || !missed[r.ID] {
			t.Errorf("rule %s (%s): a fixture that wants it %v, a near miss %v", r.ID, r.Name, fired[r.ID], missed[r.ID])
		}
	}
}
