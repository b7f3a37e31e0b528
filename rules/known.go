package rules

import (
	"sync"
	"sync/atomic"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// maxKnown bounds the stacks of one program that a Known remembers: real processes have hundreds, and programs whose
// module is not known share a Known. Of others the same is worked out each time.
const maxKnown = 1 << 14

// A Known is what the dumps of one program have in common, worked out once for all of them and for all rules: what
// follows from a stack alone, and what several rules derive from a dump (Derived). Those who ask only read it.
type Known struct {
	stacks  map[*stackparse.Frame]*stackFacts // by the first of a stack's frames, which dumps of one stream share
	derived sync.Map                          // derivedKey → func() T
	ofStack sync.Map                          // *DerivedOfStack[T] → []atomic.Pointer[T], by stackFacts.number
}

// stackFacts follow from a stack and its program, whatever its goroutines do.
type stackFacts struct {
	number  int
	codes   []frameCode
	created *stackparse.Frame
	blame   Blame // BlameBucket's
}

// A frameCode is whose code a frame is.
type frameCode struct {
	class                  frame.Class
	isFramework, isLibrary bool
}

// Know works out what dumps of one program have in common, and lets them share it: DumpInput.Known.
func Know(p frame.Program, dumps []*DumpInput) {
	k := &Known{stacks: map[*stackparse.Frame]*stackFacts{}}
	for _, d := range dumps {
		d.Known = k
		for _, b := range d.Buckets {
			if len(k.stacks) < maxKnown {
				k.add(p, b)
			}
		}
	}
}

func (k *Known) add(p frame.Program, b *stackparse.Bucket) {
	if len(b.Frames) == 0 {
		return
	}
	if _, ok := k.stacks[&b.Frames[0]]; ok {
		return
	}
	facts := &stackFacts{number: len(k.stacks), codes: make([]frameCode, len(b.Frames)), created: b.CreatedBy}
	for i := range b.Frames {
		c := &facts.codes[i]
		c.class, c.isFramework, c.isLibrary = p.Look(b.Frames[i].Frame)
	}
	facts.blame = blame(StackCode{p, b.Frames, facts.codes}, ShownFrames(b), b.CreatedBy)
	k.stacks[&b.Frames[0]] = facts
}

// factsOf are what is known of a bucket's stack, nil where nothing is.
func (d *DumpInput) factsOf(b *stackparse.Bucket) *stackFacts {
	if d.Known == nil || len(b.Frames) == 0 {
		return nil
	}
	facts := d.Known.stacks[&b.Frames[0]]
	if facts == nil || len(facts.codes) != len(b.Frames) || facts.created != b.CreatedBy {
		return nil
	}
	return facts
}

// CodeOf returns whose code the frames of a bucket are.
func (d *DumpInput) CodeOf(b *stackparse.Bucket) StackCode {
	code := StackCode{program: d.Program, frames: b.Frames}
	if facts := d.factsOf(b); facts != nil {
		code.codes = facts.codes
	}
	return code
}

// A StackCode answers whose code the frames of a stack are, from what is known where codes is not nil.
type StackCode struct {
	program frame.Program
	frames  []stackparse.Frame
	codes   []frameCode
}

// Class is frame.Program.Class of the i-th frame.
func (s StackCode) Class(i int) frame.Class {
	if s.codes != nil {
		return s.codes[i].class
	}
	return s.program.Class(s.frames[i].Frame)
}

// Framework is frame.Program.Framework of the i-th frame.
func (s StackCode) Framework(i int) bool {
	if s.codes != nil {
		return s.codes[i].isFramework
	}
	return s.program.Framework(s.frames[i].Frame)
}

// Library is frame.Program.Library of the i-th frame.
func (s StackCode) Library(i int) bool {
	if s.codes != nil {
		return s.codes[i].isLibrary
	}
	return s.program.Library(s.frames[i].Frame)
}

// A Derived is what several rules work out from a dump in the same way: the first that asks makes it, and all share it.
// What it makes is only read.
type Derived[T any] struct {
	make      func(*DumpInput) T
	ofProgram bool
}

// DerivedOfDump returns a Derived that make makes of a dump.
func DerivedOfDump[T any](make func(*DumpInput) T) *Derived[T] { return &Derived[T]{make: make} }

// DerivedOfProgram returns a Derived that make makes of a program, for all its dumps.
func DerivedOfProgram[T any](make func(frame.Program) T) *Derived[T] {
	return &Derived[T]{make: func(d *DumpInput) T { return make(d.Program) }, ofProgram: true}
}

// A derivedKey finds what a Derived made: of a dump, or where that is nil of the program.
type derivedKey struct {
	what any
	dump *DumpInput
}

// Of returns what is derived from d. Where d has no Known it is made anew each time.
func (v *Derived[T]) Of(d *DumpInput) T {
	if d.Known == nil {
		return v.make(d)
	}
	key := derivedKey{v, d}
	if v.ofProgram {
		key.dump = nil
	}
	made, ok := d.Known.derived.Load(key)
	if !ok {
		made, _ = d.Known.derived.LoadOrStore(key, sync.OnceValue(func() T { return v.make(d) }))
	}
	return made.(func() T)()
}

// An OfStack is what is worked out from a stack and its program, whatever its goroutines do: once for all dumps that
// share the stack. What it makes is only read.
type OfStack[T any] struct {
	make func(*DumpInput, *stackparse.Bucket) T
}

// DerivedOfStack returns an OfStack that make makes of a bucket's frames and creator.
func DerivedOfStack[T any](make func(*DumpInput, *stackparse.Bucket) T) *OfStack[T] {
	return &OfStack[T]{make: make}
}

// Of returns what is derived from b's stack. Where d has no Known it is made anew each time.
func (v *OfStack[T]) Of(d *DumpInput, b *stackparse.Bucket) T {
	facts := d.factsOf(b)
	if facts == nil {
		return v.make(d, b)
	}
	made, ok := d.Known.ofStack.Load(v)
	if !ok {
		made, _ = d.Known.ofStack.LoadOrStore(v, make([]atomic.Pointer[T], len(d.Known.stacks)))
	}
	slot := &made.([]atomic.Pointer[T])[facts.number]
	if t := slot.Load(); t != nil {
		return *t
	}
	t := v.make(d, b)
	slot.Store(&t)
	return t
}
