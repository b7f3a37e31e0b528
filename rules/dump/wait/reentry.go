package wait

import (
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
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

// behindLock counts the goroutines of a counted dump that wait for the lock of the type whose lock those of b want.
func behindLock(d *rules.DumpInput, b *stackparse.Bucket) (n int) {
	s := newScene(d)
	key := s.lockKey(s.actorIn(b))
	for i := range s.actors {
		if key != "" && s.lockKey(&s.actors[i]) == key {
			n += s.actors[i].b.Count
		}
	}
	return n
}

// reentryFinding is the finding of one re-entry. Whether the outer call has unlocked before it called back is not in
// the dump.
func reentryFinding(d *rules.DumpInput, r *waitgraph.Reentry) rules.Finding {
	b := d.Buckets[r.Bucket]
	v := guilty().but(!r.Sole || r.Busy && behindLock(d, b) < manyForNobody, contended)
	values := callbackFacts(b, r.Site, r.Callback, r.Outer)
	values["leads"], values["back"] = "calls", " back"
	if symbol.PackageOf(b.Frames[r.Callback].Func) == symbol.PackageOf(b.Frames[r.Outer].Func) {
		values["leads"], values["back"] = "leads to", ""
	}
	kind := "counted"
	if r.Once {
		kind = "counted once"
	}
	s := newScene(d)
	v = v.with(values, kind)
	v.at = r.Callback
	f := s.finding("double-lock", s.actorIn(b), v)
	f.Evidence[0] = rules.EvidenceOf(d, b, waitsVerb(b.Count)+" for a lock in "+values["at"])
	return f
}
