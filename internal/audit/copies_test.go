package audit

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// day has reads by all and writes by some, in the order of time.
func day(n int) (lines []string) {
	for i := range n {
		s := sample{verb: "list", user: "u" + fmt.Sprint(i%7), resource: "pods", at: start.Add(time.Duration(i) * time.Second)}
		if i%11 == 0 {
			s.verb, s.resource, s.name = "update", "configmaps", fmt.Sprint("c", i%3)
			s.level, s.response = "RequestResponse", fmt.Sprintf(`{"kind":"ConfigMap","metadata":{"name":%q},"data":{"n":"%d"}}`, s.name, i)
		}
		lines = append(lines, logOf(s))
	}
	return lines
}

// permutations calls f with every order of the indexes below n.
func permutations(n int, f func([]int)) {
	var walk func(done []int)
	walk = func(done []int) {
		if len(done) == n {
			f(done)
			return
		}
	next:
		for i := range n {
			for _, d := range done {
				if d == i {
					continue next
				}
			}
			walk(append(done[:len(done):len(done)], i))
		}
	}
	walk(nil)
}

// TestTheOrderOfArgumentsChangesNothing has two servers' logs, a copy of one, a part of the other and an overlap.
func TestTheOrderOfArgumentsChangesNothing(t *testing.T) {
	a, b := day(6000), day(1500)
	for i := range b {
		b[i] = strings.ReplaceAll(b[i], `"id-`, `"b-`)
	}
	text := func(lines []string) string { return strings.Join(lines, "") }
	inputs := []string{text(a), text(b), text(a[:5900]), text(b[700:])}
	var first *Trail
	permutations(len(inputs), func(order []int) {
		var logs []*Log
		for _, i := range order {
			r := NewReader(Options{})
			if err := r.Read(fmt.Sprintf("%d.log", i), strings.NewReader(inputs[i])); err != nil {
				t.Fatal(err)
			}
			logs = append(logs, r.Close())
		}
		tr := Merge(logs)
		if first == nil {
			first = tr
			if tr.Requests != 7500 || len(tr.Servers) != 2 || tr.Duplicates != 5900+800 {
				t.Errorf("%d requests of %d servers, %d duplicates", tr.Requests, len(tr.Servers), tr.Duplicates)
			}
		}
		if !reflect.DeepEqual(tr, first) {
			t.Errorf("the order %v gives another trail", order)
		}
	})
}

func TestCopiesWithoutWritesCountOnce(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, logOf(sample{verb: "get", user: "u", resource: "pods", name: fmt.Sprint(i), at: start.Add(time.Duration(i) * time.Second)}))
	}
	log := strings.Join(lines, "")
	if tr := readAll(t, log, log, strings.Join(lines[5:], "")); tr.Requests != 40 || tr.Reads[0].Count != 40 {
		t.Errorf("%d requests, %d reads", tr.Requests, tr.Reads[0].Count)
	}
	overlapping := readAll(t, strings.Join(lines[:25], ""), strings.Join(lines[10:], ""))
	if !strings.Contains(strings.Join(overlapping.Limits, "\n"), "are in another log too") {
		t.Errorf("the overlap isn't reported: %q", overlapping.Limits)
	}
}
