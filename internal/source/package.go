package source

import (
	"go/build/constraint"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
)

// Bounds of what is read to be checked as a whole.
const (
	maxPackages     = 64
	maxPackageFiles = 400
	maxPackageBytes = 8 << 20
)

// Packages reads packages of the folders, each once.
type Packages struct {
	tree *Tree
	read map[string]*gocode.Package // by folder, and the package's name in it
}

// Packages returns a reader of packages.
func (t *Tree) Packages() *Packages { return &Packages{tree: t, read: map[string]*gocode.Package{}} }

// Of returns the package that a frame is in, and the name of its file there; nil where it isn't below the folders, or
// where its line is not certain to be what was built.
func (s *Packages) Of(f gocode.Frame) (p *gocode.Package, name string) {
	ask := Ask{Place: rules.Place{Function: f.Func, File: f.File, Line: f.Line}, Callee: f.Callee}
	found := s.tree.find(ask.Place)
	if found.reason != "" {
		return nil, ""
	}
	text, reason := found.root.read(found.at.path, maxParsed)
	if reason != "" {
		return nil, ""
	}
	own := parse(found.at.path, text)
	if a := found.answer(own, &ask); a.Code == nil || a.Code.Fits != rules.FitsYes || own.syntax == nil {
		return nil, ""
	}
	dir, name := path.Split(found.at.path)
	key := found.root.dir + "\x00" + dir + "\x00" + own.syntax.Name.Name
	p, ok := s.read[key]
	if !ok && len(s.read) < maxPackages {
		p = gocode.New(found.root.goFiles(dir, name), name)
		s.read[key] = p
	}
	return p, name
}

// goFiles reads the files of a folder that are built together with one of them: on Linux, without tests but that file.
// It returns none where they are too many.
func (r *root) goFiles(dir, main string) []gocode.File {
	names := r.names(path.Clean(dir))
	slices.Sort(names)
	var files []gocode.File
	size := 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || name != main && (strings.HasSuffix(name, "_test.go") || !forLinux(name)) {
			continue
		}
		text, reason := r.read(path.Join(dir, name), maxParsed)
		if reason != "" || name != main && !builtOnLinux(text) {
			continue
		}
		if size += len(text); size > maxPackageBytes || len(files) == maxPackageFiles {
			return nil
		}
		files = append(files, gocode.File{Name: name, Text: text})
	}
	return files
}

// systems are the endings of files' names for operating systems that no container runs on (go help buildconstraint).
var systems = []string{
	"aix", "android", "darwin", "dragonfly", "freebsd", "illumos", "ios", "js", "netbsd", "openbsd", "plan9", "solaris",
	"wasip1", "windows",
}

func forLinux(name string) bool {
	parts := strings.Split(strings.TrimSuffix(name, ".go"), "_")
	return !slices.ContainsFunc(parts[1:], func(part string) bool { return slices.Contains(systems, part) })
}

// builtOnLinux reports whether a file's build constraint may hold on Linux.
func builtOnLinux(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "package ") {
			break
		}
		if !constraint.IsGoBuild(line) {
			continue
		}
		expr, err := constraint.Parse(line)
		return err != nil || expr.Eval(func(tag string) bool {
			return tag == "linux" || tag == "unix" || tag == "amd64" || tag == "gc" || tag == "cgo" ||
				strings.HasPrefix(tag, "go1.")
		})
	}
	return true
}
