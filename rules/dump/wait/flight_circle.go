package wait

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// withFlights adds to a rule loads that wait for each other.
func withFlights(r *rules.Rule) *rules.Rule {
	r.Run = joined(r.Run, sceneRun((*scene).flightsInFlights, stackparse.ClassWaitGroup))
	return r
}

// flightsInFlights is the part of closed-circle (TR445) about loads by singleflight: who waits in Do for a key waits
// for another goroutine that loads it, in doCall. Where each goroutine that loads waits in Do itself, all of them wait
// for each other. Forms without minutes count as well: a load that has ended would be gone from doCall.
func (s *scene) flightsInFlights() []rules.Finding {
	var loads []*actor
	for i := range s.actors {
		a := &s.actors[i]
		if !hasFlight(a.b, "doCall") {
			continue
		}
		if a.b.Class != stackparse.ClassWaitGroup || a.b.Active > 0 || a.site < 0 || !a.own ||
			!isFlight(a.b.Frames[a.site].Func, "Do") {
			return nil
		}
		loads = append(loads, a)
	}
	if len(loads) == 0 || s.d.Truncated.Head || s.d.Truncated.Tail {
		return nil
	}
	w := slices.MaxFunc(loads, func(a, b *actor) int { return int(a.b.MaxMinutes) - int(b.b.MaxMinutes) })
	v := guilty()
	n := 0
	for _, a := range loads {
		n += a.b.Count
		if a != w && len(v.evidence) < maxUsers {
			v.evidence = append(v.evidence, rules.EvidenceOf(s.d, a.b, ""))
		}
	}
	v.at = s.ownCall(w)
	v = v.with(account.Values{"loads": waitsVerb(n)}, "flights")
	return []rules.Finding{s.finding("closed-circle", w, v)}
}

// hasFlight reports whether goroutines are in a function of a group of singleflight, or of a copy of it: many libraries
// have one.
func hasFlight(b *stackparse.Bucket, name string) bool {
	return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool { return isFlight(f.Func, name) })
}

func isFlight(fn, name string) bool {
	return strings.HasSuffix(rules.PlainName(fn), "/singleflight.(*Group)."+name)
}
