package stackparse

import (
	"bytes"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/stackparse/frame"
)

// A debug1 reads a profile at debug=1, as runtime/pprof.printCountProfile writes it (Go 1.2 to 1.27):
//
//	goroutine profile: total 124
//	50 @ 0x487aae 0x41797c 0x66efc9 0x48f041
//	# labels: {"key":"value", "key2":"value2"}
//	#	0x66efc8	main.send+0x28	/src/main.go:25
//
// with an empty line behind each record. Leading runtime frames have no # line, unless there is nothing else.
type debug1 struct {
	counted  *countedDump
	total    int64
	leaked   bool
	ignored  bool // no goroutine profile: read, so that its lines are not taken for a stack, and dropped
	headless bool // began with a record: what was copied out of a profile
	named    bool // a function was read
	unparsed pendingUnparsed

	inRecord bool
	count    int64
	pcs      []byte // of the record under way, for records without symbols
	first    uint64 // the address of its first named frame, 0 until that is read
	frames   []Frame
	names    interner
	parked   []parked
}

// maxDebug1Unparsed is how many lines of other writers in a row are tolerated inside an incomplete profile.
const maxDebug1Unparsed = 8

// beginDebug1 returns a section where text is the first line of a counted profile, nil otherwise.
func beginDebug1(text []byte, num int64, stamp []byte, budget *Budget) section {
	text = bytes.TrimRight(text, " \r")
	i := bytes.Index(text, []byte(" profile: total "))
	if i <= 0 || bytes.IndexByte(text[:i], ' ') >= 0 {
		return nil
	}
	total, rest, ok := leadingUint(text[i+len(" profile: total "):])
	if !ok || len(rest) > 0 {
		return nil
	}
	name := strings.ToLower(string(text[:i]))
	c := newCountedDump(FormatDebug1, num, string(stamp), budget)
	return &debug1{
		counted: c,
		total:   int64(min(total, maxCount)),
		leaked:  name == "goroutineleak",
		ignored: !strings.Contains(name, "goroutine"), // threadcreate, or a program's own profile of its things
		names:   c.names,
	}
}

// A strayRecord is the line outside dumps that may be a record of a goroutine profile whose first line is missing: the
// line behind it decides. Logs have such lines, so that one of them must cost next to nothing.
type strayRecord struct {
	num         int64 // 0 for none
	text, stamp []byte
}

// maxRecord bounds a record's line, in bytes.
const maxRecord = 32 + maxCountedFrames*len(" 0x0123456789abcdef")

// keep remembers text where it may be a record: a count, and two addresses or more.
func (r *strayRecord) keep(text []byte, num int64, stamp []byte) {
	text = bytes.TrimRight(text[:min(len(text), maxRecord)], " \t\r")
	_, pcs, ok := leadingUint(text)
	pcs, isRecord := bytes.CutPrefix(pcs, []byte(" @"))
	if ok && isRecord && len(bytes.TrimLeft(pcs, " x0123456789abcdef")) == 0 && bytes.Count(pcs, []byte(" 0x")) > 1 {
		r.num, r.text, r.stamp = num, append(r.text[:0], text...), append(r.stamp[:0], stamp...)
	}
}

// begin returns a section where text is the line behind the record and one of its frames or its labels, nil otherwise.
// People copy the records that they find most important, so those behind a count stand for no whole.
func (r *strayRecord) begin(text []byte, num int64, budget *Budget) section {
	rest, marked := bytes.CutPrefix(text, []byte("#"))
	if (!marked || !bytes.HasPrefix(rest, []byte(" labels: {"))) && !addressed(rest) {
		return nil
	}
	c := newCountedDump(FormatDebug1, r.num, string(r.stamp), budget)
	c.dump.Truncated.Head = true
	d := &debug1{counted: c, headless: true, names: c.names}
	if !d.record(r.text) || !d.line(text, num) {
		return nil
	}
	return d
}

func (d *debug1) line(text []byte, num int64) bool {
	text = bytes.TrimRight(text, " \t\r")
	switch {
	case len(text) == 0:
		d.endRecord()
		return true
	case d.record(text), d.inRecord && d.symbolLine(text):
		d.unparsed.commit(d.counted.dump)
		d.counted.dump.EndLine = num
		return true
	case d.complete() || d.unparsed.lines >= maxDebug1Unparsed || startsOther(text):
		return false
	}
	d.unparsed.add(num, text)
	return true
}

// complete reports whether as many goroutines were read as the first line announced, up to the record under way.
func (d *debug1) complete() bool { return int64(d.counted.dump.Goroutines)+d.count >= d.total }

// record begins a record: "50 @ 0x487aae 0x41797c".
func (d *debug1) record(text []byte) bool {
	if text[0] < '0' || text[0] > '9' {
		return false
	}
	n, rest, ok := leadingUint(text)
	if !ok || len(rest) < 2 || rest[0] != ' ' || rest[1] != '@' {
		return false
	}
	pcs := rest[2:]
	if len(pcs) > 0 && !bytes.HasPrefix(pcs, []byte(" 0x")) {
		return false
	}
	d.endRecord()
	d.inRecord, d.count = true, int64(min(n, maxCount))
	d.pcs = append(d.pcs[:0], pcs[:min(len(pcs), maxCountedFrames*len(" 0x0123456789abcdef"))]...)
	return true
}

// addressed reports whether a line begins with an address and a tab, or with a tab and an address.
func addressed(text []byte) bool {
	pc, isPC := bytes.CutPrefix(text, []byte("0x"))
	return bytes.HasPrefix(text, []byte("\t0x")) ||
		isPC && bytes.HasPrefix(bytes.TrimLeft(pc, "0123456789abcdef"), []byte("\t"))
}

// symbolLine takes a line of a record. Where a page took the # at its beginning for a heading's, the tab is left at
// most.
func (d *debug1) symbolLine(text []byte) bool {
	if text[0] == '#' {
		return d.symbol(text[1:])
	}
	return addressed(text) && d.symbol(text)
}

// symbol takes what follows the # of a record's line: labels or one frame.
func (d *debug1) symbol(text []byte) bool {
	if labels, ok := bytes.CutPrefix(text, []byte(" labels: {")); ok {
		text := bytes.TrimSuffix(labels, []byte("}"))
		d.counted.label(symbol.LabelPairs(string(text[:min(len(text), maxLogLine)])))
		return true
	}
	text = bytes.TrimLeft(text, " \t")
	if !bytes.HasPrefix(text, []byte("0x")) {
		return false
	}
	if len(d.frames) >= maxCountedFrames || d.counted.full() {
		return true
	}
	if d.first == 0 {
		d.first, _ = leadingHex(text)
	}
	pc, rest := text, []byte(nil)
	if i := bytes.IndexAny(text, " \t"); i > 0 {
		pc, rest = text[:i], bytes.TrimLeft(text[i:], " \t")
	}
	if len(rest) == 0 {
		d.frames = append(d.frames, unsymbolized(d.names.string(pc)))
		return true
	}
	d.named = true
	fn, loc := symbol.SplitSymbol(rest)
	f := Frame{Frame: frame.Frame{Func: d.names.string(restoreStars(fn))}}
	if file, line := cutLocation(loc); len(loc) > 0 {
		f.File, f.Line = d.names.string(file), line
		f.Func = frame.SourceName(f.Func, f.File)
	}
	d.frames = append(d.frames, f)
	return true
}

// endRecord counts the record under way.
func (d *debug1) endRecord() {
	if !d.inRecord {
		return
	}
	if len(d.frames) == 0 && !d.counted.full() {
		for pc := range bytes.FieldsSeq(d.pcs) {
			d.frames = append(d.frames, unsymbolized(d.names.string(pc)))
		}
	}
	p := hiddenFrames(d.pcs, d.first)
	if p.bucket = d.counted.add(d.frames, d.count, d.leaked); p.bucket != nil && p.n > 0 {
		d.parked = append(d.parked, p)
	}
	d.inRecord, d.count, d.first, d.frames = false, 0, 0, d.frames[:0]
}

// hiddenFrames reads the addresses of a record in front of that of its first named frame: the profile names the call,
// one less than the address that it returns to.
func hiddenFrames(pcs []byte, named uint64) (p parked) {
	if named == 0 {
		return parked{}
	}
	for pc := range bytes.FieldsSeq(pcs) {
		value, _ := leadingHex(pc)
		if value == named+1 {
			return p
		}
		if p.n < len(p.hidden) {
			p.hidden[p.n] = value
		}
		p.n++
	}
	return parked{}
}

func (d *debug1) finish() *Dump {
	d.endRecord()
	if d.ignored || d.headless && !d.named {
		d.counted.budget.Release(d.counted.dump)
		return nil
	}
	setParked(d.parked)
	dump := d.counted.finish()
	dump.Truncated.Tail = int64(dump.Goroutines) < d.total
	return dump
}
