package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// writeVerdict is the sentence to act on: the first lead, behind the word that states how sure it is; without a lead,
// what was looked at. A suspect has its facts right below; a finding follows in full.
func (v *view) writeVerdict() {
	word := v.word()
	v.section(word, v.sentence())
	l := v.first()
	if l == nil {
		return
	}
	if counts := v.counts(); counts != "" {
		v.labelled(spaces(len(word)), counts, 0)
	}
	if l.Certainty == schema.OnlySuspect {
		v.writeReasons(l)
		v.commands("next", l.Next)
	}
}

// first is the lead of the headline, nil without one.
func (v *view) first() *schema.Lead {
	if len(v.report.Leads) == 0 {
		return nil
	}
	return &v.report.Leads[0]
}

// counts is how many alarms, other findings and places to look at there are besides the headline, "" where that is the
// only alarm. --fail-on counts alarms alone.
func (v *view) counts() string {
	alarms, places := len(selected(v.report.Findings, (*rules.Finding).Alarm)), len(v.otherSuspects())
	others := len(v.report.Findings) - alarms
	if v.accuses() && !v.first().Alarm {
		others--
	}
	aside := v.setAside()
	if alarms == 1 && others+places == 0 && aside == "" {
		return ""
	}
	return joined(", ", cmp.Or(textIf(alarms > 0, phrase.Count(alarms, "alarm")),
		textIf(len(v.report.Findings) > 0, "no alarm"), textIf(aside == "", "no rule matches: judge it yourself")),
		textIf(others > 0, phrase.Count(others, "other finding")+" of lower certainty or impact"),
		textIf(places > 0, phrase.Count(places, "other place")+" to look at"), aside)
}

// accuses reports whether the headline is a finding; what else the report holds is short beside it.
func (v *view) accuses() bool {
	l := v.first()
	return l != nil && l.Certainty != schema.OnlySuspect && len(v.report.Findings) > 0
}

// alarms reports whether the headline is an alarm: what logs and requests show besides is for --all then.
func (v *view) alarms() bool { return v.accuses() && v.first().Alarm }

// headlined reports whether the headline is the finding with an index: findings are in the order of the leads.
func (v *view) headlined(i int) bool { return i == 0 && v.accuses() }

// briefRows is how many lines of evidence and of each text a brief report has.
const briefRows = 3

// writeBrief writes the verdict with the evidence, the fix and the first next step of its finding.
func (v *view) writeBrief() {
	v.writeVerdict()
	if !v.accuses() {
		v.writeSkipped()
		return
	}
	f := &v.report.Findings[0]
	v.head(f)
	rows := v.evidence(f)
	v.table(rows[:min(len(rows), briefRows)])
	v.writeCode(f)
	v.paragraph("fix", f.Fix, briefRows)
	v.commands("next", f.Next[:min(len(f.Next), 1)])
}

func (v *view) sentence() string {
	switch l := v.first(); {
	case l == nil && v.report.Baseline != nil && knownTo(v.report.Baseline) != "":
		return "nothing is new and nothing has grown; " + v.setAside()
	case l == nil:
		return v.nothing()
	case !v.accuses():
		return v.escape(collapse(l.Title)) + prefixed(", ", l.Baseline.Text())
	}
	return v.headline(&v.report.Findings[0]) + prefixed(", ", v.report.Findings[0].Baseline.Text())
}

// nothing is what a report without a lead looked at. It calls nothing healthy.
func (v *view) nothing() string {
	goroutines, watch := 0, 0
	for _, d := range v.latest() { // the others repeat their goroutines
		goroutines += d.Goroutines
		for r := range pointers(d.Runnable) {
			if r.Verdict == "watch" {
				watch += r.Count
			}
		}
	}
	_, left := v.leftovers(v.latest()) // that no role explains
	looked := v.looked(goroutines)
	doubts := prefixed("; but ", phrase.List(v.doubts()))
	switch m := v.report.Merged; {
	case m != nil:
		return "nothing stands out in " + Fleet(m)
	case len(v.report.Inputs) == 0:
		return "nothing was read"
	case len(looked) == 0 && len(v.report.Meters) > 0:
		return "nothing stands out in the measurements; no input contains a goroutine dump or a profile, so no " +
			"code was judged"
	case len(v.report.Dumps) == 0 && v.report.Rules.Clear == 0 || len(looked) == 0:
		return "there is no goroutine dump in " + cmp.Or(textIf(len(v.report.Inputs) == 1, "the input"),
			phrase.Count(len(v.report.Inputs), "input")) + ", so nothing was checked"
	case goroutines > 0 && doubts == "" && watch == 0 && !v.ofCluster() && len(v.report.Profiles) == 0 && left == 0:
		them := cmp.Or(textIf(goroutines == 1, "the only goroutine"), "each of "+phrase.Count(goroutines, "goroutine"))
		return them + " is in a known role, in usual numbers" + prefixed("; ", v.oddReplicas())
	}
	return "nothing stands out in " + phrase.List(looked) + textIf(watch > 0, ", "+phrase.Number(watch)+" to watch") +
		prefixed("; ", v.oddReplicas()) +
		textIf(len(v.report.Dumps)+len(v.report.Profiles) == 0, "; there is no goroutine dump") + doubts
}

// looked counts what rules looked at: "212 goroutines", "310 logs", "41,000 audit events". The lines around a lone dump
// are no log worth a word.
func (v *view) looked(goroutines int) []string {
	logs, unread, dumps, copies := 0, 0, len(v.report.Dumps), map[string]bool{}
	for s := range pointers(v.report.Skipped) {
		copies[s.Path] = copies[s.Path] || s.CopyOf() != ""
	}
	for in := range pointers(v.report.Inputs) {
		switch {
		case !isLog(in.Kind), in.Lines == 0 && in.Bytes == 0, copies[in.Path]: // nothing in it is missed
		case in.First != "" || v.minedInputs[in.Path]:
			logs++
		default:
			unread++
		}
	}
	ofAll := textIf(logs > 0, textIf(unread > 0, phrase.Number(logs)+" of ")+phrase.Count(logs+unread, "log"))
	parts := []string{textIf(goroutines != 0, phrase.Count(goroutines, "goroutine")+
		phrase.InBrackets(strings.TrimPrefix(v.ofDumps(len(v.latest())), ", in "))),
		textIf(dumps == 0 || v.ofCluster(), v.profilesRead()),
		textIf(dumps+len(v.report.Profiles) == 0 || v.ofCluster(), ofAll)}
	if c := v.report.Cluster; c != nil {
		parts = append(parts, countOf(c.Objects, "object"))
	}
	if a := v.report.Audit; a != nil {
		parts = append(parts, countOf(a.Events, "audit event"))
	}
	return nonEmpty(parts)
}

// ofCluster reports whether the report is about more than dumps and profiles: an archive, objects, an audit log.
func (v *view) ofCluster() bool {
	many := func(b schema.Bundle) bool { return b.Files > inputRows }
	return v.report.Cluster != nil || v.report.Audit != nil || slices.ContainsFunc(v.report.Bundles, many)
}

// doubts are what keeps the report from saying more.
func (v *view) doubts() []string {
	cut, unparsed, gaps := 0, 0, 0
	for d := range pointers(v.report.Dumps) {
		unparsed += d.Unparsed
		if d.Truncated != "" {
			cut++
		}
	}
	if c := v.report.Cluster; c != nil {
		gaps = len(c.Gaps)
	}
	return nonEmpty([]string{
		v.setAside(),
		textIf(cut > 0, phrase.Count(cut, "dump")+cmp.Or(textIf(cut == 1, " is"), " are")+" incomplete"),
		textIf(unparsed > 0, phrase.Count(unparsed, "line")+cmp.Or(textIf(unparsed == 1, " is"), " are")+
			" not part of a stack"),
		textIf(gaps > 0, "the bundle could not collect "+phrase.Count(gaps, "thing")),
	})
}
