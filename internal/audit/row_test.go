package audit

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A row is what a test asks of an event.
type row struct {
	Verb           string
	In, Out        uint64
	Changes        []Change
	Compared, Part bool
}

// rows reads samples and returns the events that the filter chooses.
func rows(t *testing.T, f Filter, samples ...sample) []row {
	t.Helper()
	var out []row
	r := NewReader(Options{Each: func(s *Seen) {
		if s.Ends && f.Match(s) {
			out = append(out, row{string(s.RawVerb), s.In, s.Out, slices.Clone(s.Changes), s.Compared, s.Part})
		}
	}})
	if err := r.Read("x", strings.NewReader(logOf(samples...))); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestAFilterChooses(t *testing.T) {
	samples := []sample{
		{verb: "update", user: "system:serviceaccount:a:one", agent: "one/v1", group: "apps", resource: "deployments", namespace: "prod", name: "web", at: start},
		{verb: "get", user: "bob", impersonated: "carol", resource: "pods", namespace: "prod", name: "web", code: 404, at: start.Add(time.Second)},
		{verb: "patch", user: "bob", agent: "kubectl/v1", group: "networking.k8s.io", resource: "networkpolicies", namespace: "shop", name: "np", code: 409, at: start.Add(2 * time.Second)},
		{verb: "list", user: "bob", group: "x.io", resource: "deployments", code: 503, at: start.Add(3 * time.Second)},
	}
	for name, c := range map[string]struct {
		f    Filter
		want string
	}{
		"nothing said":     {Filter{}, "update get patch list"},
		"plural":           {Filter{Object: "deployments/web"}, "update"},
		"kind":             {Filter{Object: "Deployment/web"}, "update"},
		"short":            {Filter{Object: "deploy/web"}, "update"},
		"group":            {Filter{Resource: "deployments.apps"}, "update"},
		"other group":      {Filter{Resource: "deployments.x.io"}, "list"},
		"a kind with y":    {Filter{Resource: "NetworkPolicy"}, "patch"},
		"any resource":     {Filter{Object: "web"}, "update get"},
		"namespace":        {Filter{Namespace: "shop"}, "patch"},
		"user":             {Filter{User: "bob"}, "get patch list"},
		"impersonated":     {Filter{User: "carol"}, "get"},
		"part of a user":   {Filter{User: "a:one"}, "update"},
		"agent":            {Filter{Agent: "kubectl"}, "patch"},
		"verbs":            {Filter{Verbs: []string{"get", "list"}}, "get list"},
		"a code":           {Filter{Codes: []string{"409"}}, "patch"},
		"a class of codes": {Filter{Codes: []string{"5xx", "404"}}, "get list"},
		"since":            {Filter{Since: start.Add(2 * time.Second).UnixMicro()}, "patch list"},
		"until":            {Filter{Until: start.Add(time.Second).UnixMicro()}, "update get"},
		"writes":           {Filter{Writes: true}, "update patch"},
		"both":             {Filter{Writes: true, Namespace: "prod"}, "update"},
	} {
		var got []string
		for _, r := range rows(t, c.f, samples...) {
			got = append(got, r.Verb)
		}
		if d := cmp.Diff(c.want, strings.Join(got, " ")); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestARowTellsVersionsAndFields(t *testing.T) {
	body := func(version, at string) string {
		return `{"kind":"Release","metadata":{"name":"web","resourceVersion":"` + version + `"},"status":{"conditions":[{"type":"Ready","at":"` + at + `"}]}}`
	}
	update := func(in, out, at string) sample {
		return sample{verb: "update", user: "u", resource: "releases", name: "web", version: in, level: "RequestResponse", response: body(out, at)}
	}
	got := rows(t, Filter{}, update("10", "11", "a"), update("11", "12", "b"), update("12", "12", "b"), update("15", "16", "c"))
	if len(got) != 4 {
		t.Fatalf("%d rows", len(got))
	}
	moved := []Change{{"status.conditions[Ready].at", `"a"`, `"b"`}}
	if r := got[1]; r.In != 11 || r.Out != 12 || !r.Compared || cmp.Diff(moved, r.Changes) != "" {
		t.Errorf("the second: %+v", r)
	}
	if r := got[2]; r.In != 12 || r.Out != 12 || !r.Compared || len(r.Changes) != 0 {
		t.Errorf("the third changed nothing: %+v", r)
	}
	// The object was written between 12 and 15, through a server whose log isn't here.
	if r := got[3]; r.Compared || len(r.Changes) != 1 {
		t.Errorf("the fourth: %+v", r)
	}
}

func TestAPatchShowsAllThatItSets(t *testing.T) {
	patch := func(body string) sample {
		return sample{verb: "patch", user: "u", resource: "deployments", name: "web", level: "Request", request: body}
	}
	got := rows(t, Filter{}, patch(`{"spec":{"replicas":3}}`), patch(`{"spec":{"replicas":8,"paused":true}}`), patch(`[{"op":"replace","path":"/spec/replicas","value":3},{"op":"remove","path":"/metadata/annotations/a.b~1c"}]`))
	want := [][]Change{
		{{"spec.replicas", "", "3"}},
		{{"spec.replicas", "3", "8"}, {"spec.paused", "", "true"}},
		{{"spec.replicas", "8", "3"}, {"metadata.annotations[a.b/c]", "", "null"}},
	}
	for i := range want {
		if !got[i].Part || cmp.Diff(want[i], got[i].Changes) != "" {
			t.Errorf("%d: %+v", i, got[i])
		}
	}
}

// TestALongListInAPatchIsComparedWhole has a condition whose time alone moves, far behind what is shown of a value.
func TestALongListInAPatchIsComparedWhole(t *testing.T) {
	long := strings.Repeat("x", 2*maxValue)
	patch := func(i int, v string) sample {
		return sample{verb: "patch", user: "u", resource: "releases", sub: "status", name: "web", level: "Request", at: start.Add(time.Duration(i) * time.Second),
			request: `{"status":{"plain":["` + long + `","` + v + `"],"conditions":[{"type":"Ready","message":"` + long + `","at":"` + v + `"}]}}`}
	}
	got := rows(t, Filter{}, patch(0, "a"), patch(1, "b"), patch(2, "b"))
	moved := func(r row) (paths []string) {
		for _, c := range r.Changes {
			if c.Old != c.New {
				paths = append(paths, c.Path)
			}
		}
		return paths
	}
	if paths := moved(got[1]); len(paths) != 1 || paths[0] != "status.conditions[Ready].at" { // of the plain list no more than its beginning is shown
		t.Errorf("%v: %+v", paths, got[1])
	}
	known := newBodies(defaultMaxBodies)
	for i, want := range []int{0, 2, 0} {
		changes, _, known := known.comparePatch(0, []byte(patch(i, []string{"a", "b", "b"}[i]).request), &Write{}, false)
		if known && len(changes) != want {
			t.Errorf("%d: %d changes", i, len(changes))
		}
	}
}

// TestFieldsAreComparedOverAllServers has two servers in turns: between two equal patches of one the other's patch
// lies.
func TestFieldsAreComparedOverAllServers(t *testing.T) {
	var one, two []sample
	for i := range 12 {
		p := sample{verb: "patch", user: "a", resource: "deployments", name: "web", level: "Request", request: `{"spec":{"replicas":8}}`, at: start.Add(time.Duration(2*i) * time.Second)}
		one = append(one, p)
		p.user, p.request, p.at = "b", `{"spec":{"replicas":3}}`, p.at.Add(time.Second)
		two = append(two, p)
	}
	tr := readAll(t, logOf(one...), logOf(two...))
	for i := fewWrites; i < len(tr.Writes); i++ {
		w := &tr.Writes[i]
		if c := tr.Changes[w.Change]; w.Flags&FlagBodies == 0 || len(c.Paths) != 1 || c.Paths[0] != "spec.replicas" {
			t.Errorf("write %d: %+v", i, c)
		}
	}
	if len(tr.Sets) != 2 || tr.Sets[0].Top().Text == tr.Sets[1].Top().Text {
		t.Errorf("the values: %+v", tr.Sets)
	}
}
