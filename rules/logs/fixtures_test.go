package logs

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A log fixture is rules/testdata/logs/NAME.txtar: a comment that describes the situation, logs, and `want`, the
// findings of all log rules together, one a line in any order: rule, severity, the object as kind and namespace/name ("-" for none).
//
//	TR700 high Bundle fleet-local/web
//
// A log's name is NAMESPACE/POD/CONTAINER.log, with how its lines come behind it:
//
//	-- prod/agent-0/agent.log 2026-03-04T10:00:00Z +700ms ~20 ×2400 --
//
// says that its lines are written 2,400 times, the first at ten, 700 ms apart give or take 20%, each time of one round
// with {i} (the round), {id} (a request's id), {ms} (a duration), {klog} and {time} (the line's time) filled in. {i/10}
// changes every ten rounds. Without "~" rounds keep their time to the millisecond; *1.5 behind the gap makes each gap
// longer than the last by half. Parts of one name are one log, in order of time. A comment that says "near miss of
// TR700" makes the fixture that rule's near miss.
type logFixture struct {
	name, comment  string
	logs           []*rules.LogInput
	want, nearMiss []string
}

func logFixtures(t *testing.T) []logFixture {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "testdata", "logs", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	var all []logFixture
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, newLogFixture(t, filepath.Base(name), ar))
	}
	return all
}

func newLogFixture(t *testing.T, name string, ar *txtar.Archive) logFixture {
	t.Helper()
	fx := logFixture{name: name, comment: strings.Join(strings.Fields(string(ar.Comment)), " ")}
	if fx.comment == "" {
		t.Errorf("%s: the comment does not say the situation", name)
	}
	for _, m := range rulestest.NearMissOf.FindAllStringSubmatch(fx.comment, -1) {
		fx.nearMiss = append(fx.nearMiss, regexp.MustCompile(`TR\d+`).FindAllString(m[1], -1)...)
	}
	lines := map[string][]stamped{}
	var order []string
	for _, f := range ar.Files {
		if f.Name == "want" {
			fx.want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			continue
		}
		path, _, _ := strings.Cut(f.Name, " ")
		if _, ok := lines[path]; !ok {
			order = append(order, path)
		}
		lines[path] = append(lines[path], writeLog(t, f)...)
	}
	fx.want = slices.DeleteFunc(fx.want, func(s string) bool { return s == "" })
	slices.Sort(fx.want)
	for _, path := range order {
		fx.logs = append(fx.logs, mineLog(path, lines[path]))
	}
	return fx
}

type stamped struct {
	at   time.Time
	text string
}

// writeLog writes the lines of one part of a log.
func writeLog(t *testing.T, f txtar.File) []stamped {
	t.Helper()
	at, gap, jitter, rounds, grow := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC), time.Second, 0, 1, 1.0
	for _, word := range strings.Fields(f.Name)[1:] {
		var err error
		switch {
		case strings.HasPrefix(word, "+"):
			gap, err = time.ParseDuration(word[1:])
		case strings.HasPrefix(word, "~"):
			jitter, err = strconv.Atoi(word[1:])
		case strings.HasPrefix(word, "*"):
			grow, err = strconv.ParseFloat(word[1:], 64)
		case strings.HasPrefix(word, "×"):
			rounds, err = strconv.Atoi(strings.TrimPrefix(word, "×"))
		default:
			at, err = time.Parse(time.RFC3339, word)
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
	}
	rng := rand.New(rand.NewPCG(7, 11))
	var all []stamped
	for i := range rounds {
		now := at
		for line := range strings.Lines(string(f.Data)) {
			all = append(all, stamped{now, fillLine(strings.TrimRight(line, "\n"), i, now, rng)})
			now = now.Add(3 * time.Millisecond)
		}
		next := gap
		if jitter > 0 {
			next += time.Duration(float64(gap) * float64(jitter) / 100 * (2*rng.Float64() - 1))
		}
		at = at.Add(next)
		gap = time.Duration(float64(gap) * grow)
	}
	return all
}

var everyRounds = regexp.MustCompile(`\{i/(\d+)\}`)

func fillLine(line string, i int, at time.Time, rng *rand.Rand) string {
	if strings.Contains(line, "{i/") {
		line = everyRounds.ReplaceAllStringFunc(line, func(s string) string {
			n, _ := strconv.Atoi(everyRounds.FindStringSubmatch(s)[1])
			return strconv.Itoa(i / n)
		})
	}
	return strings.NewReplacer(
		"{i}", strconv.Itoa(i), "{id}", fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", rng.Uint32(), rng.IntN(1<<16),
			rng.IntN(1<<12), rng.IntN(1<<12), rng.Uint64N(1<<48)),
		"{ms}", fmt.Sprintf("%d.%03dms", 1+rng.IntN(400), rng.IntN(1000)), "{s}", fmt.Sprintf("%d.%03ds", 1+rng.IntN(9),
			rng.IntN(1000)),
		"{klog}", at.Format("0102 15:04:05.000000"), "{time}", at.Format(time.RFC3339),
	).Replace(line)
}

// mineLog mines a log as the engine does.
func mineLog(path string, lines []stamped) *rules.LogInput {
	slices.SortStableFunc(lines, func(a, b stamped) int { return a.at.Compare(b.at) })
	m := logpattern.NewMiner()
	for i, l := range lines {
		m.Line([]byte(l.text), int64(i+1), 0, []byte(l.at.Format(time.RFC3339Nano)))
	}
	in := &rules.LogInput{Log: m.Close(), Input: path, Locate: func(num int64) (string, int64) { return path, num }}
	parts := strings.Split(strings.TrimSuffix(path, ".log"), "/")
	if len(parts) == 3 {
		in.Target = rules.Target{Namespace: parts[0], Pod: parts[1], Container: parts[2]}
	} else if len(parts) == 2 {
		in.Target = rules.Target{Node: parts[0]}
	}
	return in
}

func gotLog(f *rules.Finding) string {
	object := "-"
	if f.Object != nil {
		object = objectTitle(*f.Object)
	}
	return fmt.Sprintf("%s %s %s", f.Rule, f.Severity, object)
}

func TestAllLogRulesOnAllLogFixtures(t *testing.T) {
	for _, fx := range logFixtures(t) {
		t.Run(fx.name, func(t *testing.T) {
			found := rulestest.ApplyAll(Rules(), &rules.Pass{Logs: fx.logs})
			lines := []string{}
			for i := range found {
				lines = append(lines, gotLog(&found[i]))
				rulestest.CheckFinding(t, &found[i])
				checkEvidence(t, fx.logs, &found[i])
			}
			slices.Sort(lines)
			if diff := gocmp.Diff(append([]string{}, fx.want...), lines); diff != "" {
				t.Errorf("%s\nwant (-), got (+):\n%s", fx.comment, diff)
			}
		})
	}
}

// checkEvidence holds that each piece points at a line of an input that was read.
func checkEvidence(t *testing.T, logs []*rules.LogInput, f *rules.Finding) {
	t.Helper()
	for _, e := range f.Evidence {
		i := slices.IndexFunc(logs, func(in *rules.LogInput) bool { return in.Input == e.Input })
		if i < 0 || e.Line < 1 || e.Line > logs[i].Log.(*logpattern.Log).Lines || e.Count < 1 || e.Text == "" {
			t.Errorf("%s: evidence points nowhere: %+v", f.Rule, e)
		}
	}
	for _, cmd := range f.Next {
		if !strings.HasPrefix(cmd.Command, "kubectl ") && !strings.HasPrefix(cmd.Command, "helm ") {
			t.Errorf("%s: not a command: %q", f.Rule, cmd.Command)
		}
	}
}

func TestEveryLogRuleHasAFixtureThatFiresAndANearMiss(t *testing.T) {
	fired, missed := map[string]bool{}, map[string]bool{}
	for _, fx := range logFixtures(t) {
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
		if !fired[r.ID] || !missed[r.ID] {
			t.Errorf("rule %s (%s): a fixture fires: %v; a near miss: %v", r.ID, r.Name, fired[r.ID], missed[r.ID])
		}
	}
}

func TestLogRulesAreOrderedAndValid(t *testing.T) {
	all := Rules()
	if err := rules.Validate(all); err != nil {
		t.Error(err)
	}
	if !slices.IsSortedFunc(all, func(a, b *rules.Rule) int { return cmp.Compare(a.ID, b.ID) }) {
		t.Error("not ordered by id")
	}
	for _, r := range all {
		if r.Needs != rules.NeedsLogs {
			t.Errorf("%s needs %s", r.ID, r.Needs)
		}
	}
}
