package profile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Field numbers of proto/profile.proto, message Profile.
const (
	profileSampleType    = 1
	profileSample        = 2
	profileMapping       = 3
	profileLocation      = 4
	profileFunction      = 5
	profileString        = 6
	profileTime          = 9
	profileDuration      = 10
	profilePeriodType    = 11
	profilePeriod        = 12
	profileComment       = 13
	profileDefaultSample = 14
)

// A decoder reads a profile in two walks: samples may stand before the locations that they refer to (the runtime writes
// them so), and the string table at the end.
type decoder struct {
	*builder
	buf       []byte
	raw       [][]byte // the strings in buf
	strings   []string
	types     [][2]uint64
	period    [2]uint64
	comments  []uint64
	defaultTo uint64
	nanos     []int64 // time_nanos, as often as it is there
	samples   int
	size      int // of all samples, in bytes
	length    int // of all strings
	funcs     []rawFunction
	maps      []rawMapping
	locs      []rawLocation
	lines     []rawLine
	count     sampleCount
}

type rawFunction struct{ id, name, system, file uint64 }

type rawMapping struct{ id, file, build uint64 }

type rawLocation struct {
	id, mapping, address uint64
	first, n             int // lines
}

type rawLine struct {
	function uint64
	line     int64
}

// decode reads an unpacked protobuf.
func decode(buf []byte) (*Profile, error) {
	d := &decoder{buf: buf}
	if err := d.reserve(); err != nil {
		return nil, err
	}
	if err := d.walk(); err != nil {
		return nil, err
	}
	if err := d.head(); err != nil {
		return nil, err
	}
	funcs, err := d.functions()
	if err != nil {
		return nil, err
	}
	sites, ids, err := d.sites(funcs)
	if err != nil {
		return nil, err
	}
	if err := d.readSamples(ids); err != nil {
		return nil, err
	}
	p, err := d.finish(sites)
	if err != nil {
		return nil, err
	}
	p.conclude()
	return p, nil
}

// reserve counts the fields and makes room for them: tables that grow are copied again and again, each time to memory that
// was never touched before.
func (d *decoder) reserve() error {
	c := cursor{buf: d.buf}
	var f field
	var counts [profileString + 1]int
	for c.next(&f) {
		if f.num <= profileString {
			counts[f.num]++
		}
	}
	if c.err != nil {
		return fmt.Errorf("byte %d: %w", c.pos, c.err)
	}
	for num, n := range counts {
		if num != profileSample && n > maxEntries {
			return fmt.Errorf("field %d repeats more than %d times", num, maxEntries)
		}
	}
	funcs, locs := counts[profileFunction], counts[profileLocation]
	// Many of a hostile input's functions may be one, so that room for all is no more than for those of the largest programs.
	d.builder = newBuilder(min(funcs, 1<<16), min(locs+locs/4, 1<<16))
	d.raw = make([][]byte, 0, counts[profileString])
	d.funcs = make([]rawFunction, 0, funcs)
	d.maps = make([]rawMapping, 0, counts[profileMapping])
	d.locs = make([]rawLocation, 0, locs)
	d.lines = make([]rawLine, 0, locs+locs/4) // calls inlined into one another: a quarter more than locations, of most profiles
	return nil
}

// walk reads all but the samples.
func (d *decoder) walk() error {
	c := cursor{buf: d.buf}
	var f field
	for c.next(&f) {
		if err := d.readField(&c, &f); err != nil {
			return err
		}
		if max(len(d.lines), len(d.comments)) > maxEntries {
			return fmt.Errorf("field %d repeats more than %d times", f.num, maxEntries)
		}
	}
	if c.err != nil {
		return fmt.Errorf("byte %d: %w", c.pos, c.err)
	}
	return nil
}

func (d *decoder) readField(c *cursor, f *field) error {
	switch f.num {
	case profileSampleType:
		t, err := valueType(c.bytes(f))
		d.types = append(d.types, t)
		return wrap("sample type", err)
	case profileSample:
		d.size += len(c.bytes(f))
		d.samples++
	case profileMapping:
		return wrap("mapping", d.readMapping(c.bytes(f)))
	case profileLocation:
		return wrap("location", d.readLocation(c.bytes(f)))
	case profileFunction:
		return wrap("function", d.readFunction(c.bytes(f)))
	case profileString:
		d.raw = append(d.raw, c.bytes(f))
		d.length += len(f.data)
	case profileTime:
		d.nanos = append(d.nanos, int64(c.number(f)))
	case profileDuration:
		d.p.Duration = time.Duration(c.number(f))
	case profilePeriodType:
		var err error
		d.period, err = valueType(c.bytes(f))
		return wrap("period type", err)
	case profilePeriod:
		d.p.Period = int64(c.number(f))
	case profileComment:
		d.comments = c.appendNumbers(d.comments, f)
	case profileDefaultSample:
		d.defaultTo = c.number(f)
	}
	return nil
}

func wrap(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func valueType(b []byte) (t [2]uint64, err error) {
	c := cursor{buf: b}
	c.numbers(&t[0], &t[1])
	return t, c.err
}

func (d *decoder) readMapping(b []byte) error {
	c := cursor{buf: b}
	var m rawMapping
	c.numbers(&m.id, nil, nil, nil, &m.file, &m.build)
	d.maps = append(d.maps, m)
	return c.err
}

func (d *decoder) readFunction(b []byte) error {
	c := cursor{buf: b}
	var fn rawFunction
	c.numbers(&fn.id, &fn.name, &fn.system, &fn.file)
	d.funcs = append(d.funcs, fn)
	return c.err
}

func (d *decoder) readLocation(b []byte) error {
	c := cursor{buf: b}
	var f field
	l := rawLocation{first: len(d.lines)}
	for c.next(&f) {
		switch f.num {
		case 1:
			l.id = c.number(&f)
		case 2:
			l.mapping = c.number(&f)
		case 3:
			l.address = c.number(&f)
		case 4:
			if err := d.readLine(c.bytes(&f)); err != nil {
				return err
			}
		}
	}
	l.n = len(d.lines) - l.first
	d.locs = append(d.locs, l)
	return c.err
}

func (d *decoder) readLine(b []byte) error {
	c := cursor{buf: b}
	var f field
	var l rawLine
	for c.next(&f) {
		switch f.num {
		case 1:
			l.function = c.number(&f)
		case 2:
			l.line = int64(c.number(&f))
		}
	}
	d.lines = append(d.lines, l)
	return c.err
}

// head resolves the strings of what stands in the profile once.
func (d *decoder) head() error {
	if err := d.cutStrings(); err != nil {
		return err
	}
	if len(d.nanos) > 1 {
		return errors.New("several profiles stand in one file, one behind the other: read them apart")
	}
	if len(d.nanos) == 1 && d.nanos[0] > 0 {
		d.p.Time = time.Unix(0, d.nanos[0]).UTC()
	}
	if d.p.Duration < 0 || d.p.Duration > maxDuration {
		d.p.Duration = 0
	}
	if len(d.types) == 0 && d.samples > 0 {
		return errors.New("it has samples, but doesn't say of what")
	}
	var err error
	for _, t := range d.types {
		vt := ValueType{Type: d.str(t[0], &err), Unit: d.str(t[1], &err)}
		d.p.Types = append(d.p.Types, vt)
	}
	d.p.PeriodType = ValueType{Type: d.str(d.period[0], &err), Unit: d.str(d.period[1], &err)}
	for _, c := range d.comments {
		d.p.Comments = append(d.p.Comments, d.str(c, &err))
	}
	d.p.Kind, d.p.Value = kindOf(d.p.Types, d.p.PeriodType, d.str(d.defaultTo, &err))
	d.count = newSampleCount(d.p)
	for i, m := range d.maps {
		if m.id == 0 {
			return errors.New("a mapping has the reserved id 0")
		}
		file, build := d.str(m.file, &err), d.str(m.build, &err)
		if i == 0 {
			d.p.Binary, d.p.BuildID = file, build // the first is the program's own file, see profile.proto
		}
	}
	return err
}

// maxDuration is above any profile's: converters write the time of day where the duration belongs.
const maxDuration = 366 * 24 * time.Hour

// cutStrings makes the table of strings: one allocation holds them all.
func (d *decoder) cutStrings() error {
	var sb strings.Builder
	sb.Grow(d.length)
	for _, b := range d.raw {
		sb.Write(b)
	}
	all := sb.String()
	d.strings = make([]string, len(d.raw))
	for i, b := range d.raw {
		d.strings[i], all = all[:len(b)], all[len(b):]
	}
	d.raw = nil
	if len(d.strings) > 0 && d.strings[0] != "" {
		return errors.New("the string table doesn't begin with an empty string")
	}
	return nil
}

// str returns the i-th string; an index past the table becomes the error.
func (d *decoder) str(i uint64, err *error) string {
	if i < uint64(len(d.strings)) {
		return d.strings[i]
	}
	if i != 0 && *err == nil {
		*err = fmt.Errorf("it names string %d of %d", i, len(d.strings))
	}
	return ""
}

// functions interns the functions and returns their numbers by id.
func (d *decoder) functions() (idTable, error) {
	ids := newIDTable(len(d.funcs))
	var err error
	for _, fn := range d.funcs {
		name, system := d.str(fn.name, &err), d.str(fn.system, &err)
		if name == "" {
			name = system
		}
		i := d.function(Function{Name: name, File: d.str(fn.file, &err)})
		if err == nil {
			err = ids.set(fn.id, i, "function")
		}
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}

// sites interns the locations by their frames and returns those, and the sites' numbers by location id.
func (d *decoder) sites(funcs idTable) (sites [][]int32, ids idTable, err error) {
	files := make(map[uint64]string, len(d.maps))
	for _, m := range d.maps {
		files[m.id] = d.str(m.file, &err)
	}
	ids = newIDTable(len(d.locs))
	known := map[string]int32{}
	var single []int32 // by frame: the site of this frame alone, + 1
	arena := make([]int32, 0, len(d.lines)+len(d.locs))
	var key []byte
	for _, l := range d.locs {
		from := len(arena)
		if arena, err = d.appendFrames(arena, l, funcs, files); err != nil {
			return nil, ids, err
		}
		frames := arena[from:len(arena):len(arena)]
		site, ok := int32(len(sites)), false
		if len(frames) == 1 {
			for len(single) < len(d.p.Frames) {
				single = append(single, 0)
			}
			if ok = single[frames[0]] != 0; ok {
				site = single[frames[0]] - 1
			} else {
				single[frames[0]] = site + 1
			}
		} else {
			key = key[:0]
			for _, f := range frames {
				key = append(key, byte(f), byte(f>>8), byte(f>>16), byte(f>>24))
			}
			var old int32
			if old, ok = known[string(key)]; ok {
				site = old
			} else {
				known[string(key)] = site
			}
		}
		if ok {
			arena = arena[:from]
		} else {
			sites = append(sites, frames)
		}
		if err = ids.set(l.id, site, "location"); err != nil {
			return nil, ids, err
		}
	}
	return sites, ids, nil
}

// appendFrames appends a location's frames, calls inlined into one another innermost first. A location without a name
// is a frame without a name in its mapping's file; that of a goroutine profile is named by its address, since nothing
// else tells who waits where.
func (d *decoder) appendFrames(dst []int32, l rawLocation, funcs idTable, files map[uint64]string) ([]int32, error) {
	if l.n == 0 {
		name := Function{File: files[l.mapping]}
		if d.p.Kind == KindGoroutine || d.p.Kind == KindGoroutineLeak {
			name = Function{Name: "0x" + strconv.FormatUint(l.address, 16)}
		}
		fn := d.function(name)
		return append(dst, d.frame(Frame{Func: fn})), nil
	}
	for i, line := range d.lines[l.first : l.first+l.n] {
		fn, ok := funcs.get(line.function)
		if !ok {
			return dst, fmt.Errorf("location %d names function %d, which is not there", l.id, line.function)
		}
		dst = append(dst, d.frame(Frame{Func: fn, Line: clampLine(line.line), Inlined: i < l.n-1}))
	}
	return dst, nil
}

// clampLine keeps a line number within what a source can have.
func clampLine(n int64) int32 { return int32(max(0, min(n, 1<<31-1))) }
