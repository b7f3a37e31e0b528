package report

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// This file has what the forms of a report in other packages share with the text.

// Headline is the answer in one sentence, on one line of any length, as Text prints it. Its first word states how sure
// it is, where it is no alarm: "Likely: …", "Possible: …", "Look first: …", "Nothing found: …".
func Headline(r *schema.Report) string {
	v := newView(r, newPrinter(io.Discard, TextOptions{Width: 1 << 16}))
	if r.Diff != nil {
		return v.diffVerdict(r.Diff)
	}
	word := v.word()
	if word == wordAlarm {
		return v.sentence()
	}
	return word[:1] + strings.ToLower(word[1:]) + ": " + v.sentence()
}

// withLeads is r with leads: those that its findings make where it has none, as reports of earlier releases and of
// programs that fill one in themselves.
func withLeads(r *schema.Report) *schema.Report {
	found := r.Found()
	if len(r.Leads) > 0 || len(found) == 0 {
		return r
	}
	full := *r
	full.Leads, found = leads.Rank(found, nil)
	if r.Diff == nil {
		full.Findings = found
	}
	return &full
}

// Suspects are the suspects among the first leads: what a form shows besides findings.
func Suspects(r *schema.Report) []*schema.Lead {
	r = withLeads(r)
	return selected(r.Leads[:min(len(r.Leads), shownLeads)], func(l *schema.Lead) bool {
		return l.Certainty == schema.OnlySuspect
	})
}

// Names are the short names of a report's inputs by path, unescaped.
type Names map[string]string

// At is "1.log:168" for a line of an input, and the name alone for line 0. It is unescaped.
func (n Names) At(input string, line int64) string {
	name, known := n[input]
	if !known {
		name = input
	}
	if line > 0 {
		name += ":" + strconv.FormatInt(line, 10)
	}
	return name
}

// Place is "listener.go:168" for a line of a file, unescaped; "" where the file is unknown.
func Place(file string, line int) string {
	return symbol.ShortFile(file) + textIf(file != "" && line > 0, ":"+strconv.Itoa(line))
}

// A Need is evidence that rules lacked, with their ids.
type Need struct {
	Needs string
	Rules []string
}

// Needs groups the rules of a report that were not applicable by what they lacked, most rules first.
func Needs(r *schema.Report) (list []Need) {
	for _, g := range groupedBy(pointers(r.NotApplicable), func(n *schema.NotApplicable) string { return n.Needs }) {
		need := Need{Needs: g[0].Needs}
		for _, n := range g {
			need.Rules = append(need.Rules, n.Rule)
		}
		list = append(list, need)
	}
	slices.SortStableFunc(list, func(a, b Need) int {
		return cmp.Or(cmp.Compare(len(b.Rules), len(a.Rules)), strings.Compare(a.Needs, b.Needs))
	})
	return list
}

// Waited is how long goroutines have waited: "3 minutes", "2 to 9 minutes", "" where that is unknown.
func Waited(m schema.Minutes) string {
	if m.Max == 0 {
		return ""
	}
	return textIf(m.Min < m.Max, phrase.Number(int64(m.Min))+" to ") + phrase.Count(int64(m.Max), "minute")
}
