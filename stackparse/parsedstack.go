package stackparse

import (
	"bytes"

	"github.com/gotriage/triage/stackparse/frame"
)

// A parsedStack is everything about a distinct stack that does not change from one of its goroutines to the next. They
// are shared by all dumps of a stream: in a log with 300 dumps of one process each stack is parsed once.
type parsedStack struct {
	frames    []Frame
	shown     []int
	created   *Frame
	ancestors bool // ancestors are kept per bucket: they are no part of the signature
	key       uint64
	wait      waitSite
	words     []uint8 // frames whose words are sampled
	flags     Flags
	evidence  releaseEvidence // of its frames
	last      lastBucket
}

// parsedStacks are what a stream's dumps share, found by the signature of the lines as printed.
type parsedStacks struct {
	bySignature map[uint64]*parsedStack
	cost        int
	dumps       uint32 // so far: a dump's number
	names       interner
	chunks      chunkStore
	words       int // of all stacks' samples
	toolchains  toolchains
}

func newParsedStacks() *parsedStacks {
	return &parsedStacks{
		bySignature: make(map[uint64]*parsedStack), names: make(interner), toolchains: make(toolchains),
	}
}

func (s *parsedStacks) keep(signature uint64, parsed *parsedStack, text int) {
	if s.cost < maxParsedCost {
		s.cost += stackCost(text, len(parsed.frames))
		s.bySignature[signature] = parsed
	}
}

// maxParsedWords bounds the words that parsed stacks keep for the next dump: 2 MiB, as many as a dump may have.
const maxParsedWords = maxDumpWords

// remember keeps what the next dump's bucket of the same stack may share with b.
func (s *parsedStacks) remember(b *Bucket) {
	last := b.before
	if last == nil {
		return
	}
	b.before = nil
	s.words -= last.words()
	last.text, last.samples = b.Text, b.Samples
	if s.words+last.words() > maxParsedWords {
		last.samples = nil
	}
	s.words += last.words()
}

// stackParts are the frames that a goroutine's accepted text holds.
type stackParts struct {
	frames    []Frame
	created   *Frame
	ancestors []Ancestor
}

// parseText reads accepted lines; see stackBuilder.text for their form.
func (in interner) parseText(text []byte) stackParts {
	var p stackParts
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

// parse parses the goroutine in stack.
func (s *parsedStacks) parse(stack *stackBuilder) (stackParts, *parsedStack) {
	names := s.names
	p := names.parseText(stack.text[:stack.framesEnd])
	if stack.tail.n > 0 {
		if stack.tail.skipped > 0 {
			p.frames = append(p.frames, Frame{Elided: stack.tail.skipped})
		}
		p.frames = append(p.frames, names.parseText(stack.tail.buf).frames...)
	}
	behind := names.parseText(stack.text[stack.framesEnd:])
	p.created, p.ancestors = behind.created, behind.ancestors
	parsed := &parsedStack{
		frames: p.frames, shown: shownFrames(p.frames), created: p.created, ancestors: p.ancestors != nil,
		wait: waitSiteOf(p.frames), words: wordFrames(p.frames),
	}
	if isPreempted(p.frames) {
		parsed.flags |= FlagPreempted
	}
	parsed.evidence.frames(p.frames, s.toolchains)
	parsed.key = stackKey(p.frames, parsed.shown, p.created)
	return p, parsed
}
