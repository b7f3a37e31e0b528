package hotspot

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse/frame"
)

// minRescan is the part of a profile from which copies and searches of one library function are the cost of an
// algorithm and not of the text: what parses in one pass has its time in many functions. A parser that cuts a wrong
// part out by copying all that follows has 0.9; servers at work have 0.1 in all copies together.
const minRescan = 0.5

// maxPieces is the part of a function's conversions that may be spent in the allocator where it converts one long text
// again and again. Four parsers that convert texts of 35 kB to 600 kB for each element have 0.01 to 0.09; what brings
// lines of 70 bytes or names to lower case, which is work, 0.12 and 0.38.
const maxPieces = 0.1

// splitRescans is copies-in-a-parser (TR597).
// It moves the stacks of text handling in which one function of a library copies or searches to the rule about that,
// where they have most of the profile.
func (c *Claims) splitRescans(board *table) {
	cl, by := c.ByRule[textRule], board.claimant(rescanRule)
	if cl == nil || by == nil {
		return
	}
	cl.View = c.view(cl.Index)
	texts := c.functions(c.goesThroughText)
	type sum struct{ all, allocated int64 }
	sums := map[string]sum{}
	best := ""
	for _, h := range cl.Hits {
		st := &c.Stacks[h.Stack]
		f, converts := c.rescans(st, texts)
		if f == "" {
			continue
		}
		s := sums[f]
		s.all += st.Values[cl.Index]
		if converts && slices.ContainsFunc(st.Frames, func(fr int32) bool { return c.mallocs[c.Frames[fr].Func] }) {
			s.allocated += st.Values[cl.Index]
		}
		if sums[f] = s; s.all > sums[best].all {
			best = f
		}
	}
	s := sums[best]
	if best == "" || float64(s.all) < minRescan*float64(c.sumOf(cl.Index, nil)) ||
		float64(s.allocated) > maxPieces*float64(s.all) {
		return
	}
	c.move(cl, by, cl.Part(func(_ profile.Hit, st *profile.Stack) bool {
		f, _ := c.rescans(st, texts)
		return f == best
	}))
}

// rescans is the function of a library that was copying or searching, or that another function of the library had
// convert or count a text as a whole, below one that goes through texts: converts. It is "" where the program's own
// code was, or where something else was done.
func (c *Claims) rescans(st *profile.Stack, texts []bool) (function string, converts bool) {
	leaf, moves, called := true, false, ""
	for k, fr := range st.Frames {
		fn := c.Frames[fr].Func
		name := c.FuncAt(fr)
		switch {
		case c.preempts[fn]:
		case c.Class[fn] == frame.ClassOwn:
			return "", false
		case c.dependency(fn),
			c.Class[fn] == frame.ClassStdlib && !slices.ContainsFunc(helpers, func(pkg string) bool {
				return strings.HasPrefix(name, pkg)
			}):
			switch outer := st.Frames[k+1:]; {
			case !c.inLibrary(outer):
			case moves:
				return name, false
			case wholeTexts[called] && slices.ContainsFunc(outer, func(fr int32) bool {
				return texts[c.Frames[fr].Func]
			}):
				return name, true
			}
			return "", false
		default:
			moves, leaf, called = moves || leaf && linear(name), false, name
		}
	}
	return "", false
}

// inLibrary reports whether the library itself asked for what it did, by the frames further out: what goes through a
// text for the program does so once.
func (c *Claims) inLibrary(outer []int32) bool {
	i := slices.IndexFunc(outer, func(fr int32) bool { return !c.preempts[c.Frames[fr].Func] })
	return i >= 0 && c.Class[c.Frames[outer[i]].Func] != frame.ClassOwn
}

// helpers are what the functions of packages begin with that copy or search for their callers.
var helpers = []string{"strings.", "bytes.", "internal/", "slices.", "unicode/utf8."}

// wholeTexts are functions that go through all of a text, however long it is.
var wholeTexts = map[string]bool{
	"strings.ToLower": true, "strings.ToUpper": true, "strings.Map": true, "strings.ToValidUTF8": true,
	"strings.Fields": true, "strings.FieldsFunc": true, "strings.Split": true, "strings.genSplit": true,
	"strings.Replace": true, "strings.ReplaceAll": true, "strings.Title": true,
	"bytes.ToLower": true, "bytes.ToUpper": true, "bytes.Map": true, "bytes.ToValidUTF8": true, "bytes.Fields": true,
	"bytes.FieldsFunc": true, "bytes.Split": true, "bytes.genSplit": true, "bytes.Replace": true,
	"bytes.ReplaceAll": true, "unicode/utf8.RuneCount": true, "unicode/utf8.RuneCountInString": true,
	"unicode/utf8.Valid": true, "unicode/utf8.ValidString": true,
}

// linear reports a function whose time grows with the length of what it is given and that does nothing else.
func linear(name string) bool {
	switch name {
	case "runtime.memmove", "runtime.memclrNoHeapPointers", "runtime.memequal", "runtime.cmpstring", "memeqbody",
		"cmpbody", "indexbytebody", "countbody":
		return true
	}
	return strings.HasPrefix(name, "internal/bytealg.")
}
