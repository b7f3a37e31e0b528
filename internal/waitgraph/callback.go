package waitgraph

import (
	"slices"

	"github.com/gotriage/triage/stackparse/frame"
)

// callbackBetween returns the call between the site of a bucket and an outer frame that was called back: the nearest to
// the site of another package, of the program itself where there is one; else the nearest of the same package that is
// none of the type's (inPackage). It is -1 where there is none.
func (s *stacks) callbackBetween(bucket, outer int) (callback int, inPackage bool) {
	st := &s.sites[bucket]
	other, near := -1, -1
	for _, o := range s.ownersOf(bucket) {
		switch {
		case o.frame <= st.frame || o.frame >= outer:
		case o.pkg != st.pkg:
			switch s.program.Class(s.d.Buckets[bucket].Frames[o.frame].Frame) {
			case frame.ClassOwn:
				return o.frame, false
			case frame.ClassRuntime, frame.ClassStdlib:
			default:
				if other < 0 {
					other = o.frame
				}
			}
		case near < 0 && st.typ != "" && o.typNumber != st.typNumber:
			near = o.frame
		}
	}
	if other >= 0 {
		return other, false
	}
	return near, near >= 0
}

// byStack is how likely an outer call of a counted stack holds the lock that its goroutines wait for. Nothing shows
// which object each call works on: methods of a type call each other without its lock, and one that called other code
// back more likely has it. Of another type of the package, a library's, no less than that counts, below the call that
// the goroutine began with: workers of a library begin there.
func (s *holderFinder) byStack(bucket int, o *owner, n Strength) Strength {
	callback, inPackage := s.callbackBetween(bucket, o.frame)
	owners := s.ownersOf(bucket)
	switch {
	case n > 0 && (callback < 0 || inPackage):
		return StrengthFamily
	case n > 0:
		return StrengthType
	case o.pkg == s.sites[bucket].pkg && callback > 0 && !inPackage && o.frame != owners[len(owners)-1].frame &&
		o.pkg != "main" && !s.inLibrary(bucket):
		return StrengthFamily
	}
	return 0
}

// busyBeside reports whether a goroutine goes on by itself, or may, in a package of the code on a bucket's stack.
func (s *stacks) busyBeside(bucket int) bool {
	var packages []string
	for _, o := range s.ownersOf(bucket) {
		class := s.program.Class(s.d.Buckets[bucket].Frames[o.frame].Frame)
		if class != frame.ClassStdlib && !slices.Contains(packages, o.pkg) {
			packages = append(packages, o.pkg)
		}
	}
	for i, b := range s.d.Buckets {
		if !s.alive[i] || s.idle(i) || takesDump(b) {
			continue
		}
		if slices.ContainsFunc(s.ownersOf(i), func(o owner) bool { return slices.Contains(packages, o.pkg) }) {
			return true
		}
	}
	return false
}
