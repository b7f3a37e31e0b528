package waitgraph

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// callbackBetween returns the call between the site of a bucket and an outer frame that was called back: the nearest to
// the site of another package, of the program itself where there is one; else the nearest of the same package that is
// none of the type's (inPackage). It is -1 where there is none.
func (s *stacks) callbackBetween(bucket, outer int) (callback int, inPackage bool) {
	st := &s.sites[bucket]
	other, near := -1, -1
	for _, cf := range s.codeFramesOf(bucket) {
		switch {
		case cf.frame <= st.frame || cf.frame >= outer:
		case cf.pkg != st.pkg:
			switch s.program.Class(s.d.Buckets[bucket].Frames[cf.frame].Frame) {
			case frame.ClassOwn:
				return cf.frame, false
			case frame.ClassRuntime, frame.ClassStdlib:
			default:
				if other < 0 {
					other = cf.frame
				}
			}
		case near < 0 && st.typ != "" && cf.typNumber != st.typNumber:
			near = cf.frame
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
func (s *holderFinder) byStack(bucket int, cf *codeFrame, n Strength) Strength {
	callback, inPackage := s.callbackBetween(bucket, cf.frame)
	frames := s.codeFramesOf(bucket)
	switch {
	case n > 0 && (callback < 0 || inPackage):
		return StrengthFamily
	case n > 0:
		return StrengthType
	case cf.pkg == s.sites[bucket].pkg && callback > 0 && !inPackage && cf.frame != frames[len(frames)-1].frame &&
		cf.pkg != "main" && !s.inLibrary(bucket):
		return StrengthFamily
	}
	return 0
}

// calledFromLock reports whether an outer call of another type works on the very lock that its goroutine waits for, in
// the package that takes it, and has called other code back.
func (s *holderFinder) calledFromLock(bucket int, cf *codeFrame, words []stackparse.Word, addr uint64) bool {
	if addr == 0 || !cf.method || cf.pkg != s.sites[bucket].pkg {
		return false
	}
	if recv, ok := receiver(words, cf.frame); !ok || recv != addr {
		return false
	}
	callback, inPackage := s.callbackBetween(bucket, cf.frame)
	return callback > 0 && !inPackage
}

// busyBeside reports whether a goroutine goes on by itself, or may, in a package of the code on a bucket's stack.
func (s *stacks) busyBeside(bucket int) bool {
	var packages []string
	for _, cf := range s.codeFramesOf(bucket) {
		class := s.program.Class(s.d.Buckets[bucket].Frames[cf.frame].Frame)
		if class != frame.ClassStdlib && !slices.Contains(packages, cf.pkg) {
			packages = append(packages, cf.pkg)
		}
	}
	for i, b := range s.d.Buckets {
		if !s.alive[i] || s.idle(i) || takesDump(b) {
			continue
		}
		if slices.ContainsFunc(s.codeFramesOf(i), func(f codeFrame) bool { return slices.Contains(packages, f.pkg) }) {
			return true
		}
	}
	return false
}
