package objects

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// An objectFixture is rules/testdata/objects/NAME.txtar: a comment that describes the situation, files of Kubernetes
// objects (and those that describe the bundle), and `want`, the findings of all rules about objects, one a line, in
// their order:
//
//	TR730 critical pod-storm Deployment shop/index
//
// A comment that says "near miss of TR730" makes the fixture that rule's near miss. A file whose name ends in "×40/3s"
// goes on with the file before it: its text is there 40 times, with {i} from 0 on and {at}, 3 seconds later each time.
type objectFixture struct {
	name, comment  string
	files          []txtar.File
	want, nearMiss []string
}

var manyObjects = regexp.MustCompile(`^(.*)×(\d+)/(\S+)$`)

// firstObject is {at} of the first of many.
var firstObject = time.Date(2026, 3, 4, 4, 42, 0, 0, time.UTC)

func objectFixtures(t testing.TB) []objectFixture {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "testdata", "objects", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	var all []objectFixture
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fx := objectFixture{name: filepath.Base(name), comment: strings.TrimSpace(string(ar.Comment))}
		for _, m := range rulestest.NearMissOf.FindAllStringSubmatch(strings.Join(strings.Fields(fx.comment), " "),
			-1) {
			fx.nearMiss = append(fx.nearMiss, regexp.MustCompile(`TR\d+`).FindAllString(m[1], -1)...)
		}
		if fx.comment == "" {
			t.Errorf("%s: the comment does not say the situation", fx.name)
		}
		for _, f := range ar.Files {
			switch m := manyObjects.FindStringSubmatch(f.Name); {
			case f.Name == "want":
				fx.want = append(fx.want, strings.FieldsFunc(string(f.Data), func(r rune) bool { return r == '\n' })...)
			case m != nil:
				last := &fx.files[len(fx.files)-1]
				last.Data = append(slices.Clip(last.Data), manyTimes(t, m[2], m[3], string(f.Data))...)
			default:
				fx.files = append(fx.files, f)
			}
		}
		all = append(all, fx)
	}
	return all
}

func manyTimes(t testing.TB, times, step, text string) string {
	t.Helper()
	n, err := strconv.Atoi(times)
	if err != nil {
		t.Fatal(err)
	}
	d, err := time.ParseDuration(step)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range n {
		at := firstObject.Add(time.Duration(i) * d).Format(time.RFC3339)
		b.WriteString(strings.NewReplacer("{i}", strconv.Itoa(i), "{at}", at).Replace(text))
	}
	return b.String()
}

// clusterOf reads files as the engine does: each by a reader of its own.
func clusterOf(t testing.TB, files []txtar.File) *kube.Cluster {
	t.Helper()
	store := kube.NewStore(0)
	var all []*kube.Objects
	for _, f := range files {
		r := kube.NewReader(store)
		if kube.WantsLines(f.Name) {
			num := int64(0)
			for line := range bytes.Lines(f.Data) {
				num++
				r.Note(f.Name, bytes.TrimRight(line, "\n"), num)
			}
		} else if err := r.Read(f.Name, bytes.NewReader(f.Data)); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Close())
	}
	return kube.Merge(all)
}

// applyObjects applies the rules about objects.
func applyObjects(c *kube.Cluster) []rules.Finding {
	return rulestest.ApplyAll(Rules(), &rules.Pass{Cluster: c})
}

// gotObject is a finding as `want` writes it.
func gotObject(f *rules.Finding) string {
	name := f.Object.Name
	if f.Object.Namespace != "" {
		name = f.Object.Namespace + "/" + name
	}
	return fmt.Sprintf("%s %s %s %s %s", f.Rule, f.Severity, f.Category, f.Object.Kind, name)
}

func TestObjectRulesOnAllObjectFixtures(t *testing.T) {
	fired, missed := map[string]bool{}, map[string]bool{}
	for _, fx := range objectFixtures(t) {
		t.Run(fx.name, func(t *testing.T) {
			found := applyObjects(clusterOf(t, fx.files))
			lines := []string{}
			for i := range found {
				f := &found[i]
				lines = append(lines, gotObject(f))
				rulestest.CheckFinding(t, f)
				checkObjectFinding(t, f)
				fired[f.Rule] = true
				if slices.Contains(fx.nearMiss, f.Rule) {
					t.Errorf("says near miss of %s and finds it", f.Rule)
				}
			}
			for _, id := range fx.nearMiss {
				missed[id] = true
			}
			if diff := cmp.Diff(append([]string{}, fx.want...), lines); diff != "" {
				t.Errorf("%s\nwant (-), got (+):\n%s", fx.comment, diff)
				for _, f := range found {
					t.Logf("%s\n  %s\n  %v", f.Title, f.Why, f.Evidence)
				}
			}
		})
	}
	for _, r := range Rules() {
		if !fired[r.ID] {
			t.Errorf("rule %s (%s): no fixture in testdata/objects wants it", r.ID, r.Name)
		}
		if !missed[r.ID] {
			t.Errorf("rule %s (%s): no fixture's comment says \"near miss of %s\"", r.ID, r.Name, r.ID)
		}
	}
}

// checkObjectFinding holds what every report relies on for findings about objects.
func checkObjectFinding(t *testing.T, f *rules.Finding) {
	t.Helper()
	if f.Object == nil || f.Object.Kind == "" || f.Object.Name == "" {
		t.Fatalf("%s names no object: %+v", f.Rule, f.Object)
	}
	if !strings.Contains(f.Title, f.Object.Name) && len(f.Object.Name) < 40 {
		t.Errorf("%s: the title does not name %s: %q", f.Rule, f.Object.Name, f.Title)
	}
	for _, e := range f.Evidence {
		if e.Input == "" || e.Line <= 0 || e.Text == "" {
			t.Errorf("%s: evidence without its place: %+v", f.Rule, e)
		}
	}
	if len(f.Next) == 0 {
		t.Errorf("%s: no command to go on with", f.Rule)
	}
}
