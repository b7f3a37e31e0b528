// Package leads brings findings and suspects into one order: the ranked answer to the question where to look.
package leads

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

const (
	// Limit is how many leads that are no alarms are listed; alarms are listed whatever their number.
	Limit = 20
	// shownEvidence is how many pieces of evidence a lead has: its finding has all of them.
	shownEvidence = 3
)

// Rank returns the leads of a report: alarms in their order, then findings that nothing speaks against, then all others
// by their points. A suspect at the place of a finding is no lead of its own: its facts are the finding's. Findings
// come ranked, worst first; ordered are the same findings in the order of the leads.
func Rank(found []rules.Finding, suspects []suspect.Suspect) (leads []schema.Lead, ordered []rules.Finding) {
	entries := make([]entry, 0, len(found)+len(suspects))
	for i := range found {
		entries = append(entries, entryOf(&found[i]))
	}
	for i := range suspects {
		s := entry{lead: OfSuspect(&suspects[i]), tier: byPoints, points: suspects[i].Points}
		at := slices.IndexFunc(entries[:len(found)], func(e entry) bool { return e.covers(&s.lead) })
		if at >= 0 {
			e := &entries[at]
			e.points, e.lead.For = e.points+max(0, s.points), append(e.lead.For, s.lead.For...)
			continue
		}
		for k := range found {
			if e := &entries[k]; e.shows(&s.lead) { // what waits comes behind what it waits for
				e.points = max(e.points, s.points+0.1)
			}
		}
		told := func(fact string) bool { return strings.Contains(s.lead.Title, fact) }
		s.lead.For = slices.DeleteFunc(s.lead.For, told)
		entries = append(entries, s)
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if a.tier != byPoints || b.tier != byPoints {
			return cmp.Compare(a.tier, b.tier)
		}
		return cmp.Compare(b.points, a.points)
	})
	leads, ordered = make([]schema.Lead, 0, len(entries)), make([]rules.Finding, 0, len(found))
	others := 0
	for _, e := range entries {
		if e.finding != nil {
			ordered = append(ordered, *e.finding)
		}
		if e.tier != alarms {
			others++
		}
		if others <= Limit {
			e.lead.Rank = len(leads) + 1
			leads = append(leads, e.lead)
		}
	}
	return leads, ordered
}

// New returns the leads of a comparison: the findings that are new, then the suspects of the state after that the state
// before does not have.
func New(found []rules.Finding, before, after []schema.Lead) (leads []schema.Lead, ordered []rules.Finding) {
	leads, ordered = Rank(found, nil)
	for _, l := range after {
		known := func(b schema.Lead) bool { return SamePlace(&b, &l) }
		if l.Certainty == schema.OnlySuspect && !slices.ContainsFunc(before, known) {
			l.Rank = len(leads) + 1
			leads = append(leads, l)
		}
	}
	return leads, ordered
}

// Beyond returns the suspects that are at the place of no finding that a report ignores, and that are not known by its
// baseline: known reports that, and notes in a lead how it compares; nil without a baseline. Those that are known, and
// at the place of no finding of the baseline, are its leads.
func Beyond(all []suspect.Suspect, r *schema.Report, known func(*schema.Lead) bool) (beyond []suspect.Suspect) {
	var ignored, old []entry
	for i := range r.Ignored {
		ignored = append(ignored, entryOf(&r.Ignored[i].Finding))
	}
	if r.Baseline != nil {
		for i := range r.Baseline.Findings {
			old = append(old, entryOf(&r.Baseline.Findings[i]))
		}
	}
	for _, s := range all {
		l := OfSuspect(&s)
		covers := func(e entry) bool { return e.covers(&l) }
		switch told := slices.ContainsFunc(old, covers); {
		case slices.ContainsFunc(ignored, covers), told && l.Culprit == nil:
		case known == nil || !known(&l):
			s.Baseline = l.Baseline
			beyond = append(beyond, s)
		case !told && len(r.Baseline.Leads) < Limit:
			r.Baseline.Leads = append(r.Baseline.Leads, l)
		}
	}
	return beyond
}

// The tiers of leads, best first.
const (
	alarms    = iota
	unopposed // findings of low confidence that nothing speaks against
	byPoints
)

// An entry is a lead with what orders it.
type entry struct {
	lead    schema.Lead
	finding *rules.Finding // nil for a suspect
	tier    int
	points  float64
}

// entryOf ranks a finding. Among suspects it has the points of one that is worth a look, more where it would be bad,
// less where its impact is low.
func entryOf(f *rules.Finding) entry {
	e := entry{lead: ofFinding(f), finding: f, tier: byPoints}
	e.points = suspect.Shown + float64(f.Severity.Rank()-rules.Low.Rank())
	switch {
	case f.Alarm():
		e.tier = alarms
	case e.lead.Certainty == schema.Likely:
		e.tier = unopposed
	}
	return e
}

// certainty is how sure a finding is.
func certainty(f *rules.Finding) schema.Certainty {
	switch {
	case f.Alarm() && f.Confidence == rules.ConfHigh:
		return schema.Certain
	case f.Alarm(), f.Severity.Rank() >= rules.Medium.Rank() && len(f.Against) == 0:
		return schema.Likely
	}
	return schema.Possible
}

func ofFinding(f *rules.Finding) schema.Lead {
	l := schema.Lead{
		Certainty: certainty(f), Alarm: f.Alarm(), Title: f.Title, Object: f.Object, Category: f.Category,
		For: []string{}, Against: append([]string{}, f.Against...), Evidence: some(f.Evidence), Next: f.Next,
		Finding: f.Fingerprint, Baseline: f.Baseline,
	}
	if f.Culprit != (rules.Place{}) {
		l.Culprit = &f.Culprit
	}
	if len(f.Actors) > 0 {
		l.Client = f.Actors[0]
	}
	return l
}

// OfSuspect is the lead that a suspect makes.
func OfSuspect(s *suspect.Suspect) schema.Lead {
	l := schema.Lead{
		Certainty: schema.OnlySuspect, Points: math.Round(s.Points*10) / 10,
		Title: s.Title, Object: s.Object, Client: s.Client, Category: s.Category,
		For: append([]string{}, s.For...), Against: append([]string{}, s.Against...), Evidence: some(s.Evidence),
		Next: s.Next, Baseline: s.Baseline,
	}
	if s.Culprit != (rules.Place{}) {
		l.Culprit = &s.Culprit
	}
	return l
}

// covers reports whether the entry's finding speaks of the place of a lead: it blames it, names it among its objects,
// or names its client as who writes.
func (e *entry) covers(l *schema.Lead) bool {
	if SamePlace(&e.lead, l) {
		return true
	}
	if o := l.Object; o != nil {
		return slices.ContainsFunc(e.finding.Objects, func(x rules.Object) bool { return sameObject(&x, o) })
	}
	return l.Client != "" && slices.ContainsFunc(e.finding.Actors, func(actor string) bool {
		return client(actor) == client(l.Client)
	})
}

// shows reports whether the finding's evidence has goroutines of the lead: those that wait for what it accuses.
func (e *entry) shows(l *schema.Lead) bool {
	for i := range l.Evidence {
		for k := range e.finding.Evidence {
			a, b := &l.Evidence[i], &e.finding.Evidence[k]
			if a.Input == b.Input && slices.ContainsFunc(b.Goroutines, func(id uint64) bool {
				_, found := slices.BinarySearch(a.Goroutines, id)
				return found
			}) {
				return true
			}
		}
	}
	return false
}

// client is the name of who sends requests in one spelling: a service account by its namespace and name.
func client(name string) string {
	if account, ok := strings.CutPrefix(name, "system:serviceaccount:"); ok {
		return strings.Replace(account, ":", "/", 1)
	}
	return name
}

func sameObject(a, b *rules.Object) bool {
	return a.Name == b.Name && a.Namespace == b.Namespace && strings.EqualFold(a.Kind, b.Kind)
}

// SamePlace reports whether two leads are about one place: the same function, a closure counting as its function, the
// same object or the same client.
func SamePlace(a, b *schema.Lead) bool {
	if a.Culprit != nil && b.Culprit != nil && a.Culprit.Function != "" && b.Culprit.Function != "" {
		return declared(a.Culprit.Function) == declared(b.Culprit.Function)
	}
	if a.Object != nil && b.Object != nil {
		return sameObject(a.Object, b.Object)
	}
	return a.Object == nil && b.Object == nil && a.Client != "" && client(a.Client) == client(b.Client)
}

func declared(function string) string { return symbol.Base(symbol.StripVendor(function)) }

func some(evidence []rules.Evidence) []rules.Evidence {
	return evidence[:min(len(evidence), shownEvidence)]
}
