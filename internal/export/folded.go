package export

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/triage/schema"
)

// writeFolded writes a line for each distinct stack: functions from the root to the leaf with semicolons between them,
// a space and the value, as stackcollapse-go.pl and flamegraph.pl have it (github.com/brendangregg/FlameGraph). Lines
// are sorted; stacks of several sources add up.
func writeFolded(w io.Writer, sources []schema.StackSource) error {
	if err := sameKind(sources); err != nil {
		return err
	}
	values := map[string]int64{}
	var line []byte
	for i := range sources {
		for _, s := range sources[i].Profile.Sample {
			value := s.Value[sources[i].Value]
			if value == 0 {
				continue
			}
			line = line[:0]
			for j, c := range drawn(s) {
				if j > 0 {
					line = append(line, ';')
				}
				line = append(line, strings.ReplaceAll(c.Function, ";", ":")...)
			}
			if len(line) == 0 {
				line = append(line, "(no stack)"...)
			}
			values[string(line)] += value
		}
	}
	stacks := make([]string, 0, len(values))
	for s := range values {
		stacks = append(stacks, s)
	}
	slices.Sort(stacks)
	out := bufio.NewWriter(w)
	for _, s := range stacks {
		fmt.Fprintf(out, "%s %d\n", s, values[s])
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing folded stacks: %w", err)
	}
	return nil
}

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
