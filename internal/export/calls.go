package export

import (
	"cmp"
	"fmt"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/triage/schema"
)

// A call is one line of a stack.
type call struct {
	function, file string
	line           int64
}

// calls returns the stack of a sample, leaf first, what was inlined one by one.
func calls(s *pprof.Sample) []call {
	out := make([]call, 0, len(s.Location)+1)
	for _, l := range s.Location {
		if len(l.Line) == 0 {
			out = append(out, call{function: fmt.Sprintf("0x%x", l.Address)})
		}
		for _, at := range l.Line {
			c := call{function: "?", line: at.Line}
			if at.Function != nil {
				c.function, c.file = cmp.Or(at.Function.Name, at.Function.SystemName, "?"), at.Function.Filename
			}
			out = append(out, c)
		}
	}
	return out
}

// drawn returns the stack of a sample from its root to its leaf, as a drawing of stacks has it: the state of a goroutine
// is a leaf of its own.
func drawn(s *pprof.Sample) []call {
	out := calls(s)
	slices.Reverse(out)
	if state := cmp.Or(first(s.Label[schema.LabelState]), first(s.Label[schema.LabelWait])); state != "" {
		out = append(out, call{function: "[" + state + "]"})
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
