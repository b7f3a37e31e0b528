package where

import (
	"testing"

	"github.com/gotriage/triage/triage/schema"
)

// FuzzCompile holds that a condition is refused or computed, that it says the same twice, and that what is kept is a
// part of what was given, in its order.
func FuzzCompile(f *testing.F) {
	for _, c := range []string{
		`state == "select" and minutes > 10`, `function contains "raft" or label startsWith "request"`, "count / 0 > 1",
		"not (function contains \"x\")", `any(function, # == "a")`, "len(package) > 1 ? locked : false", "state", "((((",
		`repeat("x", 1000000000) == state`, `sum(1..100000000) > 1`, "all(1..1000, any(1..1000, # > 5))",
	} {
		f.Add(c, "select", "main.run", uint32(12))
	}
	f.Fuzz(func(t *testing.T, condition, state, function string, minutes uint32) {
		groups := []schema.Bucket{
			{State: state, Minutes: schema.Minutes{Max: minutes}, Count: 3, Frames: []schema.Frame{{Function: function}}},
			*raft(), {},
		}
		one, err := Compile(condition)
		other, again := Compile(condition)
		if (err == nil) != (again == nil) || (err == nil) != (one != nil) {
			t.Fatalf("%v, then %v", err, again)
		}
		if err != nil {
			return
		}
		kept, err := one.Keep(groups)
		second, again := other.Keep(groups)
		if (err == nil) != (again == nil) || len(kept) != len(second) || len(kept) > len(groups) {
			t.Fatalf("kept %d, %v, then %d, %v", len(kept), err, len(second), again)
		}
		for i, from := 0, 0; i < len(kept); i++ {
			for from < len(groups) && groups[from].State != kept[i].State {
				from++
			}
			if from == len(groups) {
				t.Fatalf("%+v was not given", kept[i])
			}
		}
	})
}
