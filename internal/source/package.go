package source

import (
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
	tags, certain := constraintOf(name, text).implied()
	key := strings.Join([]string{found.root.dir, dir, own.syntax.Name.Name}, "\x00")
	if !certain {
		key += "\x00" + name
	}
	p, ok := s.read[key]
	if !ok && len(s.read) < maxPackages {
		p = gocode.New(found.root.goFiles(dir, name, tags), name)
		s.read[key] = p
	}
	return p, name
}

// goFiles reads the files of a folder that are built together with one of them, by the tags that it implies: without
// tests but that file. It returns none where they are too many, or where a file that may be built with them, or not,
// could end a wait.
func (r *root) goFiles(dir, main string, tags map[string]truth) []gocode.File {
	names := r.names(path.Clean(dir))
	slices.Sort(names)
	var files []gocode.File
	size := 0
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || name != main && strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, reason := r.read(path.Join(dir, name), maxParsed)
		built := constraintOf(name, text).eval(tags)
		switch {
		case name == main:
		case reason != "" && built != no:
			return nil
		case built == maybe && mayEndWaits(text):
			return nil
		case built != yes:
			continue
		}
		if size += len(text); size > maxPackageBytes || len(files) == maxPackageFiles {
			return nil
		}
		files = append(files, gocode.File{Name: name, Text: text})
	}
	return files
}

// mayEndWaits reports whether code has words of what ends a wait.
func mayEndWaits(text string) bool {
	words := []string{"<-", "close(", "nlock(", ".Done()", ".Add(", ".Signal()", ".Broadcast()", "go func", "chan "}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}
