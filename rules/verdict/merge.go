package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/internal/stamp"
	"github.com/gotriage/triage/rules"
)

// maxEvidence is how many pieces of evidence a merged finding keeps: a rule that fires in a thousand pods needs no
// thousand examples, and the count is still known. The bound of the contract's id lists.
const maxEvidence = 100

// Merge makes one finding of those with equal fingerprints: what several dumps, pods or restarts show is one
// cause with several sources. The worst of them lends its words, whatever the order they come in.
func Merge(fs []rules.Finding) []rules.Finding {
	groups := make([][]rules.Finding, 0, len(fs))
	byPrint := map[string]int{}
	for _, f := range fs {
		f.Sources = append(make([]string, 0, len(f.Sources)+1), f.Sources...)
		for _, e := range f.Evidence {
			if e.Input != "" && !slices.Contains(f.Sources, e.Input) {
				f.Sources = append(f.Sources, e.Input)
			}
			f.FirstSeen, f.LastSeen = stamp.Earlier(f.FirstSeen, e.Time), stamp.Later(f.LastSeen, e.Time)
		}
		i, ok := byPrint[f.Fingerprint]
		if !ok || f.Fingerprint == "" {
			byPrint[f.Fingerprint] = len(groups)
			groups = append(groups, []rules.Finding{f})
			continue
		}
		groups[i] = append(groups[i], f)
	}
	merged := make([]rules.Finding, 0, len(groups))
	for _, g := range groups {
		merged = append(merged, join(g))
	}
	return merged
}

// join makes one of findings with one fingerprint.
func join(group []rules.Finding) rules.Finding {
	sortWorst(group)
	f := group[0]
	var sources, notes, actors [][]string
	var showing []rules.PodCount
	for i, other := range group {
		sources, notes = append(sources, other.Sources), append(notes, other.Notes)
		actors = append(actors, other.Actors)
		showing = append(showing, other.Pods...)
		if i > 0 {
			f.Count += other.Count
		}
		f.FirstSeen = stamp.Earlier(f.FirstSeen, other.FirstSeen)
		f.LastSeen = stamp.Later(f.LastSeen, other.LastSeen)
	}
	f.Sources, f.Notes, f.Actors = union(sources...), union(notes...), union(actors...)
	f.Evidence = evidenceOfAll(group)
	return pods.Complete(f, pods.Join(showing))
}

// without are the findings but for those that became part of others.
func without(found []rules.Finding, gone func(i int) bool) []rules.Finding {
	kept := make([]rules.Finding, 0, len(found))
	for i := range found {
		if !gone(i) {
			kept = append(kept, found[i])
		}
	}
	return kept
}

// union is the distinct strings of lists, in order; nil where all lists are.
func union(lists ...[]string) []string {
	if len(lists) == 1 {
		return lists[0]
	}
	known := map[string]bool{}
	var all []string
	for _, list := range lists {
		if list != nil && all == nil {
			all = make([]string, 0, len(list))
		}
		for _, s := range list {
			if !known[s] {
				known[s] = true
				all = append(all, s)
			}
		}
	}
	return all
}

// evidenceOfAll is the findings' evidence, the worst finding's first: one piece of each for a start, so that the few
// pieces that are shown are of as many pods.
func evidenceOfAll(group []rules.Finding) []rules.Evidence {
	if len(group) == 1 {
		return group[0].Evidence[:min(len(group[0].Evidence), maxEvidence)]
	}
	var all []rules.Evidence
	for i, n := 0, -1; n < len(all) && n < maxEvidence; i++ {
		n = len(all)
		for _, f := range group {
			all = append(all, f.Evidence[min(i, len(f.Evidence)):min(i+1, len(f.Evidence))]...)
		}
	}
	return all[:min(len(all), maxEvidence)]
}

// sortWorst puts the worst of findings with one fingerprint first. Where all are of pods, equally bad ones come in
// order of the pods' names, so that the words name a goroutine of the first pod that is listed.
func sortWorst(group []rules.Finding) {
	podless := slices.ContainsFunc(group, func(f rules.Finding) bool { return len(f.Pods) == 0 || f.Pods[0].Pod == "" })
	slices.SortStableFunc(group, func(a, b rules.Finding) int {
		if podless {
			return compareWorse(a, b)
		}
		return cmp.Or(compareBad(a, b), pods.KeyOf(a.Pods[0]).Compare(pods.KeyOf(b.Pods[0])), compareWorse(a, b))
	})
}

// compareWorse orders findings with one fingerprint: the worst first, then by where they are.
func compareWorse(a, b rules.Finding) int {
	return cmp.Or(compareBad(a, b), comparePlaces(a, b, func(input string) string { return input }))
}

// compareBad compares alarm, severity, confidence and count.
func compareBad(a, b rules.Finding) int {
	return cmp.Or(compareSure(&a, &b), cmp.Compare(b.Count, a.Count))
}

// compareSure puts alarms first, then what would be worse, then what is surer.
func compareSure(a, b *rules.Finding) int {
	return cmp.Or(trueFirst(a.Alarm(), b.Alarm()), cmp.Compare(b.Severity.Rank(), a.Severity.Rank()),
		cmp.Compare(b.Confidence.Rank(), a.Confidence.Rank()))
}

func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Rank orders findings: alarms first, then by severity, confidence, share and count, then in the order of inputs and
// lines.
func Rank(fs []rules.Finding, order map[string]int) []rules.Finding {
	slices.SortStableFunc(fs, func(a, b rules.Finding) int {
		return cmp.Or(
			compareSure(&a, &b),
			cmp.Compare(share(b), share(a)),
			cmp.Compare(b.Count, a.Count),
			comparePlaces(a, b, func(input string) int { return order[input] }),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Fingerprint, b.Fingerprint),
		)
	})
	return fs
}

// comparePlaces compares the places of the first evidence; order is that of inputs.
func comparePlaces[T cmp.Ordered](a, b rules.Finding, order func(input string) T) int {
	if len(a.Evidence) == 0 || len(b.Evidence) == 0 {
		return cmp.Compare(len(b.Evidence), len(a.Evidence))
	}
	x, y := a.Evidence[0], b.Evidence[0]
	return cmp.Or(cmp.Compare(order(x.Input), order(y.Input)), cmp.Compare(x.Line, y.Line))
}

// share is the greatest share that a piece of evidence has.
func share(f rules.Finding) float64 {
	most := 0.0
	for _, e := range f.Evidence {
		most = max(most, e.Share)
	}
	return most
}
