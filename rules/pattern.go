package rules

import (
	"errors"
	"fmt"
	"strings"
)

// A pattern names functions the way their source does:
//
//	k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch   this method and the closures in it
//	os/signal.*                                              every function of a package
//	k8s.io/klog/**                                           every function of a package and of those below it
//	**/remotedialer.(*Session).Serve                         this method in the package and its forks
//
// "*" stands for any characters but a slash, "**" for any at all; "(*" is a pointer receiver and no glob. What builds
// add to a name is ignored on both sides: a vendor folder in front, a module's major version (/v2), type arguments,
// the suffix of a method value. A name matches a pattern also when it goes on with a closure's suffix.
type pattern struct {
	text string // normalised
	// pkg is the literal import path of a glob that has one; "" for globs that begin with "**".
	pkg string
	// chunk is the longest literal run of a glob: a name without it can't match.
	chunk string
	glob  bool
}

// Bounds on patterns and on the names they are held against: the longest function name in client-go and the kubelet
// is under 300 bytes, so that what is longer is hostile.
const (
	maxPattern = 512
	maxName    = 1024
)

func parsePattern(s string) (pattern, error) {
	switch {
	case s == "":
		return pattern{}, errors.New("empty pattern")
	case len(s) > maxPattern:
		return pattern{}, fmt.Errorf("pattern of %d bytes, at most %d are allowed", len(s), maxPattern)
	case strings.ContainsAny(s, " \t\n"):
		return pattern{}, fmt.Errorf("pattern %q has a space: give a function's name without arguments", s)
	case strings.HasSuffix(s, ")"):
		return pattern{}, fmt.Errorf("pattern %q ends in a parenthesis: give a function's name without arguments", s)
	}
	p := pattern{text: normalise(s)}
	literal := strings.ReplaceAll(p.text, "(*", "(\x00")
	p.glob = strings.Contains(literal, "*")
	if !p.glob {
		if packageEnd(p.text) == len(p.text) && p.text != "panic" {
			return pattern{}, fmt.Errorf("pattern %q names no function: write %s.* for all of a package", s, s)
		}
		return p, nil
	}
	if strings.Trim(p.text, "*/.") == "" {
		return pattern{}, fmt.Errorf("pattern %q matches everything", s)
	}
	for run := range strings.SplitSeq(literal, "*") {
		// The slash of "a/**" may be missing from a name ("a.F"), that of "**/a" too.
		if run = strings.Trim(run, "/"); len(run) > len(p.chunk) {
			p.chunk = strings.ReplaceAll(run, "\x00", "*")
		}
	}
	end := packageEnd(literal)
	if pkg := literal[:end]; end < len(literal) && !strings.Contains(pkg, "*") {
		p.pkg = pkg
	}
	return p, nil
}

// normalise removes from a function's name what builds add to it.
func normalise(fn string) string {
	fn = PlainName(fn)
	end := packageEnd(fn)
	pkg := fn[:end]
	if strings.Contains(pkg, "%2e") {
		pkg = strings.ReplaceAll(pkg, "%2e", ".")
	}
	return dropMajor(pkg) + fn[end:]
}

// packageEnd is where a function's import path ends: at the first dot after the last slash. Slashes in what follows
// the path (a profile's type arguments) are gone by then.
func packageEnd(fn string) int {
	slash := strings.LastIndexByte(fn, '/') + 1
	if dot := strings.IndexByte(fn[slash:], '.'); dot >= 0 {
		return slash + dot
	}
	return len(fn)
}

// dropMajor removes path elements v2, v3, …, v99, which Go modules add from major version 2 on.
func dropMajor(pkg string) string {
	if !strings.Contains(pkg, "/v") {
		return pkg
	}
	var sb strings.Builder
	for i, el := range strings.Split(pkg, "/") {
		if i > 0 && isMajor(el) {
			continue
		}
		if i > 0 {
			sb.WriteByte('/')
		}
		sb.WriteString(el)
	}
	return sb.String()
}

func isMajor(el string) bool {
	if len(el) < 2 || len(el) > 3 || el[0] != 'v' || el == "v1" || el[1] == '0' {
		return false
	}
	for _, c := range []byte(el[1:]) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// closes reports whether a name may go on with rest after what a pattern matched: nothing, or a closure's suffix
// (".func1", "-range1", "·001"). A plain function has no methods, so that whatever follows a dot is a closure.
func closes(rest string) bool {
	return rest == "" || rest[0] == '.' || rest[0] == '-' || strings.HasPrefix(rest, "·")
}

// matches holds a normalised name against a glob.
func (p *pattern) matches(name string) bool {
	if !strings.Contains(name, p.chunk) {
		return false
	}
	text := p.text
	if rest, ok := strings.CutSuffix(text, "/**"); ok {
		// The package itself or one below it.
		return globPrefix(rest, name, func(tail string) bool {
			return tail != "" && (tail[0] == '.' || tail[0] == '/')
		})
	}
	if rest, ok := strings.CutPrefix(text, "**/"); ok && globPrefix(rest, name, closes) {
		return true
	}
	return globPrefix(text, name, closes)
}

// globPrefix reports whether glob matches a prefix of name whose remainder satisfies ok. It follows all ways at once,
// so that its cost is bounded by len(glob)*len(name) whatever they hold.
func globPrefix(glob, name string, ok func(tail string) bool) bool {
	toks := globTokens(glob)
	state := make([]bool, len(toks)+1)
	next := make([]bool, len(toks)+1)
	state[0] = true
	skipStars(toks, state)
	for i := 0; ; i++ {
		if state[len(toks)] && ok(name[i:]) {
			return true
		}
		if i == len(name) {
			return false
		}
		clear(next)
		alive := false
		for j, on := range state[:len(toks)] {
			if !on {
				continue
			}
			switch t := toks[j]; {
			case t == tokAny, t == tokElem && name[i] != '/':
				next[j] = true
				alive = true
			case t == int16(name[i]):
				next[j+1] = true
				alive = true
			}
		}
		if !alive {
			return false
		}
		skipStars(toks, next)
		state, next = next, state
	}
}

// Tokens of a glob are bytes and these.
const (
	tokElem int16 = 256 + iota // "*"
	tokAny                     // "**"
)

func globTokens(glob string) []int16 {
	toks := make([]int16, 0, len(glob))
	for i := 0; i < len(glob); i++ {
		switch {
		case glob[i] != '*' || i > 0 && glob[i-1] == '(':
			toks = append(toks, int16(glob[i]))
		case i+1 < len(glob) && glob[i+1] == '*':
			toks = append(toks, tokAny)
			i++
		default:
			toks = append(toks, tokElem)
		}
	}
	return toks
}

// skipStars lets every star that was reached match nothing.
func skipStars(toks []int16, state []bool) {
	for j, t := range toks {
		if state[j] && t >= tokElem {
			state[j+1] = true
		}
	}
}

// A matcher holds many patterns, numbered from 0 in the order of adding, and finds those that a name matches with a
// few map look-ups: literal ones by the name, globs by their package.
type matcher struct {
	exact    map[string][]int32
	byPkg    map[string][]int32
	open     []int32
	patterns []pattern
	ids      map[string]int32
}

func newMatcher() *matcher {
	return &matcher{exact: map[string][]int32{}, byPkg: map[string][]int32{}, ids: map[string]int32{}}
}

// add takes a pattern in and returns its number; equal patterns share one.
func (m *matcher) add(text string) (int32, error) {
	p, err := parsePattern(text)
	if err != nil {
		return 0, err
	}
	if id, ok := m.ids[p.text]; ok {
		return id, nil
	}
	id := int32(len(m.patterns))
	m.patterns = append(m.patterns, p)
	m.ids[p.text] = id
	switch {
	case !p.glob:
		m.exact[p.text] = append(m.exact[p.text], id)
	case p.pkg != "":
		m.byPkg[p.pkg] = append(m.byPkg[p.pkg], id)
	default:
		m.open = append(m.open, id)
	}
	return id, nil
}

// find returns the numbers of the patterns that fn matches, as the runtime prints it.
func (m *matcher) find(fn string) []int32 {
	if len(fn) > maxName {
		return nil
	}
	name := normalise(fn)
	var ids []int32
	end := packageEnd(name)
	for _, id := range m.byPkg[name[:end]] {
		if m.patterns[id].matches(name) {
			ids = append(ids, id)
		}
	}
	for _, id := range m.open {
		if m.patterns[id].matches(name) {
			ids = append(ids, id)
		}
	}
	ids = append(ids, m.exact[name]...)
	for i := min(end+1, len(name)); i < len(name); i++ {
		if closes(name[i:]) {
			ids = append(ids, m.exact[name[:i]]...)
		}
	}
	return ids
}
