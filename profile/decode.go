package profile

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Field numbers of proto/profile.proto of github.com/google/pprof: of message Profile and of the messages in it.
const (
	profileSampleType  = 1
	profileSample      = 2
	profileMapping     = 3
	profileLocation    = 4
	profileFunction    = 5
	profileString      = 6
	profileTime        = 9
	profileDuration    = 10
	profilePeriodType  = 11
	profilePeriod      = 12
	profileComment     = 13
	profileDefaultType = 14

	typeName, typeUnit = 1, 2

	sampleLocation, sampleValue, sampleLabel = 1, 2, 3

	labelKey, labelText, labelNumber, labelUnit = 1, 2, 3, 4

	mappingID, mappingFile, mappingBuild = 1, 5, 6

	locationID, locationMapping, locationAddress, locationLine = 1, 2, 3, 4

	lineFunction, lineNumber = 1, 2

	functionID, functionName, functionSystemName, functionFile = 1, 2, 3, 4
)

// ErrConcatenated is that of a file in which one profile follows another. As Protocol Buffers the two would be one
// message whose numbers point into each other's tables.
var ErrConcatenated = errors.New("concatenated profiles: the file contains several, one after the other")

var (
	errMalformed = errors.New("malformed profile format")
	errTables    = fmt.Errorf("its tables would take more than %d MiB", maxTables>>20)
)

// Bytes that are allocated for one of each at most, with its places in slices and maps that grow by doubling. Measured
// with 20,000 of each (TestTablesTakeNoMoreThanTheirEstimate).
const (
	lineCost  = 240
	labelCost = 64
)

var tableCosts = [...]int{
	profileSampleType: 300, profileMapping: 300, profileLocation: locationCost, profileFunction: functionCost,
	profileString: 64,
}

// readProto reads an unpacked protobuf. The error for data of another form that is known names that.
func readProto(data []byte) (*Profile, error) {
	p, err := decodeProto(data)
	if err == nil {
		return p, nil
	}
	if form := otherForm(data); form != "" {
		err = errors.New("it is " + form)
	}
	return nil, err
}

// decodeProto reads a protobuf.
func decodeProto(data []byte) (*Profile, error) {
	var d decoder
	if err := d.readMessage(data); err != nil {
		return nil, err
	}
	return d.build(d.sites)
}

// readMessage adds what is in data to the builder, in passes, since messages may come before what they refer to: what a
// profile has once and the strings, then mappings, functions, locations, samples.
func (d *decoder) readMessage(data []byte) error {
	for rest := data; len(rest) > 0; {
		from := len(data) - len(rest)
		f, after, err := nextField(rest)
		if err != nil {
			return fmt.Errorf("byte %d: %w", from, err)
		}
		if err := d.countFields(f, byteRange{from, len(data) - len(after)}); err != nil {
			return err
		}
		rest = after
	}
	d.text = d.texts.String()
	locations := d.count[profileLocation]
	d.builder = newBuilder(d.count[profileFunction], locations+locations/4)
	if err := d.readHead(); err != nil {
		return err
	}
	d.mappings, d.functions = newIDTable(d.count[profileMapping]), newIDTable(d.count[profileFunction])
	d.locations, d.siteOf = newIDTable(locations), map[string]int32{}
	d.samples, d.labelsOf = newSampleCount(d.profile), map[string]int32{}
	d.stacks.reserve(d.count[profileSample], d.sampleBytes/2, len(d.profile.Types))
	for _, pass := range []struct {
		field int32
		read  func(msg []byte) error
	}{
		{profileMapping, d.readMapping}, {profileFunction, d.readFunction}, {profileLocation, d.readLocation},
		{profileSample, d.readSample},
	} {
		if err := d.eachField(data, pass.field, pass.read); err != nil {
			return err
		}
	}
	return nil
}

// eachField calls read with each message that is a field of that number, in the part of data that has them.
func (d *decoder) eachField(data []byte, num int32, read func(msg []byte) error) error {
	for rest := data[d.spans[num].from:d.spans[num].to]; len(rest) > 0; {
		f, after, err := nextField(rest)
		if err != nil {
			return err
		}
		rest = after
		if f.num != num {
			continue
		}
		if f.wire != wireBytes {
			return errType
		}
		if err := read(f.data); err != nil {
			return err
		}
	}
	return nil
}

// A decoder reads the messages of a profile into a builder.
type decoder struct {
	*builder
	texts strings.Builder // the string table, one behind another
	ends  []uint32        // where each ends
	text  string          // all of texts

	count       [profileString + 1]int       // of messages, by field
	spans       [profileString + 1]byteRange // of data, from the first of those messages to the last
	sampleBytes int                          // in all samples
	tables      int                          // bytes that all but the samples take at most
	once        [profileDefaultType + 1]uint64
	types       [][]byte // messages ValueType
	periodType  []byte
	comments    []uint64

	mappings  idTable // indices into files
	files     []string
	functions idTable // indices into Profile.Functions
	locations idTable // indices into sites

	sites    [][]int32        // distinct frames of locations, calls inlined into one another innermost first
	arena    []int32          // of sites
	siteOf   map[string]int32 // by appendKey of the frames
	key      []byte           // of the location under way
	lines    []Frame          // of the location under way
	samples  sampleCount
	ids      []uint64 // locations of the sample under way
	numbers  []uint64 // its values, as the file has them
	keys     []int32  // its sites
	values   []int64
	labelled []byte           // labels of the sample under way, as the file has them
	labelsOf map[string]int32 // label set by those
	labelSum int              // bytes in label sets
}

// A byteRange is a part of the file.
type byteRange struct{ from, to int }

// countFields takes what a profile has once and the strings, and counts the rest.
func (d *decoder) countFields(f field, at byteRange) error {
	if int(f.num) < len(tableCosts) {
		if d.count[f.num] == 0 {
			d.spans[f.num].from = at.from
		}
		d.spans[f.num].to = at.to
		d.count[f.num]++
		d.tables += tableCosts[f.num]
	}
	switch f.num {
	case profileSampleType:
		d.types = append(d.types, f.data)
	case profilePeriodType:
		d.periodType = f.data
	case profileSample:
		d.sampleBytes += len(f.data)
	case profileString:
		d.tables += len(f.data)
		d.texts.Write(f.data)
		d.ends = append(d.ends, uint32(d.texts.Len()))
		if d.ends[0] != 0 {
			return errors.New("string_table[0] must be ''")
		}
	case profileComment:
		var err error
		if d.comments, err = f.appendNumbers(d.comments); err != nil {
			return err
		}
	case profileTime, profileDuration, profilePeriod, profileDefaultType:
		if f.wire != wireVarint {
			return errType
		}
		if f.num == profileTime && d.once[f.num] != 0 {
			return ErrConcatenated
		}
		d.once[f.num] = f.number
	}
	return d.inBounds()
}

func (d *decoder) inBounds() error {
	if d.tables > maxTables {
		return errTables
	}
	return nil
}

// string returns a string of the table.
func (d *decoder) string(i uint64) (string, error) {
	switch {
	case i >= uint64(len(d.ends)):
		return "", errMalformed
	case i == 0:
		return "", nil
	}
	return d.text[d.ends[i-1]:d.ends[i]], nil
}

// strings returns strings of the table by their indices in a message's numbers.
func (d *decoder) strings(numbers []uint64, fields ...int) ([4]string, error) {
	var all [4]string
	for i, num := range fields {
		s, err := d.string(numbers[num])
		if err != nil {
			return all, err
		}
		all[i] = s
	}
	return all, nil
}

// readHead writes into the profile what it has once.
func (d *decoder) readHead() error {
	p := d.profile
	preferred, err := d.string(d.once[profileDefaultType])
	if err != nil {
		return err
	}
	if p.PeriodType, err = d.valueType(d.periodType); err != nil {
		return err
	}
	for _, msg := range d.types {
		t, err := d.valueType(msg)
		if err != nil {
			return err
		}
		p.Types = append(p.Types, t)
	}
	for _, n := range d.comments {
		s, err := d.string(n)
		if err != nil {
			return err
		}
		p.Comments = append(p.Comments, s)
	}
	if ns := int64(d.once[profileTime]); ns > 0 {
		p.Time = time.Unix(0, ns).UTC()
	}
	if t := time.Duration(d.once[profileDuration]); t >= 0 && t <= maxDuration {
		p.Duration = t
	}
	p.Period = int64(d.once[profilePeriod])
	p.Kind, p.Value = kindOf(p.Types, p.PeriodType, preferred)
	return nil
}

func (d *decoder) valueType(msg []byte) (ValueType, error) {
	var n [typeUnit + 1]uint64
	if err := numbersOf(msg, n[:]); err != nil {
		return ValueType{}, err
	}
	s, err := d.strings(n[:], typeName, typeUnit)
	return ValueType{Type: s[0], Unit: s[1]}, err
}

func (d *decoder) readMapping(msg []byte) error {
	var n [mappingBuild + 1]uint64
	if err := numbersOf(msg, n[:]); err != nil {
		return err
	}
	s, err := d.strings(n[:], mappingFile, mappingBuild)
	if err != nil {
		return err
	}
	if len(d.files) == 0 { // the first is the program's own file, see profile.proto
		d.profile.Binary, d.profile.BuildID = s[0], s[1]
	}
	d.files = append(d.files, s[0])
	return d.mappings.add("mapping", n[mappingID], int32(len(d.files)-1))
}

func (d *decoder) readFunction(msg []byte) error {
	var n [functionFile + 1]uint64
	if err := numbersOf(msg, n[:]); err != nil {
		return err
	}
	s, err := d.strings(n[:], functionName, functionSystemName, functionFile)
	if err != nil {
		return err
	}
	return d.functions.add("function", n[functionID], d.function(Function{Name: cmp.Or(s[0], s[1]), File: s[2]}))
}

// readLocation interns a location by its frames.
func (d *decoder) readLocation(msg []byte) error {
	var n [locationAddress + 1]uint64
	d.lines = d.lines[:0]
	for len(msg) > 0 {
		f, rest, err := nextField(msg)
		switch {
		case err != nil:
			return err
		case f.num == locationLine:
			err = d.readLine(f)
		case f.num == 0 || int(f.num) >= len(n): // of a later schema
		case f.wire != wireVarint:
			err = errType
		default:
			n[f.num] = f.number
		}
		if err != nil {
			return err
		}
		msg = rest
	}
	from := len(d.arena)
	if len(d.lines) == 0 {
		d.arena = append(d.arena, d.nameless(n[locationMapping], n[locationAddress]))
	}
	for i, l := range d.lines {
		l.Inlined = i < len(d.lines)-1
		d.arena = append(d.arena, d.frame(l))
	}
	return d.locations.add("location", n[locationID], d.siteIndex(from))
}

// readLine appends a line to the location under way.
func (d *decoder) readLine(f field) error {
	if f.wire != wireBytes {
		return errType
	}
	var n [lineNumber + 1]uint64
	if err := numbersOf(f.data, n[:]); err != nil {
		return err
	}
	fn, ok := d.functions.get(n[lineFunction])
	if !ok {
		return errors.New("a location has a line with nil function")
	}
	d.lines = append(d.lines, Frame{Func: fn, Line: clampLine(int64(n[lineNumber]))})
	d.tables += lineCost
	return d.inBounds()
}

// nameless returns the frame of a location without a name: one in its mapping's file. That of a goroutine profile is
// named by its address, since nothing else identifies what waits where.
func (d *decoder) nameless(mapping, address uint64) int32 {
	var fn Function
	if d.profile.Kind == KindGoroutine || d.profile.Kind == KindGoroutineLeak {
		fn.Name = "0x" + strconv.FormatUint(address, 16)
	} else if i, ok := d.mappings.get(mapping); ok {
		fn.File = d.files[i]
	}
	return d.builder.frame(Frame{Func: d.function(fn)})
}

// siteIndex returns the site of the frames that the arena ends with. It takes them off where they have one already.
func (d *decoder) siteIndex(from int) int32 {
	frames := d.arena[from:len(d.arena):len(d.arena)]
	d.key = appendKey(d.key[:0], frames)
	site, ok := d.siteOf[string(d.key)]
	if ok {
		d.arena = d.arena[:from]
		return site
	}
	site = int32(len(d.sites))
	d.siteOf[string(d.key)] = site
	d.sites = append(d.sites, frames)
	return site
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

// add refuses what no table may have: an id of 0, and an id twice. what is in the table is for the error.
func (t *idTable) add(what string, id uint64, number int32) error {
	if id == 0 {
		return fmt.Errorf("found %s with reserved ID=0", what)
	}
	if _, ok := t.get(id); ok {
		return fmt.Errorf("multiple %ss with same id: %d", what, id)
	}
	if id < uint64(len(t.dense)) {
		t.dense[id] = number + 1
		return nil
	}
	if t.sparse == nil {
		t.sparse = map[uint64]int32{}
	}
	t.sparse[id] = number
	return nil
}
