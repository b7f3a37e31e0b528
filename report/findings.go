package report

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func (v *view) findings() {
	full := v.shown(len(v.r.Findings), fullFindings)
	for i := range v.r.Findings[:full] {
		v.finding(i)
	}
	rest := v.r.Findings[full:]
	if len(rest) == 0 {
		return
	}
	v.section("MORE", phrase.Count(len(rest), "more finding")+"; --all shows all of them in full")
	v.oneLineEach(rest, min(len(rest), lineFindings), v.whereabouts)
}

// oneLineEach writes the first n findings in a line each, with their places in one column.
func (v *view) oneLineEach(fs []rules.Finding, n int, place func(*rules.Finding) string) {
	column := 0
	for i := range fs[:n] {
		column = max(column, width(place(&fs[i])))
	}
	for i := range fs[:n] {
		v.oneLine(&fs[i], min(column, v.width/3))
	}
	v.more(2, len(fs)-n, "finding")
}

// finding writes one in full. The first one's title is the verdict
// already; an only one follows right under it, which saves a line of the first screen.
func (v *view) finding(i int) {
	f := &v.r.Findings[i]
	if len(v.r.Findings) > 1 {
		v.line()
	}
	severity := strings.ToUpper(v.escape(string(f.Severity)))
	head := v.escape(f.Name + " (" + f.Rule + ") " + v.glyphs.dot + " " + string(f.Category) + " " + v.glyphs.dot +
		" confidence " + string(f.Confidence))
	v.labelled(span{text: severity, style: v.colour.severity(f.Severity)}, head, proseLines)
	if title := v.accusation(f, min(v.width, maxProse)-2); i > 0 && title != "" {
		for _, l := range v.wrapped(title, 2, 0) {
			v.line(plain("  "), span{text: l, style: v.colour.Culprit})
		}
	}
	v.stack(i)
	v.about(f)
	v.paragraph("seen", v.seen(f), proseLines)
	v.paragraph("why", f.Why, proseLines)
	v.paragraph("fix", f.Fix, proseLines)
	v.commands("next", f.Next)
	for _, n := range f.Notes {
		v.paragraph("note", n, proseLines)
	}
	if v.all {
		v.paragraph("refs", strings.Join(f.Refs, ", "), 0)
	}
}

// about writes which object a finding is about and who writes it, and where the lines are from.
func (v *view) about(f *rules.Finding) {
	if f.Object != nil {
		v.paragraph("of", objectName(f.Object)+aside(f.Object.API), proseLines)
	}
	n := len(f.Actors)
	v.paragraph("by", v.some(n, n, shownIDs, func(i int) string { return f.Actors[i] }), proseLines)
	if at := v.place(f.Culprit.File, f.Culprit.Line); at != "" && ofNoCode(f) {
		v.paragraph("at", at+" writes the line", proseLines)
	}
	n = len(f.Objects)
	v.paragraph("with", v.some(n, n, shownIDs, func(i int) string { return objectName(&f.Objects[i]) }), proseLines)
}

// objectName is "Deployment shop/web"; the kind or the namespace may be missing.
func objectName(o *rules.Object) string {
	return strings.TrimSpace(o.Kind + " " + given(o.Namespace != "", o.Namespace+"/") + o.Name)
}

// whereabouts is a finding's place for a column: its file and line, else its object, cut from the left.
func (v *view) whereabouts(f *rules.Finding) string {
	at := v.place(f.Culprit.File, f.Culprit.Line)
	if at == "" && f.Object != nil {
		at = cutLeft(v.escape(collapse(objectName(f.Object))), max(v.width*3/10, 16), v.glyphs.ellipsis)
	}
	return at
}

// seen lists the number of pods, or sources, and the time, where that is more than one place and one time.
func (v *view) seen(f *rules.Finding) string {
	s := v.inPods(f)
	if n := len(f.Sources); n > 1 && s == "" && !v.shownAll(f) {
		s = "in " + phrase.Number(n) + " sources: " +
			v.some(n, n, shownIDs, func(i int) string { return v.at(f.Sources[i], 0) })
	}
	span := f.FirstSeen != "" && f.LastSeen != "" && f.FirstSeen != f.LastSeen
	return joined("; ", s, given(span, during(f.FirstSeen, f.LastSeen)))
}

// shownAll reports whether the evidence that is shown of a finding without code names all its sources already.
func (v *view) shownAll(f *rules.Finding) bool {
	rows := f.Evidence[:v.shown(len(f.Evidence), evidenceRows)]
	return ofNoCode(f) && !slices.ContainsFunc(f.Sources, func(src string) bool {
		return !slices.ContainsFunc(rows, func(e rules.Evidence) bool { return e.Input == src })
	})
}

// oneLine writes a finding in one line: severity, id, place, title. The title gives way, the place never; places are
// padded to column.
func (v *view) oneLine(f *rules.Finding, column int) {
	severity := strings.ToUpper(v.escape(string(f.Severity)))
	title, at := v.escape(collapse(strings.TrimSuffix(f.Title, "."))), v.whereabouts(f)
	title = strings.TrimSuffix(title, " ("+at+")")
	id := v.escape(f.Rule)
	lead := 2 + max(width(severity), len("CRITICAL")) + 2 + width(id) + 2
	title = cut(title, max(v.width-lead-column-2, 20), v.glyphs.ellipsis)
	v.line(plain("  "), span{text: pad(severity, len("CRITICAL")), style: v.colour.severity(f.Severity)}, plain("  "),
		span{text: id, style: v.colour.Dim}, plain("  "+pad(at, column)+"  "+title))
}
