package report

import (
	"cmp"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// SurveyText writes a survey for people: which processes to look at, why and how, what is down and what is missing.
func SurveyText(w io.Writer, s *schema.Survey, o TextOptions) error {
	p := newPrinter(w, o)
	window := time.Duration(s.Window) * time.Second
	p.labelled(span{text: "FLEET", style: p.colour.Heading}, phrase.Count(s.Processes, "Go process")+" of "+
		phrase.Count(s.Workloads, "workload")+" at "+s.Server+", compared with "+phrase.Spell(window)+" earlier"+
		prefixed(", namespace ", s.Namespace)+prefixed(", ", phrase.OnlyIf(s.Query != "", "{"+s.Query+"}")), proseLines)
	likely := 0
	for likely < len(s.Odd) && s.Odd[likely].Confidence.Rank() >= rules.ConfMedium.Rank() {
		likely++
	}
	possible := s.OddTotal - s.OddLikely
	nothing, other := "NOTHING FOUND", "no process"
	if s.OddLikely == 0 && s.DownTotal > 0 { // what is down is certain
		p.downs(s)
		nothing, other = "NOTHING ELSE", "no other process"
	}
	switch {
	case s.OddLikely > 0:
		p.section("LOOK FIRST", phrase.Count(s.OddLikely, "place")+", the most unusual first")
		p.odd(s.Odd[:likely])
	case possible == 0:
		p.section(nothing, other+" differs from the rest of its workload, grows or has restarted"+
			phrase.OnlyIf(len(s.Notes) > 0, ", as far as this Prometheus knows"))
	}
	if possible > 0 {
		p.section("POSSIBLE", phrase.Count(possible, "place")+", each with a reason for doubt")
		p.odd(s.Odd[likely:])
	}
	p.more(0, s.OddTotal-len(s.Odd), "place")
	if s.OddLikely > 0 {
		p.downs(s)
	}
	p.line()
	for _, n := range surveyNotes(s) {
		p.hanging(n, 0, proseLines)
	}
	return p.flush("the fleet as text")
}

// odd writes rows: name, reasons, doubt and commands.
func (p *printer) odd(rows []schema.OddProcess) {
	said := map[string]bool{} // a comment is there once
	for i := range rows {
		o := &rows[i]
		name := surveyName(&o.SurveyName)
		if o.Whole {
			name = surveyName(&schema.SurveyName{Cluster: o.Cluster, Namespace: o.Namespace, Pod: o.Workload}) +
				" as a whole, most of all " + cmp.Or(o.Pod, o.Instance)
		}
		severity := strings.ToUpper(string(o.Severity))
		p.line(span{text: severity, style: p.colour.severity(o.Severity)}, plain("  "+
			cut(p.escape(name), max(p.width-len(severity)-2, minWidth), p.glyphs.ellipsis)))
		for j, r := range o.Reasons {
			p.paragraph(textIf(j == 0, "why"), r.Why, proseLines)
		}
		p.paragraph("but", o.Against, proseLines)
		next := slices.Clone(o.Next)
		for j := range next {
			if c := next[j].Comment; said[c] {
				next[j].Comment = ""
			} else {
				said[c] = true
			}
		}
		p.commands("next", next)
	}
}

// surveyName is cluster/namespace/pod, or the instance with its job.
func surveyName(n *schema.SurveyName) string {
	if n.Pod == "" {
		return n.Instance + phrase.InBrackets(joined(", ", prefixed("job ", n.Job), n.Cluster))
	}
	return joined("/", n.Cluster, n.Namespace, n.Pod)
}

// downs writes what can't be scraped.
func (p *printer) downs(s *schema.Survey) {
	if s.DownTotal == 0 {
		return
	}
	p.section("DOWN", "targets of "+phrase.Count(s.DownTotal, "workload")+" can't be scraped")
	for i := range s.Down {
		d := &s.Down[i]
		p.hanging(joined("/", d.Cluster, d.Namespace, d.Workload)+": "+phrase.Number(d.Targets)+" of "+
			phrase.Number(d.Of)+", "+surveyName(&d.SurveyName)+prefixed(": ", d.Error), 2, proseLines)
		p.commands("next", d.Next)
	}
	p.more(2, s.DownTotal-len(s.Down), "workload")
}

// surveyNotes are what the rows don't show, and what they cost.
func surveyNotes(s *schema.Survey) []string {
	alone := "compared only with their own past, because their workload has no other process: " +
		phrase.Count(s.Alone, "process")
	steady := "not listed, because they steadily do more than the others, as leaders do: " +
		phrase.Count(s.Steady, "process")
	other := "not listed, because their workload has no known Go process: " + phrase.Count(s.DownOther, "target") +
		" that can't be scraped"
	cost := "cost: " + phrase.Count(s.Cost.Queries, "query") + ", " + phrase.Number(s.Cost.Series) + " series, " +
		phrase.Size(s.Cost.Bytes)
	if s.Cost.Samples > 0 {
		cost += "; the server read " + phrase.Count(s.Cost.Samples, "sample") + " in " + phrase.Seconds(s.Cost.Seconds)
	}
	notes := nonEmpty([]string{
		textIf(s.Alone > 0, alone), textIf(s.Steady > 0, steady), textIf(s.DownOther > 0, other),
	})
	return append(append(notes, s.Notes...), cost)
}
