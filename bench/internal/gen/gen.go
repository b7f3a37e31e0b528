// Package gen writes inputs of any size as streams, the same bytes for the same arguments: goroutine dumps, logs,
// profiles, bundles and audit logs of programs that are not real but have the shape of those that are.
package gen

import (
	"io"
	"strconv"
	"time"
)

// An Input writes itself. It returns the first error of w.
type Input func(w io.Writer) error

// chunk is how many bytes are gathered before they are written.
const chunk = 1 << 18

// start is when the first line of a log is written.
var start = time.Date(2026, 3, 7, 1, 0, 0, 0, time.UTC)

// mix is SplitMix64's finalizer: numbers without a pattern, the same in each run.
func mix(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// A buffer gathers bytes for w, and keeps w's first error.
type buffer struct {
	w   io.Writer
	b   []byte
	n   int64 // written or gathered
	err error
}

func newBuffer(w io.Writer) *buffer { return &buffer{w: w, b: make([]byte, 0, chunk+chunk/4)} }

// done counts what was appended to b since the last call, and writes b where it is full. It reports whether to go on.
func (b *buffer) done(from int) bool {
	b.n += int64(len(b.b) - from)
	if len(b.b) >= chunk {
		b.flush()
	}
	return b.err == nil
}

func (b *buffer) flush() error {
	if b.err == nil {
		_, b.err = b.w.Write(b.b)
	}
	b.b = b.b[:0]
	return b.err
}

// digits puts the last digits of v into b, with leading zeros.
func digits(b []byte, v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
}

// appendPadded appends v with at least width digits.
func appendPadded(b []byte, v uint64, width int) []byte {
	for n := len(strconv.Itoa(int(v))); n < width; n++ {
		b = append(b, '0')
	}
	return strconv.AppendUint(b, v, 10)
}
