package gen

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"
)

// Field numbers of profile.proto (github.com/google/pprof/proto).
const (
	fieldType     = 1
	fieldSample   = 2
	fieldLocation = 4
	fieldFunction = 5
	fieldString   = 6
	fieldTime     = 9
	fieldDuration = 10
	fieldPeriod   = 12
)

// sites is how many lines of each function make calls.
const sites = 5

// CPUProfile is a CPU profile of two busy cores for 30 s with that many samples, nearly all stacks of their own,
// gzipped. Its functions are twenty times the root of the samples: real profiles with 20,000 to 75,000 samples have
// 23,000 to 43,000 locations and stacks of 9 to 25 calls.
func CPUProfile(samples int) Input {
	return func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
		if err != nil {
			return fmt.Errorf("compressing a profile: %w", err)
		}
		b := newBuffer(z)
		functions := uint64(20 * math.Sqrt(float64(samples)))
		profile(b, uint64(samples), functions)
		if err := b.flush(); err != nil {
			return fmt.Errorf("writing a profile: %w", err)
		}
		return z.Close()
	}
}

// kinds are the strings behind the empty one.
var kinds = []string{"", "samples", "count", "cpu", "nanoseconds"}

func profile(b *buffer, samples, functions uint64) {
	put := func(field uint64, body []byte) bool {
		from := len(b.b)
		b.b = binary.AppendUvarint(b.b, field<<3|2)
		b.b = binary.AppendUvarint(b.b, uint64(len(body)))
		b.b = append(b.b, body...)
		return b.done(from)
	}
	locations := functions * sites
	period := max(1, 60e9/(2*samples)) // nanoseconds; a sample counts two of them in the mean
	put(fieldType, numbers(1, 1, 2, 2))
	put(fieldType, numbers(1, 3, 2, 4))
	b.b = append(b.b, numbers(fieldTime, uint64(start.UnixNano()), fieldDuration, 30e9, fieldPeriod, period)...)
	var body, stack []byte
	for i := range samples {
		stack = callStack(stack[:0], i, locations)
		body = binary.AppendUvarint(append(body[:0], 1<<3|2), uint64(len(stack)))
		body = append(body, stack...)
		count := 1 + mix(i)%3
		value := binary.AppendUvarint(binary.AppendUvarint(nil, count), count*period)
		body = append(append(body, 2<<3|2, byte(len(value))), value...)
		if !put(fieldSample, body) {
			return
		}
	}
	for i := range locations {
		line := numbers(1, 1+i/sites, 2, 30+i/sites%400+i%sites)
		put(fieldLocation, append(append(numbers(1, i+1, 3, 0x400000+64*i), 4<<3|2, byte(len(line))), line...))
	}
	for i := range functions {
		name := uint64(len(kinds)) + 2*i
		put(fieldFunction, numbers(1, i+1, 2, name, 3, name, 4, name+1))
	}
	for _, s := range kinds {
		put(fieldString, []byte(s))
	}
	for i := range functions {
		put(fieldString, fmt.Appendf(nil, "example.com/fleet/pkg%d.(*Kind%d).step%d", i%97, i%13, i))
		put(fieldString, fmt.Appendf(nil, "/src/fleet/pkg%d/kind%d.go", i%97, i%13))
	}
}

// numbers is a message of fields and their values in turns.
func numbers(pairs ...uint64) (b []byte) {
	for i := 0; i < len(pairs); i += 2 {
		b = binary.AppendUvarint(b, pairs[i]<<3)
		b = binary.AppendUvarint(b, pairs[i+1])
	}
	return b
}

// callStack appends the location ids of a stack of 5 to 19 calls, the leaf first. Each call chooses between three
// callees, so that stacks share their outer calls, as those of a program do.
func callStack(out []byte, i, locations uint64) []byte {
	depth := 5 + mix(i)%15
	var calls [20]uint64
	at, choices := uint64(1), mix(i^0x5bd1e995)
	for d := range depth {
		calls[d] = at
		at = 1 + mix(at*3+choices%3+d*7919)%locations
		if choices /= 3; choices == 0 {
			choices = mix(i + d)
		}
	}
	for d := depth; d > 0; d-- {
		out = binary.AppendUvarint(out, calls[d-1])
	}
	return out
}
