package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// withCallbacks lets a rule report finalizers that wait, which are callbacks of the runtime's, and callbacks that wait
// while others wait for the goroutine that called them.
func withCallbacks(r *rules.Rule) *rules.Rule {
	r.Run = joined(r.Run, sceneRun(finalizerBlocked, lockClasses()...),
		sceneRun(loopCalledOut, stackparse.ClassChanSend))
	return r
}

// finalizerBlocked finds a finalizer that waits for another goroutine: all finalizers of a process run in one
// goroutine, which the runtime started.
func finalizerBlocked(s *scene) []rules.Finding {
	var found []rules.Finding
	for i := range s.actors {
		w := &s.actors[i]
		if !s.finalizes(w) {
			continue
		}
		// The runtime does not date the waits of this goroutine, so that it may look young.
		v := s.surest(w).with(account.Values{
			"role": "the goroutine that runs all finalizers", "wait": string(w.b.Class),
			"effect": "no other finalizer of the process runs, and what waits for one stays in memory",
		})
		if s.ageOf(w) != sure {
			v.severity, v.confidence = rules.Low, rules.ConfMedium
		}
		found = append(found, s.finding("callback-blocked", w, v))
	}
	return found
}

// finalizes reports whether one goroutine waits in a finalizer or a cleanup. Until Go 1.24 the text of its stack ends
// with the finalizer, and of all goroutines but main it alone has no creator.
func (s *scene) finalizes(w *actor) bool {
	if w.b.Active > 0 || w.b.Count != 1 || len(w.b.Goroutines) == 0 || !w.own && !w.foreign || w.inMain() ||
		w.root < 0 || !slices.Contains(lockClasses(), w.b.Class) || s.d.Truncated.Head || s.d.Truncated.Tail {
		return false
	}
	if c := w.b.CreatedBy; c != nil && c.Func == "runtime.createfing" {
		return true
	}
	runs := slices.ContainsFunc(w.b.Frames, func(f stackparse.Frame) bool {
		return f.Func == "runtime.runFinalizers" || f.Func == "runtime.runCleanups" || f.Func == "runtime.runfinq"
	})
	outer := w.b.Frames[len(w.b.Frames)-1].Func
	return runs || w.b.CreatedBy == nil && w.b.Goroutines[0].Parent == 0 && !strings.HasPrefix(outer, "runtime.") &&
		(s.d.Format == stackparse.FormatDebug2 || s.d.Format == stackparse.FormatSignal)
}
