package export

import (
	"bufio"
	"io"
	"slices"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

// speedscopeSchema is the format's name for itself (github.com/jlfwong/speedscope, src/lib/file-format-spec.ts).
const speedscopeSchema = "https://www.speedscope.app/file-format-schema.json"

type speedscopeFile struct {
	Schema   string              `json:"$schema"`
	Exporter string              `json:"exporter"`
	Active   int                 `json:"activeProfileIndex"`
	Shared   speedscopeShared    `json:"shared"`
	Profiles []speedscopeProfile `json:"profiles"`
}

type speedscopeShared struct {
	Frames []speedscopeFrame `json:"frames"`
}

type speedscopeFrame struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int64  `json:"line,omitempty"`
}

// A speedscopeProfile is of the type "sampled": stacks, root first, as indices of frames, with a weight each.
type speedscopeProfile struct {
	Type    string  `json:"type"`
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Start   int64   `json:"startValue"`
	End     int64   `json:"endValue"`
	Samples [][]int `json:"samples"`
	Weights []int64 `json:"weights"`
}

// speedscopeUnits are those that the format knows, by pprof's names; values of any other unit have "none".
var speedscopeUnits = map[string]string{
	"nanoseconds": "nanoseconds", "microseconds": "microseconds", "milliseconds": "milliseconds", "seconds": "seconds",
	"bytes": "bytes",
}

// writeSpeedscope writes one file with a profile for each source and each of its types of values that has any.
func writeSpeedscope(w io.Writer, sources []schema.StackSource) error {
	file := speedscopeFile{
		Schema: speedscopeSchema, Exporter: "triage", Shared: speedscopeShared{Frames: []speedscopeFrame{}},
		Profiles: []speedscopeProfile{},
	}
	frames := map[schema.Call]int{}
	for i := range sources {
		source := sources[i]
		shown := source.Value
		for source.Value = range source.Profile.SampleType {
			p := sampled(&source, frames, &file.Shared)
			if len(p.Samples) == 0 {
				continue
			}
			if i == 0 && source.Value == shown {
				file.Active = len(file.Profiles)
			}
			file.Profiles = append(file.Profiles, p)
		}
	}
	out := bufio.NewWriter(w)
	if err := report.Line(out, file); err != nil {
		return err
	}
	return out.Flush()
}

// sampled makes a profile of one type of a source's values. Equal stacks that follow each other, those of a dump's
// groups, are one.
func sampled(from *schema.StackSource, frames map[schema.Call]int, shared *speedscopeShared) speedscopeProfile {
	t := from.Profile.SampleType[from.Value]
	p := speedscopeProfile{
		Type: "sampled", Name: report.Escape(from.Name() + ": " + t.Type), Unit: "none",
		Samples: [][]int{}, Weights: []int64{},
	}
	if unit := speedscopeUnits[t.Unit]; unit != "" {
		p.Unit = unit
	}
	eachStack(from, func(s *pprof.Sample, value int64) {
		if value < 0 {
			return // the difference of two profiles: a width can't show it
		}
		var stack []int
		for _, c := range drawn(s) {
			at, known := frames[c]
			if !known {
				at = len(shared.Frames)
				frames[c] = at
				shared.Frames = append(shared.Frames, speedscopeFrame{Name: c.Function, File: c.File, Line: c.Line})
			}
			stack = append(stack, at)
		}
		p.End += value
		if n := len(p.Samples); n > 0 && slices.Equal(p.Samples[n-1], stack) {
			p.Weights[n-1] += value
			return
		}
		p.Samples = append(p.Samples, stack)
		p.Weights = append(p.Weights, value)
	})
	return p
}
