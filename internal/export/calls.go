package export

import (
	"cmp"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/triage/schema"
)

// drawn returns the stack of a sample from its root to its leaf, as a drawing of stacks has it: the state of a
// goroutine is a leaf of its own.
func drawn(s *pprof.Sample) []schema.Call {
	out := schema.Calls(s)
	slices.Reverse(out)
	if state := cmp.Or(first(s.Label[schema.LabelState]), first(s.Label[schema.LabelWait])); state != "" {
		out = append(out, schema.Call{Function: "[" + state + "]"})
	}
	return out
}

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// eachStack yields the samples of a source with their value, those of 0 left out.
func eachStack(s *schema.StackSource, yield func(sample *pprof.Sample, value int64)) {
	for _, sample := range s.Profile.Sample {
		if v := sample.Value[s.Value]; v != 0 {
			yield(sample, v)
		}
	}
}
