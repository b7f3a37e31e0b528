// Package symbol reads the names of functions as the runtime and profiles print them: it takes them apart, compares
// them with patterns and shortens them. It keeps no state.
package symbol

import "strings"

// A Name is a function's name taken apart.
type Name struct {
	Package  string // import path, vendor prefix kept: "example.com/mod/vendor/k8s.io/client-go/tools/cache"
	Receiver string // "T" of (*T).M or T.M, type arguments dropped; "" for plain functions
	Pointer  bool   // (*T)
	Func     string // "M", "New"; without closure suffix
	Closure  string // "func1.2", "gowrap3", "fm": what follows the declared function, without the dot or dash
	Generic  bool   // had [...]
}

// ParseName takes a function's printed name apart. All parts are slices of fn. Names without a package (panic, C and
// C++ symbols, the compiler's type..eq functions) are all Func. Any input is fine: what makes no sense ends up in Func.
//
// Two forms are ambiguous in the symbol itself: main.F.G.func1 is a closure of method G of type F or, since Go 1.21, of
// a function G inlined into F; the first reading is taken, except where F is main.main or an init function; where
// more shows what is inlined, see Innermost. A closure of Go 1.4 and before, main.func·001, does not name the function
// around it.
func ParseName(fn string) Name {
	pkg, rest := SplitPackage(fn)
	n := Name{Package: pkg}
	if pkg == "" {
		n.Func = fn
		return n
	}
	n.Generic = strings.Contains(rest, "[")
	first := segment(rest)
	if strings.HasPrefix(first, "(") {
		n.Receiver, n.Pointer = receiver(first)
		rest = strings.TrimPrefix(rest[len(first):], ".")
		first = segment(rest)
		n.Func, n.Closure = trimTypeArgs(first), suffix(rest[len(first):])
		return n
	}
	if numbered(rest, first) {
		// init.0, init.ializers and glob. are names of functions with a dot in them.
		end := len(first) + 1 + len(segment(rest[len(first)+1:]))
		n.Func, n.Closure = rest[:end], suffix(rest[end:])
		return n
	}
	tail := rest[len(first):]
	second := ""
	if strings.HasPrefix(tail, ".") {
		second = segment(tail[1:])
	}
	if second == "" || second[0] == '(' || isClosure(second) || first == "init" || (first == "main" && pkg == "main") {
		n.Func, n.Closure = trimTypeArgs(first), suffix(tail)
		return n
	}
	n.Receiver = trimTypeArgs(first)
	n.Func, n.Closure = trimTypeArgs(second), suffix(tail[1+len(second):])
	return n
}

// PackageOf returns the import path in fn, vendor prefix kept, "" where fn has none.
func PackageOf(fn string) string {
	pkg, _ := SplitPackage(fn)
	return pkg
}

// SplitPackage cuts fn behind its import path: the first dot behind the last slash, both before any bracket, because
// type arguments hold paths too.
func SplitPackage(fn string) (pkg, rest string) {
	head, slash := fn, 0
scan:
	for i := range len(fn) {
		switch fn[i] {
		case '/':
			slash = i + 1
		case '[', '(', ' ', '<':
			head = fn[:i]
			break scan
		}
	}
	dot := strings.IndexByte(head[slash:], '.')
	if dot <= 0 && slash == 0 || dot < 0 {
		return "", fn
	}
	dot += slash
	if v := versionSuffix(fn, slash, dot); v > 0 {
		dot = v
	}
	pkg, rest = fn[:dot], fn[dot+1:]
	if strings.IndexByte(pkg, ':') >= 0 || (pkg == "type" || pkg == "go") && strings.HasPrefix(rest, ".") {
		return "", fn // std::f, type:.eq.…, type..eq.…, go:struct{…}
	}
	return pkg, rest
}

// versionSuffix finds the end of "yaml.v3" in an unescaped gopkg.in path (some tools undo the linker's %2e), 0 where
// the path is none.
func versionSuffix(fn string, slash, dot int) int {
	if !strings.Contains(fn[:slash], "gopkg.in/") || dot+2 >= len(fn) || fn[dot+1] != 'v' {
		return 0
	}
	end := dot + 2
	for end < len(fn) && IsDigit(fn[end]) {
		end++
	}
	if end == dot+2 || end >= len(fn) || fn[end] != '.' {
		return 0
	}
	return end
}

// segment returns s up to the first '.', '-' or '·' outside brackets; func·001 is one segment.
func segment(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '.', '-':
			if depth <= 0 {
				return s[:i]
			}
		case middot[0]:
			if depth <= 0 && strings.HasPrefix(s[i:], middot) && s[:i] != "func" {
				return s[:i]
			}
		}
	}
	return s
}

// middot is in the names of closures and wrappers up to Go 1.4, and in ·dwrap· of Go 1.17.
const middot = "·"

// suffix strips the separator before a closure's name.
func suffix(s string) string {
	if strings.HasPrefix(s, middot) {
		return s[len(middot):]
	}
	if s != "" && (s[0] == '.' || s[0] == '-') {
		return s[1:]
	}
	return s
}

// receiver takes "(*List[...])" apart.
func receiver(s string) (name string, pointer bool) {
	s = strings.TrimSuffix(s[1:], ")")
	if strings.HasPrefix(s, "*") {
		s, pointer = s[1:], true
	}
	return trimTypeArgs(s), pointer
}

func trimTypeArgs(s string) string {
	if i := strings.IndexByte(s, '['); i >= 0 {
		return s[:i]
	}
	return s
}

// numbered reports whether the function at the start of rest has a dot in its name; first is its first segment.
func numbered(rest, first string) bool {
	if len(rest) <= len(first) || rest[len(first)] != '.' {
		return false
	}
	next := rest[len(first)+1:]
	if first == "glob" {
		return strings.HasPrefix(next, ".")
	}
	return first == "init" && (strings.HasPrefix(next, "ializers") || next != "" && IsDigit(next[0]))
}

// isClosure reports whether a segment was made by the compiler: func1, 2, gowrap1, deferwrap1, range1.
func isClosure(s string) bool {
	digits := strings.TrimRight(s, "0123456789")
	if digits == s {
		return false
	}
	switch digits {
	case "", "func", "gowrap", "deferwrap", "range":
		return true
	}
	return false
}

func IsDigit(c byte) bool { return '0' <= c && c <= '9' }
