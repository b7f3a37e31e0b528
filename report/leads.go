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
	if v.first() == nil && v.report.Baseline != nil {
		return wordNoNews
	}
	return Word(v.first())
}

// writeReasons writes what speaks for and against a suspect, and which code could end its wait.
func (v *view) writeReasons(l *schema.Lead) {
	v.writeLabelled("for", l.For)
	v.writeLabelled("but", l.Against)
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

// writeLabelled writes sentences behind one label.
func (v *view) writeLabelled(label string, sentences []string) {
	for i, s := range sentences {
		v.paragraph(textIf(i == 0, label), s, proseLines)
	}
}

// otherSuspects are the suspects among the first leads that are not in the headline; all of them with TextOptions.All.
func (v *view) otherSuspects() (list []*schema.Lead) {
	for i := range v.report.Leads {
		if i > 0 && v.showsSuspect(i) {
			list = append(list, &v.report.Leads[i])
		}
	}
	return list
}

// writeOtherPlaces lists the other suspects. Beside a finding they are one line each.
func (v *view) writeOtherPlaces() {
	list := v.otherSuspects()
	if len(list) == 0 {
		return
	}
	v.section("THEN LOOK", "at "+phrase.Count(len(list), "other place")+" that no finding covers")
	for _, l := range list {
		v.hanging(strings.TrimSuffix(l.Title, ".")+prefixed(", ", l.Baseline.Text()), 2, 0)
		if !v.accuses() || v.all {
			short := *l
			short.For = l.For[:v.shown(len(l.For), 1)]
			v.writeReasons(&short)
		}
		if v.all {
			v.commands("next", l.Next)
		}
	}
}

// ledTo are the functions of the suspects that are shown: their goroutines are not listed again.
func (v *view) ledTo() map[string]bool {
	functions := map[string]bool{}
	for i := range v.report.Leads[:v.shown(len(v.report.Leads), shownLeads)] {
		if l := &v.report.Leads[i]; v.showsSuspect(i) && l.Culprit != nil {
			functions[l.Culprit.Function] = true
		}
	}
	return functions
}

// showsSuspect reports whether the lead with an index is a suspect that is shown. Beside a finding those that hardly
// stand out are left out.
func (v *view) showsSuspect(i int) bool {
	l := &v.report.Leads[i]
	return l.Certainty == schema.OnlySuspect &&
		(v.all || i < shownLeads && (!v.accuses() || l.Points >= suspect.Shown))
}

// inFull is how many findings are written in full: alarms, and others that are among the first leads.
func (v *view) inFull() int {
	if v.all || len(v.report.Leads) == 0 {
		return v.shown(len(v.report.Findings), fullFindings)
	}
	n := min(len(v.report.Leads), shownLeads) - len(Suspects(v.report))
	return min(n, len(v.report.Findings))
}
