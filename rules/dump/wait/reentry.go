package wait

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// reentryRun reports the re-entries of counted dumps.
func reentryRun(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, d := range dumpsWithWaits(p) {
		waits := parsed.Waits(d)
		for i := range waits.Reentries {
			if len(found) == maxStandstills {
				break
			}
			found = append(found, reentryFinding(d, &waits.Reentries[i]))
		}
		if d.Counted() && len(waits.Reentries) == 0 && !isTest(d) && slices.ContainsFunc(d.Buckets, waitsForLock) {
			found = append(found, locksOfNobody(newScene(d))...)
		}
	}
	return found
}

// reentryFinding is the finding of one re-entry. It is medium at most: whether the outer call has unlocked before it
// called back is not in the dump.
func reentryFinding(d *rules.DumpInput, r *waitgraph.Reentry) rules.Finding {
	b := d.Buckets[r.Bucket]
	severity, confidence := rules.Low, rules.ConfLow
	if r.Sole && !r.Busy {
		severity = rules.Medium
		if r.Near >= waitgraph.StrengthType {
			confidence = rules.ConfMedium
		}
	}
	facts := callbackFacts(b, r.Site, r.Callback, r.Outer)
	kind := "counted"
	if r.Once {
		kind = "counted once"
	}
	a := findings().Account("double-lock", account.Facts{Cases: []string{kind}, Values: facts})
	bl := rules.BlameBucket(d, b)
	bl.Index, bl.Culprit = r.Callback, rules.PlaceOf(b.Frames[r.Callback].Frame)
	return rules.Finding{
		Severity: severity, Confidence: confidence,
		Culprit: bl.Culprit, Path: bl.Path, Creator: bl.Creator,
		Evidence: []rules.Evidence{rules.EvidenceOf(d, b,
			waitsVerb(b.Count)+" for a lock in "+facts["at"])}, Why: a.Why, Fix: a.Fix,
		Next:  nextAt("locks", d, parsed.Waits(d).Test, b, bl.Index),
		Title: lockTitle(bl.Culprit, a.Act), Count: b.Count,
	}
}

// callbackFacts are what sentences about a re-entry may use: an {outer} call called the {callback} back, which {calls}
// the code that takes the lock {at} a place.
func callbackFacts(b *stackparse.Bucket, site, callback, outer int) account.Values {
	place := func(i int) rules.Place { return rules.PlaceOf(b.Frames[i].Frame) }
	return account.Values{
		"callback": rules.PlaceText(place(callback)), "callbackName": symbol.ShortFunc(b.Frames[callback].Func),
		"callbackSpot": spot(place(callback)), "at": rules.PlaceText(place(site)), "spot": spot(place(site)),
		"calls": bareName(place(callback - 1)), "outer": rules.PlaceText(place(outer)), "outerSpot": spot(place(outer)),
		"outerName": bareName(place(outer)),
	}
}

// manyForNobody is how many goroutines of a counted dump wait for a lock that nobody seems to hold before it is more
// than a remark. Of 24 profiles of a healthy program whose goroutines fight for a lock one was made when the next owner
// had been woken and had not run yet, which such a form does not show; so many are a pile-up in any case (TR661).
const manyForNobody = 100

// locksOfNobody finds locks of a counted dump for which several goroutines wait while nobody is in the middle of
// anything: who took the lock has ended or gone on without releasing it, or is one of them.
func locksOfNobody(s *scene) []rules.Finding {
	waiters := map[string]int{} // by the type whose methods take the lock, or the function
	key := func(a *actor) string {
		fn := a.b.Frames[a.site].Func
		return cmp.Or(s.typeOf(fn), s.enclosing(fn))
	}
	first, again := map[string]*actor{}, map[string]*actor{}
	for i := range s.actors {
		a := &s.actors[i]
		switch {
		case !waitsForLock(a.b):
			continue
		case a.site < 0 || a.root < 0 || !a.own || a.b.Active > 0 || a.class == frame.ClassStdlib,
			s.mayMove(a), s.besides(a): // who waits there for something else may hold it
			return nil
		}
		k := key(a)
		if waiters[k] += a.b.Count; first[k] == nil || a.b.Count < first[k].b.Count {
			first[k] = a
		}
		if s.ownerAgain(a) {
			again[k] = a
		}
	}
	if len(first) != 1 {
		return nil // one may wait for who waits for the other
	}
	var found []rules.Finding
	for k, a := range first {
		if waiters[k] > 1 {
			v := low()
			if waiters[k] >= manyForNobody {
				v = medium()
				v.confidence = rules.ConfMedium
			} else if again[k] != nil {
				a, v = again[k], medium()
				v.confidence = rules.ConfLow
			}
			v = v.with(account.Values{"all": waitsVerb(waiters[k]), "type": symbol.ShortFunc(k)}, "counted nobody")
			f := s.finding("double-lock", a, v)
			f.Count = waiters[k]
			found = append(found, f)
		}
	}
	return found
}
