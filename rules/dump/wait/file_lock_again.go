package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// fileLockAgain judges a goroutine that waits for a file lock in a method that locks, below a function that has taken
// such a lock before: others wait in the same method, called from an earlier line of that function. flock(2) locks an
// open file, so that a process that opens the file again waits for itself. Nobody else may be past that line, or in
// another method of the type: it would be the holder.
func (s *view) fileLockAgain(w *actor) verdict {
	at := s.locksFile(w)
	if at < 0 || w.b.Count > 1 || s.d.Truncated.Head || s.d.Truncated.Tail || s.ageOf(w) == young {
		return verdict{}
	}
	locks := w.b.Frames[at].Func
	for i := at + 1; i < len(w.b.Frames); i++ {
		f := &w.b.Frames[i]
		if f.Elided != 0 || s.d.Program.Class(f.Frame) != frame.ClassOwn {
			continue
		}
		k := slices.IndexFunc(s.actors, func(a actor) bool {
			j := s.locksFile(&a)
			return j >= 0 && a.b != w.b && a.b.Frames[j].Func == locks && j+1 < len(a.b.Frames) &&
				a.b.Frames[j+1].Func == f.Func && a.b.Frames[j+1].Line < f.Line
		})
		if k < 0 {
			continue
		}
		typ := s.typeOf(locks)
		if s.anyIn(w, func(a *actor) bool { return s.locksFile(a) < 0 && s.worksInType(a, typ) }) {
			return verdict{}
		}
		behind := &s.actors[k]
		v := guilty().with(account.Values{"outer": rules.PlaceText(rules.PlaceOf(f.Frame)),
			"taken": rules.PlaceText(rules.PlaceOf(behind.b.Frames[s.locksFile(behind)+1].Frame)),
			"all":   waitsVerb(behind.b.Count)}, "again")
		v.category, v.at = rules.Deadlock, at
		v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, behind.b, "")}
		return v
	}
	return verdict{}
}

// locksFile is the method of the program in which goroutines wait for a lock on a file; -1 where they do not.
func (s *view) locksFile(a *actor) int {
	if a.b.Class != stackparse.ClassSyscall || a.b.Active > 0 {
		return -1
	}
	flock := slices.IndexFunc(a.b.Frames, func(f stackparse.Frame) bool {
		return strings.HasSuffix(f.Func, ".Flock") || strings.HasSuffix(f.Func, ".FcntlFlock")
	})
	if flock < 0 {
		return -1
	}
	for i := flock + 1; i < len(a.b.Frames); i++ {
		f := &a.b.Frames[i]
		if f.Elided == 0 && s.typeOf(f.Func) != "" && s.d.Program.Class(f.Frame) == frame.ClassOwn {
			return i
		}
	}
	return -1
}
