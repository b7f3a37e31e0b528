// Package report renders a triage.Report: text for people (Text), JSON for programs (JSON), and the documentation of
// rules and roles (Rules, Explain).
//
// Everything in a report may come from a hostile log. Text passes every string through Escape before it reaches the
// writer; JSON writes the same characters as \u escapes, so that neither can move a terminal's cursor or turn the
// order of what is read.
//
// Stability: JSON is the contract triage/v1; text is for people, and its words may change with any release.
package report

// This file and its neighbours write the text report. The rules are:
//
//   - The order is that of the reader's questions: what was read, the verdict, the findings with why, fix and next, who
//     blocks whom, who else was running, what was subtracted, what is left over, what logs and the cluster show besides, what
//     was not collected, read or checked.
//   - One screen for one finding. With many, the first fullFindings in full and one line for each other one.
//   - Nothing is printed twice. What a reader can act on is never cut: functions, file:line, commands.
//   - "Not checked" is written, and never looks like "clean". No dump is called healthy.
//   - Import paths shorten from the left. Colour only repeats what words and marks mean.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// Text writes r for people. r is not changed. The error is the writer's.
func Text(w io.Writer, r *schema.Report, o TextOptions) error {
	p := newPrinter(w, o)
	if r.Diff != nil {
		shown := *r
		shown.Findings = r.Diff.Findings.New // those in full are the ones that are new
		newView(&shown, p).diff()
		return p.flush("the report as text")
	}
	v := newView(r, p)
	for _, section := range []func(){
		v.inputs, v.verdict, v.findings, v.fleet, v.series, v.waits, v.profiles, v.runnables, v.roles, v.noRole,
		v.logs, v.trail, v.cluster, v.groups, v.gaps, v.skipped, v.advice, v.coverage,
	} {
		section()
	}
	return p.flush("the report as text")
}

func (p *printer) flush(what string) error { return written(what, p.w.Flush()) }

// written is the error of writing something, if there is one.
func written(what string, err error) error {
	if err != nil {
		return fmt.Errorf("writing %s: %w", what, err)
	}
	return nil
}

// verdict is the sentence to act on. It names the first finding; without one it writes what keeps the report from
// saying more, and calls nothing healthy.
func (v *view) verdict() {
	v.section("VERDICT", v.sentence())
	if n := len(v.r.Findings); n > 1 {
		label := spaces(len("VERDICT"))
		v.labelled(label, "and "+phrase.Count(n-1, "more finding")+": "+v.severities(v.r.Findings[1:]), 0)
	}
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
