package all

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gotriage/triage/internal/fixture"
	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/rules/match"
)

// A situation is rules/testdata/NAME.txtar: a comment that describes the situation, one or more files with a dump each,
// and `want`, the findings of all rules together, one a line, in any order:
//
//	TR401 medium/high g=7 queue.go:31
//
// Behind the severity is the confidence. g is the smallest goroutine id of the first evidence (0 where it has none).
// file:line is the culprit's. An empty `want` is a situation without any finding. A comment that says "near miss of
// TR401" (or "near misses of TR401, TR402") makes the fixture that rule's near miss. The files are streams of one
// process.
//
// A file whose name ends in ".go" is the program's source, a package of one file that was built as /src/NAME.
//
// A file whose name ends in "×1000" goes on with the file before it (fixture.Unfold).
type situation struct {
	name     string
	comment  string
	dumps    []*rules.DumpInput
	want     []string
	nearMiss []string
	code     rules.Parsed
}

func (fx *situation) pass() *rules.Pass { return &rules.Pass{Dumps: fx.dumps, Code: fx.code} }

// codeOf reads frames of /src/NAME in the source of that name.
func codeOf(name string, text []byte) rules.Parsed {
	p := gocode.New([]gocode.File{{Name: name, Text: string(text)}}, name, false)
	return gocode.NewReader(func(f gocode.Frame) (*gocode.Package, string) {
		if f.File != "/src/"+name {
			return nil, ""
		}
		return p, name
	}, func() []gocode.Unit { return []gocode.Unit{{Package: p, Path: "main", Dir: "/src/"}} })
}

func dumpFixtures(t *testing.T) []situation {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "testdata", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	roles := declared.Roles()
	var all []situation
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, newFixture(t, filepath.Base(name), ar, roles))
	}
	return all
}

func newFixture(t *testing.T, name string, ar *txtar.Archive, roles *match.RoleSet) situation {
	t.Helper()
	read := fixture.Of(name, ar)
	fx := situation{name: name, comment: read.Comment, nearMiss: read.NearMiss, want: read.Want}
	if fx.comment == "" {
		t.Errorf("%s: the comment does not say the situation", name)
	}
	files, err := fixture.Unfold(read.Files)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".go") {
			fx.code = codeOf(f.Name, f.Data)
			continue
		}
		for _, d := range dumptest.ParseDumps(f.Data) {
			fx.dumps = append(fx.dumps, &rules.DumpInput{Dump: d, Input: f.Name, Process: "fixture"})
		}
	}
	if !read.Wanted {
		t.Errorf("%s: no want", name)
	}
	if len(fx.dumps) == 0 {
		t.Errorf("%s: no dump was recognised", name)
	}
	rulestest.Prepare(fx.dumps, roles)
	slices.Sort(fx.want)
	return fx
}

// got is a finding as `want` writes it.
func got(f *rules.Finding) string {
	var id uint64
	if len(f.Evidence) > 0 && len(f.Evidence[0].Goroutines) > 0 {
		id = f.Evidence[0].Goroutines[0]
	}
	return fmt.Sprintf("%s %s/%s g=%d %s:%d", f.Rule, f.Severity, f.Confidence, id, symbol.ShortFile(f.Culprit.File), f.Culprit.Line)
}

func TestAllRulesOnAllFixtures(t *testing.T) {
	all := Rules()
	for _, fx := range dumpFixtures(t) {
		t.Run(fx.name, func(t *testing.T) {
			found := rulestest.ApplyAll(all, fx.pass())
			var lines []string
			for i := range found {
				lines = append(lines, got(&found[i]))
				rulestest.CheckFinding(t, &found[i])
				rulestest.CheckTexts(t, &found[i])
				checkSteps(t, &fx, &found[i])
			}
			slices.Sort(lines)
			if !slices.Equal(fx.want, lines) {
				t.Errorf("%s\nwant:\n\t%s\ngot:\n\t%s", fx.comment, strings.Join(fx.want, "\n\t"), strings.Join(lines, "\n\t"))
			}
		})
	}
}

// checkSteps holds what to do next about a dump to two claims: nothing counts the threads of a process that has ended,
// and no race detector is asked about goroutines that wait for each other, which is no data race.
func checkSteps(t *testing.T, fx *situation, f *rules.Finding) {
	t.Helper()
	ended := slices.ContainsFunc(fx.dumps, func(d *rules.DumpInput) bool { return rules.Deadly(d.Dump) })
	for _, s := range f.Next {
		if ended && strings.Contains(s.Command, "/proc/PID/") {
			t.Errorf("%s asks for %q of a process that has ended", f.Rule, s.Command)
		}
		if f.Category == rules.Deadlock && strings.Contains(s.Command, "-race") {
			t.Errorf("%s, a deadlock, asks for %q", f.Rule, s.Command)
		}
	}
}

func TestEveryRuleHasAFixtureThatFiresAndANearMiss(t *testing.T) {
	fired, missed := map[string]bool{}, map[string]bool{}
	for _, fx := range dumpFixtures(t) {
		for _, line := range fx.want {
			id, _, _ := strings.Cut(line, " ")
			fired[id] = true
			if slices.Contains(fx.nearMiss, id) {
				t.Errorf("%s: says near miss of %s and wants it", fx.name, id)
			}
		}
		for _, id := range fx.nearMiss {
			missed[id] = true
		}
	}
	for _, r := range Rules() {
		if aboutProfiles(r) {
			continue // TestEveryProfileRuleHasAProfileThatFiresAndANearMiss
		}
		if r.Needs&(rules.NeedsLogs|rules.NeedsObjects|rules.NeedsAudit|rules.NeedsMetrics|rules.NeedsCgroup) != 0 {
			continue // their rooms check it: fixtures.CheckCoverage
		}
		if !fired[r.ID] {
			t.Errorf("rule %s (%s): no fixture in testdata wants it", r.ID, r.Name)
		}
		if !missed[r.ID] {
			t.Errorf("rule %s (%s): no fixture's comment says \"near miss of %s\"", r.ID, r.Name, r.ID)
		}
		delete(fired, r.ID)
		delete(missed, r.ID)
	}
	for id := range fired {
		t.Errorf("a fixture wants %s, and there is no such rule", id)
	}
	for id := range missed {
		t.Errorf("a fixture is a near miss of %s, and there is no such rule", id)
	}
}
