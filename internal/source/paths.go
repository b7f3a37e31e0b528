package source

import (
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
)

const (
	maxPath     = 1024 // bytes of a path that is looked for; a module cache's longest is some 250
	maxElements = 40   // of a path, each of which may begin a candidate
)

// A spot is what a printed path and the function's package say of where a file is.
type spot struct {
	elems []string // of the path
	base  string   // the last of them
	pkg   string   // the function's import path, "main" for the program's; without what builds and vendoring add
	// modules are what may be the module's path where the path names a version, the likeliest first; rest is the path
	// in the module.
	modules       []string
	version, rest string
	vendored      string // behind vendor/, "" for what isn't vendored
	std           string // the path in GOROOT/src, "" for what is no part of a Go release
}

// A candidate is where a file may be in a root.
type candidate struct {
	path string // below the root, clean and without ".."
	// built is the module with its version, as the path of the build and this one both have it:
	// "k8s.io/klog/v2@v2.80.1". here is what vendor/modules.txt lists instead. "" where that isn't known.
	built, here string
	// weak means that only the end of the path is the same: the function must be at the line, else it is another file.
	weak bool
}

// sources are the endings of what is shown: a report may be passed on, and an input must not choose any file for it.
var sources = []string{".go", ".s", ".c", ".cc", ".cpp", ".cxx", ".h", ".y", ".rl"}

// spotOf takes a place apart; or it returns the reason why its file can't be looked for.
func spotOf(p rules.Place) (s spot, reason string) {
	file := strings.ReplaceAll(p.File, `\`, "/")
	s = spot{base: file[strings.LastIndexByte(file, '/')+1:], pkg: packageOf(p.Function)}
	switch {
	case file == "" || file == "??":
		return s, "the input names no file"
	case strings.HasPrefix(file, "<") || s.base == "_testmain.go" || strings.HasPrefix(s.base, "_cgo_"):
		return s, "the compiler generated this code: it has no source file"
	case p.Line <= 0:
		return s, "the input names no line"
	case !slices.Contains(sources, strings.ToLower(path.Ext(file))):
		return s, "only sources in Go, C, assembly and yacc are shown"
	}
	s.elems = strings.Split(strings.TrimPrefix(file, "/"), "/")
	strange := func(c rune) bool { return c < ' ' || c == 0x7f }
	if len(file) > maxPath || len(s.elems) > maxElements || strings.ContainsFunc(file, strange) ||
		slices.ContainsFunc(s.elems, func(e string) bool { return e == "" || e == "." || e == ".." }) {
		return s, "the path is not one that a Go build records"
	}
	at := slices.IndexFunc(s.elems, versioned)
	vendor := lastIndex(s.elems, "vendor")
	switch class := (frame.Program{}).Class(frame.Frame{Func: p.Function, File: file}); {
	case at >= 0 && at < len(s.elems)-1:
		s.ofModule(at, strings.HasPrefix(file, "/") || strings.Contains(s.elems[0], ":"))
	case class == frame.ClassRuntime || class == frame.ClassStdlib:
		s.std = file[symbol.LastIndex(file, "/src/")+1:]
		s.std = strings.TrimPrefix(strings.TrimPrefix(s.std, "src/"), "/")
	case vendor >= 0 && vendor < len(s.elems)-1:
		s.vendored = strings.Join(s.elems[vendor+1:], "/")
	}
	return s, ""
}

// versioned reports whether a path's element ends a module's path: "klog@v2.80.1".
func versioned(elem string) bool {
	_, version, ok := strings.Cut(elem, "@v")
	return ok && version != "" && symbol.IsDigit(version[0])
}

// ofModule reads a path of the module cache, or of a trimmed build: elems[at] ends the module's path and has the
// version. In an absolute path the folder of the cache comes first: the function's package, or /pkg/mod/, shows where
// it ends.
func (s *spot) ofModule(at int, absolute bool) {
	last, version, _ := strings.Cut(s.elems[at], "@")
	s.version, s.rest = unescapeCase(version), strings.Join(s.elems[at+1:], "/")
	head := append(slices.Clone(s.elems[:at]), last)
	first := 0
	for i := 0; i+1 < at; i++ {
		if head[i] == "pkg" && head[i+1] == "mod" {
			first, absolute = i+2, false
		}
	}
	for i := first; i <= at; i++ {
		mod := unescapeCase(strings.Join(head[i:], "/"))
		if s.pkg != "main" && within(s.pkg, mod) {
			s.modules = []string{mod}
			return
		}
		if i == first || absolute {
			s.modules = append(s.modules, mod)
		}
	}
	if len(s.modules) == 1 && s.modules[0] == "golang.org/toolchain" {
		s.std = strings.TrimPrefix(s.rest, "src/")
	}
}

// absence is the reason why a file isn't found, when nothing better is known.
func (s spot) absence() string {
	switch {
	case s.std != "":
		return "part of a Go release: --source $(go env GOROOT) has it"
	case s.version != "":
		return "no such module"
	case s.vendored != "":
		return "vendored, and the path names no version: a checkout with its vendor folder has it"
	}
	return "no such file"
}

// candidates are the places in the root where the file may be, the most certain ones first.
func (r *root) candidates(s spot) []candidate {
	var list []candidate
	add := func(c candidate, elems ...string) {
		c.path = path.Join(elems...)
		list = append(list, c)
	}
	for _, mod := range s.modules {
		built := mod + "@" + s.version
		cached := escapeCase(mod) + "@" + escapeCase(s.version)
		add(candidate{built: built}, cached, s.rest)
		add(candidate{built: built}, "pkg/mod", cached, s.rest)
		for _, m := range r.modules {
			if here, ok := m.vendored[mod]; ok {
				if s.pkg != "main" {
					add(candidate{built: built, here: mod + "@" + here}, m.dir, "vendor", s.pkg, s.base)
				}
				add(candidate{built: built, here: mod + "@" + here}, m.dir, "vendor", mod, s.rest)
			}
			if m.path == mod {
				add(candidate{}, m.dir, s.rest)
			}
		}
		add(candidate{}, "src", mod, s.rest)
		add(candidate{}, mod, s.rest)
	}
	if s.std != "" && r.goroot != none {
		add(candidate{}, r.goroot, s.std)
	}
	if s.vendored != "" {
		for _, m := range r.modules {
			add(candidate{}, m.dir, "vendor", s.vendored)
		}
		add(candidate{}, "vendor", s.vendored)
		add(candidate{}, "src", s.vendored)
	}
	if s.version != "" || s.std != "" {
		return list
	}
	return append(list, r.plain(s)...)
}

// plain are the candidates for a path without a version: that of the program's own module on the machine that built
// it, of a GOPATH, or of a module that a folder replaces.
func (r *root) plain(s spot) []candidate {
	var list []candidate
	known := s.pkg != "main" && s.pkg != ""
	inside := false
	if known && s.vendored == "" {
		for _, m := range r.modules {
			if within(s.pkg, m.path) {
				inside = true
				list = append(list, candidate{path: path.Join(m.dir, s.pkg[len(m.path):], s.base)})
			}
		}
		list = append(list, candidate{path: path.Join("src", s.pkg, s.base)}, candidate{path: path.Join(s.pkg, s.base)})
	}
	if inside {
		return list // the package's folder is known: a file elsewhere is another one
	}
	dirs := []string{"."}
	for _, m := range r.modules {
		if m.dir != "." {
			dirs = append(dirs, m.dir)
		}
	}
	for i := range s.elems {
		end := path.Join(s.elems[i:]...)
		for _, dir := range dirs {
			list = append(list, candidate{path: path.Join(dir, end),
				weak: i == len(s.elems)-1 || known && s.vendored == "" && len(r.modules) > 0})
		}
	}
	return list
}

// packageOf is the import path of a function as its source names it: without a vendor folder, the linker's escapes and
// the suffix of external tests.
func packageOf(fn string) string {
	pkg, _ := symbol.SplitPackage(fn)
	pkg = symbol.Unescape(pkg[symbol.VendorEnd(pkg):])
	return strings.TrimSuffix(pkg, "_test")
}

// within reports whether an import path is dir or below it.
func within(pkg, dir string) bool {
	return strings.HasPrefix(pkg, dir) && (len(pkg) == len(dir) || pkg[len(dir)] == '/')
}

func lastIndex(list []string, s string) int {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// escapeCase writes a module's path or version as the module cache does: "!b" for "B".
func escapeCase(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			b.WriteByte('!')
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// unescapeCase undoes escapeCase.
func unescapeCase(s string) string {
	if strings.IndexByte(s, '!') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '!' && i+1 < len(s) && 'a' <= s[i+1] && s[i+1] <= 'z' {
			i++
			c = s[i] - 'a' + 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}
