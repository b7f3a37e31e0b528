package profile

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"strconv"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

// A wireWriter writes protobuf messages that google/pprof would not.
type wireWriter struct{ buf []byte }

func (w *wireWriter) number(field int, v uint64) {
	w.buf = binary.AppendUvarint(w.buf, uint64(field)<<3)
	w.buf = binary.AppendUvarint(w.buf, v)
}

func (w *wireWriter) bytes(field int, b []byte) {
	w.buf = binary.AppendUvarint(w.buf, uint64(field)<<3|wireBytes)
	w.buf = binary.AppendUvarint(w.buf, uint64(len(b)))
	w.buf = append(w.buf, b...)
}

// numbers is a message of numbers: fields and their values in turns.
func numbers(pairs ...uint64) []byte {
	var w wireWriter
	for i := 0; i < len(pairs); i += 2 {
		w.number(int(pairs[i]), pairs[i+1])
	}
	return w.buf
}

func packed(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.AppendUvarint(b, v)
	}
	return b
}

// newHostile is a profile of one type, function and location.
func newHostile() *wireWriter {
	w := &wireWriter{}
	w.bytes(profileSampleType, numbers(1, 1, 2, 2))
	for _, s := range []string{"", "cpu", "nanoseconds", "main.main", "main.go", "key", "value"} {
		w.bytes(profileString, []byte(s))
	}
	w.bytes(profileFunction, numbers(1, 1, 2, 3, 4, 4))
	w.location(1, 1, 7)
	return w
}

func (w *wireWriter) location(id, function, line uint64) {
	l := wireWriter{buf: numbers(1, id)}
	l.bytes(locationLine, numbers(1, function, 2, line))
	w.bytes(profileLocation, l.buf)
}

func (w *wireWriter) sample(ids []byte, labels ...[]byte) {
	var s wireWriter
	if ids != nil {
		s.bytes(1, ids)
	}
	s.bytes(2, packed(1))
	for _, l := range labels {
		s.bytes(sampleLabel, l)
	}
	w.bytes(profileSample, s.buf)
}

// hostileShapes write n of something that is small in a file and large in memory.
var hostileShapes = []struct {
	name  string
	write func(w *wireWriter, n int)
}{
	{"strings", func(w *wireWriter, n int) {
		for i := range n {
			w.bytes(profileString, []byte(strconv.Itoa(i)))
		}
	}},
	{"empty strings", func(w *wireWriter, n int) { w.repeat(n, profileString) }},
	{"empty types", func(w *wireWriter, n int) { w.repeat(n, profileSampleType) }},
	{"empty samples", func(w *wireWriter, n int) { w.repeat(n, profileSample) }},
	{"empty locations", func(w *wireWriter, n int) { w.repeat(n, profileLocation) }},
	{"mappings", func(w *wireWriter, n int) {
		for i := range n {
			w.bytes(profileMapping, numbers(1, uint64(i+1)))
		}
	}},
	{"functions", func(w *wireWriter, n int) {
		for i := range n {
			w.bytes(profileFunction, numbers(1, uint64(i+2), 2, 3))
		}
	}},
	{"locations", func(w *wireWriter, n int) {
		for i := range n {
			w.location(uint64(i+2), 1, uint64(i))
		}
	}},
	{"lines of one location", func(w *wireWriter, n int) {
		l := wireWriter{buf: numbers(1, 2)}
		for i := range n {
			l.bytes(locationLine, numbers(1, 1, 2, uint64(i)))
		}
		w.bytes(profileLocation, l.buf)
	}},
	{"comments", func(w *wireWriter, n int) { w.bytes(profileComment, bytes.Repeat([]byte{1}, n)) }},
	{"samples of one value", func(w *wireWriter, n int) {
		for range n {
			w.sample(nil)
		}
	}},
	{"samples with labels", func(w *wireWriter, n int) {
		for i := range n {
			w.sample(packed(1), numbers(1, 5, 2, 6), numbers(1, 6, 3, uint64(i+1)))
		}
	}},
	{"empty labels of one sample", func(w *wireWriter, n int) { w.sample(packed(1), make([][]byte, n)...) }},
	{"locations of one sample", func(w *wireWriter, n int) { w.sample(bytes.Repeat([]byte{1}, n)) }},
	{"locations of one sample that aren't there", func(w *wireWriter, n int) { w.sample(bytes.Repeat([]byte{9}, n)) }},
	{"stacks of inlined calls", func(w *wireWriter, n int) {
		for i := range 1000 {
			l := wireWriter{buf: numbers(1, uint64(i+2))}
			for j := range 100 {
				l.bytes(locationLine, numbers(1, 1, 2, uint64(100*i+j)))
			}
			w.bytes(profileLocation, l.buf)
		}
		for i := range n {
			w.sample(packed(uint64(i%1000+2), uint64(i/1000%1000+2)))
		}
	}},
}

func (w *wireWriter) repeat(n, field int) {
	for range n {
		w.bytes(field, nil)
	}
}

// maxAllocated is how many bytes Read may allocate for a hostile profile, one after the other: a few parts' worth.
const maxAllocated = 1 << 30

func TestReadBoundsTheMemoryOfHostileProfiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	if testing.Short() {
		t.Skip("reads profiles of 300,000 entries")
	}
	for _, shape := range hostileShapes {
		t.Run(shape.name, func(t *testing.T) {
			w := newHostile()
			shape.write(w, 300_000)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			p, err := Read(w.buf)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > maxAllocated {
				t.Errorf("%d MiB for %d KiB", n>>20, len(w.buf)>>10)
			}
			// What is in use is measured over a time, so that it is a bound only for what grew slowly.
			if n := int64(after.HeapSys) - int64(before.HeapSys); n > 256<<20 {
				t.Errorf("the heap grew by %d MiB for %d KiB", n>>20, len(w.buf)>>10)
			}
			if err == nil {
				sound(t, p)
			}
		})
	}
}

// The estimate bounds what tables take while they are read: all that is allocated for them, garbage included.
func TestTablesTakeNoMoreThanTheirEstimate(t *testing.T) {
	for _, shape := range hostileShapes {
		w := newHostile()
		shape.write(w, 20_000)
		var before, after runtime.MemStats
		var d decoder
		runtime.GC()
		runtime.ReadMemStats(&before)
		err := d.readMessage(w.buf)
		runtime.ReadMemStats(&after)
		const fixed, ofComment, ofSample, ofSampleByte = 64 << 10, 128, 512, 64
		most := fixed + d.tables + ofComment*len(d.comments) + ofSample*d.count[profileSample] +
			ofSampleByte*d.sampleBytes
		if took := int(after.TotalAlloc - before.TotalAlloc); took > most {
			t.Errorf("%s: %d bytes were allocated, at most %d were expected", shape.name, took, most)
		}
		_ = err // of ids that aren't there; what was allocated counts
	}
}

// Labels that long strings make of few bytes, each sample with another pair of them.
func TestLabelsOfLongStringsAreLeftOutPastABound(t *testing.T) {
	const n = 1000
	w := newHostile()
	for i := range n {
		w.bytes(profileString, []byte(strings.Repeat("k", 8<<10)+strconv.Itoa(i)))
	}
	for i := range 10 * n {
		w.sample(packed(1), numbers(labelKey, uint64(7+i%n), labelText, uint64(7+i/n)))
	}
	p, err := Read(w.buf)
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, set := range p.Labels {
		size += len(strings.Join(set, ""))
	}
	if size > maxLabelBytes || len(p.Labels) < n || p.Samples() != 10*n {
		t.Errorf("%d bytes in %d sets of %d samples", size, len(p.Labels), p.Samples())
	}
}

func TestReadRefusesTooMuch(t *testing.T) {
	tables := newHostile()
	tables.repeat(maxTables/tableCosts[profileMapping]+1, profileMapping)
	one := newHostile()
	one.sample(bytes.Repeat([]byte{1}, maxNumbers+1))
	for _, tt := range []struct {
		claim, want string
		data        []byte
	}{
		{"tables", "its tables", tables.buf},
		{"a sample", "list of more", one.buf},
		{"a file that isn't compressed", "64 MiB", make([]byte, maxProfile+1)},
	} {
		if _, err := Read(tt.data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", tt.claim, err, tt.want)
		}
	}
}

// A sample that names a location which isn't there makes google/pprof panic when it is written.
func TestReadRefusesASampleOfNoLocation(t *testing.T) {
	data := "\x0a\x04\x08\x01\x10\x02\x12\x06\x0a\x01\x01\x12\x01\x01\x32\x00\x32\x07samples\x32\x05count\x50\x80\xc8\xaf\xa0\x25"
	if p, err := Read([]byte(data)); err == nil || !strings.Contains(err.Error(), "nil location") {
		t.Errorf("%v, %v", p, err)
	}
}

func TestReadSkipsFieldsOfALaterSchema(t *testing.T) {
	w := newHostile()
	later := wireWriter{buf: numbers(1, 2, 2, 3, 4, 4)}
	later.bytes(0, []byte("no number"))
	later.bytes(12, []byte("a field that functions do not have"))
	w.bytes(profileFunction, later.buf)
	w.bytes(16, []byte("a field that profiles do not have"))
	w.location(2, 2, 9)
	w.sample([]byte{2, 1})
	p, err := Read(w.buf)
	if err != nil {
		t.Fatal(err)
	}
	if p.Samples() != 1 {
		t.Errorf("%d samples", p.Samples())
	}
	if _, err := pprof.ParseData(w.buf); err != nil {
		t.Errorf("google/pprof: %v", err)
	}
}
