package convert

import (
	"fmt"
	"maps"
	"strings"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// DumpStacks makes a profile of a dump: a sample for each goroutine, or for each distinct stack where the form only
// counts them. Its values are 1 (or the count) and the minutes of waiting. taken is RFC 3339 or "".
func DumpStacks(d *rules.DumpInput, taken string) *pprof.Profile {
	b := stackBuilder{
		q: &pprof.Profile{
			SampleType:        []*pprof.ValueType{{Type: "goroutine", Unit: "count"}, {Type: "wait", Unit: "minutes"}},
			DefaultSampleType: "goroutine",
			PeriodType:        &pprof.ValueType{Type: "goroutine", Unit: "count"},
			Period:            1,
		},
		functions: map[functionKey]*pprof.Function{},
		locations: map[locationKey]*pprof.Location{},
	}
	if at, err := time.Parse(time.RFC3339Nano, taken); err == nil {
		b.q.TimeNanos = at.UnixNano()
	}
	if c := d.Cause; c != nil {
		for _, text := range []string{c.Signal, c.Text} {
			if text != "" {
				b.q.Comments = append(b.q.Comments, text)
			}
		}
	}
	for i, bucket := range d.Buckets {
		b.bucket(d, i, bucket)
	}
	return b.q
}

type functionKey struct{ name, file string }

type locationKey struct {
	functionKey
	line int
}

// A stackBuilder interns functions and locations of a profile.
type stackBuilder struct {
	q         *pprof.Profile
	functions map[functionKey]*pprof.Function
	locations map[locationKey]*pprof.Location
}

// bucket adds the samples of the ith bucket, which share their locations and the labels of the stack.
func (b *stackBuilder) bucket(d *rules.DumpInput, i int, bucket *stackparse.Bucket) {
	var stack []*pprof.Location
	for _, f := range bucket.Frames {
		if f.Elided != 0 {
			f.Func = elided(f.Elided)
		}
		stack = append(stack, b.location(f))
	}
	common := map[string][]string{schema.LabelWait: {string(bucket.Class)}}
	if role := d.RoleOf(i); role != nil {
		common[schema.LabelRole] = []string{role.Name}
	}
	if c := bucket.CreatedBy; c != nil {
		common[schema.LabelCreator] = []string{c.Func}
	}
	if len(bucket.Goroutines) == 0 {
		b.q.Sample = append(b.q.Sample, &pprof.Sample{
			Location: stack, Label: common, Value: []int64{int64(bucket.Count), 0},
		})
		return
	}
	for j := range bucket.Goroutines {
		b.goroutine(d, &bucket.Goroutines[j], stack, common)
	}
}

func (b *stackBuilder) goroutine(
	d *rules.DumpInput, g *stackparse.Goroutine, stack []*pprof.Location, common map[string][]string,
) {
	s := &pprof.Sample{
		Location: stack, Value: []int64{1, int64(g.Minutes)}, Label: maps.Clone(common),
		NumLabel: map[string][]int64{schema.LabelGoroutine: {int64(g.ID)}, schema.LabelMinutes: {int64(g.Minutes)}},
		NumUnit:  map[string][]string{schema.LabelMinutes: {"minutes"}},
	}
	for pair := range strings.SplitSeq(d.Labels[g.Labels], ", ") {
		if key, value, ok := strings.Cut(pair, ": "); ok {
			s.Label[key] = []string{value}
		}
	}
	s.Label[schema.LabelState] = []string{d.States[g.State]}
	if g.Parent != 0 {
		s.NumLabel[schema.LabelParent] = []int64{int64(g.Parent)}
	}
	b.q.Sample = append(b.q.Sample, s)
}

// elided names a gap of n frames, of unknown length below 0.
func elided(n int) string {
	if n < 0 {
		return "(frames elided)"
	}
	return fmt.Sprintf("(%d frames elided)", n)
}

func (b *stackBuilder) location(f stackparse.Frame) *pprof.Location {
	key := locationKey{functionKey{f.Func, f.File}, f.Line}
	l := b.locations[key]
	if l != nil {
		return l
	}
	fn := b.functions[key.functionKey]
	if fn == nil {
		fn = &pprof.Function{ID: uint64(len(b.q.Function) + 1), Name: f.Func, SystemName: f.Func, Filename: f.File}
		b.functions[key.functionKey] = fn
		b.q.Function = append(b.q.Function, fn)
	}
	l = &pprof.Location{ID: uint64(len(b.q.Location) + 1), Line: []pprof.Line{{Function: fn, Line: int64(f.Line)}}}
	b.locations[key] = l
	b.q.Location = append(b.q.Location, l)
	return l
}
