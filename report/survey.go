package report

import (
	"cmp"
	"io"
	"strings"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// SurveyJSON writes a survey as docs/fleet.schema.json describes it.
func SurveyJSON(w io.Writer, s *schema.Survey) error {
	return written("the fleet as JSON", indented(w, s))
}

// SurveyText writes a survey for people: which processes to look at, why and how, then what is down and what is missing.
func SurveyText(w io.Writer, s *schema.Survey, o TextOptions) error {
	p := newPrinter(w, o)
	window := time.Duration(s.Window) * time.Second
	p.labelled(span{text: "FLEET", style: p.colour.Heading}, phrase.Count(s.Processes, "Go process")+" of "+
		phrase.Count(s.Workloads, "workload")+" at "+s.Server+" over "+phrase.Duration(window)+
		behind(", namespace ", s.Namespace)+behind(", ", phrase.OnlyIf(s.Query != "", "{"+s.Query+"}")), proseLines)
	likely := 0
	for likely < len(s.Odd) && s.Odd[likely].Confidence.Rank() >= rules.ConfMedium.Rank() {
		likely++
	}
	possible := s.OddTotal - s.OddLikely
	switch {
	case s.OddLikely > 0:
		p.section("LOOK FIRST", "at "+phrase.Count(s.OddLikely, "row")+", the oddest first")
		p.odd(s.Odd[:likely])
	case possible == 0:
		p.section("NOTHING FOUND", "no process differs from the others of its workload, grows or was restarted")
	}
	if possible > 0 {
		p.section("POSSIBLE", phrase.Count(possible, "row")+" with a reason to doubt")
		p.odd(s.Odd[likely:])
	}
	p.more(0, s.OddTotal-len(s.Odd), "row")
	p.downs(s)
	p.line()
	for _, n := range surveyNotes(s) {
		p.hanging(n, 0, proseLines)
	}
	return p.flush("the fleet as text")
}

// odd writes rows: name, reasons, doubt and commands.
func (p *printer) odd(rows []schema.OddProcess) {
	for i := range rows {
		o := &rows[i]
		name := surveyName(&o.SurveyName)
		if o.Whole {
			name = surveyName(&schema.SurveyName{Cluster: o.Cluster, Namespace: o.Namespace, Pod: o.Workload}) +
				", as a whole; most in " + cmp.Or(o.Pod, o.Instance)
		}
		severity := strings.ToUpper(string(o.Severity))
		p.line(span{text: severity, style: p.colour.severity(o.Severity)}, plain("  "+
			cut(p.escape(name), max(p.width-len(severity)-2, minWidth), p.glyphs.ellipsis)))
		for j, r := range o.Reasons {
			p.paragraph(given(j == 0, "why"), r.Why, proseLines)
		}
		p.paragraph("but", o.Against, proseLines)
		p.commands("next", o.Next)
	}
}

// surveyName is cluster/namespace/pod, or the instance with its job.
func surveyName(n *schema.SurveyName) string {
	if n.Pod == "" {
		return n.Instance + phrase.InBrackets(joined(", ", behind("job ", n.Job), n.Cluster))
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
			phrase.Number(d.Of)+", "+surveyName(&d.SurveyName)+behind(": ", d.Error), 2, proseLines)
		p.commands("next", d.Next)
	}
	p.more(2, s.DownTotal-len(s.Down), "workload")
}

// surveyNotes are what the rows don't show, and what they cost.
func surveyNotes(s *schema.Survey) []string {
	alone := phrase.Count(s.Alone, "process") + given(s.Alone == 1, " is") + given(s.Alone != 1, " are") +
		" the only one of its workload: compared with its own past only"
	steady := phrase.Count(s.Steady, "process") + given(s.Steady == 1, " does") + given(s.Steady != 1, " do") +
		" steadily more than the others of its workload, as a leader does: not listed"
	other := phrase.Count(s.DownOther, "target") + " of workloads without Go processes can't be scraped either"
	cost := phrase.Count(s.Cost.Queries, "query") + ": " + phrase.Count(s.Cost.Series, "series") + ", " +
		phrase.Size(s.Cost.Bytes)
	if s.Cost.Samples > 0 {
		cost += "; the server read " + phrase.Count(s.Cost.Samples, "sample") + " in " + phrase.Seconds(s.Cost.Seconds)
	}
	notes := nonEmpty([]string{given(s.Alone > 0, alone), given(s.Steady > 0, steady), given(s.DownOther > 0, other)})
	return append(append(notes, s.Notes...), cost)
}
