package hotspot

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/stackparse/frame"
)

// withoutResultRule is the rule about a call that goes through a text, or makes a reader, and makes nothing of it.
const withoutResultRule = "TR598"

// Bounds of call-without-result, measured on 2 parsers and 2 readers of archives that hang, on 11 healthy programs that
// parse or match all the time, on one processor (documents, events, keys, pages, wikis, logs, backups, numbers), and on
// 2 that open large archives for a living.
const (
	// minWithoutResult is the part of a profile that one call of a library has: 0.996 and 1.0 in what hangs. Who asks
	// for many short texts has time of its own between them: a parser that keeps its memory has 0.85 and 0.88 of it.
	minWithoutResult = 0.98
	// maxResult is the part in which anything came in or out: allocating, collecting, system calls, channels. What
	// hangs has at most 0.003, what renders or indexes pages 0.38 and more.
	maxResult = 0.005
	// minNested is how many of the library's functions are on all of these stacks, the call included: what takes long
	// lies below several, 4 and 7, what reads a key or a number is one function or two.
	minNested = 3
	// withoutResultSeconds is the least CPU time of it (chosen: at 20 MB a second, which is slow, 80 MB of text that is
	// in memory already).
	withoutResultSeconds = 4
)

// textVerbs are words that the names of functions begin with which make something of a text. Words that begin other
// names too are left out: quote (a price), escape (EscapeTime), decode and render (pictures), lex but for itself.
var textVerbs = []string{
	"parse", "unmarshal", "tokenize", "tokenise", "unescape", "sanitize", "sanitise", "highlight", "tohtml", "totext",
	"compile",
}

// takeWithoutResult is call-without-result (TR598).
// It gives the profile to the rule about calls that make nothing, where one call of a library that goes through a text
// or makes a reader has next to all of it. Another profile is left after its first stacks without such a call.
func (hs *Hotspots) takeWithoutResult(board *kindBoard) {
	by := board.matcher(withoutResultRule)
	if by == nil || hs.ByRule[backtrackingRule] != nil {
		return
	}
	texts := hs.functions(func(fn int32) bool { return hs.goesThroughText(fn) || hs.opens(fn) })
	total := float64(hs.sumOf(nil))
	sel := &profile.Selection{View: hs.View}
	rest := 0.0
	for i := range hs.Stacks {
		st := &hs.Stacks[i]
		at := hs.outermost(st, texts)
		switch {
		case st.Values[hs.Value] <= 0:
		case at < 0:
			if rest += float64(st.Values[hs.Value]); rest > (1-minWithoutResult)*total {
				return
			}
		default:
			sel.Hits = append(sel.Hits, profile.Hit{Stack: int32(i), Inner: at, Outer: at})
			sel.Weight.Value += st.Values[hs.Value]
			sel.Weight.Samples += st.Samples
		}
	}
	results := hs.functions(hs.hasResult)
	result := hs.sumOf(func(fr int32) bool { return results[hs.Frames[fr].Func] })
	if len(sel.Hits) == 0 || float64(result) > maxResult*total || hs.sharedCalls(sel) < minNested {
		return
	}
	hs.ByRule = map[string]*Hotspot{by.ID: {by: by, Selection: *sel}}
}

// functions marks the profile's functions for which a condition holds.
func (hs *Hotspots) functions(holds func(fn int32) bool) []bool {
	is := make([]bool, len(hs.Functions))
	for i := range is {
		is[i] = holds(int32(i))
	}
	return is
}

// hasResult reports a function in which something comes into the process or out of it, or memory is asked for.
func (hs *Hotspots) hasResult(fn int32) bool {
	name := hs.Functions[fn].Name
	return slices.Contains([]string{"runtime.mallocgc", "runtime.gcBgMarkWorker", "runtime.bgsweep",
		"runtime.bgscavenge", "runtime.chansend", "runtime.chanrecv", "runtime.selectgo", "runtime.cgocall"}, name) ||
		slices.ContainsFunc(resultPackages, func(pkg string) bool { return strings.HasPrefix(name, pkg) })
}

// resultPackages are the beginnings of functions' names in packages that read or write, or that sum up what is in
// memory already: a library that opens a mapped archive checks it.
var resultPackages = []string{"syscall.", "internal/runtime/syscall.", "runtime/internal/syscall.", "hash/", "crypto/"}

// goesThroughText reports a library's function that is named after what it makes of a text.
func (hs *Hotspots) goesThroughText(fn int32) bool {
	if !hs.dependency(fn) {
		return false
	}
	name := symbol.ParseName(hs.Plain(fn)).Func
	return strings.EqualFold(name, "lex") || slices.ContainsFunc(textVerbs, func(verb string) bool {
		return len(name) >= len(verb) && strings.EqualFold(name[:len(verb)], verb)
	})
}

// openers are what the names of functions end with that make what reads a stream, and look at its beginning for that.
var openers = []string{"Reader", "Decoder", "Scanner", "Lexer", "Parser", "Tokenizer", "Demuxer"}

// opens reports a library's function that makes a reader: a header is small, and a directory at the end of a large
// archive becomes entries.
func (hs *Hotspots) opens(fn int32) bool {
	if !hs.dependency(fn) {
		return false
	}
	name := symbol.ParseName(hs.Plain(fn)).Func
	return strings.HasPrefix(name, "New") && slices.ContainsFunc(openers, func(what string) bool {
		return strings.HasSuffix(name, what)
	})
}

func (hs *Hotspots) dependency(fn int32) bool { return fromDependency(hs.Class[fn]) }

func fromDependency(c frame.Class) bool {
	return c == frame.ClassDependency || c == frame.ClassVendored
}

// outermost is the index of a stack's outermost frame of one of the functions; -1 for none, and in a benchmark, whose
// work is to do one thing for seconds.
func (hs *Hotspots) outermost(st *profile.Stack, of []bool) int32 {
	for k := len(st.Frames) - 1; k >= 0; k-- {
		switch fn := hs.Frames[st.Frames[k]].Func; {
		case of[fn]:
			return int32(k)
		case strings.HasPrefix(hs.Functions[fn].Name, "testing."):
			return -1
		}
	}
	return -1
}

// nested counts the functions of libraries that next to all stacks of a selection have, from the frame of the rule's
// work on.
func (hs *Hotspots) sharedCalls(sel *profile.Selection) int {
	sums := map[int32]int64{}
	var seen []int32
	for _, h := range sel.Hits {
		st := &hs.Stacks[h.Stack]
		seen = seen[:0]
		for _, fr := range st.Frames[:h.Outer+1] {
			fn := hs.Same(hs.Frames[fr].Func)
			if hs.dependency(fn) && !slices.Contains(seen, fn) {
				seen = append(seen, fn)
				sums[fn] += st.Values[sel.View.Value]
			}
		}
	}
	n := 0
	for _, sum := range sums {
		if float64(sum) >= minWithoutResult*float64(sel.Weight.Value) {
			n++
		}
	}
	return n
}
