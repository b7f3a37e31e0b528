package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
)

// waitGroupRule is waitgroup-stuck: a goroutine that waits for others to end.
const waitGroupRule = "TR410"

// OneWait makes one finding of those that accuse one wait: a general rule and an exact one may see the same goroutine
// in the same line, one rule may see the same goroutine with two locks, and who waits for goroutines to end waits
// because another finding holds one of them. The worst keeps its words, the others become notes of it.
func OneWait(found []rules.Finding, pass *rules.Pass) []rules.Finding {
	type place struct {
		source, function string
		line             int
	}
	ofDump := func(f *rules.Finding) bool { return len(f.Path) > 0 && len(f.Sources) == 1 && f.Culprit.Function != "" }
	at, made := map[place][]int{}, map[place][]int{} // by the culprit, and by what started its goroutine
	waits, dumps := map[wait][]int{}, pods.IndexDumps(pass.Dumps)
	for i := range found {
		f := &found[i]
		if ofDump(f) {
			culprit := place{f.Sources[0], f.Culprit.Function, f.Culprit.Line}
			creator := place{f.Sources[0], f.Creator, 0}
			at[culprit], made[creator] = append(at[culprit], i), append(made[creator], i)
		}
		if w, ok := waitOf(f, dumps); ok {
			waits[w] = append(waits[w], i)
		}
	}
	into := make([]int, len(found)) // the finding that one becomes a note of: itself for most
	for k := range found {
		into[k] = k
		f := &found[k]
		if w, ok := waitOf(f, dumps); ok {
			into[k] = slices.MinFunc(waits[w], func(a, b int) int { return compareLocks(&found[a], &found[b]) })
		}
		if !ofDump(f) || into[k] != k {
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
	for k, i := range into {
		if i == k {
			continue
		}
		for into[i] != i {
			i = into[i]
		}
		found[i].Notes = append(slices.Clip(found[i].Notes), noteOf(&found[k]))
	}
	return without(found, func(k int) bool { return into[k] != k })
}

// A wait is one goroutine that a rule accuses: it waits in one place, whatever it holds.
type wait struct {
	process       pods.Key
	sources, rule string
	goroutine     uint64
}

// waitOf is the wait that a finding begins its evidence with, where that is of one goroutine.
func waitOf(f *rules.Finding, dumps pods.DumpIndex) (w wait, ok bool) {
	if len(f.Path) == 0 || len(f.Evidence) == 0 || len(f.Evidence[0].Goroutines) != 1 || f.Evidence[0].Count != 1 {
		return wait{}, false
	}
	e := &f.Evidence[0]
	return wait{dumps.Process(e.Input, e.Line), strings.Join(f.Sources, "\n"), f.Rule, e.Goroutines[0]}, true
}

// compareLocks orders what a rule says about one wait under several locks: of equally sure findings that about the
// program's own code comes first, since a lock of a library is held for no longer than the call.
func compareLocks(a, b *rules.Finding) int {
	own := func(f *rules.Finding) bool {
		at := slices.IndexFunc(f.Path, func(p rules.PathFrame) bool {
			return p.Function == f.Culprit.Function && p.Line == f.Culprit.Line
		})
		return at >= 0 && f.Path[at].Class == frame.ClassOwn.String()
	}
	return cmp.Or(compareSure(a, b), trueFirst(own(a), own(b)), compareWorse(*a, *b))
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
