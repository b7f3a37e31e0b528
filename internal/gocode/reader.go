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
	load    func(f Frame) (p *Package, file string)
	program func() []Unit
	mu      sync.Mutex
	sites   map[Frame]*Site
}

// A Unit is a package of the program, whether a frame is in it or not.
type Unit struct {
	*Package
	Path string // its import path, "main" for the program's own
	Dir  string // the folder of its files, as the build names it, with a slash at the end
}

// maxSites bounds the frames that are remembered; the others have no code.
const maxSites = 1 << 14

// NewReader returns a Reader over load, which returns the package that a frame is in and the name of its file there if
// the frame's line is in the build what it is there, nil otherwise; and over program, which returns the packages of the
// program that are at hand.
func NewReader(load func(f Frame) (p *Package, file string), program func() []Unit) *Reader {
	return &Reader{load: load, program: program, sites: map[Frame]*Site{}}
}

// Program are the packages of the program: those that frames are in, and what these import from the same checkout.
func (r *Reader) Program() []Unit {
	if r.Empty() || r.program == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.program()
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
