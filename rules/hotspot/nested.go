package hotspot

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules/phrase"
)

// nestedRule is the rule about calls of a library that parse or match and are nested deeply.
const nestedRule = "TR594"

// Bounds of nested-calls, measured on 3 parsers and 3 matchers that take longer than their text is worth, and 33
// healthy programs that parse, match, render, compress or sort at a full core: none of these has such stacks for half
// of its time.
const (
	// minLevels is how often one function that parses is on a stack: a thread of comments in JSON has 22, a schema
	// of schemas hardly more; a hostile document has 28, as many as the 128 frames hold at which profiles cut stacks.
	minLevels = 24
	// minCutLevels is enough on stacks of minCut frames that were cut before any code of the program (chosen: a level
	// takes 2 to 10 frames, and releases before Go 1.23 cut stacks at 64).
	minCutLevels, minCut = 12, 60
	// minTries is how often one function that matches is on a stack, itself at its end: each call is a wildcard that
	// was met, of which patterns have one or two. Keys that are matched with three of them have 1.6, hostile ones 8
	// and more.
	minTries = 5
	// minOneFunction is the part of the nested stacks that ends in one function and what it calls of the standard
	// library: that goes through all levels again. What parses a nested text in one pass has 0.2.
	minOneFunction = 0.5
	// maxMaking is the part of the nested stacks that may be spent in the allocator: what makes something at each level
	// is as deep as its text. References that are followed ever deeper have 0.4, parsers that look through what is open
	// 0.02 at most.
	maxMaking = 0.3
)

// Words in the names of types and functions that parse, and that match.
var (
	parsing  = []string{"pars", "unmarshal", "tokeniz", "tokenis", "decode"}
	matching = []string{"match", "glob", "wildcard"}
)

// takeNested is nested-calls (TR594).
// Where that is most of a profile, it gives the rule the stacks on which one function of a library that parses or
// matches calls itself again and again, where most of these end in one function.
func (hs *Hotspots) takeNested(board *kindBoard) {
	by := board.matcher(nestedRule)
	if by == nil || hs.ByRule[withoutResultRule] != nil {
		return
	}
	c := levelCounter{Hotspots: hs, parses: hs.functions(hs.named(parsing, false)),
		matches: hs.functions(hs.named(matching, true)), counts: map[int32]int{}}
	parsers, matchers := nestedStacks{ends: map[int32]int64{}}, nestedStacks{ends: map[int32]int64{}}
	for i := range hs.Stacks {
		at, deep, tries := c.levels(&hs.Stacks[i])
		if deep {
			parsers.add(hs, int32(i), at)
		}
		if tries {
			matchers.add(hs, int32(i), at)
		}
	}
	enough := by.Shares.Low * float64(hs.sumOf(nil))
	for _, s := range []*nestedStacks{&parsers, &matchers} {
		v := float64(s.Weight.Value)
		most := slices.Max(append(slices.Collect(maps.Values(s.ends)), 0))
		if v == 0 || v < enough || float64(most) < minOneFunction*v || float64(s.making) > maxMaking*v {
			continue
		}
		s.View = hs.View
		hs.ByRule = map[string]*Hotspot{by.ID: {by: by, Selection: s.Selection}}
		return
	}
}

// nested are stacks of nested calls.
type nestedStacks struct {
	profile.Selection
	ends   map[int32]int64 // by the function of a library that is nearest the leaf
	making int64           // of them, in the allocator
}

func (s *nestedStacks) add(hs *Hotspots, i, at int32) {
	st := &hs.Stacks[i]
	v := max(st.Values[hs.Value], 0)
	s.Hits = append(s.Hits, profile.Hit{Stack: i, Inner: at, Outer: at})
	s.Weight.Value += v
	s.Weight.Samples += st.Samples
	s.ends[hs.Same(hs.Frames[st.Frames[at]].Func)] += v
	if slices.ContainsFunc(st.Frames[:at], func(fr int32) bool { return hs.mallocs[hs.Frames[fr].Func] }) {
		s.making += v
	}
}

// named makes a condition: a library's function whose name or type, or package where that counts too, has one of the
// words.
func (hs *Hotspots) named(words []string, packages bool) func(fn int32) bool {
	return func(fn int32) bool {
		if !hs.dependency(fn) {
			return false
		}
		n := symbol.ParseName(hs.Plain(fn))
		name := strings.ToLower(n.Receiver + "." + n.Func)
		if packages {
			name = strings.ToLower(path.Base(n.Package)) + "." + name
		}
		return phrase.ContainsOne(name, words...)
	}
}

// A nesting counts levels. Its counts are reused from stack to stack.
type levelCounter struct {
	*Hotspots
	parses, matches []bool
	counts          map[int32]int
}

// levels is the frame of the library's function nearest the leaf, and whether a function that parses is on the stack
// often, or one that matches calls itself to the end.
func (c *levelCounter) levels(st *profile.Stack) (at int32, deep, tries bool) {
	clear(c.counts)
	at = -1
	own, most := false, 0
	for k, fr := range st.Frames {
		fn := c.Frames[fr].Func
		if c.standard(fn) || c.preempts[fn] {
			continue
		}
		if !c.dependency(fn) {
			if at < 0 {
				return -1, false, false // the program's own
			}
			own = true
			continue
		}
		if at < 0 {
			at = int32(k)
		}
		if !c.parses[fn] && !c.matches[fn] {
			continue
		}
		same := c.Same(fn)
		c.counts[same]++
		most = max(most, c.counts[same])
		tries = tries || c.matches[fn] && c.counts[same] >= minTries && same == c.Same(c.Frames[st.Frames[at]].Func)
	}
	deep = most >= minLevels || most >= minCutLevels && !own && len(st.Frames) >= minCut
	return at, deep, tries
}
