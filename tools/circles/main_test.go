package main

import (
	"slices"
	"strings"
	"testing"
)

func TestTheCircleOfAModuleIsFound(t *testing.T) {
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"-dir testdata/module ./...", 0, "  3 of   4 files  .\n  1 of   1 files  lower\n"},
		{"-dir testdata/module -files -max 3 .", 0, "  3 of   4 files  .\n    a.go b.go c.go\n"},
		{"-dir testdata/module -max 2 -markdown .", 1, "| package | files | largest circle |\n|---|--:|--:|\n| `.` | 4 | 3 |\n"},
		{"-dir testdata/module ./none", 2, ""},
		{"-unknown", 2, ""},
	} {
		var out, errs strings.Builder
		if code := run(strings.Fields(test.args), &out, &errs); code != test.code || out.String() != test.want {
			t.Errorf("circles %s: exit status %d, prints\n%swant %d,\n%s%s", test.args, code, out.String(), test.code, test.want, errs.String())
		}
	}
}

func TestTheLargestOfSeveralCircles(t *testing.T) {
	graph := map[string][]string{
		"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"e"}, "e": {"c", "f"}, "f": {"g"}, "g": nil, "h": {"a", "g"},
	}
	if got := largestCircle(graph); !slices.Equal(got, []string{"c", "d", "e"}) {
		t.Errorf("got %v, want c, d and e", got)
	}
	if got := largestCircle(nil); got != nil {
		t.Errorf("got %v of no files", got)
	}
}
