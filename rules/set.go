package rules

import (
	"cmp"
	"slices"
	"strings"
)

// Find returns the rule of all whose id or name is key (case ignored for ids), nil where there is none.
func Find(all []*Rule, key string) *Rule {
	for _, r := range all {
		if strings.EqualFold(r.ID, key) || r.Name == key {
			return r
		}
	}
	return nil
}

// Applicable reports whether p holds what r looks at.
func (r *Rule) Applicable(p *Pass) bool { return r.Missing(p) == 0 }

// Missing is the part of r.Needs that p lacks; 0 where r applies.
func (r *Rule) Missing(p *Pass) Needs { return p.parsed().missing(r.Needs) }

// Apply runs r and completes its findings: what they leave empty comes from the rule (id, name, category, severity,
// why, fix, references) or from their other fields (fingerprint, count); slices are never nil. It returns nothing where
// p lacks what r needs. Inputs whose Dump, View or Log is nil count as lacking.
func (r *Rule) Apply(p *Pass) []Finding {
	p = p.parsed()
	if p.missing(r.Needs) != 0 {
		return nil
	}
	found := r.Run(p)
	for i := range found {
		r.complete(p, &found[i])
	}
	return found
}

func (r *Rule) complete(p *Pass, f *Finding) {
	f.Rule = cmp.Or(f.Rule, r.ID)
	f.Name = cmp.Or(f.Name, r.Name)
	f.Category = cmp.Or(f.Category, r.Category)
	f.Severity = cmp.Or(f.Severity, r.Severity)
	f.Confidence = cmp.Or(f.Confidence, ConfMedium)
	if f.Why == "" || f.Fix == "" || len(f.Refs) == 0 {
		doc := r.Doc()
		f.Why = cmp.Or(f.Why, doc.Why)
		if !r.OwnFix {
			f.Fix = cmp.Or(f.Fix, doc.Fix)
		}
		if len(f.Refs) == 0 {
			f.Refs = slices.Clone(doc.Refs)
		}
	}
	if f.Fingerprint == "" {
		f.Fingerprint = Fingerprint(f.Rule, f.Culprit, f.Creator)
		if f.Object != nil {
			f.Fingerprint = FingerprintObject(f.Rule, *f.Object)
		}
	}
	f.blameCaller(p)
	f.Refs = notNil(f.Refs)
	f.Actors = notNil(f.Actors)
	f.Path = notNil(f.Path)
	f.Evidence = notNil(f.Evidence)
	f.Next = notNil(f.Next)
	f.Sources = notNil(f.Sources)
	for i := range f.Evidence {
		e := &f.Evidence[i]
		e.Goroutines = notNil(e.Goroutines)
		if f.Count < e.Count {
			f.Count = e.Count
		}
	}
}

func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
