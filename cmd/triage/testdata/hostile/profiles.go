package hostile

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strconv"
	"strings"
)

// Field numbers of proto/profile.proto.
const (
	fieldType     = 1
	fieldSample   = 2
	fieldMapping  = 3
	fieldLocation = 4
	fieldFunction = 5
	fieldString   = 6
	fieldComment  = 13
)

// A message writes protobuf that no library would.
type message struct{ buf []byte }

func (m *message) number(field int, v uint64) {
	m.buf = binary.AppendUvarint(m.buf, uint64(field)<<3)
	m.buf = binary.AppendUvarint(m.buf, v)
}

func (m *message) bytes(field int, b []byte) {
	m.buf = binary.AppendUvarint(m.buf, uint64(field)<<3|2)
	m.buf = binary.AppendUvarint(m.buf, uint64(len(b)))
	m.buf = append(m.buf, b...)
}

func (m *message) repeat(n, field int) {
	for range n {
		m.bytes(field, nil)
	}
}

// numbers is a message of numbers: fields and their values in turns.
func numbers(pairs ...uint64) []byte {
	var m message
	for i := 0; i < len(pairs); i += 2 {
		m.number(int(pairs[i]), pairs[i+1])
	}
	return m.buf
}

func packed(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.AppendUvarint(b, v)
	}
	return b
}

// newProfile is a profile of one type, one function main.main and one location of it.
func newProfile(kind, unit string) *message {
	m := &message{}
	m.bytes(fieldType, numbers(1, 1, 2, 2))
	for _, s := range []string{"", kind, unit, "main.main", "main.go", "key", "value"} {
		m.bytes(fieldString, []byte(s))
	}
	m.bytes(fieldFunction, numbers(1, 1, 2, 3, 4, 4))
	m.location(1, 1, 7)
	return m
}

func (m *message) location(id, function, line uint64) {
	l := message{buf: numbers(1, id)}
	l.bytes(4, numbers(1, function, 2, line))
	m.bytes(fieldLocation, l.buf)
}

func (m *message) sample(ids []byte, labels ...[]byte) {
	var s message
	if ids != nil {
		s.bytes(1, ids)
	}
	s.bytes(2, packed(1))
	for _, l := range labels {
		s.bytes(3, l)
	}
	m.bytes(fieldSample, s.buf)
}

// A shape writes n of something that is small in a file and large in memory.
type shape struct {
	name  string
	write func(m *message, n int)
}

func shapes() []shape {
	return []shape{
		{"strings", func(m *message, n int) {
			for i := range n {
				m.bytes(fieldString, []byte(strconv.Itoa(i)))
			}
		}},
		{"empty-strings", func(m *message, n int) { m.repeat(n, fieldString) }},
		{"empty-types", func(m *message, n int) { m.repeat(n, fieldType) }},
		{"empty-samples", func(m *message, n int) { m.repeat(n, fieldSample) }},
		{"empty-locations", func(m *message, n int) { m.repeat(n, fieldLocation) }},
		{"mappings", func(m *message, n int) {
			for i := range n {
				m.bytes(fieldMapping, numbers(1, uint64(i+1)))
			}
		}},
		{"functions", func(m *message, n int) {
			for i := range n {
				m.bytes(fieldFunction, numbers(1, uint64(i+2), 2, 3))
			}
		}},
		{"locations", func(m *message, n int) {
			for i := range n {
				m.location(uint64(i+2), 1, uint64(i))
			}
		}},
		{"lines", func(m *message, n int) {
			l := message{buf: numbers(1, 2)}
			for i := range n {
				l.bytes(4, numbers(1, 1, 2, uint64(i)))
			}
			m.bytes(fieldLocation, l.buf)
			m.sample(packed(2))
		}},
		{"comments", func(m *message, n int) { m.bytes(fieldComment, bytes.Repeat([]byte{1}, n)) }},
		{"equal-samples", func(m *message, n int) {
			for range n {
				m.sample(packed(1))
			}
		}},
		{"labels", func(m *message, n int) {
			for i := range n {
				m.sample(packed(1), numbers(1, 5, 2, 6), numbers(1, 6, 3, uint64(i+1)))
			}
		}},
		{"empty-labels", func(m *message, n int) { m.sample(packed(1), make([][]byte, n)...) }},
		{"long-stack", func(m *message, n int) { m.sample(bytes.Repeat([]byte{1}, n)) }},
		{"missing-locations", func(m *message, n int) { m.sample(bytes.Repeat([]byte{9}, n)) }},
		{"stacks", func(m *message, n int) {
			for i := range 1000 {
				m.location(uint64(i+2), 1, uint64(i))
			}
			for i := range n {
				m.sample(packed(uint64(i%1000+2), uint64(i/1000%1000+2), uint64(i/1_000_000+2)))
			}
		}},
		{"inlined-stacks", func(m *message, n int) {
			for i := range 1000 {
				l := message{buf: numbers(1, uint64(i+2))}
				for j := range 100 {
					l.bytes(4, numbers(1, 1, 2, uint64(100*i+j)))
				}
				m.bytes(fieldLocation, l.buf)
			}
			for i := range n {
				m.sample(packed(uint64(i%1000+2), uint64(i/1000%1000+2)))
			}
		}},
	}
}

// profileOf is a profile of n of a shape, gzipped.
func profileOf(s shape, kind, unit, prefix string, n int) Input {
	return Input{
		Name: prefix + s.name + ".pb.gz", Why: strconv.Itoa(n) + " " + strings.ReplaceAll(s.name, "-", " ") + " of a profile",
		Write: func(w io.Writer) error {
			m := newProfile(kind, unit)
			s.write(m, n)
			z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
			if err == nil {
				_, err = z.Write(m.buf)
			}
			if err == nil {
				err = z.Close()
			}
			return err
		},
	}
}

func smallProfiles() []Input {
	var all []Input
	for _, s := range shapes() {
		all = append(all, profileOf(s, "cpu", "nanoseconds", "cpu-", 5000),
			profileOf(s, "goroutine", "count", "goroutine-", 5000))
	}
	raw := func(name, why string, write func(m *message)) {
		m := newProfile("cpu", "nanoseconds")
		write(m)
		all = append(all, text(name, why, string(m.buf)))
	}
	raw("nolocation.pb", "a sample with a location that is missing", func(m *message) { m.sample(packed(77)) })
	raw("values.pb", "a sample with more values than types", func(m *message) {
		m.bytes(fieldSample, append(append([]byte{0x0a, 1, 1}, 0x12, 3), 1, 2, 3))
	})
	raw("negative.pb", "values that overflow when they are added", func(m *message) {
		for range 100 {
			m.bytes(fieldSample, append([]byte{0x0a, 1, 1, 0x12, 9}, packed(1<<63-1)...))
			m.bytes(fieldSample, append([]byte{0x0a, 1, 1, 0x12, 10}, packed(1<<63)...))
		}
	})
	raw("index.pb", "strings that aren't there", func(m *message) {
		m.bytes(fieldFunction, numbers(1, 2, 2, 1<<40, 4, 1<<62))
		m.location(2, 2, 1<<63)
		m.sample(packed(2))
	})
	raw("nofunction.pb", "a line of a function that isn't there", func(m *message) {
		m.location(2, 99, 1)
		m.sample(packed(2))
	})
	raw("doubles.pb", "ids that are there twice", func(m *message) {
		m.location(1, 1, 9)
		m.bytes(fieldFunction, numbers(1, 1, 2, 3))
		m.sample(packed(1, 1, 1))
	})
	raw("zero.pb", "ids that are 0", func(m *message) {
		m.location(0, 0, 0)
		m.bytes(fieldMapping, numbers(1, 0))
		m.sample(packed(0))
	})
	raw("times.pb", "times and periods out of range", func(m *message) {
		m.number(9, 1<<63)
		m.number(10, 1<<63-1)
		m.number(12, 1<<63)
		m.sample(packed(1))
	})
	raw("length.pb", "a field of 2^62 bytes", func(m *message) {
		m.buf = append(m.buf, 0x12)
		m.buf = binary.AppendUvarint(m.buf, 1<<62)
	})
	raw("varint.pb", "a number without end", func(m *message) {
		m.buf = append(m.buf, 0x48)
		m.buf = append(m.buf, bytes.Repeat([]byte{0xff}, 1000)...)
	})
	raw("groups.pb", "nested groups", func(m *message) { m.buf = append(m.buf, bytes.Repeat([]byte{0x0b}, 50_000)...) })
	raw("name.pb", "a function with terminal codes in its name", func(m *message) {
		m.bytes(fieldString, []byte("main.\x1b]0;owned\x07\x1b[2J\u202egnp.exe"))
		m.bytes(fieldFunction, numbers(1, 2, 2, 7, 4, 7))
		m.location(2, 2, 1)
		m.sample(packed(2), numbers(1, 7, 2, 7))
	})
	return append(all,
		text("heap.txt", "a heap profile's text with counts that no number holds",
			"heap profile: 99999999999999999999: 1 [2: 3] @ heap/1048576\n1: -5 [9999999999999999999999: 1] @ 0x1 0x2\n"+
				"#\t0x1\tmain.f+0x1\t/src/main.go:1\n"),
		text("mutex.txt", "a mutex profile's text with a period of 0",
			"--- mutex:\ncycles/second=0\nsampling period=0\n9223372036854775807 1 @ 0x1\n#\t0x1\tmain.f+0x1\t/src/main.go:1\n"),
		text("legacy.prof", "a binary profile of Go 1.8, which is refused",
			"\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"+
				"\x10\x27\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"+
				"\x00\x00\x00\x00\x00\x00\x00\x10"))
}

func bigProfiles() []Input {
	var all []Input
	for _, s := range shapes() {
		all = append(all, profileOf(s, "cpu", "nanoseconds", "big-cpu-", 1_000_000))
	}
	for _, s := range shapes() {
		switch s.name {
		case "stacks", "inlined-stacks", "labels", "long-stack", "lines":
			all = append(all, profileOf(s, "goroutine", "count", "big-goroutine-", 1_000_000),
				profileOf(s, "inuse_space", "bytes", "big-heap-", 1_000_000))
		}
	}
	return append(all, repeated("big-heap.txt", "a heap profile's text of 10^6 stacks",
		"heap profile: 1000000: 1000000 [1000000: 1000000] @ heap/1048576\n", 1_000_000,
		format("1: 1 [1: 1] @ 0x%[1]x\n#\t0x%[1]x\tmain.f%[1]d+0x1\t/src/main.go:1\n\n"), ""))
}
