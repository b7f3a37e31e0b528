package convert

import (
	"math"
	"slices"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what is reported of a profile. Chosen: more than a reader needs.
const (
	maxTop       = 20
	maxOwnTop    = 15
	maxLabelKeys = 5
	maxLabelVals = 10
)

// Profile brings a profile into the form of the report's contract.
func Profile(in *rules.ProfileInput, found []rules.Finding) schema.Profile {
	t := in.ValueType()
	out := schema.Profile{
		Input: in.Input, Time: Time(in.Time), Kind: string(in.Kind), Type: t.Type, Unit: t.Unit,
		Namespace: in.Target.Namespace, Pod: in.Target.Pod, Container: in.Target.Container,
		Go: in.Go, Program: in.Program.Module, Total: in.Total(), Duration: int64(in.Duration), Samples: in.Samples(),
		Cores: math.Round(1e4*in.Cores()) / 1e4, Top: topOf(in.View), Doubts: []schema.Doubt{},
		Labels: labelsOf(in.View),
	}
	for _, d := range in.Doubts(rules.Quote(in.Input)) {
		out.Doubts = append(out.Doubts, schema.Doubt(d))
	}
	for i := range found {
		if found[i].Severity.Rank() == rules.Info.Rank() {
			continue
		}
		// A finding's first evidence of an input is the whole of it, the others are parts.
		if k := slices.IndexFunc(found[i].Evidence,
			func(e rules.Evidence) bool { return e.Input == in.Input }); k >= 0 {
			out.Explained += found[i].Evidence[k].Share
		}
	}
	out.Explained = math.Round(1e4*min(out.Explained, 1)) / 1e4
	return out
}

func topOf(v *profile.View) []schema.TopFunction {
	ranked := v.Top(maxTop, profile.ByFlat, func(r *profile.Ranked) bool { return r.Flat.Value > 0 })
	listed := map[int32]bool{}
	for _, r := range ranked {
		listed[r.Func] = true
	}
	for _, r := range v.Top(maxOwnTop, profile.ByCum, func(r *profile.Ranked) bool {
		return v.Class[r.Func] == frame.ClassOwn && r.Cum.Value > 0
	}) {
		if !listed[r.Func] {
			ranked = append(ranked, r)
		}
	}
	top := make([]schema.TopFunction, 0, len(ranked))
	for _, r := range ranked {
		fn := &v.Functions[r.Func]
		top = append(top, schema.TopFunction{
			Function: fn.Name, File: fn.File, Class: v.Class[r.Func].String(), Flat: r.Flat.Value, Cum: r.Cum.Value,
		})
	}
	return top
}

func labelsOf(v *profile.View) []schema.LabelShare {
	shares := []schema.LabelShare{}
	keys := v.LabelKeys()
	for _, key := range keys[:min(len(keys), maxLabelKeys)] {
		split := v.SplitByLabel(key)
		for _, l := range split[:min(len(split), maxLabelVals)] {
			share := math.Round(1e4*v.Share(l.Weight)) / 1e4
			shares = append(shares, schema.LabelShare{Key: l.Key, Value: l.Value, Share: share})
		}
	}
	return shares
}
