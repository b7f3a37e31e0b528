package wait

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// manyAtHub is how many goroutines of a package must take from a loop, or send to it, before one of them that does the
// other thing stands out. Chosen.
const manyAtHub = 3

// takersOf are the goroutines that wait for a loop of the program's which hands something to each of them, where one of
// those that take waits to send as well, so that the loop waits for it and it for the loop: all others of its kind are
// in a receive, all others of the package in a send. It is nil where anybody may go on.
func (s *scene) takersOf(w *actor) (behind []*actor) {
	typ, pkg := s.loopType(w), s.name(w.b.Frames[w.site].Func).Package
	if typ == "" || w.class != frame.ClassOwn || w.b.Count != 1 || pkg == "main" || s.ageOf(w) == young ||
		len(w.b.Goroutines) == 0 {
		return nil
	}
	var resting []*actor
	senders := 0
	for i := range s.actors {
		a := &s.actors[i]
		if a == w || !s.inPackage(a, pkg) || a.inMain() && s.aside(a, w) {
			continue
		}
		switch {
		case a.b.Active > 0 || s.ageOf(a) == young:
			return nil
		case a.b.Class == stackparse.ClassChanReceive && s.idles(a):
			resting = append(resting, a)
		case a.b.Class == stackparse.ClassChanSend:
			senders += a.b.Count
			behind = append(behind, a)
		default:
			return nil
		}
	}
	// The one that takes no more began in the function that the others take in.
	turned := slices.ContainsFunc(behind, func(a *actor) bool {
		return a.root >= 0 && slices.ContainsFunc(resting, func(r *actor) bool {
			return a.b.Frames[a.root].Func == r.b.Frames[r.root].Func && r.b.Count >= manyAtHub && a.b.Count < r.b.Count
		})
	})
	if !turned || senders < manyAtHub || s.moverBeside(w, append(slices.Clone(behind), resting...)...) {
		return nil
	}
	return behind
}
