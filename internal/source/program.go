package source

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/gocode"
)

// A folder is one of a checkout that holds a package of the program.
type folder struct {
	root   *root
	module module
	dir    string // below the root
	prefix string // what the build puts before paths of the root, "" where that isn't known
}

// maxFolders bounds the imports that are followed. Chosen: most of those of a hostile file aren't there.
const maxFolders = 4096

// Program returns the packages of the program that are in checkouts: those in which frames were found, and what these
// import from the same checkout, directly or not. A folder with a file that is not what was built is left out.
func (s *Packages) Program() (units []gocode.Unit) {
	begin := time.Now()
	defer func() { s.spent += time.Since(begin) }()
	moved := map[string]bool{} // folders, as key has them
	queue := s.begun(moved)
	seen, asked := map[string]bool{}, map[string]bool{}
	for ; len(queue) > 0 && len(units) < maxPackages; queue = queue[1:] {
		at := queue[0]
		key := at.key()
		if seen[key] || s.spent+time.Since(begin) > maxSpent {
			continue
		}
		seen[key] = true
		p := s.packageIn(at)
		if p == nil {
			continue
		}
		if !moved[key] {
			dir := path.Join(at.prefix, at.dir) + "/"
			units = append(units, gocode.Unit{Package: p, Path: at.importPath(p), Dir: dir})
		}
		for _, f := range p.Files {
			for _, i := range f.Imports {
				if next, ok := at.imports(i.Path.Value); ok && !asked[next.key()] && len(asked) < maxFolders {
					asked[next.key()] = true
					queue = append(queue, next)
				}
			}
		}
	}
	return units
}

func (f *folder) key() string { return f.root.dir + "\x00" + f.dir }

// begun are the folders of checkouts in which a frame's line does what it did in the build, in order of their names;
// moved gets those that hold a file that is not what was built.
func (s *Packages) begun(moved map[string]bool) (all []folder) {
	for _, key := range slices.Sorted(maps.Keys(s.found)) {
		found := s.found[key]
		printed, _, _ := strings.Cut(key, "\x00")
		if found.reason != "" || found.at.built != "" || !s.fits[printed] {
			continue
		}
		m, ok := found.root.moduleOf(path.Dir(found.at.path))
		if !ok {
			continue
		}
		at := folder{found.root, m, path.Dir(found.at.path), ""}
		if prefix, ok := strings.CutSuffix(strings.ReplaceAll(printed, `\`, "/"), found.at.path); ok {
			at.prefix = prefix
		}
		if s.moved[printed] {
			moved[at.key()] = true
		}
		all = append(all, at)
	}
	// Of two builds of one folder the one whose paths say where it was comes first.
	slices.SortStableFunc(all, func(a, b folder) int { return cmp.Compare(len(b.prefix), len(a.prefix)) })
	return all
}

// moduleOf is the checkout that has a folder; false for folders of vendored code and of none.
func (r *root) moduleOf(dir string) (m module, ok bool) {
	if slices.Contains(strings.Split(dir, "/"), "vendor") {
		return module{}, false
	}
	for _, c := range r.modules {
		if (c.dir == "." || within(dir, c.dir)) && (!ok || len(c.dir) > len(m.dir)) {
			m, ok = c, true
		}
	}
	return m, ok
}

// packageIn reads the package in a folder; nil for none.
func (s *Packages) packageIn(at folder) *gocode.Package {
	names := at.root.names(at.dir)
	slices.Sort(names)
	for _, name := range names {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, reason := at.root.read(path.Join(at.dir, name), maxParsed)
		if sure, _ := built(name, text); !sure || reason != "" {
			continue
		}
		if own := parse(name, text); own.syntax != nil {
			return s.load(at.root, strings.TrimPrefix(at.dir+"/", "./"), name, own)
		}
	}
	return nil
}

// importPath is the path by which the runtime names functions of a package.
func (f *folder) importPath(p *gocode.Package) string {
	if p.Types.Name() == "main" {
		return "main"
	}
	rel := f.dir
	if f.module.dir != "." {
		rel = strings.TrimPrefix(strings.TrimPrefix(f.dir, f.module.dir), "/")
	}
	return path.Join(f.module.path, rel)
}

// imports is the folder of a package that a file of the checkout imports; false for other code.
func (f *folder) imports(quoted string) (folder, bool) {
	imported, err := strconv.Unquote(quoted)
	if err != nil || !within(imported, f.module.path) {
		return folder{}, false
	}
	next := *f
	next.dir = path.Join(f.module.dir, strings.TrimPrefix(imported[len(f.module.path):], "/"))
	return next, !strings.Contains(next.dir, "..")
}
