package stackparse

import (
	"bytes"

	"github.com/gotriage/triage/stackparse/frame"
)

// A shape is everything about a distinct stack that does not change from one of its goroutines to the next. Shapes are
// shared by all dumps of a stream: in a log with 300 dumps of one process each stack is parsed once.
type shape struct {
	frames    []Frame
	shown     []int
	created   *Frame
	ancestors bool // ancestors are kept per bucket: they are no part of the signature
	key       uint64
	wait      waitSite
	words     []uint8 // frames whose words are sampled
	flags     Flags
	seen      evidence // of its frames
	last      lastBucket
}

// shapes are what a stream's dumps share, found by the signature of the lines as printed.
type shapes struct {
	bySignature map[uint64]*shape
	cost        int
	dumps       uint32 // so far: a dump's number
	names       interner
	chunks      chunkStore
	words       int // of all shapes' samples
	toolchains  toolchains
}

func newShapes() *shapes {
	return &shapes{bySignature: make(map[uint64]*shape), names: make(interner), toolchains: make(toolchains)}
}

func (s *shapes) keep(signature uint64, sh *shape, text int) {
	if s.cost < maxShapeCost {
		s.cost += stackCost(text, len(sh.frames))
		s.bySignature[signature] = sh
	}
}

// maxShapeWords bounds the words that shapes keep for the next dump: 2 MiB, as many as a dump may have.
const maxShapeWords = maxDumpWords

// remember keeps what the next dump's bucket of the same stack may share with b.
func (s *shapes) remember(b *Bucket) {
	last := b.before
	if last == nil {
		return
	}
	b.before = nil
	s.words -= last.words()
	last.text, last.samples = b.Text, b.Samples
	if s.words+last.words() > maxShapeWords {
		last.samples = nil
	}
	s.words += last.words()
}

// parts is a goroutine's accepted text, parsed.
type parts struct {
	frames    []Frame
	created   *Frame
	ancestors []Ancestor
}

// parts reads accepted lines; see stackBuilder.text for their form.
func (in interner) parts(text []byte) parts {
	var p parts
	frames, created := &p.frames, &p.created
	for len(text) > 0 {
		line := nextLine(&text)
		if n, ok := elided(line); ok {
			*frames = append(*frames, Frame{Elided: n})
			continue
		}
		if bytes.HasPrefix(line, ancestorPrefix) {
			id, _, _ := leadingUint(line[len(ancestorPrefix):])
			p.ancestors = append(p.ancestors, Ancestor{ID: id})
			a := &p.ancestors[len(p.ancestors)-1]
			frames, created = &a.Frames, &a.CreatedBy
			continue
		}
		fn, words, isCreated := callParts(line)
		f := Frame{Frame: frame.Frame{Func: in.string(restoreStars(fn))}, Inlined: string(words) == "..."}
		if len(text) > 0 && text[0] == '\t' {
			loc, _ := fileLine(nextLine(&text)[1:])
			file, num := cutLocation(loc.text)
			f.File, f.Line = in.string(file), num
			f.Func = frame.SourceName(f.Func, f.File)
		}
		if isCreated {
			*created = &f
			continue
		}
		*frames = append(*frames, f)
	}
	return p
}

// callParts splits a frame's first line into function and the text between its parentheses.
func callParts(line []byte) (fn, words []byte, isCreated bool) {
	if fn, isCreated = bytes.CutPrefix(line, []byte("created by ")); isCreated {
		return fn, nil, true
	}
	if bytes.HasPrefix(line, []byte("non-Go function at pc=")) {
		return []byte("non-Go function"), nil, false
	}
	if at := argsStart(line); at > 0 && line[len(line)-1] == ')' {
		return line[:at], line[at+1 : len(line)-1], false
	}
	return line, nil, false
}

// nextLine cuts the first line off text, without its newline.
func nextLine(text *[]byte) []byte {
	line, rest, _ := bytes.Cut(*text, []byte{'\n'})
	*text = rest
	return line
}

// parse parses the goroutine in b.
func (s *shapes) parse(b *stackBuilder) (parts, *shape) {
	names := s.names
	p := names.parts(b.text[:b.headEnd])
	if b.tail.n > 0 {
		if b.tail.skipped > 0 {
			p.frames = append(p.frames, Frame{Elided: b.tail.skipped})
		}
		p.frames = append(p.frames, names.parts(b.tail.buf).frames...)
	}
	behind := names.parts(b.text[b.headEnd:])
	p.created, p.ancestors = behind.created, behind.ancestors
	sh := &shape{
		frames: p.frames, shown: shownFrames(p.frames), created: p.created, ancestors: p.ancestors != nil,
		wait: waitSiteOf(p.frames), words: wordFrames(p.frames),
	}
	if isPreempted(p.frames) {
		sh.flags |= FlagPreempted
	}
	sh.seen.frames(p.frames, s.toolchains)
	sh.key = stackKey(p.frames, sh.shown, p.created)
	return p, sh
}
