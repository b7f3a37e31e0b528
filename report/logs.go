package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// What makes a pattern worth a row without TextOptions.All.
const (
	// patternRows is how many are shown.
	patternRows = 5
	// loudRate, in lines a second, and loudCount: a line a second for a minute. Healthy clusters log one pattern at 2
	// to 10 lines a second, so this accuses nothing, and the text has it.
	loudRate, loudCount = 1, 60
	// errorCount is how often an error occurs before it is worth a row: client-go joins similar events from 10 on.
	errorCount = 10
	// templateRoom is how many columns a template needs to be on its pattern's own line.
	templateRoom = 60
)

// logs lists what logs repeat most where no finding speaks of it: errors first. A report on a dump alone has none: the
// log around a dump is not what was asked for.
func (v *view) logs() {
	list := v.unspoken()
	if len(list) == 0 || !v.all && !v.ofCluster() && len(v.r.Dumps)+len(v.r.Profiles) > 0 {
		return
	}
	shown := list[:v.shown(len(list), patternRows)]
	what := "errors, and lines at 1/s and more; no finding speaks of them"
	if v.all {
		what = "the most frequent first"
	}
	patterns := phrase.Count(len(list), "pattern")
	if len(shown) < len(list) {
		patterns = phrase.Number(len(shown)) + " of " + patterns
	}
	v.section("LOGS", patterns+": "+what)
	v.patterns(shown)
}

// patterns is the table: numbers, where, and what the lines contain, beside it where there is room for all of them.
func (v *view) patterns(shown []*schema.Pattern) {
	rows := [][]string{{"count", "rate", "for"}}
	for _, p := range shown {
		rows = append(rows, []string{phrase.Number(p.Count), perTime(often(p)), lasting(p.First, p.Last)})
	}
	names := widest(slices.Values(shown), func(p *schema.Pattern) string { return v.at(p.Input, p.Line) })
	texts, widths := widest(slices.Values(shown), v.pattern), columnWidths(rows, 0)
	v.line(span{text: v.cells(rows[0], widths) + "  in", style: v.colour.Dim})
	for i, p := range shown {
		lead, text := v.cells(rows[i+1], widths)+"  "+pad(v.at(p.Input, p.Line), names), v.pattern(p)
		if room := v.width - width(lead) - 2; room >= min(templateRoom, texts) {
			v.line(plain(lead + "  " + cut(text, room, v.glyphs.ellipsis)))
			continue
		}
		v.line(plain(lead))
		v.line(spaces(4), plain(cut(text, v.width-4, v.glyphs.ellipsis)))
	}
}

// pattern is a pattern in one line: "error steady: dial tcp <*>: connection refused (10.0.4.7:5432 and 3 more)".
func (v *view) pattern(p *schema.Pattern) string {
	text, level := v.escape(collapse(cmp.Or(p.Template, p.Text))), v.escape(collapse(p.Level))
	level = strings.TrimSpace(level + given(p.Steady, " steady"))
	text = given(level != "", level+": ") + text
	if n := len(p.Objects); n > 0 && p.Objects[0].Name != "" {
		text += phrase.InBrackets(v.escape(collapse(p.Objects[0].Name)) + given(n > 1, " and "+phrase.Number(n-1)+" more"))
	}
	return text
}

// often is how many lines a second a pattern has; the report's own number knows no less than one in 1,000 s.
func often(p *schema.Pattern) float64 {
	if long := moment(p.Last).Sub(moment(p.First)).Seconds(); p.PerSecond == 0 && long > 0 {
		return float64(p.Count) / long
	}
	return p.PerSecond
}

// unspoken are the patterns to list: with TextOptions.All those of the report, else errors and loud ones that no
// finding has among its evidence.
func (v *view) unspoken() []*schema.Pattern {
	type line struct {
		input string
		line  int64
	}
	type subject struct{ input, name string }
	claimed, about := map[line]bool{}, map[subject]bool{}
	for f := range pointers(v.r.Findings) {
		for _, e := range f.Evidence {
			claimed[line{e.Input, e.Line}] = true
			if f.Object != nil && f.Object.Name != "" {
				about[subject{e.Input, f.Object.Name}] = true
				about[subject{e.Input, f.Object.Namespace + "/" + f.Object.Name}] = true
			}
		}
	}
	var list []*schema.Pattern
	for p := range pointers(v.r.Patterns) {
		spoken := claimed[line{p.Input, p.Line}] || len(p.Objects) > 0 && about[subject{p.Input, p.Objects[0].Name}]
		loud := p.PerSecond >= loudRate && p.Count >= loudCount || isError(p.Level) && p.Count >= errorCount
		if v.all || loud && !spoken {
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b *schema.Pattern) int {
		return cmp.Or(firstWith(!v.all && isError(a.Level), !v.all && isError(b.Level)), cmp.Compare(b.Count, a.Count))
	})
	return list
}

// isError reports whether a pattern's level is that of a failure.
func isError(level string) bool { return level == "error" || level == "fatal" }
