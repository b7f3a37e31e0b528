package convert

import (
	"sync"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/schema"
)

// maxShownStacks bounds the stacks of one program whose rows are kept: real processes have hundreds. Others have rows
// of their own in each dump.
const maxShownStacks = 4096

// stackRows are the rows of a program's stacks: dumps of one process show the same ones, and share their rows.
var stackRows = rules.DerivedOfProgram(func(frame.Program) *shownStacks {
	return &shownStacks{rows: map[*stackparse.Frame]shownStack{}}
})

// A shownStacks finds the rows of a stack by the first of its frames, which dumps of one stream share.
type shownStacks struct {
	mu   sync.Mutex
	rows map[*stackparse.Frame]shownStack
}

// A shownStack is a stack in the form of the report, which is only read.
type shownStack struct {
	frames    []schema.Frame
	createdBy *schema.Frame
	of        *stackparse.Frame // the creator that createdBy is of
}

// of returns the rows of a bucket's stack.
func (s *shownStacks) of(in *rules.DumpInput, b *stackparse.Bucket) ([]schema.Frame, *schema.Frame) {
	if len(b.Frames) == 0 {
		made := showStack(in, b)
		return made.frames, made.createdBy
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.rows[&b.Frames[0]]
	if ok && len(known.frames) == len(b.Frames) && known.of == b.CreatedBy {
		return known.frames, known.createdBy
	}
	known = showStack(in, b)
	if !ok && len(s.rows) < maxShownStacks {
		s.rows[&b.Frames[0]] = known
	}
	return known.frames, known.createdBy
}

func showStack(in *rules.DumpInput, b *stackparse.Bucket) shownStack {
	out := shownStack{frames: make([]schema.Frame, len(b.Frames)), of: b.CreatedBy}
	code := in.CodeOf(b)
	for i := range b.Frames {
		out.frames[i] = frameOf(&b.Frames[i], code.Class(i))
	}
	if b.CreatedBy != nil {
		f := frameOf(b.CreatedBy, in.Program.Class(b.CreatedBy.Frame))
		out.createdBy = &f
	}
	return out
}
