package match

import (
	"fmt"

	"github.com/gotriage/triage/internal/symbol"
)

// A StackMatch is a condition on one stack of a profile, for declarative rules. One of Frames, At, Leaf and Internals
// must match a frame. The work begins at that frame, the outermost of those that match, and the blame goes to its
// callers. Patterns are described in docs/own-rules.md.
type StackMatch struct {
	// Frames match anywhere in the stack: public entry points, which every release of a library keeps.
	Frames []string `yaml:"frames"`
	// At matches the frame that does the stack's work: between the leaf and that frame is only the standard library,
	// or what matches At too. Code of the program that a library calls back is not At the library.
	At []string `yaml:"at"`
	// Leaf is the function that was running, preemption aside.
	Leaf []string `yaml:"leaf"`
	// Internals count only in stacks that lost their outer end: cut at the runtime's limit, or without any frame of the
	// program or a dependency.
	Internals []string `yaml:"internals"`
	// Under must match a frame further out, NotUnder none there.
	Under    []string `yaml:"under"`
	NotUnder []string `yaml:"not_under"`
	// NoClosures keeps Frames to the functions themselves: what a constructor returns runs later, and often.
	NoClosures bool `yaml:"no_closures"`
	// Has must match some frame further in, between the leaf and the frame that matches.
	Has []string `yaml:"has"`
}

// Bits of a pattern's uses in a StackMatch.
const (
	UseFrames uint8 = 1 << iota
	UseAt
	UseLeaf
	UseInternals
	UseUnder
	UseNotUnder
	UseHas
)

type patternGroup struct {
	Field string
	Use   uint8
	Texts []string
}

func (s *StackMatch) Groups() []patternGroup {
	return []patternGroup{
		{"frames", UseFrames, s.Frames}, {"at", UseAt, s.At}, {"leaf", UseLeaf, s.Leaf},
		{"internals", UseInternals, s.Internals}, {"under", UseUnder, s.Under},
		{"not_under", UseNotUnder, s.NotUnder}, {"has", UseHas, s.Has},
	}
}

// Check reports what is wrong with s; errors are FieldErrors.
func (s *StackMatch) Check() error {
	for _, g := range s.Groups() {
		for i, text := range g.Texts {
			if err := symbol.CheckPattern(text); err != nil {
				return &FieldError{fmt.Sprintf("%s[%d]", g.Field, i), err}
			}
		}
	}
	if len(s.Frames)+len(s.At)+len(s.Leaf)+len(s.Internals) == 0 {
		return Fault("frames", "missing: frames, at, leaf or internals say where the work begins")
	}
	return nil
}
