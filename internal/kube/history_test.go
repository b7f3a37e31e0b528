package kube

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// widget is a version of an object with that status.
func widget(rv int, status string) string {
	return fmt.Sprintf(`{"apiVersion": "x/v1", "kind": "Widget", "metadata": {"name": "w", "uid": "1", "resourceVersion": "%d", "managedFields": [
		{"manager": "m", "operation": "Update", "time": "2026-03-04T04:00:%02dZ", "fieldsV1": {"f:status": {"f:t%d": {}}}}]}, "status": %s}`, rv, rv, rv, status)
}

// historyOf reads the versions as one stream, and again as a file each, and wants the same of both.
func historyOf(t *testing.T, versions ...string) *History {
	t.Helper()
	one := Merge([]*Objects{read(t, "watch.json", strings.Join(versions, "\n"))})
	store := NewStore(0)
	var all []*Objects
	for i, v := range versions {
		r := NewReader(store)
		if err := r.Read(fmt.Sprintf("%d.json", i), strings.NewReader(v)); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Close())
	}
	many := Merge(all)
	if len(one.Others) != 1 || len(many.Others) != 1 {
		t.Fatalf("%d and %d objects", len(one.Others), len(many.Others))
	}
	a, b := one.Others[0].History, many.Others[0].History
	if a != nil && b != nil {
		b.First, b.Last = a.First, a.Last
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("a stream (-), files (+):\n%s", diff)
	}
	return a
}

func TestVersionsTellWhichFieldsMove(t *testing.T) {
	cond := func(at string) string {
		return `{"conditions": [{"type": "Ready", "at": "2026-01-01T00:00:00Z"}, {"at": "` + at + `", "type": "Seen"}], "n": 1}`
	}
	for _, c := range []struct {
		name     string
		versions []string
		want     []Field
	}{
		{
			"a time", []string{widget(1, cond("2026-03-04T04:00:01Z")), widget(2, cond("2026-03-04T04:00:02Z")), widget(3, cond("2026-03-04T04:00:03Z"))},
			[]Field{{Path: "status.conditions[Seen].at", Kind: FieldTime, Changes: 2, Values: []string{"2026-03-04T04:00:02Z", "2026-03-04T04:00:03Z"}}},
		},
		{
			"a number back and forth", []string{widget(1, `{"n": 8}`), widget(2, `{"n": 3}`), widget(3, `{"n": 8}`), widget(4, `{"n": 3}`)},
			[]Field{{Path: "status.n", Kind: FieldNumber, Changes: 3, Flips: 2, Values: []string{"8", "3"}}},
		},
		{
			"a text", []string{widget(1, `{"phase": "a"}`), widget(2, `{"phase": "b"}`)},
			[]Field{{Path: "status.phase", Kind: FieldOther, Changes: 1}},
		},
		{
			"a field that comes", []string{widget(1, `{"n": 1}`), widget(2, `{"n": 1, "x": {"y": true}}`)},
			[]Field{{Path: "status.x.y", Kind: FieldGone, Changes: 1}},
		},
		{
			"an order", []string{widget(1, `{"l": [{"name": "a", "v": 1}, {"name": "b", "v": 2}]}`), widget(2, `{"l": [{"name": "b", "v": 2}, {"name": "a", "v": 1}]}`)},
			[]Field{{Path: "status.l", Kind: FieldOrder, Changes: 1}},
		},
		{"nothing but the version", []string{widget(1, `{"n": 1}`), widget(2, `{"n": 1}`)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := historyOf(t, c.versions...)
			if h == nil || h.Versions != len(c.versions) {
				t.Fatalf("%+v", h)
			}
			for i := range h.Fields {
				f := &h.Fields[i]
				if f.From.IsZero() || f.To.Before(f.From) || len(f.Writers) != 1 || f.Writers[0] != "m" {
					t.Errorf("%s: %v to %v by %q", f.Path, f.From, f.To, f.Writers)
				}
				f.From, f.To, f.Writers = time.Time{}, time.Time{}, nil
				if alone := f.Kind == FieldTime; alone && (f.Alone != f.Changes || f.LastValue.Sub(f.FirstValue) != 2*time.Second) ||
					!alone && f.Kind != FieldOrder && f.Alone != 0 {
					t.Errorf("%s: moves alone %d times, %v to %v", f.Path, f.Alone, f.FirstValue, f.LastValue)
				}
				f.Alone, f.FirstValue, f.LastValue = 0, time.Time{}, time.Time{}
			}
			if diff := cmp.Diff(c.want, h.Fields); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff([]string{"m"}, h.Writers); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheSameVersionTwiceIsNoHistory(t *testing.T) {
	if h := historyOf(t, widget(1, `{"n": 1}`), widget(1, `{"n": 1}`)); h != nil {
		t.Errorf("%+v", h)
	}
}

func TestVersionsAreOrderedByResourceVersion(t *testing.T) {
	c := Merge([]*Objects{read(t, "x.json", widget(10, `{"n": 10}`)+widget(9, `{"n": 9}`))})
	o := c.Others[0]
	if o.ResourceVersion != "10" || !cmp.Equal(o.History.Fields[0].Values, []string{"9", "10"}) {
		t.Errorf("%s: %+v", o.ResourceVersion, o.History)
	}
}

func TestAnObjectMadeAgainIsAnother(t *testing.T) {
	again := strings.Replace(widget(2, `{}`), `"uid": "1"`, `"uid": "2"`, 1)
	if c := Merge([]*Objects{read(t, "x.json", widget(1, `{}`)+again)}); len(c.Others) != 2 || c.Others[0].History != nil {
		t.Errorf("%d objects", len(c.Others))
	}
}

func TestOneVersionInJSONAndInYAMLIsTheSame(t *testing.T) {
	const inJSON = `{"apiVersion": "x/v1", "kind": "Widget", "metadata": {"name": "w", "uid": "1", "resourceVersion": "%d", "annotations": {
		"kubectl.kubernetes.io/last-applied-configuration": "{\"apiVersion\":\"x/v1\",\"spec\":{\"note\":\"it's \\\"new\\\"\"}}\n",
		"quoted": "it's", "html": "a \u003c b \u0026 c", "path": "C:\\tmp\/x", "empty": ""}},
		"spec": {"lines": "a\nb\n", "kept": "a\n\n", "bare": "a\nb", "n": 7, "on": true, "none": null,
		"at": "2026-03-04T04:00:00Z", "text": "7", "float": "0.5"}}`
	const inYAML = `apiVersion: x/v1
kind: Widget
metadata:
  name: w
  uid: "1"
  resourceVersion: "%d"
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"x/v1","spec":{"note":"it's \"new\""}}
    quoted: 'it''s'
    html: a < b & c
    path: C:\tmp/x
    empty: ''
spec:
  lines: |
    a
    b
  kept: |+
    a

  bare: "a\nb"
  n: 7
  on: true
  none: ~
  at: "2026-03-04T04:00:00Z"
  text: "7"
  float: "0.5"
`
	store := NewStore(0)
	var all []*Objects
	for i, v := range []string{inJSON, inYAML} {
		r := NewReader(store)
		if err := r.Read("w", strings.NewReader(fmt.Sprintf(v, i+1))); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Close())
	}
	h := Merge(all).Others[0].History
	if h == nil || h.Versions != 2 || len(h.Fields) > 0 {
		t.Errorf("they differ: %+v", h)
	}
}

func TestNullAndAnEmptyTextDiffer(t *testing.T) {
	if h := historyOf(t, widget(1, `{"a": null}`), widget(2, `{"a": ""}`)); len(h.Fields) != 1 {
		t.Errorf("%+v", h)
	}
}
