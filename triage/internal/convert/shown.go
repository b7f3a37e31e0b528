package convert

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// A shownStack is a stack in the form of the report, which is only read.
type shownStack struct {
	frames    []schema.Frame
	createdBy *schema.Frame
}

// shown is made once for a program: dumps of one process show the same stacks, and share their rows.
var shown = rules.DerivedOfStack(func(in *rules.DumpInput, b *stackparse.Bucket) shownStack {
	out := shownStack{frames: make([]schema.Frame, len(b.Frames))}
	code := in.CodeOf(b)
	for i := range b.Frames {
		out.frames[i] = frameOf(&b.Frames[i], code.Class(i))
	}
	if b.CreatedBy != nil {
		f := frameOf(b.CreatedBy, in.Program.Class(b.CreatedBy.Frame))
		out.createdBy = &f
	}
	return out
})
