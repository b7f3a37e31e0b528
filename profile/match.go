package profile

import (
	"fmt"
	"slices"
)

// Sets are sets of functions, each given by patterns. They are compiled once and matched against any number of profiles:
// every function's name once, found by map look-ups, not pattern by pattern. Matching doesn't change Sets, so that
// goroutines may share them.
type Sets struct {
	patterns []pattern
	of       [][]SetID // by pattern
	ids      map[string]int32
	exact    map[string]int32   // plain name → pattern
	byPkg    map[string][]int32 // globs below a literal package
	open     []int32            // other globs
	n        int
}

// A SetID names a set of Sets.
type SetID int32

// NewSets returns Sets without any set.
func NewSets() *Sets {
	return &Sets{ids: map[string]int32{}, exact: map[string]int32{}, byPkg: map[string][]int32{}}
}

// Add makes the set of the functions that match any of the patterns (the language of rules' frames: a function's name,
// "pkg.*", "pkg/**", "**.(*T).M"). A set without patterns matches nothing.
func (s *Sets) Add(patterns ...string) (SetID, error) {
	set := SetID(s.n)
	s.n++
	for _, text := range patterns {
		p, err := parsePattern(text)
		if err != nil {
			return 0, fmt.Errorf("set %d: %w", set, err)
		}
		id, ok := s.ids[p.text]
		if !ok {
			id = int32(len(s.patterns))
			s.ids[p.text] = id
			s.patterns = append(s.patterns, p)
			s.of = append(s.of, nil)
			switch {
			case p.toks == nil:
				s.exact[p.text] = id
			case p.pkg != "":
				s.byPkg[p.pkg] = append(s.byPkg[p.pkg], id)
			default:
				s.open = append(s.open, id)
			}
		}
		if !slices.Contains(s.of[id], set) {
			s.of[id] = append(s.of[id], set)
		}
	}
	return set, nil
}

// Len is the number of sets.
func (s *Sets) Len() int { return s.n }

// find returns the sets that a function's name is of, ascending.
func (s *Sets) find(fn string, g *globState) []SetID {
	if fn == "" || len(fn) > maxName {
		return nil
	}
	name := PlainName(fn)
	var sets []SetID
	end := packageEnd(name)
	for _, id := range s.byPkg[name[:end]] {
		if s.patterns[id].matches(name, g) {
			sets = append(sets, s.of[id]...)
		}
	}
	for _, id := range s.open {
		if s.patterns[id].matches(name, g) {
			sets = append(sets, s.of[id]...)
		}
	}
	if id, ok := s.exact[name]; ok {
		sets = append(sets, s.of[id]...)
	}
	for i := min(end+1, len(name)); i < len(name); i++ {
		if c := name[i]; c != '.' && c != '-' && c < 0x80 || !closes(name[i:]) {
			continue
		}
		if id, ok := s.exact[name[:i]]; ok {
			sets = append(sets, s.of[id]...)
		}
	}
	if len(sets) > 1 {
		slices.Sort(sets)
		sets = slices.Compact(sets)
	}
	return sets
}

// A Matched is a profile held against Sets.
type Matched struct {
	View   *View
	of     [][]SetID // by function
	stacks [][]int32 // by set, ascending
}

// Match holds a profile's functions against all sets, and lists every set's stacks.
func (s *Sets) Match(v *View) *Matched {
	m := &Matched{View: v, of: make([][]SetID, len(v.Functions)), stacks: make([][]int32, s.n)}
	var g globState
	for i := range v.Functions {
		if v.same[i] != int32(i) {
			m.of[i] = m.of[v.same[i]]
			continue
		}
		m.of[i] = s.find(v.Functions[i].Name, &g)
	}
	for i := range v.Stacks {
		for _, f := range v.Stacks[i].Frames {
			for _, set := range m.of[v.Frames[f].Func] {
				if list := m.stacks[set]; len(list) == 0 || list[len(list)-1] != int32(i) {
					m.stacks[set] = append(list, int32(i))
				}
			}
		}
	}
	return m
}

// Has reports whether a function is of a set.
func (m *Matched) Has(fn int32, set SetID) bool { return slices.Contains(m.of[fn], set) }

// Weight is the weight of the stacks that hold a function of a set.
func (m *Matched) Weight(set SetID) Weight {
	var w Weight
	for _, i := range m.stacks[set] {
		w.add(&m.View.Stacks[i], m.View.Value)
	}
	return w
}

// FlatWeight is the weight of the stacks whose leaf is of a set.
func (m *Matched) FlatWeight(set SetID) Weight {
	var w Weight
	for _, i := range m.stacks[set] {
		if s := &m.View.Stacks[i]; m.Has(m.View.Frames[s.Frames[0]].Func, set) {
			w.add(s, m.View.Value)
		}
	}
	return w
}

// A Query says which stacks a rule means: those with a frame of any of the sets Of that lies, where these are given,
// under a frame (towards the entry) of one of Under, under none of NotUnder, over a frame (towards the leaf) of one of
// Over, and over none of NotOver.
type Query struct {
	Of       []SetID
	Under    []SetID
	NotUnder []SetID
	Over     []SetID
	NotOver  []SetID
	// Near is how many frames from the leaf the frame may be at most: 1 for the leaf itself, 0 for any number.
	Near int
}

// A Hit is a stack that a Query means, with the innermost and the outermost of the frames that it means: positions in
// the stack's Frames.
type Hit struct {
	Stack        int32
	Inner, Outer int32
}

// A Selection is the stacks of a Query, in the profile's order.
type Selection struct {
	View   *View
	Hits   []Hit
	Weight Weight
}

// Claims are the stacks that findings have taken, so that a cause isn't reported twice. The zero value has none taken.
type Claims struct {
	taken []bool
}

// Take marks a selection's stacks.
func (c *Claims) Take(sel *Selection) {
	for _, h := range sel.Hits {
		if n := int(h.Stack) + 1; n > len(c.taken) {
			c.taken = append(c.taken, make([]bool, max(n, len(sel.View.Stacks))-len(c.taken))...)
		}
		c.taken[h.Stack] = true
	}
}

// Taken reports whether a finding took a stack.
func (c *Claims) Taken(stack int32) bool {
	return c != nil && int(stack) < len(c.taken) && c.taken[stack]
}

// Select returns the stacks that q means and that nobody claimed; claims may be nil.
func (m *Matched) Select(q Query, claims *Claims) *Selection {
	sel := &Selection{View: m.View}
	for _, i := range m.candidates(q.Of) {
		if claims.Taken(i) {
			continue
		}
		if h, ok := m.hit(i, &q); ok {
			sel.Hits = append(sel.Hits, h)
			sel.Weight.add(&m.View.Stacks[i], m.View.Value)
		}
	}
	return sel
}

// candidates merges the stacks of sets, ascending.
func (m *Matched) candidates(sets []SetID) []int32 {
	if len(sets) == 1 {
		return m.stacks[sets[0]]
	}
	var all []int32
	for _, set := range sets {
		all = append(all, m.stacks[set]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// hit looks for the frames of a stack that q means, from the entry to the leaf and back.
func (m *Matched) hit(stack int32, q *Query) (Hit, bool) {
	frames := m.View.Stacks[stack].Frames
	h := Hit{Stack: stack, Inner: -1, Outer: -1}
	// A frame must lie before the outermost one of Under and not before any of NotUnder; over, likewise.
	last := int32(len(frames))
	if len(q.Under) > 0 {
		last = m.lastOf(frames, q.Under)
	}
	first := int32(-1)
	if len(q.Over) > 0 {
		if first = m.firstOf(frames, q.Over); first < 0 {
			return h, false
		}
	}
	from := m.lastOf(frames, q.NotUnder) // frames below it lie under one of NotUnder
	to := int32(len(frames))
	if i := m.firstOf(frames, q.NotOver); i >= 0 {
		to = i + 1
	}
	if q.Near > 0 {
		to = min(to, int32(q.Near))
	}
	for i := max(first+1, from, 0); i < min(last, to); i++ {
		if m.hasAny(frames[i], q.Of) {
			if h.Inner < 0 {
				h.Inner = i
			}
			h.Outer = i
		}
	}
	return h, h.Inner >= 0
}

// lastOf is the outermost frame of any of the sets, -1 for none.
func (m *Matched) lastOf(frames []int32, sets []SetID) int32 {
	if len(sets) > 0 {
		for i := len(frames) - 1; i >= 0; i-- {
			if m.hasAny(frames[i], sets) {
				return int32(i)
			}
		}
	}
	return -1
}

// firstOf is the innermost frame of any of the sets, -1 for none.
func (m *Matched) firstOf(frames []int32, sets []SetID) int32 {
	if len(sets) > 0 {
		for i, f := range frames {
			if m.hasAny(f, sets) {
				return int32(i)
			}
		}
	}
	return -1
}

func (m *Matched) hasAny(f int32, sets []SetID) bool {
	for _, set := range m.of[m.View.Frames[f].Func] {
		if slices.Contains(sets, set) {
			return true
		}
	}
	return false
}
