package gen

import (
	"bufio"
	"fmt"
	"math"

	pprof "github.com/google/pprof/profile"
)

// sites is how many lines of each function make calls.
const sites = 5

// CPUProfile is a CPU profile of two busy cores for 30 s with that many samples, nearly all stacks of their own,
// gzipped. Its functions are twenty times the root of the samples: real profiles with 20,000 to 75,000 samples have
// 23,000 to 43,000 locations and stacks of 9 to 25 calls.
func CPUProfile(samples int) Input {
	return func(w *bufio.Writer) error {
		cpu := &pprof.ValueType{Type: "cpu", Unit: "nanoseconds"}
		p := &pprof.Profile{
			SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, cpu}, PeriodType: cpu,
			TimeNanos: start.UnixNano(), DurationNanos: 30e9,
			Period: max(1, 60e9/(2*int64(samples))), // a sample counts two of them in the mean
		}
		for i := range int(20 * math.Sqrt(float64(samples))) {
			name := fmt.Sprintf("example.com/fleet/pkg%d.(*Kind%d).step%d", i%97, i%13, i)
			f := &pprof.Function{ID: uint64(i + 1), Name: name, SystemName: name,
				Filename: fmt.Sprintf("/src/fleet/pkg%d/kind%d.go", i%97, i%13)}
			p.Function = append(p.Function, f)
			for site := range sites {
				n := len(p.Location)
				p.Location = append(p.Location, &pprof.Location{ID: uint64(n + 1), Address: uint64(0x400000 + 64*n),
					Line: []pprof.Line{{Function: f, Line: int64(30 + i%400 + site)}}})
			}
		}
		for i := range uint64(samples) {
			count := int64(1 + mix(i)%3)
			p.Sample = append(p.Sample,
				&pprof.Sample{Location: callStack(p.Location, i), Value: []int64{count, count * p.Period}})
		}
		return p.Write(w)
	}
}

// callStack is a stack of 5 to 19 calls, the leaf first. Each call chooses between three callees, so that stacks share
// their outer calls, as those of a program do.
func callStack(all []*pprof.Location, i uint64) []*pprof.Location {
	stack := make([]*pprof.Location, 5+mix(i)%15)
	at, choices := uint64(1), mix(i^0x5bd1e995)
	for d := range stack {
		stack[len(stack)-1-d] = all[at-1]
		at = 1 + mix(at*3+choices%3+uint64(d)*7919)%uint64(len(all))
		if choices /= 3; choices == 0 {
			choices = mix(i + uint64(d))
		}
	}
	return stack
}
