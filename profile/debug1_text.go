package profile

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/gotriage/triage/internal/symbol"
)

// isText reports whether head, the first bytes of a file, begins a profile at debug=1: "heap profile: ",
// "--- mutex:", "--- contention:", "goroutine profile: total 12". Empty lines before it don't count.
func isText(head []byte) bool {
	_, ok := kindOfText(firstLine(head))
	return ok
}

func firstLine(text []byte) []byte {
	text = bytes.TrimLeft(text, " \t\r\n\ufeff")
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimRight(line, " \t\r")
}

// readText reads a profile that isText accepts, as the runtime prints it at debug=1:
//
//	heap profile: 13: 1595680 [471: 2584596] @ heap/1048576
//	1: 524288 [3: 1572864] @ 0x420cef 0x422151
//	#	0x422150	example.com/m/cache.(*Cache).Add+0x50	/src/cache.go:31
//
// Functions come from the lines with a "#". Values are made what the binary form has: heap samples are scaled to what
// they represent, cycles become nanoseconds. Leading runtime functions are not in the text. Lines of no grammar are
// counted in Unparsed, the memory statistics behind a heap profile are kept in Comments.
func readText(data []byte) (*Profile, error) {
	_, rest, _ := bytes.Cut(bytes.TrimLeft(data, " \t\r\n\ufeff"), []byte("\n"))
	r := textReader{builder: newBuilder(0, 0)}
	*r.profile, _ = kindOfText(firstLine(data))
	kind := r.profile.Kind
	for line := range bytes.Lines(rest) {
		if err := r.line(bytes.TrimRight(line, " \t\r\n")); err != nil {
			return nil, err
		}
		if r.done {
			break
		}
	}
	if err := r.endRecord(); err != nil {
		return nil, err
	}
	p, err := r.build(nil)
	if err == nil {
		p.Text = true
	}
	if err == nil && len(p.Types) == 2 {
		r.scaleWaits()
		if p.Kind != KindOther {
			p.Kind = kind // the first line shows it, whatever the stacks look like
		}
	}
	return p, err
}

// Bounds on one record of a text: the runtime's own are 1,024 frames, a handful of labels and 30 lines of statistics.
const (
	maxTextFrames   = 4096
	maxTextLabels   = 16 << 10 // bytes
	maxTextComments = 64
)

// A textReader puts records together: a line with values and addresses, then one line a frame.
type textReader struct {
	*builder
	hz       float64 // cycles a second, 0 where the text doesn't say
	inRecord bool
	done     bool
	records  int
	values   []int64
	samples  int64
	pcs      int
	frames   []int32
	labels   []string
	// of the frame before, to recognise inlined calls: they have the address of the call that they went into
	lastPC   string
	lastSite Frame
}

func (r *textReader) line(line []byte) error {
	if len(line) == 0 {
		return nil // the runtime ends a record with an empty line, copies lose it: the next record ends it too
	}
	if line[0] == '#' {
		r.comment(line[1:])
		return nil
	}
	if bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("MAPPED_LIBRARIES:")) {
		r.done = true // a memory map follows
		return nil
	}
	before, pcs, ok := bytes.Cut(line, []byte("@"))
	if ok {
		if values, samples, isRecord := r.record(bytes.TrimSpace(before)); isRecord {
			err := r.endRecord()
			r.inRecord, r.values, r.samples = true, values, samples
			r.pcs = min(bytes.Count(pcs, []byte("0x")), maxTextFrames)
			return err
		}
	}
	if r.records > 0 || r.inRecord || !r.head(line) {
		r.profile.Unparsed++
	}
	return nil
}

// comment takes what follows a "#": a frame, labels, or a line of memory statistics.
func (r *textReader) comment(text []byte) {
	if labels, ok := bytes.CutPrefix(text, []byte(" labels: {")); ok {
		labels = bytes.TrimSuffix(labels, []byte("}"))
		r.labels = symbol.LabelPairs(string(labels[:min(len(labels), maxTextLabels)]))
		return
	}
	text = bytes.TrimLeft(text, " \t")
	if !bytes.HasPrefix(text, []byte("0x")) {
		if bytes.Contains(text, []byte(" = ")) && len(r.profile.Comments) < maxTextComments && len(text) < 256 {
			r.profile.Comments = append(r.profile.Comments, string(text))
		}
		return
	}
	if !r.inRecord || len(r.frames) >= maxTextFrames {
		return
	}
	pc, rest := text, []byte(nil)
	if i := bytes.IndexAny(text, " \t"); i > 0 {
		pc, rest = text[:i], bytes.TrimLeft(text[i:], " \t")
	}
	fn, file, line := textSymbol(rest)
	f := Frame{Func: r.function(Function{Name: string(fn), File: string(file)}), Line: line}
	if n := len(r.frames); n > 0 && r.lastPC == string(pc) && len(fn) > 0 {
		inlined := r.lastSite
		inlined.Inlined = true
		r.frames[n-1] = r.frame(inlined)
	}
	r.lastPC, r.lastSite = string(pc), f
	r.frames = append(r.frames, r.frame(f))
}

// textSymbol splits "func+0x1c<tabs>file:line".
func textSymbol(text []byte) (fn, file []byte, line int32) {
	fn, loc := symbol.SplitSymbol(text)
	if colon := bytes.LastIndexByte(loc, ':'); colon >= 0 {
		if n, err := strconv.ParseInt(string(loc[colon+1:]), 10, 64); err == nil {
			return fn, loc[:colon], clampLine(n)
		}
	}
	return fn, loc, 0
}

// endRecord counts the record under way. One without frames has as many nameless ones as it has addresses.
func (r *textReader) endRecord() error {
	if !r.inRecord {
		return nil
	}
	if len(r.frames) == 0 && r.pcs > 0 {
		nameless := r.frame(Frame{Func: r.function(Function{})})
		for range r.pcs {
			r.frames = append(r.frames, nameless)
		}
	}
	err := r.stacks.add(r.frames, r.builder.labels(r.labels), r.values, r.samples)
	if r.weight > maxTables {
		err = errTables
	}
	r.records++
	r.inRecord, r.frames, r.labels, r.lastPC = false, r.frames[:0], nil, ""
	return err
}

// kindOfText reads the first line of a profile at debug=1, as runtime/pprof and gperftools write them, into what the
// profile has once; false where it is none of them.
//
//	heap profile: INUSE_OBJECTS: INUSE_BYTES [ALLOC_OBJECTS: ALLOC_BYTES] @ heap/RATE
//	--- mutex:
//	--- contention:
//	NAME profile: total N
func kindOfText(line []byte) (p Profile, ok bool) {
	p = Profile{Labels: []LabelSet{{}}, Merged: 1}
	if bytes.HasPrefix(line, []byte("heap profile: ")) {
		p.Kind, p.Value = KindHeap, 3
		p.Types = []ValueType{
			{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}, {"inuse_space", "bytes"},
		}
		p.PeriodType = ValueType{"space", "bytes"}
		p.Period, ok = heapRate(line)
		return p, ok
	}
	switch {
	case bytes.HasPrefix(line, []byte("--- mutex:")):
		p.Kind = KindMutex
	case bytes.HasPrefix(line, []byte("--- contention:")), bytes.HasPrefix(line, []byte("--- contentionz ")):
		p.Kind = KindBlock
	default:
		name, total, _ := bytes.Cut(line, []byte(" profile: total "))
		_, err := strconv.ParseUint(string(total), 10, 64)
		p.Types = []ValueType{{string(name[:min(len(name), 256)]), "count"}}
		p.PeriodType, p.Period = p.Types[0], 1
		p.Kind, p.Value = kindOf(p.Types, p.PeriodType, "")
		return p, err == nil && len(name) > 0 && !bytes.ContainsAny(name, " \t")
	}
	p.Types, p.Value = []ValueType{{"contentions", "count"}, {"delay", "nanoseconds"}}, 1
	p.PeriodType = p.Types[0]
	return p, true
}

// heapRate reads the sampling rate from the first line of a heap profile. The runtime prints twice its rate.
func heapRate(line []byte) (rate int64, ok bool) {
	_, form, _ := bytes.Cut(line, []byte("@ "))
	name, digits, _ := bytes.Cut(form, []byte("/"))
	rate, _ = strconv.ParseInt(string(digits), 10, 64)
	switch string(name) {
	case "heap":
		return rate / 2, true
	case "heap_v2", "heapz_v2":
		return rate, true
	case "heapprofile":
		return 1, true
	}
	return 0, false // growth and fragmentation: of C++ programs only
}

// record parses what precedes the "@" of a record, which the number of types shows the form of; false where it is none.
//
//	INUSE_OBJECTS: INUSE_BYTES [ALLOC_OBJECTS: ALLOC_BYTES] @ ADDRESSES
//	CYCLES COUNT @ ADDRESSES
//	COUNT @ ADDRESSES
func (r *textReader) record(line []byte) (values []int64, samples int64, ok bool) {
	switch len(r.profile.Types) {
	case 4:
		inuse, alloc, _ := bytes.Cut(line, []byte("["))
		alloc, closed := bytes.CutSuffix(alloc, []byte("]"))
		inuseObjects, inuseBytes, ok := twoNumbers(inuse, ":")
		allocObjects, allocBytes, ok2 := twoNumbers(alloc, ":")
		values = make([]int64, 4)
		values[0], values[1] = r.scaleHeap(allocObjects, allocBytes)
		values[2], values[3] = r.scaleHeap(inuseObjects, inuseBytes)
		return values, max(0, inuseObjects), closed && ok && ok2
	case 2:
		cycles, count, ok := twoNumbers(line, " ")
		return []int64{count, cycles}, max(0, count), ok
	}
	n, err := strconv.ParseInt(string(line), 10, 64)
	return []int64{n}, n, err == nil && n >= 0
}

// scaleHeap makes what was sampled what it represents: it divides by the probability with which the runtime samples an
// allocation of this size, 1-exp(-size/rate).
func (r *textReader) scaleHeap(count, size int64) (int64, int64) {
	if count == 0 || size == 0 {
		return 0, 0
	}
	if r.profile.Period <= 1 {
		return count, size
	}
	scale := 1 / (1 - math.Exp(-float64(size)/float64(count)/float64(r.profile.Period)))
	return toInt(float64(count) * scale), toInt(float64(size) * scale)
}

// head takes a line between the first one and the first record, which only profiles of contentions have; false for any
// other:
//
//	cycles/second=2299997888
//	sampling period=5
func (r *textReader) head(line []byte) bool {
	key, value, _ := bytes.Cut(line, []byte("="))
	n, err := strconv.ParseInt(string(bytes.TrimSpace(value)), 10, 64)
	if err != nil || len(r.profile.Types) != 2 {
		return false
	}
	switch string(bytes.TrimSpace(key)) {
	case "cycles/second":
		r.hz = float64(n)
	case "sampling period":
		r.profile.Period = n
	case "ms since reset":
		r.profile.Duration = time.Duration(max(0, min(n, int64(maxDuration/time.Millisecond)))) * time.Millisecond
	case "discarded samples":
	default:
		return false
	}
	return true
}

// scaleWaits turns the cycles of a profile of contentions into nanoseconds. Until Go 1.19 the runtime printed what it
// had sampled, one contention in PERIOD for mutexes; since 1.20 it keeps the estimate itself. Without functions the
// release is unknown, and the older way is taken, which is pprof's for every such text.
func (r *textReader) scaleWaits() {
	p, period := r.profile, float64(max(1, r.profile.Period))
	if p.Runtime == RuntimeGo && !before120(p.Go) {
		period = 1
	}
	nanos := period
	if r.hz > 0 {
		nanos = period / (r.hz / 1e9)
	}
	if p.Period < 0 {
		nanos, period = 1, 1
	}
	p.Period = max(1, p.Period)
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
