package hotspot

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/profile"
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
func (c *Hotspots) takeNested(board *table) {
	by := board.matcher(nestedRule)
	if by == nil || c.ByRule[withoutResultRule] != nil {
		return
	}
	n := nesting{Hotspots: c, parses: c.functions(c.named(parsing, false)),
		matches: c.functions(c.named(matching, true))}
	parsers, matchers := nested{ends: map[int32]int64{}}, nested{ends: map[int32]int64{}}
	for i := range c.Stacks {
		at, deep, tries := n.levels(&c.Stacks[i])
		if deep {
			parsers.add(c, int32(i), at)
		}
		if tries {
			matchers.add(c, int32(i), at)
		}
	}
	enough := by.Shares.Low * float64(c.sumOf(nil))
	for _, s := range []*nested{&parsers, &matchers} {
		v := float64(s.Weight.Value)
		most := slices.Max(append(slices.Collect(maps.Values(s.ends)), 0))
		if v == 0 || v < enough || float64(most) < minOneFunction*v || float64(s.making) > maxMaking*v {
			continue
		}
		s.View = c.View
		c.ByRule = map[string]*Hotspot{by.ID: {by: by, Selection: s.Selection}}
		return
	}
}

// nested are stacks of nested calls.
type nested struct {
	profile.Selection
	ends   map[int32]int64 // by the function of a library that is nearest the leaf
	making int64           // of them, in the allocator
}

func (n *nested) add(c *Hotspots, i, at int32) {
	st := &c.Stacks[i]
	v := max(st.Values[c.Value], 0)
	n.Hits = append(n.Hits, profile.Hit{Stack: i, Inner: at, Outer: at})
	n.Weight.Value += v
	n.Weight.Samples += st.Samples
	n.ends[c.Same(c.Frames[st.Frames[at]].Func)] += v
	if slices.ContainsFunc(st.Frames[:at], func(fr int32) bool { return c.mallocs[c.Frames[fr].Func] }) {
		n.making += v
	}
}

// named makes a condition: a library's function whose name or type, or package where that counts too, has one of the
// words.
func (c *Hotspots) named(words []string, packages bool) func(fn int32) bool {
	return func(fn int32) bool {
		if !c.dependency(fn) {
			return false
		}
		n := symbol.ParseName(c.Plain(fn))
		name := strings.ToLower(n.Receiver + "." + n.Func)
		if packages {
			name = strings.ToLower(path.Base(n.Package)) + "." + name
		}
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
	}
}

// A nesting counts levels. Its counts are reused from stack to stack.
type nesting struct {
	*Hotspots
	parses, matches []bool
	counts          map[int32]int
}

// levels is the frame of the library's function nearest the leaf, and whether a function that parses is on the stack
// often, or one that matches calls itself to the end.
func (n *nesting) levels(st *profile.Stack) (at int32, deep, tries bool) {
	if n.counts == nil {
		n.counts = map[int32]int{}
	}
	clear(n.counts)
	at = -1
	own, most := false, 0
	for k, fr := range st.Frames {
		fn := n.Frames[fr].Func
		if n.std(fn) || n.preempts[fn] {
			continue
		}
		if !n.dependency(fn) {
			if at < 0 {
				return -1, false, false // the program's own
			}
			own = true
			continue
		}
		if at < 0 {
			at = int32(k)
		}
		if !n.parses[fn] && !n.matches[fn] {
			continue
		}
		same := n.Same(fn)
		n.counts[same]++
		most = max(most, n.counts[same])
		tries = tries || n.matches[fn] && n.counts[same] >= minTries && same == n.Same(n.Frames[st.Frames[at]].Func)
	}
	deep = most >= minLevels || most >= minCutLevels && !own && len(st.Frames) >= minCut
	return at, deep, tries
}
