package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// writeAdvice prints the recipes that collect what is missing.
func (v *view) writeAdvice() {
	for _, a := range v.report.Advice {
		v.section("COLLECT", a.Why)
		for _, c := range a.Commands {
			for _, l := range v.step(c, v.width-2) {
				v.line(plain("  " + l))
			}
		}
	}
}

// writeCoverage writes what the report rests on: the rules and what they lacked, the lines that no parser understood.
func (v *view) writeCoverage() {
	groups := 0
	for d := range pointers(v.report.Dumps) {
		groups += len(d.Buckets)
	}
	v.line()
	v.hanging(v.checked(groups), 0, 0)
	if v.all {
		for _, n := range Needs(v.report) {
			what := strings.TrimPrefix(strings.TrimPrefix(collapse(n.Needs), "needs "), "need ")
			v.labelled(plain(""), "needs "+what+": "+strings.Join(n.Rules, ", "), 0)
		}
	}
	v.writeUnparsed()
	v.source(v.report.Source)
}

// checked counts the rules: "checked 70 of 220 rules: 150 need other input; --all lists them and 31 groups of
// goroutines".
func (v *view) checked(groups int) string {
	c := v.report.Rules
	switch c.Checked {
	case 0:
		return "no rule was checked"
	case c.NotApplicable:
		return "none of the " + phrase.Count(c.Checked, "rule") + " had anything to look at"
	}
	more := nonEmpty([]string{textIf(c.NotApplicable > 0, "them"),
		textIf(groups > 0, phrase.Count(groups, "group")+" of goroutines")})
	return "checked " + textIf(c.NotApplicable > 0, phrase.Number(c.Checked-c.NotApplicable)+" of ") +
		phrase.Count(c.Checked, "rule") +
		textIf(c.NotApplicable > 0, ": "+phrase.Number(c.NotApplicable)+" need"+textIf(c.NotApplicable == 1, "s")+
			" other input") +
		textIf(!v.all, prefixed("; --all lists ", phrase.List(more)))
}

// writeUnparsed counts the lines inside dumps that were not understood and shows the first, with --all those that were
// kept.
func (v *view) writeUnparsed() {
	total := 0
	var first []string
	for d := range pointers(v.report.Dumps) {
		total += d.Unparsed
		for _, u := range d.UnparsedLines {
			first = append(first, v.at(d.Input, u.Line)+" \""+v.escape(u.Text)+"\"")
		}
	}
	if total == 0 {
		return
	}
	s := "not understood: " + phrase.Count(total, "line") + " inside a dump"
	if len(first) > 0 && !v.all {
		v.line(plain(cut(s+", first "+first[0], v.width, v.glyphs.ellipsis)))
		return
	}
	v.line(plain(s))
	for _, f := range first {
		v.line(plain("  " + cut(f, v.width-2, v.glyphs.ellipsis)))
	}
}

const (
	// reasonRows is how many reasons are shown where there are more skips than rows: those of an archive made to harm
	// fit.
	reasonRows = 8
	skipNames  = 2 // that are not read for one reason
)

// writeSkipped names what was not read, and what may help. Many are grouped by their reason: what the user named first,
// then what is rare, since a bomb among a thousand links must be seen.
func (v *view) writeSkipped() {
	list := v.withoutCopies()
	if len(list) == 0 {
		return
	}
	if len(list) <= skippedRows || v.all {
		v.section("NOT READ", "in whole or in part")
		for _, s := range list {
			v.skippedRow(v.entry(s.Path)+": "+s.Reason, s.Hint)
		}
		return
	}
	v.section("NOT READ", phrase.Number(len(list))+", in whole or in part; --all lists them")
	groups := groupedBy(slices.Values(list), func(s *schema.Skipped) string { return reasonKind(s.Reason) })
	named := func(g []*schema.Skipped) bool {
		return slices.ContainsFunc(g, func(s *schema.Skipped) bool { return s.Named })
	}
	slices.SortStableFunc(groups, func(a, b []*schema.Skipped) int {
		return cmp.Or(firstWith(named(a), named(b)), cmp.Compare(len(a), len(b)))
	})
	for i, g := range groups {
		if i == reasonRows {
			n := 0
			for _, g := range groups[i:] {
				n += len(g)
			}
			v.line(plain("  +" + phrase.Number(n) + " more for " + phrase.Count(len(groups)-i, "more reason")))
			break
		}
		v.skipGroup(g)
	}
}

// withoutCopies writes the copies of other inputs in a sentence, and returns what else was skipped. With
// TextOptions.All, and for one that the user named, a copy is like any other.
func (v *view) withoutCopies() []*schema.Skipped {
	other := func(s *schema.Skipped) bool { return s.CopyOf() == "" || s.Named || v.all }
	copies := selected(v.report.Skipped, func(s *schema.Skipped) bool { return !other(s) })
	if n := len(copies); n > 0 {
		v.section("COPIES", phrase.Count(n, "file")+" whose lines are all in other files too, so they count once: "+
			v.some(n, n, skipNames, func(i int) string { return v.entry(copies[i].Path) }))
	}
	return selected(v.report.Skipped, other)
}

// skipGroup writes what was not read for reasons of one kind, which may differ in names and numbers.
func (v *view) skipGroup(g []*schema.Skipped) {
	n, first := len(g), g[0]
	text := phrase.Number(n) + " like " + v.entry(first.Path) + ": " + first.Reason
	switch {
	case n == 1:
		text = v.entry(first.Path) + ": " + first.Reason
	case !slices.ContainsFunc(g, func(s *schema.Skipped) bool { return s.Reason != first.Reason }):
		text = first.Reason + ": " + v.some(n, n, skipNames, func(i int) string { return v.entry(g[i].Path) })
	}
	v.skippedRow(text, first.Hint)
}

func (v *view) skippedRow(text, hint string) {
	v.hanging(text, 2, proseLines)
	if hint != "" {
		v.labelled(plain("    hint"), hint, proseLines)
	}
}

// firstWith orders what has a property before what hasn't.
func firstWith(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// entry shows what was not read by its path inside its archive, since no name of it may be known: "nodes/node-1.zip".
func (v *view) entry(path string) string {
	archive, name, ok := strings.Cut(path, ingest.InsideArchive)
	if !ok {
		return v.at(path, 0)
	}
	if len(v.report.Bundles) > 1 {
		name = lastElements(archive, 1) + ingest.InsideArchive + name
	}
	return cutLeft(v.escape(name), max(v.width/2, 24), v.glyphs.ellipsis)
}

// reasonKind is a reason without what differs from file to file: numbers, paths, what is in quotes or behind a colon.
func reasonKind(reason string) string {
	reason, _, _ = strings.Cut(reason, ": ")
	return collapse(varying().ReplaceAllString(reason, ""))
}

var varying = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"[^"]*"|\S*[/\\0-9]\S*`) })
