package source

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
)

// Bounds of what is read to be checked as a whole.
const (
	maxPackages     = 64
	maxPackageFiles = 400
	maxPackageBytes = 8 << 20
	// maxFrameFiles is how many files frames are looked for in, maxFrameBytes how much of them is parsed and kept.
	maxFrameFiles, maxFrameBytes = 1024, 16 << 20
	// maxSpent is how long packages are read, where one more may take five seconds, and frames are compared with them.
	// Those of the largest servers of the wild lab take half a second in all.
	maxSpent = 10 * time.Second
)

// Packages reads packages of the folders, each once.
type Packages struct {
	tree   *Tree
	found  map[string]file            // by printed path and package
	parsed map[string]*parsed         // by folder and path
	bytes  int                        // of the texts that were parsed
	moved  map[string]bool            // by printed path: files that are not what was built
	fits   map[string]bool            // by printed path: files of which a line does what it did in the build
	read   map[string]*gocode.Package // by folder, and the package's name in it
	tests  bool                       // the program is a test binary
	spent  time.Duration              // on reading packages and comparing frames with them
}

// A cache keeps the files and packages that readers of a Tree have found and parsed: they are the same for every
// program.
type cache struct {
	found  map[string]file
	parsed map[string]*parsed
	read   map[string]*gocode.Package
	bytes  int
}

// Packages returns a reader of packages, to be used until another is asked for. It empties the cache where that holds
// more than one reader may.
func (t *Tree) Packages() *Packages {
	m := &t.cache
	if m.found == nil || len(m.found) > maxFrameFiles || m.bytes > maxFrameBytes || len(m.read) > maxPackages {
		*m = cache{found: map[string]file{}, parsed: map[string]*parsed{}, read: map[string]*gocode.Package{}}
	}
	return &Packages{tree: t, found: map[string]file{}, parsed: map[string]*parsed{}, moved: map[string]bool{},
		fits: map[string]bool{}, read: map[string]*gocode.Package{}}
}

// Of returns the package that a frame is in, and the name of its file there; nil where it isn't below the folders, or
// where its line is not certain to be what was built.
func (s *Packages) Of(f gocode.Frame) (p *gocode.Package, name string) {
	begin := time.Now()
	defer func() { s.spent += time.Since(begin) }()
	found, own := s.file(f)
	if own == nil || s.moved[f.File] || s.spent > maxSpent {
		return nil, ""
	}
	if c, _, _ := found.compared(own, askOf(f)); c == nil || c.Fits != rules.FitsYes {
		return nil, ""
	}
	dir, name := path.Split(found.at.path)
	return s.load(found.root, dir, name, own), name
}

// load reads the package of a file in a folder.
func (s *Packages) load(r *root, dir, name string, own *parsed) *gocode.Package {
	key := strings.Join([]string{r.dir, dir, own.syntax.Name.Name}, "\x00")
	if sure, _ := built(name, own.text); !sure {
		key += "\x00" + name
	}
	if s.tests {
		key += "\x00tests"
	}
	p, ok := s.read[key]
	if !ok && len(s.read) < maxPackages {
		if p, ok = s.tree.cache.read[key]; !ok {
			files, partial := r.goFiles(dir, name, s.tests)
			p = gocode.New(files, name, partial)
			s.tree.cache.read[key] = p
		}
		s.read[key] = p
	}
	return p
}

// Doubt compares the frames of one program with the source: of a file that one of them shows to be another than what
// was built, no frame has code; none has any where that takes too long. created are the places of go statements.
func (s *Packages) Doubt(frames, created []gocode.Frame) {
	begin := time.Now()
	defer func() { s.spent += time.Since(begin) }()
	for _, f := range frames {
		if time.Since(begin) > maxSpent {
			return
		}
		base := path.Base(f.File)
		s.tests = s.tests || base == "_testmain.go" || strings.HasSuffix(base, "_test.go")
		found, own := s.file(f)
		if own == nil || found.at.built != "" {
			continue
		}
		switch own.match(f.Func, f.Callee, f.Line).fits {
		case rules.FitsNo:
			s.moved[f.File] = true
		case rules.FitsYes:
			s.fits[f.File] = true
		}
	}
	for _, f := range created {
		if time.Since(begin) > maxSpent {
			return
		}
		found, own := s.file(f)
		if own == nil || found.at.built != "" {
			continue
		}
		if m := own.match(f.Func, "", f.Line); m.fits == rules.FitsNo || m.decl != nil && !own.starts(m.decl, f.Line) {
			s.moved[f.File] = true
		}
	}
}

// Any reports whether the file of any frame was found.
func (s *Packages) Any() bool {
	for _, f := range s.found {
		if f.reason == "" {
			return true
		}
	}
	return false
}

// file returns the file of a frame, parsed; nil for one that isn't there, isn't Go, or is one too many.
func (s *Packages) file(f gocode.Frame) (file, *parsed) {
	key := f.File + "\x00" + packageOf(f.Func)
	found, ok := s.found[key]
	if !ok && len(s.found) == maxFrameFiles {
		return file{}, nil
	}
	if !ok {
		m := &s.tree.cache
		if found, ok = m.found[key]; !ok {
			found = s.tree.find(askOf(f).Place)
			m.found[key] = found
		}
		s.found[key] = found
	}
	if found.reason != "" {
		return found, nil
	}
	own, ok := s.parsed[found.key()]
	if !ok {
		if s.bytes <= maxFrameBytes {
			own = s.tree.cache.parse(found)
			s.bytes += len(own.text)
		}
		if s.bytes > maxFrameBytes || own.syntax == nil {
			own = nil
		}
		s.parsed[found.key()] = own
	}
	return found, own
}

// parse reads and parses a file; it has no syntax where that fails.
func (m *cache) parse(f file) *parsed {
	p, ok := m.parsed[f.key()]
	if !ok {
		text, reason := f.root.read(f.at.path, maxParsed)
		if p = (&parsed{text: text}); reason == "" {
			p = parse(f.at.path, text)
		}
		m.parsed[f.key()] = p
		m.bytes += len(text)
	}
	return p
}

// key names a file that was found.
func (f *file) key() string { return f.root.dir + "\x00" + f.at.path }

func askOf(f gocode.Frame) *Ask {
	return &Ask{Place: rules.Place{Function: f.Func, File: f.File, Line: f.Line}, Callee: f.Callee}
}

// starts reports whether a go statement has a part of the line.
func (p *parsed) starts(decl *ast.FuncDecl, line int) bool {
	found := false
	ast.Inspect(decl, func(n ast.Node) bool {
		if g, ok := n.(*ast.GoStmt); ok && p.holds(g, line) {
			found = true
		}
		return !found
	})
	return found
}

// goFiles reads the files of a folder that are built together with one of them, with those of tests or without; they
// are partial where others may be built with them, or not. It returns none where they, or all entries of the folder,
// are too many, where one of those others could end a wait, and where a line directive gives calls other places.
func (r *root) goFiles(dir, main string, tests bool) (files []gocode.File, partial bool) {
	names := r.names(path.Clean(dir))
	if len(names) == maxEntries {
		return nil, false // there may be more
	}
	slices.Sort(names)
	size := 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || name != main && !tests && strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, reason := r.read(path.Join(dir, name), maxParsed)
		sure, may := built(name, text)
		switch {
		case may && (strings.Contains(text, "\n//line ") || strings.Contains(text, "/*line ")):
			return nil, false
		case name == main, sure && reason == "":
		case may && (reason != "" || mayEndWaits(text)):
			return nil, false
		default:
			partial = partial || may
			continue
		}
		if size += len(text); size > maxPackageBytes || len(files) == maxPackageFiles {
			return nil, false
		}
		files = append(files, gocode.File{Name: name, Text: text})
	}
	return files, partial
}

// mayEndWaits reports whether code has words of what ends a wait.
func mayEndWaits(text string) bool {
	words := []string{"<-", "close(", "nlock", ".Done()", ".Add(", ".Signal()", ".Broadcast()", "go func", "chan "}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}
