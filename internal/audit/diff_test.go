package audit

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAChangeIsNamedByItsPath(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want []Change
	}{
		"nothing":           {`{"spec":{"x":1}}`, `{"spec":{"x":1}}`, nil},
		"a scalar":          {`{"spec":{"replicas":3}}`, `{"spec":{"replicas":8}}`, []Change{{"spec.replicas", "3", "8"}}},
		"another white":     {`{"spec":{"x":1}}`, `{ "spec" : { "x" : 1 } }`, nil},
		"a longer number":   {`{"spec":{"x":1}}`, `{"spec":{"x":12}}`, []Change{{"spec.x", "1", "12"}}},
		"a condition":       {`{"status":{"conditions":[{"type":"Ready","at":"a"}]}}`, `{"status":{"conditions":[{"type":"Ready","at":"b"}]}}`, []Change{{"status.conditions[Ready].at", `"a"`, `"b"`}}},
		"a named item":      {`{"spec":{"c":[{"image":"a","name":"web"}]}}`, `{"spec":{"c":[{"image":"b","name":"web"}]}}`, []Change{{"spec.c[web].image", `"a"`, `"b"`}}},
		"an item without":   {`{"spec":{"c":[{"v":1},{"v":2}]}}`, `{"spec":{"c":[{"v":1},{"v":3}]}}`, []Change{{"spec.c[1].v", "2", "3"}}},
		"an item more":      {`{"s":{"c":[{"type":"A"}]}}`, `{"s":{"c":[{"type":"A"},{"type":"B"}]}}`, []Change{{"s.c[B]", "", `{"type":"B"}`}}},
		"an item less":      {`{"s":{"c":[{"type":"A"},{"type":"B"}]}}`, `{"s":{"c":[{"type":"A"}]}}`, []Change{{"s.c[B]", `{"type":"B"}`, ""}}},
		"a finalizer less":  {`{"metadata":{"finalizers":["a","b"]}}`, `{"metadata":{"finalizers":["a"]}}`, []Change{{"metadata.finalizers", `["a","b"]`, `["a"]`}}},
		"a field more":      {`{"spec":{"a":1}}`, `{"spec":{"a":1,"b":2}}`, []Change{{"spec.b", "", "2"}}},
		"a field between":   {`{"spec":{"a":1,"c":3}}`, `{"spec":{"a":1,"b":2,"c":3}}`, []Change{{"spec.b", "", "2"}}},
		"a field less":      {`{"spec":{"a":1,"b":2,"c":3}}`, `{"spec":{"a":1,"c":3}}`, []Change{{"spec.b", "2", ""}}},
		"an annotation":     {`{"metadata":{"annotations":{"x.io/y":"1"}}}`, `{"metadata":{"annotations":{"x.io/y":"2"}}}`, []Change{{"metadata.annotations[x.io/y]", `"1"`, `"2"`}}},
		"what always moves": {`{"metadata":{"resourceVersion":"1","generation":1,"managedFields":[{"time":"a"}]}}`, `{"metadata":{"resourceVersion":"2","generation":2,"managedFields":[]}}`, nil},
		"another kind":      {`{"spec":{"x":{"a":1}}}`, `{"spec":{"x":[1]}}`, []Change{{"spec.x", `{"a":1}`, "[1]"}}},
		"a secret's":        {`{"spec":{"adminPassword":"a"}}`, `{"spec":{"adminPassword":"b"}}`, []Change{{"spec.adminPassword", "***", "***"}}},
		"a long value":      {`{"a":""}`, `{"a":"` + strings.Repeat("x", 100) + `"}`, []Change{{"a", `""`, `"` + strings.Repeat("x", maxValue-4) + "..."}}},
	} {
		t.Run(name, func(t *testing.T) {
			var d differ
			got, more, ok := d.compare([]byte(c.a), []byte(c.b), false)
			if !ok || more != 0 {
				t.Fatalf("ok %v, %d more", ok, more)
			}
			if diff := cmp.Diff(c.want, append([]Change(nil), got...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChangesBeyondTheFirstAreCounted(t *testing.T) {
	var d differ
	a := `{"s":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}}`
	got, more, _ := d.compare([]byte(a), []byte(strings.ReplaceAll(a, "1", "2")), false)
	if len(got) != maxPaths || more != 2 {
		t.Errorf("%d changes and %d more", len(got), more)
	}
}

func TestValuesOfSecretsAreNeverKept(t *testing.T) {
	body := func(v string) string {
		return `{"kind":"Secret","metadata":{"name":"s"},"data":{"k":"` + v + `"}}`
	}
	var seen []Change
	r := NewReader(Options{Each: func(s *Seen) { seen = append(seen, s.Changes...) }})
	var samples []sample
	for _, v := range []string{"aGVsbG8x", "aGVsbG8y", "aGVsbG8z", "aGVsbG8x", "aGVsbG8y", "aGVsbG8z"} {
		samples = append(samples, sample{verb: "update", user: "u", resource: "secrets", name: "s", level: "RequestResponse", request: body(v), response: body(v)})
	}
	if err := r.Read("x", strings.NewReader(logOf(samples...))); err != nil {
		t.Fatal(err)
	}
	tr := Merge([]*Log{r.Close()})
	if len(seen) != 5 {
		t.Fatalf("%d changes", len(seen))
	}
	for _, c := range seen {
		if c != (Change{"data.k", "***", "***"}) {
			t.Errorf("%+v", c)
		}
	}
	for _, s := range tr.Sets {
		t.Errorf("kept: %+v", s)
	}
}

// FuzzCompare holds that bodies in which nothing is said to differ are equal, but for the fields that always move.
func FuzzCompare(f *testing.F) {
	f.Add(`{"a":1,"b":[1,2,{"type":"x"}]}`, `{"a":1,"b":[1,2,{"type":"y"}]}`)
	f.Add(`{"a":{"b":{}}}`, `{"a":{"b":null}}`)
	f.Add(`{"b":1,"a":2}`, `{"a":2,"b":1}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		var d differ
		wrap := func(s string) []byte { return []byte(`{"spec":` + s + `}`) }
		d.compare([]byte(a), []byte(b), false)
		d.walk([]byte(a), func([]byte) {})
		if !json.Valid([]byte(a)) || !json.Valid([]byte(b)) {
			return
		}
		if got, _, ok := d.compare(wrap(a), wrap(a), false); ok && len(got) != 0 {
			t.Errorf("a body differs from itself: %+v", got)
		}
		got, more, ok := d.compare(wrap(a), wrap(b), false)
		if !ok || len(got)+more > 0 || odd([]byte(a)) || odd([]byte(b)) {
			return
		}
		var va, vb any
		if json.Unmarshal([]byte(a), &va) != nil || json.Unmarshal([]byte(b), &vb) != nil {
			return
		}
		if !reflect.DeepEqual(va, vb) {
			t.Errorf("%s and %s are said to be equal", a, b)
		}
	})
}
