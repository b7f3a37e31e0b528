package verdict

import (
	"slices"

	"github.com/gotriage/triage/rules"
)

// waitGroupRule is waitgroup-stuck: a goroutine that waits for others to end.
const waitGroupRule = "TR410"

// OneWait makes one finding of those that accuse one wait: a general rule and an exact one may see the same goroutine
// in the same line, and who waits for goroutines to end waits because another finding holds one of them. The worst
// keeps its words, the others become notes of it.
func OneWait(found []rules.Finding) []rules.Finding {
	type place struct {
		source, function string
		line             int
	}
	ofDump := func(f *rules.Finding) bool { return len(f.Path) > 0 && len(f.Sources) == 1 && f.Culprit.Function != "" }
	at, made := map[place][]int{}, map[place][]int{} // by the culprit, and by what started its goroutine
	for i := range found {
		if f := &found[i]; ofDump(f) {
			culprit := place{f.Sources[0], f.Culprit.Function, f.Culprit.Line}
			creator := place{f.Sources[0], f.Creator, 0}
			at[culprit], made[creator] = append(at[culprit], i), append(made[creator], i)
		}
	}
	into := make([]int, len(found)) // the finding that one becomes a note of: itself for most
	for k := range found {
		into[k] = k
		f := &found[k]
		if !ofDump(f) {
			continue
		}
		worse := at[place{f.Sources[0], f.Culprit.Function, f.Culprit.Line}]
		if f.Rule == waitGroupRule {
			worse = slices.Concat(worse, made[place{f.Sources[0], f.Culprit.Function, 0}])
		}
		for _, i := range worse {
			if compareWorse(found[i], found[into[k]]) < 0 && oneWait(&found[i], f) {
				into[k] = i
			}
		}
	}
	kept := make([]rules.Finding, 0, len(found))
	for k, i := range into {
		if i == k {
			continue
		}
		for into[i] != i {
			i = into[i]
		}
		found[i].Notes = append(slices.Clip(found[i].Notes), noteOf(&found[k]))
	}
	for k, i := range into {
		if i == k {
			kept = append(kept, found[k])
		}
	}
	return kept
}

// oneWait reports whether other's goroutine is main's, or waits for main's to end.
func oneWait(main, other *rules.Finding) bool {
	if other.Rule == waitGroupRule && other.Culprit.Function == main.Creator {
		return main.Category == rules.Deadlock
	}
	ids := map[uint64]bool{}
	for _, e := range main.Evidence {
		for _, id := range e.Goroutines {
			ids[id] = true
		}
	}
	return slices.ContainsFunc(other.Evidence, func(e rules.Evidence) bool {
		return slices.ContainsFunc(e.Goroutines, func(id uint64) bool { return ids[id] })
	})
}
