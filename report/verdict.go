package report

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// verdict is the sentence to act on. It names the first finding; without one it writes what keeps the report from
// saying more, and calls nothing healthy.
func (v *view) verdict() {
	v.section("VERDICT", v.sentence())
	if n := len(v.r.Findings); n > 1 {
		label := spaces(len("VERDICT"))
		v.labelled(label, "and "+phrase.Count(n-1, "more finding")+": "+v.severities(v.r.Findings[1:]), 0)
	}
}

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
	v.line(span{text: strings.ToUpper(v.escape(string(f.Severity))), style: v.colour.severity(f.Severity)},
		plain("  "+v.escape(f.Name+" ("+f.Rule+") "+v.glyphs.dot+" confidence "+string(f.Confidence))))
	rows := v.evidence(f)
	v.table(rows[:min(len(rows), briefRows)])
	v.code(f)
	v.paragraph("fix", f.Fix, briefRows)
	v.commands("next", f.Next[:min(len(f.Next), 1)])
}

func (v *view) sentence() string {
	if len(v.r.Findings) > 0 {
		// Its culprit's place is five lines below: here only where it doesn't cost a line.
		return v.accusation(&v.r.Findings[0], min(v.width, maxProse)-len("VERDICT  "))
	}
	goroutines, watch := 0, 0
	for d := range pointers(v.r.Dumps) {
		goroutines += d.Goroutines
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
	case len(v.r.Dumps) == 0 && len(looked) == 0 && len(v.r.Meters) > 0:
		return "No culprit found in what was measured; no input holds a goroutine dump or a profile, so no code was judged"
	case len(v.r.Dumps) == 0 && (v.r.Rules.Clear == 0 || len(looked) == 0):
		return "none: there is no goroutine dump in " + phrase.Count(len(v.r.Inputs), "input") +
			", so nothing was checked"
	}
	s := "nothing accused"
	switch {
	case len(looked) == 1 && goroutines > 0:
		s += " among " + looked[0]
	case len(looked) > 0:
		s += " in " + phrase.List(looked)
	}
	return s + given(watch > 0, ", "+phrase.Number(watch)+" to watch") + behind("; ", v.oddReplicas()) +
		given(len(v.r.Dumps)+len(v.r.Profiles) == 0, "; there is no goroutine dump") +
		behind("; but ", phrase.List(v.doubts()))
}

// looked counts what rules looked at: "212 goroutines", "310 logs", "41,000 audit events". The lines around a lone dump
// are no log worth a word.
func (v *view) looked(goroutines int) []string {
	logs, dumps, profiles := 0, len(v.r.Dumps), len(v.r.Profiles)
	for in := range pointers(v.r.Inputs) {
		if isLog(in.Kind) && (in.First != "" || v.mined[in.Path]) {
			logs++
		}
	}
	parts := []string{countOf(goroutines, "goroutine"),
		given(dumps == 0 || v.ofCluster(), countOf(profiles, "profile")),
		given(dumps+profiles == 0 || v.ofCluster(), countOf(logs, "log"))}
	if c := v.r.Cluster; c != nil {
		parts = append(parts, countOf(c.Objects, "object"))
	}
	if a := v.r.Audit; a != nil {
		parts = append(parts, countOf(a.Events, "audit event"))
	}
	return nonEmpty(parts)
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
		given(unparsed > 0, phrase.Count(unparsed, "line")+" could not be read"),
		given(gaps > 0, "the bundle could not collect "+phrase.Count(gaps, "thing")),
	})
}

// accusation is a finding's title with its severity and confidence where they are low, and the place, where that
// fits in room columns.
func (v *view) accusation(f *rules.Finding, room int) string {
	title := v.escape(collapse(strings.TrimSuffix(f.Title, ".")))
	if title == "" {
		title = v.escape(f.Name)
	}
	at := v.place(f.Culprit.File, f.Culprit.Line)
	title = cut(strings.TrimSuffix(title, " ("+at+")"), maxTitle, v.glyphs.ellipsis)
	if f.Confidence == rules.ConfLow {
		title = "suspicion: " + title
	}
	if f.Severity == rules.Low || f.Severity == rules.Info {
		title = "minor: " + title
	}
	if at == "" {
		at = v.escape(collapse(unsaid(f, title)))
	}
	return title + given(!strings.Contains(title, at) && width(title)+width(at)+3 <= room, phrase.InBrackets(at))
}

// unsaid is what a title leaves out of whom a finding about an object accuses: the object, or else its only actor.
func unsaid(f *rules.Finding, title string) string {
	switch {
	case f.Object != nil && f.Object.Name != "" && !strings.Contains(title, f.Object.Name):
		return objectName(f.Object)
	case f.Object != nil && len(f.Actors) == 1:
		actor := f.Actors[0]
		// system:serviceaccount:NAMESPACE:NAME, of which titles have the name
		if short := actor[strings.LastIndexByte(actor, ':')+1:]; !strings.Contains(title, short) {
			return "by " + actor
		}
	}
	return ""
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
