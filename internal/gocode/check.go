package gocode

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sync/atomic"
	"time"
)

// Bounds of what is type-checked, which little can stop once it is under way.
const (
	// maxCheck is how long a package may take: the 121,000 lines of package runtime take 0.6 s (measured, two cores).
	maxCheck = 5 * time.Second
	// maxExpanded is how large one type or constant may be without the names that stand for others, in nodes and bytes
	// of strings. Chosen: forty lines of constants or aliases, each of which names the one before twice, are 2^40.
	maxExpanded = 1 << 20
	// maxNamed is through how many names one is followed.
	maxNamed = 576
)

// check type-checks the files of a package. It reports whether that came to an end: who writes types that grow without
// bound keeps the checker busy for ever, so it is left behind then.
func (p *Package) check(name string) bool { return p.checkWithin(name, maxCheck) }

// checkWithin is check that gives up after a time. The checker can't be stopped but where it calls back, which it does
// at each error: what packages of large programs are nearly made of, since nothing that they import is read. So what is
// left behind for good is code without errors whose types grow.
func (p *Package) checkWithin(name string, limit time.Duration) bool {
	if expands(p.Files) {
		return false
	}
	done := make(chan bool, 1)
	var late atomic.Bool
	stop := func(error) {
		if late.Load() {
			panic("given up") // recovered below
		}
	}
	set, files, info := p.Set, make([]*ast.File, len(p.Files)), p.Info
	for i, f := range p.Files {
		files[i] = withoutOrder(f)
	}
	go func() {
		var checked *types.Package
		defer func() {
			sound := recover() == nil // a fault of the checker costs one package
			p.Types = checked
			done <- sound && checked != nil
		}()
		c := types.Config{Importer: stubs{}, Error: stop, FakeImportC: true, DisableUnusedImportCheck: true}
		checked, _ = c.Check(name, set, files, &info) // what it couldn't check is unknown
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case sound := <-done:
		return sound
	case <-timer.C:
		late.Store(true)
		return false
	}
}

// expands reports whether a constant or an alias is too large without the names that stand for others.
func expands(files []*ast.File) bool {
	x := expansion{map[string][]ast.Expr{}, map[string]int{}}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				if n.Tok == token.CONST {
					x.constants(n)
				}
			case *ast.TypeSpec:
				if n.Assign.IsValid() {
					x.of[n.Name.Name] = append(x.of[n.Name.Name], n.Type)
				}
			}
			return true
		})
	}
	for name := range x.of {
		if x.size(name, 0) >= maxExpanded {
			return true
		}
	}
	return slices.ContainsFunc(files, x.uses)
}

// uses reports whether a file gives a generic alias what makes it too large.
func (x *expansion) uses(f *ast.File) bool {
	tooLarge := false
	ast.Inspect(f, func(n ast.Node) bool {
		index, ok := n.(*ast.IndexExpr)
		if !ok {
			return !tooLarge
		}
		tooLarge = tooLarge || x.sizeOf(index, 0) >= maxExpanded
		return false
	})
	return tooLarge
}

// An expansion works out how large names are without those that they stand for.
type expansion struct {
	of    map[string][]ast.Expr // by name, wherever that is declared
	sizes map[string]int        // known, or 1 while they are worked out
}

func (x *expansion) constants(d *ast.GenDecl) {
	for _, s := range d.Specs {
		if s, ok := s.(*ast.ValueSpec); ok && len(s.Values) > 0 {
			for _, id := range s.Names {
				x.of[id.Name] = append(x.of[id.Name], s.Values...)
			}
		}
	}
}

func (x *expansion) size(name string, depth int) int {
	if n, ok := x.sizes[name]; ok {
		return n
	}
	if depth > maxNamed {
		return maxExpanded
	}
	x.sizes[name] = 1
	n := 0
	for _, e := range x.of[name] {
		n += x.sizeOf(e, depth)
	}
	x.sizes[name] = min(n, maxExpanded)
	return x.sizes[name]
}

// sizeOf is the size of an expression. What a generic alias is given may be in it again and again.
func (x *expansion) sizeOf(e ast.Expr, depth int) int {
	n := 0
	ast.Inspect(e, func(part ast.Node) bool {
		switch part := part.(type) {
		case nil:
			return false
		case *ast.Ident:
			n++
			if len(x.of[part.Name]) > 0 {
				n += x.size(part.Name, depth+1)
			}
		case *ast.BasicLit:
			n += len(part.Value)
		case *ast.Field:
			n += max(len(part.Names), 1) * x.sizeOf(part.Type, depth)
			return false
		case *ast.IndexExpr:
			if id, ok := part.X.(*ast.Ident); ok && len(x.of[id.Name]) > 0 {
				n += x.size(id.Name, depth+1) * x.sizeOf(part.Index, depth+1)
				return false
			}
		}
		n = min(n, maxExpanded)
		return n < maxExpanded
	})
	return min(n, maxExpanded)
}
