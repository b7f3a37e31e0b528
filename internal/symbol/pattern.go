package symbol

import (
	"errors"
	"fmt"
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
// "*" matches any characters but a slash, "**" for any at all; "(*" is a pointer receiver and no glob. What builds
// add to a name is ignored on both sides, see PlainName. A name matches a pattern also when it goes on with a closure's
// suffix.
//
// Patterns that nobody adds to any more may be shared by goroutines, each with a Finder of its own.
type Patterns struct {
	list    []pattern
	exact   map[string]int32 // all patterns by their text
	literal map[string]bool  // the packages of those without stars
	// packages and trees hold the newest glob of those whose names lie in a package, or there and below; pattern.next
	// leads to the others. open lists the globs of which no package is known.
	packages, trees map[string]int32
	open            []int32
}

// A pattern is a pattern as it is compared.
type pattern struct {
	text string // as PlainName makes it
	// pkg is the literal import path of a glob's names, "" where it has none. tree says that they may lie below it too
	// ("pkg/**").
	pkg  string
	head string // what a glob's names begin with
	// chunk is the longest of a glob's literal runs, need the pairs of all their bytes: both are tried before the
	// glob itself.
	chunk string
	need  uint64
	next  int32 // glob of the same package, -1 for none
	glob  bool
	tree  bool
}

// Bounds on patterns and on the names they are held against: the longest function name in client-go and the kubelet
// is under 300 bytes, so that what is longer is hostile.
const (
	maxPattern = 512
	maxMatched = 1024
)

// NewPatterns returns Patterns with room for n.
func NewPatterns(n int) *Patterns {
	return &Patterns{
		list: make([]pattern, 0, n), exact: make(map[string]int32, n), literal: map[string]bool{},
		packages: make(map[string]int32, n/8), trees: make(map[string]int32, n/8),
	}
}

// Len is how many patterns there are.
func (p *Patterns) Len() int { return len(p.list) }

// Add takes a pattern in and returns its number; equal patterns share one. The error says why a text can't match.
func (p *Patterns) Add(text string) (int32, error) {
	pt, err := parsePattern(text)
	if err != nil {
		return 0, err
	}
	if id, ok := p.exact[pt.text]; ok {
		return id, nil
	}
	id := int32(len(p.list))
	p.exact[pt.text] = id
	switch {
	case !pt.glob:
		p.literal[PlainPackage(pt.text)] = true
	case pt.pkg == "":
		p.open = append(p.open, id)
	case pt.tree:
		pt.next = chain(p.trees, pt.pkg, id)
	default:
		pt.next = chain(p.packages, pt.pkg, id)
	}
	p.list = append(p.list, pt)
	return id, nil
}

// chain makes id the newest glob of a package and returns the one before it, -1 for none.
func chain(newest map[string]int32, pkg string, id int32) int32 {
	before, ok := newest[pkg]
	newest[pkg] = id
	if !ok {
		return -1
	}
	return before
}

// CheckPattern says what is wrong with a pattern.
func CheckPattern(text string) error {
	_, err := parsePattern(text)
	return err
}

// Package is the package in which all names that a pattern matches lie, without what builds add; "" where it may be
// several.
func (p *Patterns) Package(id int32) string {
	pt := &p.list[id]
	switch {
	case !pt.glob:
		return PlainPackage(pt.text)
	case pt.tree:
		return ""
	}
	return pt.pkg
}

func parsePattern(s string) (pattern, error) {
	switch {
	case s == "":
		return pattern{}, errors.New("empty pattern")
	case len(s) > maxPattern:
		return pattern{}, fmt.Errorf("pattern of %d bytes, at most %d are allowed", len(s), maxPattern)
	case strings.IndexByte(s, ' ') >= 0 || strings.IndexByte(s, '\t') >= 0 || strings.IndexByte(s, '\n') >= 0:
		return pattern{}, fmt.Errorf("pattern %q has a space: give a function's name without arguments", s)
	case s[len(s)-1] == ')':
		return pattern{}, fmt.Errorf("pattern %q ends in a parenthesis: give a function's name without arguments", s)
	}
	p := pattern{text: PlainName(s), next: -1}
	first := firstStar(p.text)
	if first < 0 {
		if plainPackageEnd(p.text) == len(p.text) && !IsSymbol(p.text) {
			return pattern{}, fmt.Errorf("pattern %q names no function: write %s.* for all of a package", s, s)
		}
		return p, nil
	}
	if strings.Trim(p.text, "*/.") == "" {
		return pattern{}, fmt.Errorf("pattern %q matches everything", s)
	}
	p.glob, p.head = true, p.text[:first]
	if rest, ok := strings.CutSuffix(p.text, "/**"); ok && first == len(rest)+1 {
		p.tree, p.pkg, p.head = true, rest, rest
	} else if end := plainPackageEnd(p.text); end < first {
		p.pkg = p.text[:end]
	}
	run := 0 // where a literal run begins
	for i := range p.text {
		// The slash of "a/**" may be missing from a name ("a.F"), that of "**/a" too.
		if !p.literal(i) {
			run = i + 1
			continue
		}
		if i > run {
			p.need |= pair(p.text[i-1], p.text[i])
		}
		if i+1-run > len(p.chunk) {
			p.chunk = p.text[run : i+1]
		}
	}
	return p, nil
}

// literal reports whether all names of a glob contain the i-th byte of its text.
func (p *pattern) literal(i int) bool {
	switch p.text[i] {
	case '*':
		return i > 0 && p.text[i-1] == '('
	case '/':
		return (i+1 == len(p.text) || p.text[i+1] != '*') && (i == 0 || p.text[i-1] != '*')
	}
	return true
}

// firstStar is the index of a text's first star that is no pointer receiver's, -1 for a text without.
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
		if c := text[i] | 0x20; (c < 'a' || c > 'z') && !IsDigit(text[i]) && text[i] != '_' {
			return false
		}
	}
	return text != ""
}

// pair is a bit for two neighbouring bytes. A name that lacks one of a pattern's bits can't match it: of names with 40
// bytes half the bits are set, so that one in a thousand passes by chance for ten pairs.
func pair(a, b byte) uint64 { return 1 << ((uint32(a)*0x9E3B + uint32(b)*0x85EB) >> 6 & 63) }

// A Finder finds the patterns that names match, with a few map look-ups each: literal ones by the name, globs by their
// package. It is for one goroutine.
type Finder struct {
	p        *Patterns
	packages map[string]inPackage
}

// inPackage is what may match the names of a package: globs, and whether patterns without stars do.
type inPackage struct {
	globs   []int32
	literal bool
}

// maxFinderPackages bounds the packages that a Finder remembers: a kubelet shows about 400.
const maxFinderPackages = 1 << 12

// Finder returns a Finder of p as it is.
func (p *Patterns) Finder() *Finder { return &Finder{p: p, packages: map[string]inPackage{}} }

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
	end := plainPackageEnd(name)
	in := f.in(name[:end])
	if in.literal {
		ids = f.p.appendLiteral(ids, name, end)
	}
	if len(in.globs) == 0 && len(f.p.open) == 0 {
		return ids
	}
	var have uint64
	for i := 1; i < len(name); i++ {
		have |= pair(name[i-1], name[i])
	}
	for _, list := range [2][]int32{in.globs, f.p.open} {
		for _, id := range list {
			if pt := &f.p.list[id]; pt.need&^have == 0 && pt.matches(name) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// appendLiteral appends the patterns without stars that a name is, or is a closure of; its package ends at end.
func (p *Patterns) appendLiteral(ids []int32, name string, end int) []int32 {
	for i := min(end+1, len(name)); i <= len(name); i++ {
		// What ends here is the name of a function in which the rest is a closure.
		if i == len(name) || (name[i] == '.' || name[i] == '-' || name[i] == middot[0]) && closes(name[i:]) {
			if id, ok := p.exact[name[:i]]; ok && !p.list[id].glob {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// in is what may match the names of a package.
func (f *Finder) in(pkg string) inPackage {
	in, ok := f.packages[pkg]
	if ok {
		return in
	}
	for i := range len(pkg) {
		// A dot ends a tree's package too: gopkg.in/yaml.v3/internal lies in gopkg.in/yaml.
		if i > 0 && (pkg[i] == '.' || pkg[i] == '/') {
			in.globs = f.p.follow(in.globs, f.p.trees, pkg[:i])
		}
	}
	in.globs = f.p.follow(in.globs, f.p.trees, pkg)
	in.globs = f.p.follow(in.globs, f.p.packages, pkg)
	in.literal = f.p.literal[pkg]
	if len(f.packages) < maxFinderPackages {
		f.packages[pkg] = in
	}
	return in
}

// follow appends the globs of a package, the newest first.
func (p *Patterns) follow(list []int32, newest map[string]int32, pkg string) []int32 {
	id, ok := newest[pkg]
	for ; ok; ok = id >= 0 {
		list = append(list, id)
		id = p.list[id].next
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
func (p *pattern) matches(name string) bool {
	if !strings.HasPrefix(name, p.head) {
		return false
	}
	switch rest := name[len(p.head):]; {
	case p.tree:
		return inTree(rest)
	case len(p.text) == len(p.head)+1 && strings.IndexByte(rest, '/') < 0:
		return true // "pkg.F*", and no slash that the star would have to stop at
	case len(p.text) == len(p.head)+2 && p.text[len(p.head)+1] == '*':
		return true // "pkg.F**"
	}
	return strings.Contains(name, p.chunk) && p.glide(name)
}

// glide is matches for globs of any form.
func (p *pattern) glide(name string) bool {
	if rest, ok := strings.CutSuffix(p.text, "/**"); ok {
		return globPrefix(rest, name, inTree)
	}
	if rest, ok := strings.CutPrefix(p.text, "**/"); ok && globPrefix(rest, name, closes) {
		return true
	}
	return globPrefix(p.text, name, closes)
}

// globPrefix reports whether glob matches a prefix of name whose remainder satisfies ok. It follows all ways at once,
// so that its cost is bounded by len(glob)*len(name) whatever they hold. A state is a position in glob that was
// reached.
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
