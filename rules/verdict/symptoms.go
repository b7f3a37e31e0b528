package verdict

import (
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// piles are the rules about goroutines that pile up: by their number, in one dump or over several, without who holds
// them up: lock-pile-up, growing-goroutines, channel-send-leak, requests-wait-for-nobody.
var piles = [...]string{"TR661", "TR450", "TR412", "TR448"}

// growthRule is growing-goroutines, which shows in several dumps that a pile does not go away.
const growthRule = "TR450"

// Symptoms makes one finding of a standstill and what follows from it. Where a goroutine of an object is stuck for
// good, those who want something of that object pile up behind it; their number is bigger and often more severe, but
// who reads of it first looks in the wrong place. And goroutines that wait in a function for a result, or for a lock,
// are stuck because one of them has panicked there, and what recovered the panic let them wait: both are one event.
func Symptoms(found []rules.Finding) []rules.Finding {
	into := make([]int, len(found))
	for k := range found {
		into[k] = k
		for i := range found {
			if i != k && holdsUp(&found[i], &found[k]) && (into[k] == k || compareWorse(found[i], found[into[k]]) < 0) {
				into[k] = i
			}
		}
	}
	kept := make([]rules.Finding, 0, len(found))
	for k, i := range into {
		if i == k {
			continue
		}
		main, symptom := &found[i], &found[k]
		main.Notes = append(slices.Clip(main.Notes), noteOf(symptom))
		if main.Severity.Rank() < symptom.Severity.Rank() && symptom.Rule == growthRule {
			// The pile has grown from dump to dump: nobody was let go in between.
			main.Severity = symptom.Severity
		}
	}
	for k, i := range into {
		if i == k {
			kept = append(kept, found[k])
		}
	}
	return kept
}

// holdsUp reports whether main, a standstill, is why there is another finding.
func holdsUp(main, other *rules.Finding) bool {
	if main.Category != rules.Deadlock || !main.Alarm() || len(main.Path) == 0 ||
		isPile(main) || other.Culprit.Function == "" ||
		!slices.ContainsFunc(main.Sources, func(s string) bool { return slices.Contains(other.Sources, s) }) {
		return false
	}
	if isPile(other) {
		return wantsOf(other.Culprit.Function, main.Path)
	}
	// What ended the process is no symptom of anything.
	return other.Category == rules.Crash && other.Severity != rules.Critical && panickedIn(main.Culprit, other.Path)
}

func isPile(f *rules.Finding) bool { return slices.Contains(piles[:], f.Rule) }

// wantsOf reports whether goroutines that wait in a function want something of an object that a stuck goroutine works
// on: the function is on its stack, or a method of a type that has one there.
func wantsOf(fn string, path []rules.PathFrame) bool {
	n := symbol.ParseName(fn)
	return slices.ContainsFunc(path, func(f rules.PathFrame) bool {
		at := symbol.ParseName(f.Function)
		return f.Function == fn || n.Receiver != "" && at.Package == n.Package && at.Receiver == n.Receiver
	})
}

// panickedIn reports whether a stack that panicked came through the function in which others wait, at another line.
func panickedIn(stuck rules.Place, path []rules.PathFrame) bool {
	return slices.ContainsFunc(path, func(f rules.PathFrame) bool {
		return stuck.Function != "" && f.Function == stuck.Function && f.Line != stuck.Line
	})
}
