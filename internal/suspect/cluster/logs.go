package cluster

import (
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on how often an error is logged, and on lines that say the same of one object. Chosen: a resync says something
// of each object every few minutes.
const fewLines, manyLines, oftenLine = 5, 100, 3 * time.Second

// logs files errors that are logged again and again, by workload, and objects of which the same is logged again and
// again.
func (v *view) logs(logs []*rules.LogInput) {
	var all groups[tally]
	for _, from := range logs {
		log := parsed.Log(from)
		if log.Empty() {
			continue
		}
		for _, p := range log.Patterns {
			target := from.Target
			if from.StreamTarget != nil {
				target = from.StreamTarget(p.Stream)
			}
			l := logLines{from, log, p, key{"Pod", target.Namespace, target.Pod}}
			v.repeated(l)
			fatal := p.Level == logpattern.LevelFatal || p.Sign == logpattern.SignLeaderLost
			if root := v.loggedBy(l); (fatal || isError(p)) && root.name != "" {
				t := all.of(group{about: root, a: form(p.Template)})
				t.add(int(p.Count), l.at(p.First), l.at(p.Last), p.Message, l.place(p.FirstLine, p.First))
				t.yes += int(plus(fatal, 1))
				t.no += int(plus(p.Sign == logpattern.SignConflict, 1))
			}
		}
	}
	all.each(v.loggedFact)
}

// A logLines is the lines of one pattern, and the pod that they are of.
type logLines struct {
	from *rules.LogInput
	log  *logpattern.Log
	p    *logpattern.Pattern
	pod  key
}

// at is a time of the log, zero where its lines lack the year.
func (l logLines) at(t time.Time) time.Time {
	if l.log.Yearless {
		return time.Time{}
	}
	return t
}

func (l logLines) place(line int64, when time.Time) rules.Evidence {
	path := l.from.Input
	if l.from.Locate != nil {
		path, line = l.from.Locate(line)
	}
	return at(kube.At{Input: path, Line: line}, l.at(when))
}

// repeated files an object of which a log says the same again and again, with nothing new in it.
func (v *view) repeated(l logLines) {
	if len(l.p.Objects) == 0 || l.p.Sign == logpattern.SignLiveness {
		return
	}
	o := l.p.Objects[0]
	about, run := v.spoken(o), o.Run()
	if about.name == "" || run.Count < manyLines || run.Period() > oftenLine || 10*o.News > o.Count {
		return
	}
	f := fact{about: about, kind: "repeated", count: int(run.Count), of: rules.HotLoop, message: l.p.Message,
		at:     l.place(run.FirstLine, run.First),
		points: 12 + grows(float64(run.Count)/50, 3.5, 20) + plus(l.p.Level >= logpattern.LevelError, 4),
		text:   phrase.Count(run.Count, "line") + " that say the same of it" + in(int(run.Count), run.Span())}
	if l.pod.name != "" {
		f.via = []key{v.root(l.pod)}
	}
	v.file(f)
}

// spoken is the object that a log names: one of the inputs, else as it is written; the zero key where its kind is
// unknown.
func (v *view) spoken(o *logpattern.Object) key {
	if o.Name == "" {
		return key{}
	}
	for _, kind := range append([]string{o.Kind, v.kindOf(o.Kind), "Pod", "Node"}, workloads...) {
		if k := (key{kind, o.Namespace, o.Name}); v.objects[k] != nil {
			return v.root(k)
		}
	}
	if o.Kind == "" {
		return key{}
	}
	return key{strings.ToUpper(o.Kind[:1]) + o.Kind[1:], o.Namespace, o.Name}
}

// isError reports lines about something that failed.
func isError(p *logpattern.Pattern) bool {
	switch p.Sign {
	case logpattern.SignNone, logpattern.SignConflict, logpattern.SignLimited, logpattern.SignRenewal:
	default:
		return false
	}
	text := strings.ToLower(p.Message)
	return p.Level == logpattern.LevelError || p.Level == logpattern.LevelUnknown &&
		(strings.Contains(text, "error") || strings.Contains(text, "failed"))
}

// loggedBy is the workload that lines are of. Those of Kubernetes' own components are about others: the object that
// most of them name.
func (v *view) loggedBy(l logLines) key {
	if l.pod.name != "" && l.pod.namespace != "kube-system" {
		return v.root(l.pod)
	}
	if len(l.p.Objects) > 0 && 2*l.p.Objects[0].Count >= l.p.Count {
		if k := v.spoken(l.p.Objects[0]); v.objects[k] != nil {
			return k
		}
	}
	return v.root(l.pod)
}

func (v *view) loggedFact(g group, t *tally) {
	if t.count < fewLines && t.yes == 0 || strings.Contains(t.message, "context canceled") {
		return
	}
	f := fact{about: g.about, kind: "logged", count: t.count, at: t.at, message: t.message,
		points: 8 + grows(float64(t.count)/4, 3.5, 20) - plus(t.no > 0, 8) + plus(t.yes > 0, 20),
		text:   phrase.Count(t.count, "error line") + in(t.count, t.long())}
	if t.yes > 0 {
		f.text = phrase.Count(t.count, "fatal line") + in(t.count, t.long())
		f.of = rules.Crash
	}
	v.fileNaming(f)
}
