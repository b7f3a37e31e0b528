package profile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
)

// Read reads a profile in any form that Go programs write: protobuf, gzipped or not (proto/profile.proto of
// github.com/google/pprof), the text of debug=1, and the binary CPU profiles of Go 1.8 and before, which hold
// addresses only. Errors name what is wrong with the data; data isn't kept.
func Read(data []byte) (*Profile, error) {
	data, err := unpack(data)
	if err != nil {
		return nil, fmt.Errorf("decompress profile: %w", err)
	}
	what, read := "profile", parse
	old, isOld := oldCPUWords(data)
	switch {
	case len(data) == 0:
		return nil, errors.New("read profile: it is empty")
	case len(data) > maxProfile:
		return nil, fmt.Errorf("read profile: more than %d MiB", maxProfile>>20)
	case isText(data):
		read = readText
	case isTop(data):
		what, read = "pprof's top output", readTop
	case isOld:
		what, read = "old CPU profile", func([]byte) (*Profile, error) { return readOldCPU(old) }
	}
	p, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return p, nil
}

// otherForm identifies data that are no profile by their first line, "" for none that it knows.
func otherForm(data []byte) string {
	line := firstLine(data[:min(len(data), 4096)])
	switch {
	case bytes.HasPrefix(line, []byte("--- heapz")), bytes.HasPrefix(line, []byte("--- contentionz 1")):
		return "a Java program's profile in an old text form"
	case bytes.HasPrefix(line, []byte("heap profile:")), bytes.HasPrefix(line, []byte("--- threadz")),
		bytes.HasPrefix(line, []byte("--- Thread ")):
		return "a C++ program's profile in an old text form"
	case bytes.HasPrefix(line, []byte("goroutine ")):
		return "a goroutine dump, not a profile"
	case len(line) > 0 && bytes.IndexFunc(line, notText) < 0:
		return "text, and none that the runtime prints at debug=1"
	}
	return ""
}

func notText(r rune) bool { return r < ' ' && r != '\t' || r == utf8.RuneError }

// unpack takes gzip off; data of no such form pass.
func unpack(data []byte) ([]byte, error) {
	for range maxLayers {
		if !isGzip(data) {
			return data, nil
		}
		r, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = readBounded(r, sizeHint(data)); err != nil {
			return nil, err
		}
	}
	if isGzip(data) {
		return nil, fmt.Errorf("more than %d layers of gzip", maxLayers)
	}
	return data, nil
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

// sizeHint is the size after decompression in gzip's last 4 bytes (RFC 1952, 2.3.1), as far as it is possible:
// deflate makes 1,032 bytes out of one at most.
func sizeHint(data []byte) int {
	if len(data) < 18 {
		return 512
	}
	size := int64(binary.LittleEndian.Uint32(data[len(data)-4:]))
	return int(min(size, int64(len(data))*1032, maxProfile)) + 512
}

// readBounded reads r to its end, maxProfile bytes at most.
func readBounded(r io.Reader, hint int) ([]byte, error) {
	buf := bytes.NewBuffer(make([]byte, 0, hint))
	n, err := buf.ReadFrom(io.LimitReader(r, maxProfile+1))
	if err != nil {
		return nil, err
	}
	if n > maxProfile {
		return nil, fmt.Errorf("more than %d MiB", maxProfile>>20)
	}
	return buf.Bytes(), nil
}

// An oldCPU is a binary CPU profile as gperftools and Go up to 1.8 wrote them, in words of 4 or 8 bytes: a header of
// five (0, 3, format, period in microseconds, 0), records of a count, a number of addresses and those, and a last
// record of the address 0. The machine's memory map follows as text.
type oldCPU struct {
	rest  []byte // behind the words that were read
	size  int    // of a word
	order binary.ByteOrder
	head  [5]uint64
}

func (o *oldCPU) next() (uint64, bool) {
	if len(o.rest) < o.size {
		return 0, false
	}
	w := o.rest[:o.size]
	o.rest = o.rest[o.size:]
	if o.size == 4 {
		return uint64(o.order.Uint32(w)), true
	}
	return o.order.Uint64(w), true
}

// oldCPUWords recognises such a profile by its header.
func oldCPUWords(data []byte) (o oldCPU, ok bool) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, size := range []int{4, 8} {
			o = oldCPU{rest: data, size: size, order: order}
			for i := range o.head {
				o.head[i], ok = o.next()
			}
			if h := o.head; ok && h[0] == 0 && h[1] == 3 && h[2] <= 1 && h[3] > 0 && h[4] == 0 {
				return o, true
			}
		}
	}
	return o, false
}

func readOldCPU(o oldCPU) (*Profile, error) {
	format, period := o.head[2], o.head[3]
	if format == 1 {
		return nil, errors.New("it is a Java program's, which has no Go functions")
	}
	if period > math.MaxInt64/1000/1000 {
		return nil, errors.New("its period is longer than a CPU lives")
	}
	b := newBuilder(0, 0)
	b.p.Types = []ValueType{{"samples", "count"}, {"cpu", "nanoseconds"}}
	b.p.Kind, b.p.Value = KindCPU, 1
	b.p.PeriodType, b.p.Period = b.p.Types[1], int64(period)*1000
	nameless := b.frame(Frame{Func: b.function(Function{})})
	var keys []int32
	for len(o.rest) > 0 {
		count, _ := o.next()
		depth, ok := o.next()
		if !ok || depth > uint64(len(o.rest)/o.size) {
			return nil, errors.New("it is cut off")
		}
		keys = keys[:0]
		var addr uint64
		for range depth {
			addr, _ = o.next()
			keys = append(keys, nameless)
		}
		if count == 0 && depth == 1 && addr == 0 {
			break
		}
		n := int64(min(count, math.MaxInt32))
		if err := b.stacks.add(keys, 0, []int64{n, n * b.p.Period}, n); err != nil {
			return nil, err
		}
	}
	return b.profile(nil)
}
