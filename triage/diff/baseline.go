package diff

import (
	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// What has grown is more than rules.GrownTimes as much as before, and more by a few. Chosen.
const (
	fewOf       = 3    // goroutines, or how often
	fewOfShares = 0.02 // of a profile or of lines
)

// A Baseline is a healthy state of a program, that another one is held against.
type Baseline struct {
	before *Side
	moved  bool                       // lines have: the builds differ
	places map[rules.Place][2]float64 // goroutines of a process that a place is blamed for, before and after
}

// NewBaseline compares the goroutines of two sides.
func NewBaseline(before, after *Side) *Baseline {
	b := &Baseline{before: before, places: map[rules.Place][2]float64{}}
	old := *before // another comparison may follow
	if !old.HasDumps() || !after.HasDumps() {
		b.moved = true
		return b
	}
	alignForms(&old, after)
	c, by := compareDumps(&old, after)
	b.moved = by == schema.ByFunction
	for _, r := range c.Rows {
		side := after
		if r.Last().Dump == 0 {
			side = &old
		}
		row := side.bucket(r, r.Counts(2))
		at := rules.Place{Function: row.Function, Line: row.Line}
		n := b.places[at]
		n[0] += float64(row.Before) / float64(len(old.chosen))
		n[1] += float64(row.After) / float64(len(after.chosen))
		b.places[at] = n
	}
	return b
}

// Findings parts findings that the baseline has too from those that are new or have grown, and notes in each how it
// compares. A finding that has become an alarm is not known.
func (b *Baseline) Findings(found []rules.Finding) (news, known []rules.Finding) {
	news, known = []rules.Finding{}, []rules.Finding{}
	all := b.before.all()
	of, _ := pairs(all, found, b.moved)
	for k := range found {
		f, g := found[k], rules.Finding{}
		if of[k] >= 0 {
			g = all[of[k]]
		}
		var grown bool
		if f.Baseline, grown = compared(g.Evidence, f.Evidence); grown || f.Alarm() && !g.Alarm() {
			news = append(news, f)
		} else {
			known = append(known, f)
		}
	}
	return news, known
}

// Suspect is how a suspect compares, and whether the baseline has about as much at its place. Its goroutines are
// counted in the dumps: a place of which the baseline has a few need not be a suspect there.
func (b *Baseline) Suspect(l *schema.Lead) (c *rules.Compared, known bool) {
	var there []rules.Evidence
	for i := range b.before.leads {
		if old := &b.before.leads[i]; leads.SamePlace(old, l) {
			there = append(there, old.Evidence...)
		}
	}
	if at := l.Culprit; at != nil {
		if n, ok := b.places[rules.Place{Function: at.Function, Line: at.Line}]; ok && largest(l.Evidence).share == 0 {
			c = &rules.Compared{Before: n[0], After: n[1]}
			return c, n[0] > 0 && n[1] <= rules.GrownTimes*n[0]+fewOf
		}
	}
	c, grown := compared(there, l.Evidence)
	return c, !grown
}

// An amount is the largest of pieces of evidence: goroutines or how often, and a share.
type amount struct{ count, share float64 }

func largest(evidence []rules.Evidence) (a amount) {
	for i := range evidence {
		a.count, a.share = max(a.count, float64(evidence[i].Count)), max(a.share, evidence[i].Share)
	}
	return a
}

// compared compares shares where both sides have one, numbers otherwise.
func compared(before, after []rules.Evidence) (c *rules.Compared, grown bool) {
	x, y := largest(before), largest(after)
	c, few := &rules.Compared{Before: x.count, After: y.count}, float64(fewOf)
	if x.share > 0 && y.share > 0 {
		c, few = &rules.Compared{Before: x.share, After: y.share}, fewOfShares
	}
	return c, len(before) == 0 || c.After > rules.GrownTimes*c.Before+few
}
