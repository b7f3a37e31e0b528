package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// loopCalledOut finds callbacks that wait for another goroutine of the program, below a method of an object whose own
// goroutine waits to send: what would receive from it is the method, which comes back when the callback returns. An
// elector whose callback waits for the loss of the lease is one, an informer whose handler fills a queue another.
func loopCalledOut(s *scene) []rules.Finding {
	var found []rules.Finding
	for i := range s.actors {
		c := &s.actors[i]
		waits := c.b.Class == stackparse.ClassChanSend || c.b.Class == stackparse.ClassChanReceive
		if !waits || c.class != frame.ClassOwn || c.b.Active > 0 || c.site < 0 || s.ageOf(c) == young {
			continue
		}
		for k := range s.actors {
			l := &s.actors[k]
			at := s.calledOut(c, l)
			if at < 0 {
				continue
			}
			v := s.judgeCalledOut(c, l)
			if v.severity == "" {
				continue
			}
			v.values = account.Values{"role": symbol.ShortFunc(rules.PlainName(c.b.Frames[at].Func)),
				"wait": string(c.b.Class), "effect": "nothing is received from " +
					rules.PlaceText(rules.BlameBucket(s.d, l.b).Culprit) + ", which waits to send"}
			v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, l.b, "")}
			found = append(found, s.finding("callback-blocked", c, v))
			break
		}
	}
	return found
}

// judgeCalledOut looks for others who may end the wait of a callback, or receive from the loop.
func (s *scene) judgeCalledOut(c, l *actor) verdict {
	typ := s.loopType(l)
	inType := func(a *actor) bool { return a != l && a.move != still && s.worksInType(a, typ) }
	if s.anyIn(c, inType) {
		return verdict{}
	}
	crews := s.crews()
	if !s.moverBeside(c, append(crews, l)...) {
		if s.ageOf(c) != sure && c.b.Class == stackparse.ClassChanReceive {
			return low() // of a timer perhaps: a handler that lets time pass before it tries again
		}
		return s.surest(c)
	}
	// What has waited for as long as the callback was no help in that time. A rarer tick would refute it.
	late := append(s.asLate(c), crews...)
	if s.ageOf(c) != sure || s.moverBeside(c, append(late, l)...) {
		return verdict{}
	}
	v := medium()
	v.confidence = rules.ConfLow
	return v
}

// manyInCrew is how many goroutines in one receive share a queue most likely: each of them would need a ticker of its
// own to go on by itself. Chosen.
const manyInCrew = 3

// crews are the goroutines that wait in numbers in one receive of a function that they began with: for work, or for
// others to be ready. In a form that only counts them one may have been woken.
func (s *scene) crews() (all []*actor) {
	for i := range s.actors {
		a := &s.actors[i]
		if a.b.Class == stackparse.ClassChanReceive && a.b.Count >= manyInCrew && len(a.b.Goroutines) > 0 &&
			a.b.Active == 0 && s.idles(a) {
			all = append(all, a)
		}
	}
	return all
}

// asLate are the goroutines that wait for work since before w waits.
func (s *scene) asLate(w *actor) (all []*actor) {
	lately := func(g stackparse.Goroutine) bool { return g.Minutes < w.b.MaxMinutes }
	for i := range s.actors {
		a := &s.actors[i]
		if a != w && a.move == paced && s.idles(a) && len(a.b.Goroutines) > 0 &&
			!slices.ContainsFunc(a.b.Goroutines, lately) {
			all = append(all, a)
		}
	}
	return all
}

// withCallbacks lets a rule report callbacks that wait while others wait for the goroutine that called them.
func withCallbacks(r *rules.Rule) *rules.Rule {
	r.Run = joined(r.Run, sceneRun(loopCalledOut, stackparse.ClassChanSend))
	return r
}
