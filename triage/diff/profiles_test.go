package diff

import (
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/schema"
)

// burned is a profile with one stack, of a function of module.
func burned(module, process string, kind profile.Kind, at time.Time, value int64) *rules.ProfileInput {
	p := &profile.Profile{
		Kind: kind, Types: []profile.ValueType{{Type: "cpu", Unit: "nanoseconds"}}, Time: at, Merged: 1,
		Functions: []profile.Function{{Name: module + "/work.Do", File: "/src/do.go"}},
		Frames:    []profile.Frame{{Func: 0, Line: 7}},
		Stacks:    []profile.Stack{{Frames: []int32{0}, Values: []int64{value}, Samples: 100}},
		Labels:    []profile.LabelSet{nil},
	}
	return &rules.ProfileInput{View: profile.NewViewOf(p, frame.Program{Module: module}), Input: process + at.Format("05"), Process: process}
}

func TestKindSides_TheLastProfileOfAProcessCounts(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	sides := kindSides([]*rules.ProfileInput{
		burned("example.com/shop", "a", profile.KindCPU, at.Add(5*time.Second), 1),
		burned("example.com/shop", "a", profile.KindCPU, at, 2),
		burned("example.com/shop", "b", profile.KindCPU, at, 3),
		burned("example.com/shop", "a", profile.KindHeap, at, 4),
	})
	if len(sides) != 2 || len(sides[0].inputs) != 2 || sides[0].inputs[0].Input != "a05" || sides[0].older != 1 || sides[1].older != 0 {
		t.Errorf("%+v %+v", sides[0], sides[1])
	}
}

func TestPair_RefusesOtherProgramsAndUnits(t *testing.T) {
	pair := func(a, b *rules.ProfileInput) (*schema.ProfileDiff, *schema.Skipped) {
		return profilePair{kindSides([]*rules.ProfileInput{a})[0], kindSides([]*rules.ProfileInput{b})[0]}.compare()
	}
	shop := func() *rules.ProfileInput { return burned("example.com/shop", "a", profile.KindCPU, time.Time{}, 100) }
	if d, skip := pair(shop(), burned("example.com/bank", "b", profile.KindCPU, time.Time{}, 100)); d != nil || !strings.Contains(skip.Reason, "different programs") || skip.Hint == "" {
		t.Errorf("%+v", skip)
	}
	other := shop()
	other.Types[0].Unit = "milliseconds"
	if d, skip := pair(shop(), other); d != nil || !strings.Contains(skip.Reason, "nanoseconds") || skip.Hint == "" {
		t.Errorf("%+v", skip)
	}
	built := shop()
	built.BuildID = "b"
	before := shop()
	before.BuildID = "a"
	if d, skip := pair(before, built); skip != nil || !d.OtherBuild || len(d.Payers) != 0 {
		t.Errorf("another build: %+v, skipped %+v", d, skip)
	}
	if d, skip := pair(shop(), burned("example.com/shop/cmd", "b", profile.KindCPU, time.Time{}, 100)); skip != nil || d == nil {
		t.Errorf("a part of the program: %+v", skip)
	}
}
