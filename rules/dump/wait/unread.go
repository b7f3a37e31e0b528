package wait

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// aboutMinutes is by how much two waits of which one causes the other may seem to differ: minutes in a dump are off by
// two, and what a library hands over comes some time after the receiver has got stuck. Chosen.
const aboutMinutes = 5

// resultsUnread is results-unread (TR456). Its stacks are goroutines of libraries that hand the program what it has to
// receive from a channel of theirs, as their documentation says: results, errors, events. Named is the goroutine of the
// program that waits in a call since about then, where there is one only: it should receive from that channel, or it
// hands the library more.
func resultsUnread(x *dumpIndex) []rules.Finding {
	const name = "results-unread"
	var found []rules.Finding
	s := newScene(x.d)
	for _, b := range x.buckets(name) {
		l := s.actorIn(b)
		if b.MaxMinutes < forgottenMinutes || b.Active > 0 {
			continue
		}
		w := s.sinceAbout(l)
		if w == nil || slices.ContainsFunc(found, func(f rules.Finding) bool {
			return f.Culprit == rules.BlameBucket(s.d, w.b).Culprit
		}) {
			continue
		}
		v := medium().with(account.Values{"library": symbol.ShortFunc(rules.PlainName(l.b.Frames[l.site].Func)),
			"since": spanOf(1, l.b.MaxMinutes)})
		v.at = s.ownCall(w)
		v.evidence = []rules.Evidence{rules.EvidenceOf(s.d, b, "")}
		v.evidence[0].Text += " waits to hand something over"
		found = append(found, s.finding(name, w, v))
	}
	return found
}

// sinceAbout is the one stack of the program whose goroutines wait in a call since about when those of l do; nil where
// there are none or several.
func (s *scene) sinceAbout(l *actor) (one *actor) {
	for i := range s.actors {
		a := &s.actors[i]
		if !a.own || a.site < 0 || a.site >= s.loopOf(a) || a.b.Active > 0 || a.role != nil && !a.inMain() ||
			a.b.MaxMinutes+aboutMinutes < l.b.MaxMinutes || a.b.MaxMinutes > l.b.MaxMinutes+aboutMinutes ||
			!slices.Contains(peerClasses(), a.b.Class) && a.b.Class != stackparse.ClassIO &&
				a.b.Class != stackparse.ClassSyscall || hasFunction(a.b, "internal/poll.(*FD).Accept") {
			continue
		}
		if one != nil {
			return nil
		}
		one = a
	}
	return one
}
