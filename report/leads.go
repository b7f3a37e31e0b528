package report

import (
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// shownLeads is how many leads are shown before the details.
const shownLeads = 3

// The words of the headline, which state how sure it is.
const (
	wordAlarm    = "VERDICT"
	wordLikely   = "LIKELY"
	wordPossible = "POSSIBLE"
	wordSuspect  = "LOOK FIRST"
	wordNothing  = "NOTHING FOUND"
	wordNoNews   = "NOTHING NEW" // beyond a baseline
)

// Word is the first word of the headline that a lead makes; that of a report without leads where l is nil.
func Word(l *schema.Lead) string {
	switch {
	case l == nil:
		return wordNothing
	case l.Alarm:
		return wordAlarm
	case l.Certainty == schema.Likely, l.Certainty == schema.Certain:
		return wordLikely
	case l.Certainty == schema.Possible:
		return wordPossible
	}
	return wordSuspect
}

func (v *view) word() string {
	if v.first() == nil && v.r.Baseline != nil {
		return wordNoNews
	}
	return Word(v.first())
}

// reasons writes what speaks for and against a suspect, and which code could end its wait.
func (v *view) reasons(l *schema.Lead) {
	v.lines("for", l.For)
	v.lines("but", l.Against)
	v.paragraph("code", schema.EndingsText(v.endsOf(l)), proseLines)
}

// endsOf are the functions that could end the wait of a suspect's goroutines; none without the source.
func (v *view) endsOf(l *schema.Lead) []schema.Ending {
	for _, d := range v.latest() {
		for b := range pointers(d.Buckets) {
			if f, _ := representative(b); l.Culprit != nil && len(b.Ends) > 0 && f.Function == l.Culprit.Function {
				return b.Ends
			}
		}
	}
	return nil
}

// lines writes sentences behind one label.
func (v *view) lines(label string, sentences []string) {
	for i, s := range sentences {
		v.paragraph(given(i == 0, label), s, proseLines)
	}
}

// otherSuspects are the suspects among the first leads that are not in the headline; all of them with TextOptions.All.
func (v *view) otherSuspects() (list []*schema.Lead) {
	for i := range v.r.Leads {
		if i > 0 && v.showsSuspect(i) {
			list = append(list, &v.r.Leads[i])
		}
	}
	return list
}

// otherPlaces lists the other suspects. Beside a finding they are one line each.
func (v *view) otherPlaces() {
	list := v.otherSuspects()
	if len(list) == 0 {
		return
	}
	v.section("THEN LOOK", "at "+phrase.Count(len(list), "other place")+", which no finding is about")
	for _, l := range list {
		v.hanging(strings.TrimSuffix(l.Title, ".")+behind(", ", l.Baseline.Text()), 2, 0)
		if !v.accuses() || v.all {
			short := *l
			short.For = l.For[:v.shown(len(l.For), 1)]
			v.reasons(&short)
		}
		if v.all {
			v.commands("next", l.Next)
		}
	}
}

// ledTo are the functions of the suspects that are shown: their goroutines are not listed again.
func (v *view) ledTo() map[string]bool {
	functions := map[string]bool{}
	for i := range v.r.Leads[:v.shown(len(v.r.Leads), shownLeads)] {
		if l := &v.r.Leads[i]; v.showsSuspect(i) && l.Culprit != nil {
			functions[l.Culprit.Function] = true
		}
	}
	return functions
}

// showsSuspect reports whether the lead with an index is a suspect that is shown. Beside a finding those that hardly
// stand out are left out.
func (v *view) showsSuspect(i int) bool {
	l := &v.r.Leads[i]
	return l.Certainty == schema.OnlySuspect &&
		(v.all || i < shownLeads && (!v.accuses() || l.Points >= suspect.Shown))
}

// inFull is how many findings are written in full: alarms, and others that are among the first leads.
func (v *view) inFull() int {
	if v.all || len(v.r.Leads) == 0 {
		return v.shown(len(v.r.Findings), fullFindings)
	}
	n := min(len(v.r.Leads), shownLeads) - len(Suspects(v.r))
	return min(n, len(v.r.Findings))
}
