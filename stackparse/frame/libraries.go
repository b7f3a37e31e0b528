package frame

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
)

// libraries are the import paths of well-known libraries that programs call and wait in: clients of servers, databases
// and brokers, embedded stores, caches, pools. Packages below them count as well. Majors and vendor folders are no part
// of the path.
var libraries = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for path := range strings.FieldsSeq(librariesText) {
		all[path] = true
	}
	return all
})

//go:embed libraries.txt
var librariesText string

// Library reports whether f belongs to a well-known library that programs wait in, or to a client that protoc
// generated. Its frames between a wait and the program's code are how the program waits; the caller decides how long,
// how often and under which lock, so the caller is blamed. Where the program is such a library itself, none of its
// frames is one.
func (p Program) Library(f Frame) bool {
	pkg, _ := symbol.SplitPackage(f.Func)
	return p.library(f, pkg)
}

func (p Program) library(f Frame, pkg string) bool {
	if strings.HasSuffix(f.File, ".pb.go") {
		return true
	}
	if !strings.Contains(pkg, ".") || symbol.VendorEnd(pkg) == 0 && within(pkg, p.Module) || p.claims(pkg) {
		return false
	}
	path := symbol.DropMajors(symbol.Unescape(pkg[symbol.VendorEnd(pkg):]))
	if i := strings.LastIndex(path, ".v"); i >= 0 && strings.HasPrefix(path, "gopkg.in/") {
		path = path[:i]
	}
	for i := range path {
		if path[i] == '/' && libraries()[path[:i]] {
			return true
		}
	}
	return libraries()[path]
}
