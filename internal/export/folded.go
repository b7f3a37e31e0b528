package export

import (
	"bufio"
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
		eachStack(&sources[i], func(s *pprof.Sample, value int64) {
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
		})
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
