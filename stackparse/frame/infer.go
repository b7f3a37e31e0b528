package frame

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
)

// Bounds on what InferProgram remembers: enough for the biggest programs (a kubelet shows about 400 packages), little
// enough that a hostile dump costs nothing.
const (
	maxPackages = 4096
	maxMains    = 16
)

// InferProgram finds the main module behind one process's frames (distinct ones are enough; order does not matter).
// It asks, in this order: the module cache path of package main (go install m@v1.2.3), the prefix of vendored
// functions (HOST/MOD/vendor/…), where package main's files lie beside the other packages' (GOPATH, trimmed and plain
// builds), package main's own import path, and at last which module has most packages.
func InferProgram(frames iter.Seq[Frame]) Program {
	e := evidence{vendors: map[string]int{}, dirs: map[string]string{}}
	for f := range frames {
		e.add(f)
	}
	return Program{Module: e.module(), goroot: e.goroot}
}

// evidence is what the frames say about the program.
type evidence struct {
	vendors map[string]int    // who vendors functions: module → how many
	dirs    map[string]string // package → folder of its source, for packages that may be the program's
	mains   []string          // folders of package main's sources
	goroot  string
}

func (e *evidence) add(f Frame) {
	pkg, _ := symbol.SplitPackage(f.Func)
	file := strings.ReplaceAll(f.File, `\`, "/")
	switch {
	case pkg == "":
		return
	case pkg == "runtime":
		if i := symbol.LastIndex(file, "/src/runtime/"); i >= 0 && e.goroot == "" {
			e.goroot = file[:i+len("/src/")]
		}
		return
	case pkg == "main":
		if dir, name := symbol.CutLast(file); usefulFile(name) && len(e.mains) < maxMains && !slices.Contains(e.mains, dir) {
			e.mains = append(e.mains, dir)
		}
		return
	case isRuntime(pkg), Program{goroot: e.goroot}.isStd(pkg, file):
		return
	}
	if i := strings.Index(pkg, symbol.VendorDir); i > 0 {
		if len(e.vendors) < maxPackages && pkg[:i] != "cmd" {
			e.vendors[pkg[:i]]++
		}
		return
	}
	if _, ok := cachedModule(file); ok || strings.Contains(file, symbol.VendorDir) || len(e.dirs) >= maxPackages {
		return
	}
	dir, name := symbol.CutLast(file)
	if old, ok := e.dirs[pkg]; !ok || old == "" {
		if !usefulFile(name) {
			dir = ""
		}
		e.dirs[pkg] = dir
	}
}

// usefulFile reports whether a file of this name lies with its package's sources.
func usefulFile(name string) bool {
	return strings.HasSuffix(name, ".go") && name != "_testmain.go" && !strings.HasPrefix(name, "_cgo_")
}

func (e *evidence) module() string {
	slices.Sort(e.mains)
	for _, dir := range e.mains {
		if mod, ok := cachedModule(dir); ok {
			return mod
		}
	}
	if mod := cmp.Or(e.vendorer(), e.besideMain()); mod != "" {
		return mod
	}
	for _, dir := range e.mains {
		if path := importPath(dir); path != "" {
			return modulePrefix(path)
		}
	}
	return e.mostPackages()
}

// vendorer returns the module that vendors most functions, that of package main before all.
func (e *evidence) vendorer() string {
	best, most := "", 0
	for mod, n := range e.vendors {
		for _, dir := range e.mains {
			if within(importPath(dir), mod) {
				n += 1 << 40
			}
		}
		if n > most || n == most && mod < best {
			best, most = mod, n
		}
	}
	return best
}

// besideMain compares where package main lies with where the others lie. Package example.com/shop/api in /app/api and
// package main in /app/cmd/shop share the root /app, which is module example.com/shop; in GOPATH and trimmed builds,
// where folders repeat import paths, the shared root is found by walking down to package main.
func (e *evidence) besideMain() string {
	votes := map[string]int{}
	for pkg, dir := range e.dirs {
		for _, main := range e.mains {
			if mod := sharedModule(pkg, dir, main); mod != "" {
				votes[mod]++
			}
		}
	}
	return winner(votes)
}

// sharedModule returns the module path of the root that the folders of pkg and of package main share, "" where they
// share none that could be a module.
func sharedModule(pkg, dir, main string) string {
	if dir == "" {
		return ""
	}
	elems := strings.Split(pkg, "/")
	n := len(elems)
	root := dir
	for n > 0 {
		parent, last := symbol.CutLast(root)
		if last != symbol.Unescape(elems[n-1]) || last == "" {
			break
		}
		root = parent
		n--
	}
	if !within(main, root) && root != "" {
		return ""
	}
	for n < len(elems) && !isInner(elems[n], n) {
		next := elems[n]
		if root != "" {
			next = root + "/" + next
		}
		if !within(main, next) {
			break
		}
		root = next
		n++
	}
	if least, _ := minElems(elems[0]); n >= least {
		return modulePrefix(strings.Join(elems[:n], "/"))
	}
	return ""
}

// winner returns the key with most votes, the shorter and then the smaller of equals.
func winner(votes map[string]int) string {
	best, most := "", 0
	for mod, n := range votes {
		if n > most || n == most && (len(mod) < len(best) || len(mod) == len(best) && mod < best) {
			best, most = mod, n
		}
	}
	return best
}

// mostPackages groups the packages that may be the program's by module and returns the biggest group.
func (e *evidence) mostPackages() string {
	votes := map[string]int{}
	for pkg := range e.dirs {
		if mod := modulePrefix(strings.TrimSuffix(pkg, "_test")); !knownLibrary(mod) {
			votes[mod]++
		}
	}
	return winner(votes)
}

// importPath returns the import path of a source folder: of a trimmed build ("github.com/o/r/cmd/x") or under
// GOPATH ("/go/src/github.com/o/r/cmd/x"); "" where there is none.
func importPath(dir string) string {
	if i := symbol.LastIndex(dir, "/src/"); i >= 0 {
		dir = dir[i+len("/src/"):]
	}
	if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, ".") || strings.Contains(dir, ":") {
		return ""
	}
	if host := firstElem(dir); host == dir || !strings.Contains(host, ".") {
		return ""
	}
	return dir
}

// modulePrefix returns the module that an import path most likely belongs to: by the host's rule where one is known
// (github.com/owner/repo, with a major version behind it), else everything before cmd, internal or pkg.
func modulePrefix(path string) string {
	elems := strings.Split(path, "/")
	n, fixed := minElems(elems[0])
	if n > len(elems) {
		return path
	}
	if fixed {
		if n < len(elems) && symbol.IsMajor(elems[n]) {
			n++
		}
		return strings.Join(elems[:n], "/")
	}
	for i := n; i < len(elems); i++ {
		if isInner(elems[i], i) {
			return strings.Join(elems[:i], "/")
		}
	}
	return path
}

// isInner reports whether the i-th element of an import path is a folder inside a module by wide custom.
func isInner(elem string, i int) bool {
	return i > 0 && (elem == "cmd" || elem == "internal" || elem == "pkg" || elem == "vendor")
}

// minElems returns how many elements a module path of a host has at least, and whether it has no more but a version.
func minElems(host string) (n int, fixed bool) {
	switch host {
	case "github.com", "bitbucket.org", "codeberg.org", "golang.org":
		return 3, true
	case "gitlab.com":
		return 3, false
	case "k8s.io", "sigs.k8s.io", "go.uber.org":
		return 2, true
	}
	return 1 + min(strings.Count(host, "."), 1), false
}

// knownLibrary reports whether a module is a library of many programs: no candidate for the main module where nothing
// but package counts speaks.
func knownLibrary(mod string) bool {
	switch mod {
	case "k8s.io/client-go", "k8s.io/apimachinery", "k8s.io/klog", "k8s.io/klog/v2", "k8s.io/api", "k8s.io/apiserver",
		"k8s.io/utils", "k8s.io/component-base", "sigs.k8s.io/controller-runtime", "github.com/spf13/cobra",
		"github.com/sirupsen/logrus", "github.com/prometheus/client_golang", "github.com/gogo/protobuf",
		"github.com/golang/protobuf", "github.com/golang/glog", "github.com/gorilla/mux", "github.com/gorilla/websocket",
		"github.com/nats-io/nats.go", "github.com/fsnotify/fsnotify", "github.com/lib/pq":
		return true
	}
	switch firstElem(mod) {
	case "golang.org", "google.golang.org", "go.uber.org", "gopkg.in", "cloud.google.com", "go.opencensus.io",
		"go.opentelemetry.io", "go.mongodb.org":
		return true
	}
	return false
}
