package report

import (
	"strings"

	"github.com/gotriage/triage/rules"
)

func (v *view) findings() {
	full := len(v.r.Findings)
	if !v.all && full > fullFindings {
		full = fullFindings
	}
	for i := range v.r.Findings[:full] {
		v.finding(i)
	}
	rest := v.r.Findings[full:]
	if len(rest) == 0 {
		return
	}
	v.section("MORE", count(len(rest), "more finding")+"; --all shows all of them in full")
	shown := rest[:min(len(rest), lineFindings)]
	column := 0
	for i := range shown {
		column = max(column, width(v.place(shown[i].Culprit.File, shown[i].Culprit.Line)))
	}
	for i := range shown {
		v.oneLine(&shown[i], min(column, v.width/3))
	}
	if hidden := len(rest) - len(shown); hidden > 0 {
		v.line(plain("  +" + count(hidden, "more finding")))
	}
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
	v.line(span{text: severity, style: v.colour.severity(f.Severity)}, plain("  "+head))
	if title := v.accusation(f, min(v.width, maxProse)-2); i > 0 && title != "" {
		for _, l := range v.wrapped(title, 2, 0) {
			v.line(plain("  "), span{text: l, style: v.colour.Culprit})
		}
	}
	v.stack(i)
	if o := f.Object; o != nil {
		name := o.Name
		if o.Namespace != "" {
			name = o.Namespace + "/" + name
		}
		v.paragraph("of", strings.TrimSpace(o.Kind+" "+name), proseLines)
	}
	if len(f.Actors) > 0 {
		v.paragraph("by", strings.Join(f.Actors, ", "), proseLines)
	}
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

// seen says in how many pods, or sources, and when, where that is more than one place and one time.
func (v *view) seen(f *rules.Finding) string {
	s := v.inPods(f)
	if n := len(f.Sources); n > 1 && s == "" {
		names := make([]string, 0, n)
		for _, src := range f.Sources {
			if len(names) == shownIDs && !v.all {
				names = append(names, "+"+number(n-shownIDs)+" more")
				break
			}
			names = append(names, v.at(src, 0))
		}
		s = "in " + number(n) + " sources: " + strings.Join(names, ", ")
	}
	if f.FirstSeen != "" && f.LastSeen != "" && f.FirstSeen != f.LastSeen {
		if s != "" {
			s += "; "
		}
		s += "from " + f.FirstSeen + " to " + f.LastSeen
	}
	return s
}

// oneLine writes a finding in one line: severity, id, place, title. The title gives way, the place never; places are
// padded to column.
func (v *view) oneLine(f *rules.Finding, column int) {
	severity := strings.ToUpper(v.escape(string(f.Severity)))
	title, at := v.escape(collapse(strings.TrimSuffix(f.Title, "."))), v.place(f.Culprit.File, f.Culprit.Line)
	title = strings.TrimSuffix(title, " ("+at+")")
	id := v.escape(f.Rule)
	lead := 2 + max(width(severity), len("CRITICAL")) + 2 + width(id) + 2
	title = cut(title, max(v.width-lead-column-2, 20), v.glyphs.ellipsis)
	v.line(plain("  "), span{text: pad(severity, len("CRITICAL")), style: v.colour.severity(f.Severity)}, plain("  "),
		span{text: id, style: v.colour.Dim}, plain("  "+pad(at, column)+"  "+title))
}
