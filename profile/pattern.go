package profile

import (
	"errors"
	"fmt"
	"strings"
)

// A pattern names functions the way their source does. The language is that of the rules for dumps:
//
//	k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch   this method and the closures in it
//	os/signal.*                                              every function of a package
//	k8s.io/klog/**                                           every function of a package and of those below it
//	**.(*T).DeepCopyInto                                     this method in any package
//
// "*" stands for any characters but a slash, "**" for any at all; "(*" is a pointer receiver and no glob. Vendor
// folders, major versions (/v2), %2e, type arguments ([...], [go.shape.int]) and the suffixes of method values and
// wrappers are ignored on both sides. A name matches also when it goes on with a closure's suffix.
type pattern struct {
	text  string  // as PlainName makes it
	pkg   string  // the literal import path of a glob that has one
	chunk string  // the longest literal run of a glob: a name without it can't match
	toks  []int16 // of a glob; nil for a literal
	// tree says that the pattern is a package and all below it ("pkg/**"): toks are those of "pkg".
	tree bool
	// forks are toks without the "**/" in front, which may stand for nothing; nil where there is none.
	forks []int16
}

// Bounds on patterns and names: names longer than maxName are hostile, the longest in client-go have 300 bytes.
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
	p := pattern{text: PlainName(s)}
	literal := strings.ReplaceAll(p.text, "(*", "(\x00")
	if !strings.Contains(literal, "*") {
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
	text := p.text
	if rest, ok := strings.CutSuffix(text, "/**"); ok {
		p.tree, text = true, rest
	}
	p.toks = globTokens(text)
	if rest, ok := strings.CutPrefix(text, "**/"); ok && !p.tree {
		p.forks = globTokens(rest)
	}
	return p, nil
}

// PlainName is a function's name as its source calls it, without what builds add: the folder that vendored it, the
// major version of its module, %2e, type arguments, the suffixes of method values and of go statements' wrappers.
// Closures keep their suffix.
func PlainName(fn string) string {
	fn = strings.TrimSuffix(fn, "-fm")
	if i := strings.IndexByte(fn, '['); i >= 0 {
		fn = dropTypeArgs(fn)
	}
	if i := strings.LastIndex(fn, "/vendor/"); i >= 0 {
		fn = fn[i+len("/vendor/"):]
	} else {
		fn = strings.TrimPrefix(fn, "vendor/")
	}
	if i := strings.LastIndex(fn, ".gowrap"); i >= 0 {
		fn = fn[:i]
	}
	end := packageEnd(fn)
	pkg := fn[:end]
	if strings.Contains(pkg, "%2e") {
		pkg = strings.ReplaceAll(pkg, "%2e", ".")
	}
	if major := dropMajor(pkg); len(major) != end {
		return major + fn[end:]
	}
	return fn
}

func dropTypeArgs(fn string) string {
	out := make([]byte, 0, len(fn))
	depth := 0
	for i := 0; i < len(fn); i++ {
		switch c := fn[i]; {
		case c == '[':
			depth++
		case c == ']' && depth > 0:
			depth--
		case depth == 0:
			out = append(out, c)
		}
	}
	return string(out)
}

// packageEnd is where a function's import path ends: at the first dot after the last slash.
func packageEnd(fn string) int {
	slash := strings.LastIndexByte(fn, '/') + 1
	if dot := strings.IndexByte(fn[slash:], '.'); dot >= 0 {
		return slash + dot
	}
	return len(fn)
}

// dropMajor removes path elements v2, v3, …, v99, which Go modules add from major version 2 on.
func dropMajor(pkg string) string {
	for i := 0; i < len(pkg); {
		v := strings.Index(pkg[i:], "/v")
		if v < 0 {
			return pkg
		}
		v += i
		end := v + 2
		for end < len(pkg) && '0' <= pkg[end] && pkg[end] <= '9' {
			end++
		}
		digits := pkg[v+2 : end]
		if (end == len(pkg) || pkg[end] == '/') && 0 < len(digits) && len(digits) < 3 && digits[0] != '0' && digits != "1" {
			pkg = pkg[:v] + pkg[end:]
			i = v
			continue
		}
		i = v + 2
	}
	return pkg
}

// closes reports whether a name may go on with rest after what a pattern matched: nothing, or a closure's suffix
// (".func1", "-range1", "·001"). A plain function has no methods, so that whatever follows a dot is a closure.
func closes(rest string) bool {
	return rest == "" || rest[0] == '.' || rest[0] == '-' || strings.HasPrefix(rest, "·")
}

func (p *pattern) matches(name string, g *globState) bool {
	if !strings.Contains(name, p.chunk) {
		return false
	}
	if p.tree {
		return g.prefix(p.toks, name, func(tail string) bool { return tail != "" && (tail[0] == '.' || tail[0] == '/') })
	}
	return p.forks != nil && g.prefix(p.forks, name, closes) || g.prefix(p.toks, name, closes)
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

// A globState is room that matching one name uses again for the next.
type globState struct{ now, next []bool }

// prefix reports whether a glob matches a prefix of name whose remainder satisfies ok. It follows all ways at once, so
// that its cost is bounded by len(toks)*len(name) whatever they hold.
func (g *globState) prefix(toks []int16, name string, ok func(tail string) bool) bool {
	if n := len(toks) + 1; cap(g.now) < n {
		g.now, g.next = make([]bool, n), make([]bool, n)
	}
	now, next := g.now[:len(toks)+1], g.next[:len(toks)+1]
	clear(now)
	now[0] = true
	skipStars(toks, now)
	for i := 0; ; i++ {
		if now[len(toks)] && ok(name[i:]) {
			return true
		}
		if i == len(name) {
			return false
		}
		clear(next)
		alive := false
		for j, on := range now[:len(toks)] {
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
		now, next = next, now
	}
}

// skipStars lets every star that was reached match nothing.
func skipStars(toks []int16, state []bool) {
	for j, t := range toks {
		if state[j] && t >= tokElem {
			state[j+1] = true
		}
	}
}
