package frame

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
)

// Patterns are patterns for functions' names, numbered from 0 in the order of adding. A pattern names functions the way
// their source does:
//
//	k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch   this method and the closures in it
//	os/signal.*                                              every function of a package
//	k8s.io/klog/**                                           every function of a package and of those below it
//	**/remotedialer.(*Session).Serve                         this method in the package and its forks
//	**.(*T).DeepCopyInto                                     this method in any package
//
// "*" stands for any characters but a slash, "**" for any at all; "(*" is a pointer receiver and no glob. What builds
// add to a name is ignored on both sides, see PlainName. A name matches a pattern also when it goes on with a closure's
// suffix.
//
// Patterns that nobody adds to any more may be shared by goroutines, each with a Finder of its own. Their Table can be written
// down as Go code and used as it is.
type Patterns struct {
	Table PatternTable
	// packages and trees are how many slots of those tables are taken; of Exact it is one a pattern.
	packages, trees int32
}

// A PatternTable is Patterns as data.
type PatternTable struct {
	List []Pattern
	// Exact finds patterns by their text, Packages and Trees the first glob of those whose names lie in a package, or there and
	// below. They are open hash tables (hashOf, the next slot where one is taken) of numbers in List + 1, 0 for an empty slot, at
	// most half full.
	Exact, Packages, Trees []int32
	// Open lists the globs of which no package is known.
	Open []int32
}

// A Pattern is a pattern as it is compared.
type Pattern struct {
	Text string // as PlainName makes it
	// Pkg is the literal import path of a glob's names, "" where it has none. Tree says that they may lie below it too
	// ("pkg/**").
	Pkg  string
	Head string // what a glob's names begin with
	// Chunk is the longest of a glob's literal runs, Need the pairs of all their bytes: what is tried before the glob itself.
	Chunk string
	Need  uint64
	Next  int32 // glob of the same package, -1 for none
	Glob  bool
	Tree  bool
}

// Bounds on patterns and on the names they are held against: the longest function name in client-go and the kubelet
// is under 300 bytes, so that what is longer is hostile.
const (
	maxPattern = 512
	maxMatched = 1024
)

// NewPatterns returns Patterns with room for n.
func NewPatterns(n int) *Patterns {
	p := &Patterns{}
	p.Table.List = make([]Pattern, 0, n)
	p.Table.Exact = make([]int32, slotsFor(n))
	p.Table.Packages = make([]int32, slotsFor(n/4))
	p.Table.Trees = make([]int32, slotsFor(n/8))
	return p
}

// slotsFor is how many slots a hash table of n entries has.
func slotsFor(n int) int { return 1 << bits.Len(uint(2*max(n, 4)-1)) }

// Len is how many patterns there are.
func (p *Patterns) Len() int { return len(p.Table.List) }

// Add takes a pattern in and returns its number; equal patterns share one. The error says why a text can't match.
func (p *Patterns) Add(text string) (int32, error) {
	pt, err := parsePattern(text)
	if err != nil {
		return 0, err
	}
	t := &p.Table
	if id := t.find(t.Exact, hashOf(pt.Text), pt.Text, textOf); id >= 0 {
		return id, nil
	}
	id := int32(len(t.List))
	t.List = append(t.List, pt)
	t.Exact, _ = t.put(t.Exact, id, id, textOf)
	switch {
	case !pt.Glob:
	case pt.Pkg == "":
		t.Open = append(t.Open, id)
	case pt.Tree:
		t.Trees, p.trees = t.put(t.Trees, p.trees, id, packageOf)
	default:
		t.Packages, p.packages = t.put(t.Packages, p.packages, id, packageOf)
	}
	return id, nil
}

// hashOf is FNV-1a of 32 bits, one byte at a time, so that the hashes of a text's beginnings come with it. No input chooses
// what stands in a table, so that names that share a slot cost little.
func hashOf(s string) uint32 {
	h := uint32(hashStart)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * hashPrime
	}
	return h
}

const (
	hashStart = 2166136261
	hashPrime = 16777619
)

func textOf(pt *Pattern) string    { return pt.Text }
func packageOf(pt *Pattern) string { return pt.Pkg }

// find returns the number that stands under a key, -1 for none; keyOf is a pattern's key in that table.
func (t *PatternTable) find(slots []int32, hash uint32, key string, keyOf func(*Pattern) string) int32 {
	mask := uint32(len(slots) - 1)
	for i := hash & mask; slots[i] != 0; i = (i + 1) & mask {
		if id := slots[i] - 1; keyOf(&t.List[id]) == key {
			return id
		}
	}
	return -1
}

// put puts a pattern under its key, in front of those that are there. It returns the slots, of which there may be more then,
// and how many are used.
func (t *PatternTable) put(slots []int32, used int32, id int32, keyOf func(*Pattern) string) ([]int32, int32) {
	key := keyOf(&t.List[id])
	mask := uint32(len(slots) - 1)
	i := hashOf(key) & mask
	for ; slots[i] != 0; i = (i + 1) & mask {
		if old := slots[i] - 1; keyOf(&t.List[old]) == key {
			t.List[id].Next = old
			slots[i] = id + 1
			return slots, used
		}
	}
	slots[i] = id + 1
	if used++; 2*int(used) <= len(slots) {
		return slots, used
	}
	more := make([]int32, 2*len(slots))
	mask = uint32(len(more) - 1)
	for _, s := range slots {
		if s == 0 {
			continue
		}
		i := hashOf(keyOf(&t.List[s-1])) & mask
		for more[i] != 0 {
			i = (i + 1) & mask
		}
		more[i] = s
	}
	return more, used
}

// CheckPattern says what is wrong with a pattern.
func CheckPattern(text string) error {
	_, err := parsePattern(text)
	return err
}

// Package is the package in which all names that a pattern matches lie, without what builds add; "" where it may be
// several.
func (p *Patterns) Package(id int32) string {
	pt := &p.Table.List[id]
	switch {
	case !pt.Glob:
		return PlainPackage(pt.Text)
	case pt.Tree:
		return ""
	}
	return pt.Pkg
}

func parsePattern(s string) (Pattern, error) {
	switch {
	case s == "":
		return Pattern{}, errors.New("empty pattern")
	case len(s) > maxPattern:
		return Pattern{}, fmt.Errorf("pattern of %d bytes, at most %d are allowed", len(s), maxPattern)
	case strings.IndexByte(s, ' ') >= 0 || strings.IndexByte(s, '\t') >= 0 || strings.IndexByte(s, '\n') >= 0:
		return Pattern{}, fmt.Errorf("pattern %q has a space: give a function's name without arguments", s)
	case s[len(s)-1] == ')':
		return Pattern{}, fmt.Errorf("pattern %q ends in a parenthesis: give a function's name without arguments", s)
	}
	p := Pattern{Text: PlainName(s), Next: -1}
	first := firstStar(p.Text)
	if first < 0 {
		if plainPackageEnd(p.Text) == len(p.Text) && !IsSymbol(p.Text) {
			return Pattern{}, fmt.Errorf("pattern %q names no function: write %s.* for all of a package", s, s)
		}
		return p, nil
	}
	if strings.Trim(p.Text, "*/.") == "" {
		return Pattern{}, fmt.Errorf("pattern %q matches everything", s)
	}
	p.Glob, p.Head = true, p.Text[:first]
	if rest, ok := strings.CutSuffix(p.Text, "/**"); ok && first == len(rest)+1 {
		p.Tree, p.Pkg, p.Head = true, rest, rest
	} else if end := plainPackageEnd(p.Text); end < first {
		p.Pkg = p.Text[:end]
	}
	run := 0 // where a literal run begins
	for i := range p.Text {
		// The slash of "a/**" may be missing from a name ("a.F"), that of "**/a" too.
		if !p.literal(i) {
			run = i + 1
			continue
		}
		if i > run {
			p.Need |= pair(p.Text[i-1], p.Text[i])
		}
		if i+1-run > len(p.Chunk) {
			p.Chunk = p.Text[run : i+1]
		}
	}
	return p, nil
}

// literal reports whether the i-th byte of a glob's text stands in all its names.
func (p *Pattern) literal(i int) bool {
	switch p.Text[i] {
	case '*':
		return i > 0 && p.Text[i-1] == '('
	case '/':
		return (i+1 == len(p.Text) || p.Text[i+1] != '*') && (i == 0 || p.Text[i-1] != '*')
	}
	return true
}

// firstStar is where a text's first star stands that is no pointer receiver's, -1 for a text without.
func firstStar(s string) int {
	for i := strings.IndexByte(s, '*'); i >= 0 && i < len(s); i++ {
		if s[i] == '*' && (i == 0 || s[i-1] != '(') {
			return i
		}
	}
	return -1
}

// IsSymbol reports a name without a package: panic, functions in assembly as profiles show them (memeqbody), and C's.
func IsSymbol(text string) bool {
	for i := range len(text) {
		if c := text[i] | 0x20; (c < 'a' || c > 'z') && !isDigit(text[i]) && text[i] != '_' {
			return false
		}
	}
	return text != ""
}

// pair is a bit for two neighbouring bytes. A name that lacks one of a pattern's bits can't match it: of names with 40
// bytes half the bits are set, so that one in a thousand passes by chance for ten pairs.
func pair(a, b byte) uint64 {
	return 1 << ((uint32(a)*0x9E3B + uint32(b)*0x85EB) >> 6 & 63)
}

// A Finder finds the patterns that names match, with a few map look-ups each: literal ones by the name, globs by their
// package. It is for one goroutine.
type Finder struct {
	p     *Patterns
	globs map[string][]int32 // by package: those whose names may lie there
}

// Finder returns a Finder of p as it is.
func (p *Patterns) Finder() *Finder { return &Finder{p: p, globs: map[string][]int32{}} }

// Append appends the numbers of the patterns that a function matches, each once, as the runtime or a profile names it.
func (f *Finder) Append(ids []int32, fn string) []int32 {
	if fn == "" || len(fn) > maxMatched {
		return ids
	}
	return f.AppendPlain(ids, PlainName(fn))
}

// AppendPlain is Append for a name that PlainName made.
func (f *Finder) AppendPlain(ids []int32, name string) []int32 {
	if name == "" || len(name) > maxMatched {
		return ids
	}
	t := &f.p.Table
	end := plainPackageEnd(name)
	var have uint64
	h := uint32(hashStart)
	for i := range len(name) {
		c := name[i]
		// What ends here is the name of a function in which the rest is a closure.
		if i > end && (c == '.' || c == '-' || c == middot[0]) && closes(name[i:]) {
			ids = f.exact(ids, h, name[:i])
		}
		if i > 0 {
			have |= pair(name[i-1], c)
		}
		h = (h ^ uint32(c)) * hashPrime
	}
	ids = f.exact(ids, h, name)
	for _, list := range [2][]int32{f.in(name[:end]), t.Open} {
		for _, id := range list {
			if pt := &t.List[id]; pt.Need&^have == 0 && pt.matches(name) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func (f *Finder) exact(ids []int32, hash uint32, name string) []int32 {
	t := &f.p.Table
	if id := t.find(t.Exact, hash, name, textOf); id >= 0 && !t.List[id].Glob {
		return append(ids, id)
	}
	return ids
}

// in lists the globs whose names may lie in a package.
func (f *Finder) in(pkg string) []int32 {
	list, ok := f.globs[pkg]
	if ok {
		return list
	}
	t := &f.p.Table
	h := uint32(hashStart)
	for i := range len(pkg) {
		// A dot ends a tree's package too: gopkg.in/yaml.v3/internal lies in gopkg.in/yaml.
		if i > 0 && (pkg[i] == '.' || pkg[i] == '/') {
			list = t.follow(list, t.find(t.Trees, h, pkg[:i], packageOf))
		}
		h = (h ^ uint32(pkg[i])) * hashPrime
	}
	list = t.follow(list, t.find(t.Trees, h, pkg, packageOf))
	list = t.follow(list, t.find(t.Packages, h, pkg, packageOf))
	f.globs[pkg] = list
	return list
}

func (t *PatternTable) follow(list []int32, id int32) []int32 {
	for ; id >= 0; id = t.List[id].Next {
		list = append(list, id)
	}
	return list
}

// closes reports whether a name may go on with rest after what a pattern matched: nothing, or a closure's suffix
// (".func1", "-range1", "·001"). A plain function has no methods, so that whatever follows a dot is a closure.
func closes(rest string) bool {
	return rest == "" || rest[0] == '.' || rest[0] == '-' || strings.HasPrefix(rest, middot)
}

// inTree reports whether a name goes on with a function of the package before rest, or with a package below it.
func inTree(rest string) bool { return rest != "" && (rest[0] == '.' || rest[0] == '/') }

// matches holds a plain name against a glob.
func (p *Pattern) matches(name string) bool {
	if !strings.HasPrefix(name, p.Head) {
		return false
	}
	switch rest := name[len(p.Head):]; {
	case p.Tree:
		return inTree(rest)
	case len(p.Text) == len(p.Head)+1 && strings.IndexByte(rest, '/') < 0:
		return true // "pkg.F*", and no slash that the star would have to stop at
	case len(p.Text) == len(p.Head)+2 && p.Text[len(p.Head)+1] == '*':
		return true // "pkg.F**"
	}
	return strings.Contains(name, p.Chunk) && p.glide(name)
}

// glide is matches for globs of any form.
func (p *Pattern) glide(name string) bool {
	if rest, ok := strings.CutSuffix(p.Text, "/**"); ok {
		return globPrefix(rest, name, inTree)
	}
	if rest, ok := strings.CutPrefix(p.Text, "**/"); ok && globPrefix(rest, name, closes) {
		return true
	}
	return globPrefix(p.Text, name, closes)
}

// globPrefix reports whether glob matches a prefix of name whose remainder satisfies ok. It follows all ways at once,
// so that its cost is bounded by len(glob)*len(name) whatever they hold. A state is a position in glob that was reached.
func globPrefix(glob, name string, ok func(tail string) bool) bool {
	var a, b [maxPattern + 1]bool
	now, next := a[:len(glob)+1], b[:len(glob)+1]
	now[0] = true
	skipStars(glob, now)
	for i := 0; ; i++ {
		if now[len(glob)] && ok(name[i:]) {
			return true
		}
		if i == len(name) {
			return false
		}
		clear(next)
		alive := false
		for j, on := range now[:len(glob)] {
			if !on {
				continue
			}
			switch n := star(glob, j); {
			case n == 2, n == 1 && name[i] != '/':
				next[j] = true
				alive = true
			case n == 0 && glob[j] == name[i]:
				next[j+1] = true
				alive = true
			}
		}
		if !alive {
			return false
		}
		skipStars(glob, next)
		now, next = next, now
	}
}

// star is the length of the star at a position of a glob: 1 for "*", 2 for "**", 0 for a byte that is none.
func star(glob string, j int) int {
	switch {
	case glob[j] != '*' || j > 0 && glob[j-1] == '(':
		return 0
	case j+1 < len(glob) && glob[j+1] == '*':
		return 2
	}
	return 1
}

// skipStars lets every star that was reached match nothing.
func skipStars(glob string, state []bool) {
	for j, on := range state[:len(glob)] {
		if on {
			if n := star(glob, j); n > 0 {
				state[j+n] = true
			}
		}
	}
}
