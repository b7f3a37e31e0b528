package profile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	pprof "github.com/google/pprof/profile"
)

// FromPprof converts a profile of package github.com/google/pprof/profile, which it checks (CheckValid) and doesn't
// change. The error names what is wrong with it.
func FromPprof(q *pprof.Profile) (*Profile, error) {
	var c converter
	if err := c.add(q); err != nil {
		return nil, fmt.Errorf("convert profile: %w", err)
	}
	p, err := c.profile(c.sites)
	if err != nil {
		return nil, fmt.Errorf("convert profile: %w", err)
	}
	return p, nil
}

// parse reads an unpacked protobuf.
func parse(data []byte) (*Profile, error) {
	var c converter
	err := parts(data, func(part []byte) error {
		q, err := pprof.ParseUncompressed(part)
		if err != nil {
			return err
		}
		return c.add(q)
	})
	if err != nil {
		if form := otherForm(data); form != "" {
			err = errors.New("it is " + form)
		}
		return nil, err
	}
	return c.profile(c.sites)
}

// A converter makes one Profile from profiles of google/pprof that have the same tables.
type converter struct {
	*builder
	sites     [][]int32 // distinct frames of locations, calls inlined into one another innermost first
	locations idTable   // index into sites, by location id
	count     sampleCount
}

// add converts what q has. Functions and locations are those of the first profile added.
func (c *converter) add(q *pprof.Profile) error {
	if q == nil || slices.Contains(q.SampleType, nil) {
		return errors.New("it is nil, or one of its sample types is")
	}
	if err := q.CheckValid(); err != nil {
		return err
	}
	if c.builder == nil {
		c.builder = newBuilder(len(q.Function), len(q.Location)+len(q.Location)/4)
		c.head(q)
		c.addLocations(q)
		c.count = newSampleCount(c.p)
		ids := 0
		for _, s := range q.Sample {
			ids += len(s.Location)
		}
		c.stacks.reserve(len(q.Sample), ids, len(q.SampleType))
	}
	return c.addSamples(q)
}

// head converts what a profile has once.
func (c *converter) head(q *pprof.Profile) {
	p := c.p
	if q.TimeNanos > 0 {
		p.Time = time.Unix(0, q.TimeNanos).UTC()
	}
	if d := time.Duration(q.DurationNanos); d >= 0 && d <= maxDuration {
		p.Duration = d
	}
	for _, t := range q.SampleType {
		p.Types = append(p.Types, ValueType{Type: t.Type, Unit: t.Unit})
	}
	if t := q.PeriodType; t != nil {
		p.PeriodType = ValueType{Type: t.Type, Unit: t.Unit}
	}
	p.Period, p.Comments = q.Period, q.Comments
	if len(q.Mapping) > 0 { // the first is the program's own file, see profile.proto
		p.Binary, p.BuildID = q.Mapping[0].File, q.Mapping[0].BuildID
	}
	p.Kind, p.Value = kindOf(p.Types, p.PeriodType, q.DefaultSampleType)
}

// addLocations interns functions and locations, these by their frames.
func (c *converter) addLocations(q *pprof.Profile) {
	functions := newIDTable(len(q.Function))
	for _, fn := range q.Function {
		name := fn.Name
		if name == "" {
			name = fn.SystemName
		}
		functions.set(fn.ID, c.function(Function{Name: name, File: fn.Filename}))
	}
	c.locations = newIDTable(len(q.Location))
	known := map[string]int32{}
	arena := make([]int32, 0, len(q.Location)+len(q.Location)/4)
	var key []byte
	for _, l := range q.Location {
		from := len(arena)
		arena = c.appendFrames(arena, l, &functions)
		frames := arena[from:len(arena):len(arena)]
		key = appendKey(key[:0], frames)
		site, ok := known[string(key)]
		if ok {
			arena = arena[:from]
		} else {
			site = int32(len(c.sites))
			known[string(key)] = site
			c.sites = append(c.sites, frames)
		}
		c.locations.set(l.ID, site)
	}
}

// appendFrames appends a location's frames. A location without a name is a frame without a name in its mapping's file;
// that of a goroutine profile is named by its address, since nothing else identifies what waits where.
func (c *converter) appendFrames(dst []int32, l *pprof.Location, functions *idTable) []int32 {
	if len(l.Line) == 0 {
		var fn Function
		switch {
		case c.p.Kind == KindGoroutine || c.p.Kind == KindGoroutineLeak:
			fn.Name = "0x" + strconv.FormatUint(l.Address, 16)
		case l.Mapping != nil:
			fn.File = l.Mapping.File
		}
		return append(dst, c.frame(Frame{Func: c.function(fn)}))
	}
	for i, line := range l.Line {
		fn, _ := functions.get(line.Function.ID)
		dst = append(dst, c.frame(Frame{Func: fn, Line: clampLine(line.Line), Inlined: i < len(l.Line)-1}))
	}
	return dst
}

func (c *converter) addSamples(q *pprof.Profile) error {
	var keys []int32
	for i, s := range q.Sample {
		keys = keys[:0]
		for _, l := range s.Location {
			site, ok := c.locations.get(l.ID)
			if !ok {
				return fmt.Errorf("sample %d: location %d is not in the profile's table", i, l.ID)
			}
			keys = append(keys, site)
		}
		if err := c.stacks.add(keys, c.sampleLabels(s), s.Value, c.count.of(s.Value)); err != nil {
			return err
		}
	}
	return nil
}

// sampleLabels interns the labels of a sample. The size of a heap profile's objects, its label "bytes", is left out: it
// would separate equal stacks.
func (c *converter) sampleLabels(s *pprof.Sample) int32 {
	if len(s.Label)+len(s.NumLabel) == 0 {
		return 0
	}
	var set []string
	for key, values := range s.Label {
		for _, v := range values {
			set = append(set, key+": "+v)
		}
	}
	for key, values := range s.NumLabel {
		if key == "bytes" {
			continue
		}
		units := s.NumUnit[key]
		for i, v := range values {
			value := strconv.FormatInt(v, 10)
			if i < len(units) && units[i] != "" {
				value += " " + units[i]
			}
			set = append(set, key+": "+value)
		}
	}
	if set == nil {
		return 0
	}
	return c.labels(set)
}

// An idTable maps ids to numbers. The runtime counts ids from 1, others use addresses.
type idTable struct {
	dense  []int32 // number + 1, by id
	sparse map[uint64]int32
}

func newIDTable(n int) idTable { return idTable{dense: make([]int32, n+1)} }

func (t *idTable) get(id uint64) (int32, bool) {
	if id < uint64(len(t.dense)) {
		i := t.dense[id]
		return i - 1, i != 0
	}
	i, ok := t.sparse[id]
	return i, ok
}

func (t *idTable) set(id uint64, number int32) {
	if id < uint64(len(t.dense)) {
		t.dense[id] = number + 1
		return
	}
	if t.sparse == nil {
		t.sparse = map[uint64]int32{}
	}
	t.sparse[id] = number
}
