package coded

import (
	"go/ast"
	"path"
	"slices"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// An Ending is a function that has code which could end the wait of a bucket.
type Ending struct {
	Place rules.Place
	// Goroutines is how many goroutines of other buckets are in that function. First is the first of them, 0 where the
	// dump only counts, and At the place where it is now.
	Goroutines int
	First      uint64
	At         rules.Place
}

// Bounds of what is looked up in a dump: places that wait, the functions that could end one wait, and frames whose
// function is asked for.
const (
	maxEnded   = 128
	maxEndings = 16
	maxAsked   = 1 << 12
)

// Endings are, by bucket, the functions that could end its wait, as the source shows: those that send to the channel,
// close it or receive from it, call Done or wake who waits for the Cond; those first in which a goroutine is. wanted
// are the buckets that are asked for. They are what a reader would look for; others may have the channel as well.
func Endings(pass *rules.Pass, d *rules.DumpInput, wanted func(bucket int) bool) [][]Ending {
	code := parsed.Code(pass)
	if code.Empty() {
		return nil
	}
	all := make([][]Ending, len(d.Buckets))
	uses := map[*gocode.Site][]gocode.Use{}
	var in *presence
	for i, b := range d.Buckets {
		if b.Active > 0 || !wanted(i) {
			continue
		}
		site, dir := waitingSite(code, b)
		if site == nil {
			continue
		}
		if _, ok := uses[site]; !ok && len(uses) < maxEnded {
			uses[site] = site.CouldEnd(waitClasses[b.Class].kind)
		}
		if len(uses[site]) == 0 {
			continue
		}
		if in == nil {
			in = newPresence(d)
		}
		all[i] = in.endings(i, site, dir, uses[site])
	}
	return all
}

// waitingSite is the place in the source where a bucket waits for other goroutines, nil without one, and the folder of
// its file as the dump names it.
func waitingSite(code *gocode.Reader, b *stackparse.Bucket) (*gocode.Site, string) {
	class, ok := waitClasses[b.Class]
	if !ok {
		return nil, ""
	}
	k := slices.IndexFunc(b.Frames, func(f stackparse.Frame) bool { return !symbol.WaitsForOthers(f.Func) })
	if k < 0 || b.Frames[k].File == "" {
		return nil, ""
	}
	f := &b.Frames[k]
	return code.Site(gocode.Frame{Func: f.Func, File: f.File, Line: f.Line, Callee: class.callee}), path.Dir(f.File)
}

// A spot is a frame of a bucket.
type spot struct{ bucket, frame int }

// A presence finds the goroutines of a dump that are in a function of the source.
type presence struct {
	d     *rules.DumpInput
	spots map[string][]spot // frames by file
	of    map[ast.Node][]int
	asked int
}

func newPresence(d *rules.DumpInput) *presence {
	in := &presence{d, map[string][]spot{}, map[ast.Node][]int{}, 0}
	for i, b := range d.Buckets {
		for k := range b.Frames {
			if file := b.Frames[k].File; file != "" {
				in.spots[file] = append(in.spots[file], spot{i, k})
			}
		}
	}
	return in
}

// endings are the functions of uses, each at its first one; none where it is not known who is in them.
func (in *presence) endings(bucket int, site *gocode.Site, dir string, uses []gocode.Use) (all []Ending) {
	var fns []ast.Node
	for i := range uses {
		u := &uses[i]
		if slices.Contains(fns, u.Fn) {
			continue
		}
		if len(fns) == maxEndings {
			break
		}
		fns = append(fns, u.Fn)
		file, line := site.Place(u.At)
		file = dir + "/" + path.Base(file)
		buckets, ok := in.buckets(site.Package, file, u.Fn)
		if !ok {
			return nil
		}
		e := Ending{Place: rules.Place{Function: gocode.Name(u.Fn, u.Decl), File: file, Line: line}}
		in.count(&e, buckets, bucket)
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b Ending) int { return min(b.Goroutines, 1) - min(a.Goroutines, 1) })
	return all
}

// buckets are those that are in a function of a file; ok is false where too many frames had to be looked at.
func (in *presence) buckets(p *gocode.Package, file string, fn ast.Node) (found []int, ok bool) {
	if found, ok := in.of[fn]; ok {
		return found, true
	}
	first, last := p.Line(fn.Pos()), p.Line(fn.End())
	for _, s := range in.spots[file] {
		f := &in.d.Buckets[s.bucket].Frames[s.frame]
		if f.Line < first || last < f.Line || len(found) > 0 && found[len(found)-1] == s.bucket {
			continue
		}
		if in.asked++; in.asked > maxAsked {
			return nil, false
		}
		if at, _ := p.At(file, f.Line, f.Func); at == fn {
			found = append(found, s.bucket)
		}
	}
	in.of[fn] = found
	return found, true
}

// count notes the goroutines of other buckets than the one that waits.
func (in *presence) count(e *Ending, buckets []int, but int) {
	for _, bucket := range buckets {
		if bucket == but {
			continue
		}
		b := in.d.Buckets[bucket]
		if e.Goroutines += b.Count; e.Goroutines > b.Count {
			continue
		}
		if len(b.Goroutines) > 0 {
			e.First = b.Goroutines[0].ID
		}
		code := in.d.CodeOf(b)
		for k := range b.Frames {
			f := &b.Frames[k]
			if class := code.Class(k); class != frame.ClassRuntime && class != frame.ClassStdlib && f.Func != "" {
				e.At = rules.PlaceOf(f.Frame)
				break
			}
		}
	}
}
