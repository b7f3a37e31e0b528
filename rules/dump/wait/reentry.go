package wait

import (
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
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
	a := findings().Account("double-lock", account.Facts{Cases: []string{"counted"}, Values: facts})
	bl := rules.BlameBucket(d, b)
	bl.Index, bl.Culprit = r.Callback, rules.PlaceOf(b.Frames[r.Callback].Frame)
	return rules.Finding{
		Severity: severity, Confidence: confidence,
		Culprit: bl.Culprit, Path: bl.Path, Creator: bl.Creator,
		Evidence: []rules.Evidence{rules.EvidenceOf(d, b,
			waitsVerb(b.Count)+" for a lock in "+facts["at"])}, Why: a.Why, Fix: a.Fix,
		Next: nextAfter("locks", d, parsed.Waits(d).Test), Title: lockTitle(bl.Culprit, a.Act), Count: b.Count,
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
