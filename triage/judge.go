package triage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/rules"
)

// maxEvidence is how many pieces of evidence a merged finding keeps: a rule that fires in a thousand pods needs no
// thousand examples, and the count still tells. The bound of the contract's id lists.
const maxEvidence = 100

// apply runs the rules over the pass and files what comes of it: findings merged and ranked, rules that had nothing to
// look at, and the counts. It returns the findings as the rules made them.
func (r *Report) apply(set []*rules.Rule, pass *rules.Pass) []rules.Finding {
	verdicts := make([]verdict, len(set))
	each(len(set), func(i int) { verdicts[i] = try(set[i], pass) })
	var found []rules.Finding
	for i, rule := range set {
		r.Rules.Checked++
		switch v := &verdicts[i]; {
		case v.missing != "":
			r.Rules.NotApplicable++
			r.NotApplicable = append(r.NotApplicable, NotApplicable{Rule: rule.ID, Needs: v.missing})
		case len(v.found) == 0:
			r.Rules.Clear++
		default:
			r.Rules.Fired++
			found = append(found, v.found...)
		}
	}
	order := map[string]int{}
	for i, in := range r.Inputs {
		if _, ok := order[in.Path]; !ok {
			order[in.Path] = i
		}
	}
	r.Findings = append(r.Findings, rank(mergeFindings(found), order)...)
	return found
}

// A verdict is what one rule said: what it found, or what it lacks to say anything.
type verdict struct {
	found   []rules.Finding
	missing string
}

// try applies one rule. A rule that fails on a hostile input must not cost the others' findings; nor is it "clear" then:
// nobody knows what it would have found.
func try(rule *rules.Rule, pass *rules.Pass) (v verdict) {
	if missing := rule.Missing(pass); missing != 0 {
		return verdict{missing: missing.String()}
	}
	defer func() {
		if p := recover(); p != nil {
			v = verdict{missing: fmt.Sprintf("a triage without this fault: %v", p)}
		}
	}()
	return verdict{found: rule.Apply(pass)}
}

// mergeFindings makes one finding of those with equal fingerprints: what several dumps, pods or restarts show is one
// cause with several sources. The worst of them lends its words.
func mergeFindings(fs []rules.Finding) []rules.Finding {
	merged := make([]rules.Finding, 0, len(fs))
	byPrint := map[string]int{}
	for _, f := range fs {
		f.Sources = sourcesOf(f)
		f.FirstSeen, f.LastSeen = seen(f)
		i, ok := byPrint[f.Fingerprint]
		if !ok || f.Fingerprint == "" {
			byPrint[f.Fingerprint] = len(merged)
			merged = append(merged, f)
			continue
		}
		merged[i] = join(merged[i], f)
	}
	return merged
}

func join(a, b rules.Finding) rules.Finding {
	if worse(b, a) {
		a, b = b, a
	}
	for _, s := range b.Sources {
		if !slices.Contains(a.Sources, s) {
			a.Sources = append(slices.Clip(a.Sources), s)
		}
	}
	evidence := slices.Concat(a.Evidence, b.Evidence)
	a.Evidence = evidence[:min(len(evidence), maxEvidence)]
	a.Count += b.Count
	for _, n := range b.Notes {
		if !slices.Contains(a.Notes, n) {
			a.Notes = append(slices.Clip(a.Notes), n)
		}
	}
	for _, s := range b.Actors {
		if !slices.Contains(a.Actors, s) {
			a.Actors = append(slices.Clip(a.Actors), s)
		}
	}
	a.FirstSeen = earlier(a.FirstSeen, b.FirstSeen)
	a.LastSeen = later(a.LastSeen, b.LastSeen)
	return a
}

// worse reports whether a is of higher severity, or as severe and more certain.
func worse(a, b rules.Finding) bool {
	if a.Severity != b.Severity {
		return a.Severity.Rank() > b.Severity.Rank()
	}
	return a.Confidence.Rank() > b.Confidence.Rank()
}

// rank orders findings: severity, then confidence, then share and count, then the order of inputs and lines.
func rank(fs []rules.Finding, order map[string]int) []rules.Finding {
	slices.SortStableFunc(fs, func(a, b rules.Finding) int { return compareFindings(a, b, order) })
	return fs
}

func compareFindings(a, b rules.Finding, order map[string]int) int {
	return cmp.Or(
		cmp.Compare(b.Severity.Rank(), a.Severity.Rank()),
		cmp.Compare(b.Confidence.Rank(), a.Confidence.Rank()),
		cmp.Compare(share(b), share(a)),
		cmp.Compare(b.Count, a.Count),
		comparePlaces(a, b, order),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Fingerprint, b.Fingerprint),
	)
}

func comparePlaces(a, b rules.Finding, order map[string]int) int {
	if len(a.Evidence) == 0 || len(b.Evidence) == 0 {
		return cmp.Compare(len(b.Evidence), len(a.Evidence))
	}
	x, y := a.Evidence[0], b.Evidence[0]
	return cmp.Or(cmp.Compare(order[x.Input], order[y.Input]), cmp.Compare(x.Line, y.Line))
}

// share is the greatest share that a piece of evidence tells.
func share(f rules.Finding) float64 {
	most := 0.0
	for _, e := range f.Evidence {
		most = max(most, e.Share)
	}
	return most
}

// sourcesOf are the inputs that a finding was seen in, in order of its evidence.
func sourcesOf(f rules.Finding) []string {
	from := make([]string, 0, len(f.Sources)+1)
	from = append(from, f.Sources...)
	for _, e := range f.Evidence {
		if e.Input != "" && !slices.Contains(from, e.Input) {
			from = append(from, e.Input)
		}
	}
	return from
}

// seen spans the times of a finding's evidence.
func seen(f rules.Finding) (first, last string) {
	first, last = f.FirstSeen, f.LastSeen
	for _, e := range f.Evidence {
		first, last = earlier(first, e.Time), later(last, e.Time)
	}
	return first, last
}

func earlier(a, b string) string {
	if a == "" || b != "" && before(b, a) {
		return b
	}
	return a
}

func later(a, b string) string {
	if a == "" || b != "" && before(a, b) {
		return b
	}
	return a
}

// before compares two stamps of log framings: as times where both say so, else as text, which is right for two stamps
// of one framing that begins with the year.
func before(a, b string) bool {
	ta, errA := time.Parse(time.RFC3339Nano, a)
	tb, errB := time.Parse(time.RFC3339Nano, b)
	if errA == nil && errB == nil {
		return ta.Before(tb)
	}
	return a < b
}
