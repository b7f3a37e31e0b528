package wait

import (
	"slices"
	"strconv"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
)

// maxCircle bounds the locks of a circle that is looked for. Chosen: as many as in dumps with addresses.
const maxCircle = 6

// circledLocks finds stacks of a counted dump of which each waits for a lock in methods of the type whose method is
// further out on the next one: they take the locks in different orders. Nobody else may be in those types.
func circledLocks(s *scene) []rules.Finding {
	waiters, all := s.lockWaiters()
	for _, a := range all {
		circle := s.circleFrom([]*actor{a}, all, map[string]bool{s.lockKey(a): true})
		if !slices.ContainsFunc(circle, func(a *actor) bool { return a.own }) {
			continue
		}
		n, busy := 0, false
		for _, c := range circle {
			n += waiters[s.lockKey(c)]
			busy = busy || s.busyIn(s.lockKey(c))
		}
		if busy {
			continue
		}
		return []rules.Finding{s.circledFinding(circle, n)}
	}
	return nil
}

// circleFrom continues a path of stacks, each of which waits for a lock that the next one seems to have, until one of
// them seems to have what the last one wants; nil where none does. Each lock is tried once.
func (s *scene) circleFrom(path, all []*actor, tried map[string]bool) []*actor {
	wants := s.lockKey(path[len(path)-1])
	for _, a := range all {
		key := s.lockKey(a)
		if key == wants || s.within(a, wants, a.site+1) < 0 {
			continue
		}
		if key == s.lockKey(path[0]) {
			return append(path[1:len(path):len(path)], a)
		}
		if len(path) >= maxCircle || tried[key] {
			continue
		}
		tried[key] = true
		if circle := s.circleFrom(append(slices.Clip(path), a), all, tried); circle != nil {
			return circle
		}
	}
	return nil
}

func (s *scene) circledFinding(circle []*actor, n int) rules.Finding {
	v := guilty().but(!s.quiet() && n < manyForNobody, contended)
	w, links := circle[0], ""
	for i, a := range circle {
		next := circle[(i+1)%len(circle)]
		outer := next.b.Frames[s.within(next, s.lockKey(a), next.site+1)]
		links += "A stack waits for a lock in " + rules.PlaceText(rules.PlaceOf(a.b.Frames[a.site].Frame)) +
			", and another one is further out in " + rules.PlaceText(rules.PlaceOf(outer.Frame)) + ". "
		if i > 0 {
			v.evidence = append(v.evidence, rules.EvidenceOf(s.d, a.b, ""))
		}
	}
	kind, values := "counted circle", account.Values{"links": links, "more": strconv.Itoa(len(circle) - 1)}
	if len(circle) == 2 {
		a, b := circle[0], circle[1]
		kind = "counted"
		values = account.Values{
			"outer":      rules.PlaceText(rules.PlaceOf(a.b.Frames[s.within(a, s.lockKey(b), a.site+1)].Frame)),
			"there":      rules.PlaceText(placeOf(b)),
			"otherOuter": rules.PlaceText(rules.PlaceOf(b.b.Frames[s.within(b, s.lockKey(a), b.site+1)].Frame)),
		}
	}
	values["all"] = waitsVerb(n)
	f := s.finding("lock-cycle", w, v.with(values, kind))
	f.Count = n
	return f
}
