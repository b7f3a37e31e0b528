package export

import (
	"bufio"
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A lineFinding is a finding as JSON: the members of the report's findings behind "record".
type lineFinding struct {
	Record string `json:"record"` // "finding"
	*rules.Finding
}

// A lineStack is a sample as JSON: a goroutine of a dump, a stack of a profile.
type lineStack struct {
	Record string `json:"record"` // "stack"
	Input  string `json:"input"`
	Line   int64  `json:"line,omitempty"` // where the dump begins
	Pod    string `json:"pod,omitempty"`
	Kind   string `json:"kind"`
	// Values are by type and unit: {"goroutine_count": 1, "wait_minutes": 4}.
	Values  map[string]int64    `json:"values"`
	Labels  map[string][]string `json:"labels,omitempty"`
	Numbers map[string][]int64  `json:"numbers,omitempty"` // labels that are numbers
	Frames  []lineFrame         `json:"frames"`            // leaf first
}

type lineFrame struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int64  `json:"line,omitempty"`
}

// writeLines writes one JSON object a line: the findings, then the stacks.
func writeLines(w io.Writer, s *schema.Stacks) error {
	out := bufio.NewWriter(w)
	for i := range s.Findings {
		if err := report.Line(out, lineFinding{"finding", &s.Findings[i]}); err != nil {
			return err
		}
	}
	for i := range s.Sources {
		source := &s.Sources[i]
		for _, sample := range source.Profile.Sample {
			if err := report.Line(out, lineOf(source, sample)); err != nil {
				return err
			}
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing JSON lines: %w", err)
	}
	return nil
}

func lineOf(from *schema.StackSource, s *pprof.Sample) lineStack {
	l := lineStack{
		Record: "stack", Input: from.Input, Line: from.Line, Pod: from.Pod, Kind: from.Kind, Values: map[string]int64{},
		Labels: s.Label, Numbers: s.NumLabel, Frames: []lineFrame{},
	}
	for j, t := range from.Profile.SampleType {
		l.Values[t.Type+"_"+t.Unit] = s.Value[j]
	}
	for _, c := range schema.Calls(s) {
		l.Frames = append(l.Frames, lineFrame{c.Function, c.File, c.Line})
	}
	return l
}
