package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// verdict is the sentence to act on: the first finding where it is above low, else that there is no culprit and what
// keeps the report from saying more. It calls nothing healthy.
func (v *view) verdict() {
	v.section("VERDICT", v.sentence())
	label, rest := spaces(len("VERDICT")), v.r.Findings
	switch n := len(rest); {
	case v.accuses() && n > 1:
		v.labelled(label, "and "+phrase.Count(n-1, "more finding")+": "+v.severities(rest[1:]), 0)
	case !v.accuses() && n > 0:
		v.labelled(label, cmp.Or(v.severities(rest), phrase.Number(n))+" finding"+given(n > 1, "s")+" below", 0)
	}
}

// accuses reports whether there is a culprit: a finding above low. What is below is a remark, and never the headline.
func (v *view) accuses() bool {
	return len(v.r.Findings) > 0 && !minor(&v.r.Findings[0])
}

func minor(f *rules.Finding) bool { return f.Severity.Rank() <= rules.Low.Rank() }

// briefRows is how many lines of evidence and of each text a brief report has.
const briefRows = 3

// brief writes the verdict with the evidence, the fix and the first next step of its finding.
func (v *view) brief() {
	v.verdict()
	if len(v.r.Findings) == 0 {
		v.skipped()
		return
	}
	f := &v.r.Findings[0]
	if minor(f) {
		v.line()
	}
	v.head(f)
	if minor(f) {
		v.block(v.accusation(f), 2, 0, v.colour.Culprit)
	}
	rows := v.evidence(f)
	v.table(rows[:min(len(rows), briefRows)])
	v.code(f)
	v.paragraph("fix", f.Fix, briefRows)
	v.commands("next", f.Next[:min(len(f.Next), 1)])
}

func (v *view) sentence() string {
	if v.accuses() {
		return v.headline(&v.r.Findings[0])
	}
	goroutines, watch := 0, 0
	for _, d := range v.latest() { // the others repeat their goroutines
		goroutines += d.Goroutines
	}
	for d := range pointers(v.r.Dumps) {
		for _, r := range d.Runnable {
			if r.Verdict == "watch" {
				watch += r.Count
			}
		}
	}
	looked := v.looked(goroutines)
	switch {
	case len(v.r.Inputs) == 0:
		return "none: nothing was read"
	case len(looked) == 0 && len(v.r.Meters) > 0:
		return noCulprit + "in what was measured; no input holds a goroutine dump or a profile, so no code was judged"
	case len(v.r.Findings) > 0 && len(looked) == 0:
		looked = append(looked, phrase.Count(len(v.r.Inputs), "input"))
	case len(v.r.Dumps) == 0 && (v.r.Rules.Clear == 0 && len(v.r.Findings) == 0 || len(looked) == 0):
		return "none: there is no goroutine dump in " + inTheInput(len(v.r.Inputs)) +
			", so nothing was checked"
	}
	return noCulprit + "in " + phrase.List(looked) + behind("; ", v.inOnePlace(goroutines)) +
		given(watch > 0, ", "+phrase.Number(watch)+" to watch") + behind("; ", v.oddReplicas()) +
		given(len(v.r.Dumps)+len(v.r.Profiles) == 0, "; there is no goroutine dump") +
		behind("; but ", phrase.List(v.doubts()))
}

// noCulprit begins the headline of every report without a finding above low, whatever remarks follow.
const noCulprit = "No culprit found "

// looked counts what rules looked at: "212 goroutines", "310 logs", "41,000 audit events". The lines around a lone dump
// are no log worth a word.
func (v *view) looked(goroutines int) []string {
	logs, unread, dumps, copies := 0, 0, len(v.r.Dumps), map[string]bool{}
	for s := range pointers(v.r.Skipped) {
		copies[s.Path] = copies[s.Path] || s.CopyOf() != ""
	}
	for in := range pointers(v.r.Inputs) {
		switch {
		case !isLog(in.Kind), in.Lines == 0 && in.Bytes == 0, copies[in.Path]: // nothing in it is missed
		case in.First != "" || v.mined[in.Path]:
			logs++
		default:
			unread++
		}
	}
	ofAll := given(logs > 0, given(unread > 0, phrase.Number(logs)+" of ")+phrase.Count(logs+unread, "log"))
	parts := []string{given(goroutines != 0, phrase.Count(goroutines, "goroutine")+
		phrase.InBrackets(strings.TrimPrefix(v.ofDumps(len(v.latest())), ", in "))),
		given(dumps == 0 || v.ofCluster(), v.profilesRead()),
		given(dumps+len(v.r.Profiles) == 0 || v.ofCluster(), ofAll)}
	if c := v.r.Cluster; c != nil {
		parts = append(parts, countOf(c.Objects, "object"))
	}
	if a := v.r.Audit; a != nil {
		parts = append(parts, countOf(a.Events, "audit event"))
	}
	return nonEmpty(parts)
}

// inTheInput is "the input" or "7 inputs".
func inTheInput(n int) string {
	if n == 1 {
		return "the input"
	}
	return phrase.Count(n, "input")
}

// ofCluster reports whether the report is about more than dumps and profiles: an archive, objects, an audit log.
func (v *view) ofCluster() bool {
	many := func(b schema.Bundle) bool { return b.Files > inputRows }
	return v.r.Cluster != nil || v.r.Audit != nil || slices.ContainsFunc(v.r.Bundles, many)
}

// doubts are what keeps the report from saying more.
func (v *view) doubts() []string {
	cut, unparsed, gaps := 0, 0, 0
	for d := range pointers(v.r.Dumps) {
		unparsed += d.Unparsed
		if d.Truncated != "" {
			cut++
		}
	}
	if c := v.r.Cluster; c != nil {
		gaps = len(c.Gaps)
	}
	return nonEmpty([]string{
		given(cut > 0, phrase.Count(cut, "dump")+" lack"+given(cut == 1, "s")+" a part"),
		given(unparsed > 0, phrase.Count(unparsed, "line")+cmp.Or(given(unparsed == 1, " is"), " are")+
			" not part of a stack"),
		given(gaps > 0, "the bundle could not collect "+phrase.Count(gaps, "thing")),
	})
}

// severities counts findings by severity: "2 high, 1 low".
func (v *view) severities(fs []rules.Finding) string {
	counts := map[rules.Severity]int{}
	for _, f := range fs {
		counts[f.Severity]++
	}
	var parts []string
	for _, s := range []rules.Severity{rules.Critical, rules.High, rules.Medium, rules.Low, rules.Info} {
		parts = append(parts, given(counts[s] > 0, phrase.Number(counts[s])+" "+string(s)))
	}
	return joined(", ", parts...)
}
