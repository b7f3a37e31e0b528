package profile

import (
	"bytes"
	"strconv"

	"github.com/gotriage/triage/internal/frame"
)

// isText reports whether head, the first bytes of a file, begins a profile at debug=1: "heap profile: ",
// "--- mutex:", "--- contention:", "goroutine profile: total 12". Empty lines before it don't count.
func isText(head []byte) bool {
	_, ok := textHead(firstLine(head))
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
	*r.p, _ = textHead(firstLine(data))
	kind := r.p.Kind
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
	p, err := r.profile(nil)
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
		r.p.Unparsed++
	}
	return nil
}

// comment takes what follows a "#": a frame, labels, or a line of memory statistics.
func (r *textReader) comment(text []byte) {
	if labels, ok := bytes.CutPrefix(text, []byte(" labels: {")); ok {
		labels = bytes.TrimSuffix(labels, []byte("}"))
		r.labels = frame.LabelPairs(string(labels[:min(len(labels), maxTextLabels)]))
		return
	}
	text = bytes.TrimLeft(text, " \t")
	if !bytes.HasPrefix(text, []byte("0x")) {
		if bytes.Contains(text, []byte(" = ")) && len(r.p.Comments) < maxTextComments && len(text) < 256 {
			r.p.Comments = append(r.p.Comments, string(text))
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
	fn, loc := frame.SplitSymbol(text)
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
	r.records++
	r.inRecord, r.frames, r.labels, r.lastPC = false, r.frames[:0], nil, ""
	return err
}
