package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

const electorType = "k8s.io/client-go/tools/leaderelection.(*LeaderElector)."

// leadsNoMore is leads-no-more (TR457): LeaderElector.Run starts OnStartedLeading in a goroutine of its own, and
// returns when the lease is lost. Who called Run is elsewhere by then, and the work of the leader should end.
func leadsNoMore() *rules.Rule {
	const name = "leads-no-more"
	return waitRule("TR457", name, rules.Leak, rules.Medium, actorRun(name, func(s *scene, w *actor) verdict {
		c := w.b.CreatedBy
		if c == nil || c.Func != electorType+"Run" || w.b.Active > 0 || w.site < 0 || w.root < 0 || !w.own ||
			!s.parentsKnown(w) || s.campaigns(w) {
			return verdict{}
		}
		v := guilty().but(s.ageOf(w) != sure, noAge)
		if i := s.loopOf(w); s.d.Program.Class(w.b.Frames[i].Frame) == frame.ClassOwn {
			v.at = i
		}
		return v.with(account.Values{"site": symbol.ShortFunc(rules.PlainName(w.b.Frames[w.site].Func))})
	}, awaitingClasses...))
}

// campaigns reports whether one that started goroutines of an elector is still in it.
func (s *scene) campaigns(w *actor) bool {
	return s.anyIn(w, func(a *actor) bool {
		inRun := slices.ContainsFunc(a.b.Frames, func(f stackparse.Frame) bool {
			return strings.HasPrefix(f.Func, electorType)
		})
		return inRun && slices.ContainsFunc(a.b.Goroutines, func(g stackparse.Goroutine) bool {
			started := func(own stackparse.Goroutine) bool { return own.Parent == g.ID }
			return slices.ContainsFunc(w.b.Goroutines, started)
		})
	})
}

// awaitingClasses are the waits that another goroutine of the process ends, but for locks.
var awaitingClasses = []stackparse.Class{stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect,
	stackparse.ClassWaitGroup, stackparse.ClassCond, stackparse.ClassSemaphore, stackparse.ClassNilChan,
	stackparse.ClassNoCases}
