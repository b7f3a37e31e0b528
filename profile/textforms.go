package profile

import (
	"bytes"
	"math"
	"strconv"
	"time"
)

// A textGrammar is one of the forms that runtime/pprof writes at debug=1.
type textGrammar interface {
	// head takes a line between the first one and the first record; false where it is none of the grammar's.
	head(line []byte) bool
	// record parses what precedes the "@" of a record; false where it is none.
	record(line []byte) (values []int64, samples int64, ok bool)
	// finish turns what was read into the profile's units.
	finish(p *Profile)
}

// newTextGrammar chooses by the first line, nil for none of them.
func newTextGrammar(line []byte) textGrammar {
	switch {
	case bytes.HasPrefix(line, []byte("heap profile: ")):
		return newHeapGrammar(line)
	case bytes.HasPrefix(line, []byte("--- mutex:")):
		return &waitGrammar{kind: KindMutex}
	case bytes.HasPrefix(line, []byte("--- contention:")), bytes.HasPrefix(line, []byte("--- contentionz ")):
		return &waitGrammar{kind: KindBlock}
	}
	name, total, ok := bytes.Cut(line, []byte(" profile: total "))
	if ok && len(name) > 0 && !bytes.ContainsAny(name, " \t") {
		if _, err := strconv.ParseUint(string(total), 10, 64); err == nil {
			return &countGrammar{name: string(name[:min(len(name), 256)])}
		}
	}
	return nil
}

// A heapGrammar reads heap and allocs profiles (runtime/pprof.writeHeapInternal), those of gperftools too:
//
//	heap profile: INUSE_OBJECTS: INUSE_BYTES [ALLOC_OBJECTS: ALLOC_BYTES] @ heap/RATE
//	INUSE_OBJECTS: INUSE_BYTES [ALLOC_OBJECTS: ALLOC_BYTES] @ ADDRESSES
//
// Values are what was sampled: scaled here to what they represent. The runtime prints twice its rate.
type heapGrammar struct {
	rate float64
}

func newHeapGrammar(line []byte) textGrammar {
	_, form, ok := bytes.Cut(line, []byte("@ "))
	if !ok {
		return nil
	}
	name, digits, _ := bytes.Cut(form, []byte("/"))
	rate, _ := strconv.ParseInt(string(digits), 10, 64)
	switch string(name) {
	case "heap":
		rate /= 2
	case "heap_v2", "heapz_v2":
	case "heapprofile":
		rate = 1
	default:
		return nil // growth and fragmentation: of C++ programs only
	}
	return &heapGrammar{rate: float64(rate)}
}

func (g *heapGrammar) head([]byte) bool { return false }

func (g *heapGrammar) record(line []byte) (values []int64, samples int64, ok bool) {
	inuse, alloc, ok := bytes.Cut(line, []byte("["))
	alloc, closed := bytes.CutSuffix(alloc, []byte("]"))
	if !ok || !closed {
		return nil, 0, false
	}
	inuseObjects, inuseBytes, ok := twoNumbers(inuse, ":")
	allocObjects, allocBytes, ok2 := twoNumbers(alloc, ":")
	values = make([]int64, 4)
	values[0], values[1] = g.scale(allocObjects, allocBytes)
	values[2], values[3] = g.scale(inuseObjects, inuseBytes)
	return values, max(0, inuseObjects), ok && ok2
}

// scale divides by the probability with which the runtime samples an allocation of this size: 1-exp(-size/rate).
func (g *heapGrammar) scale(count, size int64) (int64, int64) {
	if count == 0 || size == 0 {
		return 0, 0
	}
	if g.rate <= 1 {
		return count, size
	}
	scale := 1 / (1 - math.Exp(-float64(size)/float64(count)/g.rate))
	return toInt(float64(count) * scale), toInt(float64(size) * scale)
}

func (g *heapGrammar) finish(p *Profile) {
	p.Kind, p.Value = KindHeap, 3
	p.Types = []ValueType{
		{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"},
	}
	p.PeriodType, p.Period = ValueType{"space", "bytes"}, int64(g.rate)
}

// A waitGrammar reads block and mutex profiles (runtime/pprof.writeProfileInternal):
//
//	--- mutex:
//	cycles/second=2299997888
//	sampling period=5
//	CYCLES COUNT @ ADDRESSES
type waitGrammar struct {
	kind     Kind
	hz       float64
	period   int64
	duration time.Duration
}

func (g *waitGrammar) head(line []byte) bool {
	key, value, ok := bytes.Cut(line, []byte("="))
	if !ok {
		return false
	}
	n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
	if err != nil {
		return false
	}
	switch string(bytes.TrimSpace(key)) {
	case "cycles/second":
		g.hz = float64(n)
	case "sampling period":
		g.period = n
	case "ms since reset":
		g.duration = time.Duration(max(0, min(n, int64(maxDuration/time.Millisecond)))) * time.Millisecond
	case "discarded samples":
	default:
		return false
	}
	return true
}

func (g *waitGrammar) record(line []byte) (values []int64, samples int64, ok bool) {
	cycles, count, ok := twoNumbers(line, " ")
	return []int64{count, cycles}, max(0, count), ok
}

func (g *waitGrammar) finish(p *Profile) {
	p.Kind, p.Value = g.kind, 1
	p.Types = []ValueType{{"contentions", "count"}, {"delay", "nanoseconds"}}
	p.PeriodType, p.Period, p.Duration = ValueType{"contentions", "count"}, max(1, g.period), g.duration
}

// scale turns cycles into nanoseconds. Until Go 1.19 the runtime printed what it had sampled, one contention in PERIOD
// for mutexes; since 1.20 it keeps the estimate itself. Without functions the release is unknown, and the older way
// is taken, which is pprof's for every such text.
func (g *waitGrammar) scale(p *Profile) {
	p.Kind = g.kind
	if p.Runtime != "" && p.Runtime != RuntimeGo {
		p.Kind = KindOther
	}
	period := float64(max(1, g.period))
	if p.Runtime == RuntimeGo && !before120(p.Go) {
		period = 1
	}
	nanos := period
	if g.hz > 0 {
		nanos = period / (g.hz / 1e9)
	}
	if g.period < 0 {
		nanos, period = 1, 1
	}
	for i := range p.Stacks {
		v := p.Stacks[i].Values
		v[0], v[1] = toInt(float64(v[0])*period), toInt(float64(v[1])*nanos)
	}
}

// before120 reports whether a release, as Profile.Go names it, is surely older than Go 1.20.
func before120(release string) bool {
	switch release {
	case "<=1.18", "1.19":
		return true
	}
	return len(release) > 4 && release[:3] == "1.1" && '3' <= release[3] && release[3] <= '9' && release[4] == '.'
}

// A countGrammar reads profiles of counted stacks (runtime/pprof.printCountProfile): goroutine, goroutineleak,
// threadcreate, and a program's own.
type countGrammar struct {
	name string
}

func (g *countGrammar) head([]byte) bool { return false }

func (g *countGrammar) record(line []byte) (values []int64, samples int64, ok bool) {
	n, err := strconv.ParseInt(string(line), 10, 64)
	return []int64{n}, n, err == nil && n >= 0
}

func (g *countGrammar) finish(p *Profile) {
	p.Types = []ValueType{{g.name, "count"}}
	p.PeriodType, p.Period = p.Types[0], 1
	p.Kind, p.Value = kindOf(p.Types, p.PeriodType, "")
}

// twoNumbers reads "12: 34" or "12 34".
func twoNumbers(text []byte, sep string) (a, b int64, ok bool) {
	first, second, ok := bytes.Cut(bytes.TrimSpace(text), []byte(sep))
	a, err := strconv.ParseInt(string(bytes.TrimSpace(first)), 10, 64)
	b, err2 := strconv.ParseInt(string(bytes.TrimSpace(second)), 10, 64)
	return a, b, ok && err == nil && err2 == nil
}

// toInt rounds towards zero and stays in the range of int64.
func toInt(f float64) int64 {
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	case f != f:
		return 0
	}
	return int64(f)
}
