package wait

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// closeWaitsForItself is close-waits-for-itself (TR447): the goroutine of an object calls the method that ends the object,
// and the method waits until that goroutine has ended.
func closeWaitsForItself() *rules.Rule {
	classes := []stackparse.Class{stackparse.ClassWaitGroup, stackparse.ClassChanReceive, stackparse.ClassChanSend}
	return waitRule("TR447", "close-waits-for-itself", rules.Deadlock, rules.High, sceneRun(func(s *scene) []rules.Finding {
		var found []rules.Finding
		for i := range s.actors {
			w := &s.actors[i]
			for _, c := range classes {
				if w.b.Class == c && s.closesItself(w) && s.ageOf(w) != young {
					if v := s.judgeSelfClose(w); v.severity != "" {
						found = append(found, s.finding("close-waits-for-itself", w, v))
					}
				}
			}
		}
		return found
	}, classes...))
}

// closesItself reports whether a goroutine that a type started waits in the type's method that ends it.
func (s *scene) closesItself(w *actor) bool {
	typ := s.loopType(w)
	if typ == "" || w.site < 0 || w.b.Active > 0 {
		return false
	}
	site := w.b.Frames[w.site].Func
	if s.typeOf(site) != typ || !s.stops(site) || s.name(site).Closure != "" {
		return false
	}
	// What lies further out of the type must be its loop, not Close that calls close.
	for i := w.root; i > w.site; i-- {
		fn := w.b.Frames[i].Func
		if s.typeOf(fn) == typ {
			return s.name(fn).Closure != "" && s.name(fn).Func != s.name(site).Func || !s.stops(fn)
		}
	}
	return false
}

// judgeSelfClose looks for others whom the goroutines may wait for.
func (s *scene) judgeSelfClose(w *actor) verdict {
	v := verdict{severity: rules.Medium, confidence: rules.ConfMedium, values: account.Values{}}
	typ := s.loopType(w)
	if len(w.b.Goroutines) == 0 {
		if s.otherIn(w, func(a *actor) bool { return s.ofType(a, typ) }) || s.moverBeside(w) {
			return verdict{}
		}
	} else {
		for j := range w.b.Goroutines {
			if s.waitsForRelative(w, j, typ) {
				return verdict{}
			}
		}
	}
	if s.ageOf(w) == sure {
		v.severity = rules.High
	}
	loop := w.b.Frames[w.root]
	v.values["loop"] = rules.PlaceText(rules.PlaceOf(loop.Frame))
	return v
}

// waitsForRelative reports whether a goroutine that the j-th one of w may wait for is there: one that it started, one of the type
// that comes from the same parent, or one in a method of the same object.
func (s *scene) waitsForRelative(w *actor, j int, typ string) bool {
	g := &w.b.Goroutines[j]
	self, known := receiverOf(w.b, j, w.site)
	for i := range s.actors {
		a := &s.actors[i]
		ofType := a != w && s.ofType(a, typ)
		for k := range a.b.Goroutines {
			o := &a.b.Goroutines[k]
			switch {
			case o.Parent != 0 && o.Parent == g.ID:
				return true
			case ofType && (g.Parent == 0 || o.Parent == g.Parent || o.ID == g.Parent):
				return true
			}
		}
		if ofType && known && s.worksOn(a, typ, self) {
			return true
		}
	}
	return false
}

// worksOn reports whether a goroutine of a bucket is in a method of an object.
func (s *scene) worksOn(a *actor, typ string, object uint64) bool {
	for i := range a.b.Samples {
		for _, w := range a.b.Samples[i].Words {
			if w.Arg() == 0 && w.Value() == object && s.typeOf(a.b.Frames[w.Frame()].Func) == typ {
				return true
			}
		}
	}
	return false
}
