package gocode

import (
	"go/ast"
	"sync"
)

// A Frame is a call in a stack: a function as the runtime names it, with its place, and what it called, "" where that
// isn't known.
type Frame struct {
	Func, File string
	Line       int
	Callee     string
}

// A Site is the place of a frame in its source.
type Site struct {
	*Package
	File string        // as the package names it
	Line int           // of the call under way
	Fn   ast.Node      // the function, a *ast.FuncDecl or *ast.FuncLit
	Decl *ast.FuncDecl // Fn, or the declared function that it lies in
}

// A Reader finds the code of frames. It remembers what it has read, and may be used by several goroutines.
type Reader struct {
	load  func(f Frame) (p *Package, file string)
	mu    sync.Mutex
	sites map[Frame]*Site
}

// maxSites bounds the frames that are remembered; the others have no code.
const maxSites = 1 << 14

// NewReader returns a Reader over load, which returns the package that a frame is in and the name of its file there if
// the frame's line is in the build what it is there, nil otherwise.
func NewReader(load func(f Frame) (p *Package, file string)) *Reader {
	return &Reader{load: load, sites: map[Frame]*Site{}}
}

// Empty reports whether there is no source to be read.
func (r *Reader) Empty() bool { return r == nil || r.load == nil }

// Site returns where a frame is in its source, nil where that isn't there, or not what was built.
func (r *Reader) Site(f Frame) *Site {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.sites[f]; ok || len(r.sites) >= maxSites {
		return s
	}
	var s *Site
	if p, file := r.load(f); p != nil {
		if fn, decl := p.At(file, f.Line, f.Func); fn != nil {
			s = &Site{Package: p, File: file, Line: f.Line, Fn: fn, Decl: decl}
		}
	}
	r.sites[f] = s
	return s
}
