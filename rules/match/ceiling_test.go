package match

import (
	"testing"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

func TestARoleExplainsNoMoreThanItsCeiling(t *testing.T) {
	set, err := NewRoleSet([]RoleDef{{Name: "sender", Doc: "sends", Ceiling: 50, Match: []Match{{At: []string{"lib.(*T).run"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	bucket := func(key uint64, line, count int) *stackparse.Bucket {
		f := stackparse.Frame{Frame: frame.Frame{Func: "lib.(*T).run", File: "lib/t.go", Line: line}}
		return &stackparse.Bucket{Key: key, Count: count, Class: stackparse.ClassSelect, Frames: []stackparse.Frame{f}, Shown: []int{0}}
	}
	for _, c := range []struct {
		counts []int
		roles  []bool
	}{
		{[]int{50}, []bool{true}},
		{[]int{30, 20}, []bool{true, true}},
		{[]int{51}, []bool{false}},
		{[]int{700, 30, 2}, []bool{false, true, true}}, // the others of the same role are no crowd
		{[]int{40, 30, 2}, []bool{false, true, true}},
	} {
		d := &stackparse.Dump{}
		for i, n := range c.counts {
			d.Buckets = append(d.Buckets, bucket(uint64(i), 10+i, n))
		}
		for i, r := range NewAssigner(frame.Program{}, set).Assign(d) {
			if (r != nil) != c.roles[i] {
				t.Errorf("%v: bucket %d has a role: %v", c.counts, i, r != nil)
			}
		}
	}
}

func TestARoleThatGivesNoUsualNumberHasTheDefault(t *testing.T) {
	match := []Match{{At: []string{"lib.(*T).run"}}}
	set, err := NewRoleSet([]RoleDef{{Name: "one", Doc: "runs", Usual: 4, Match: match}, {Name: "many", Doc: "runs", Match: match}})
	if err != nil {
		t.Fatal(err)
	}
	if roles := set.Roles(); roles[0].Usual != 4 || roles[1].Usual != defaultUsual {
		t.Errorf("%d and %d are usual", roles[0].Usual, roles[1].Usual)
	}
}
