// Package leads brings findings and suspects into one order: the ranked answer to the question where to look.
package leads

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Limit is how many leads that are no alarms are listed; alarms are listed whatever their number.
const Limit = 20

// Rank returns the leads of a report: alarms in their order, then findings that nothing speaks against, then all others
// by their points. A suspect at the place of a finding is no lead of its own: its facts are the finding's. Findings are
// ranked worst first.
func Rank(found []rules.Finding, suspects []suspect.Suspect) []schema.Lead {
	entries := make([]entry, 0, len(found)+len(suspects))
	for i := range found {
		entries = append(entries, entry{lead: ofFinding(&found[i]), tier: tier(&found[i]), points: points(&found[i])})
	}
	n := len(entries)
	for i := range suspects {
		s := &suspects[i]
		if at := slices.IndexFunc(entries[:n], func(e entry) bool { return samePlace(&e.lead, s) }); at >= 0 {
			entries[at].join(s)
			continue
		}
		entries = append(entries, entry{lead: ofSuspect(s), tier: byPoints, points: s.Points})
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		c := cmp.Compare(a.tier, b.tier)
		if c == 0 && a.tier == byPoints {
			c = cmp.Compare(b.points, a.points)
		}
		return c
	})
	leads := make([]schema.Lead, 0, len(entries))
	others := 0
	for _, e := range entries {
		if e.tier != alarms {
			if others++; others > Limit {
				continue
			}
		}
		e.lead.Rank = len(leads) + 1
		leads = append(leads, e.lead)
	}
	return leads
}

// The tiers of leads, best first.
const (
	alarms    = iota
	unopposed // findings of low confidence that nothing speaks against
	byPoints
)

// An entry is a lead with what orders it.
type entry struct {
	lead   schema.Lead
	tier   int
	points float64
}

// tier is where a finding is ranked.
func tier(f *rules.Finding) int {
	switch {
	case f.Alarm():
		return alarms
	case certainty(f) == schema.Likely:
		return unopposed
	}
	return byPoints
}

// points are those of a finding that is ranked among suspects: as a suspect that is worth a look, more where it would be
// bad, less where its impact is low.
func points(f *rules.Finding) float64 {
	return suspect.Shown + float64(f.Severity.Rank()-rules.Low.Rank())
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
		For: []string{}, Against: append([]string{}, f.Against...), Evidence: f.Evidence, Next: f.Next,
		Finding: f.Fingerprint,
	}
	if f.Culprit != (rules.Place{}) {
		l.Culprit = &f.Culprit
	}
	if len(f.Actors) > 0 {
		l.Client = f.Actors[0]
	}
	return l
}

func ofSuspect(s *suspect.Suspect) schema.Lead {
	l := schema.Lead{
		Certainty: schema.OnlySuspect, Title: s.Title, Object: s.Object, Client: s.Client, Category: s.Category,
		For: append([]string{}, s.For...), Against: append([]string{}, s.Against...), Evidence: s.Evidence, Next: s.Next,
	}
	if s.Culprit != (rules.Place{}) {
		l.Culprit = &s.Culprit
	}
	return l
}

// join takes over the facts of a suspect at the same place.
func (e *entry) join(s *suspect.Suspect) {
	e.points += max(0, s.Points)
	e.lead.For = append(e.lead.For, s.For...)
}

// samePlace reports whether a suspect is at the place of a lead: in the same function, a closure counting as its function,
// or the same object.
func samePlace(l *schema.Lead, s *suspect.Suspect) bool {
	if l.Culprit != nil && l.Culprit.Function != "" && s.Culprit.Function != "" {
		return declared(l.Culprit.Function) == declared(s.Culprit.Function)
	}
	if l.Object != nil && s.Object != nil {
		return l.Object.Name == s.Object.Name && l.Object.Namespace == s.Object.Namespace &&
			strings.EqualFold(l.Object.Kind, s.Object.Kind)
	}
	return l.Client != "" && l.Client == s.Client
}

func declared(function string) string { return symbol.Base(symbol.StripVendor(function)) }
