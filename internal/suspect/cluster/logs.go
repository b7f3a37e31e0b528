package cluster

import (
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A lineGroup is error lines of one workload that are alike.
type lineGroup struct {
	root key
	form string
}

// A lines is how many they are, and the first of them.
type lines struct {
	span
	text     string
	fatal    bool
	conflict bool
}

// fewLines is how often an error has to be logged before that is a fact; one that ends the process counts at once.
const fewLines = 5

// logs files errors that are logged again and again, by workload.
func (v *view) logs(logs []*rules.LogInput) {
	all := newGroups[lineGroup, lines]()
	for _, in := range logs {
		log := parsed.Log(in)
		if log.Empty() {
			continue
		}
		for _, p := range log.Patterns {
			v.repeated(in, log, p)
			fatal := p.Level == logpattern.LevelFatal || p.Sign == logpattern.SignLeaderLost
			if !fatal && !isError(p) {
				continue
			}
			if root := v.loggedBy(in, p); root.name != "" {
				all.of(lineGroup{root, form(p.Template)}).add(in, log, p, fatal)
			}
		}
	}
	all.each(v.loggedFact)
}

// Bounds on lines that say the same of one object again and again. Chosen: a resync says something of each object every
// few minutes.
const (
	manyLines = 100
	oftenLine = 3 * time.Second
)

// repeated files an object of which a log says the same again and again, with nothing new in it.
func (v *view) repeated(from *rules.LogInput, log *logpattern.Log, p *logpattern.Pattern) {
	if len(p.Objects) == 0 || p.Sign == logpattern.SignLiveness {
		return
	}
	o := p.Objects[0]
	run := o.Run()
	about := v.spoken(o)
	if about.name == "" || run.Count < manyLines || run.Period() > oftenLine || 10*o.News > o.Count {
		return
	}
	path, line := located(from, run.FirstLine)
	f := fact{about: about, kind: repeated, count: int(run.Count), of: rules.HotLoop, message: p.Message,
		at:     at(kube.At{Input: path, Line: line}, stamped(log, run.First)),
		points: 10 + grows(float64(run.Count)/50, 3.5, 20) + plus(p.Level >= logpattern.LevelError, 4),
		text:   phrase.Count(run.Count, "line") + " about it" + in(int(run.Count), run.Span()) + " that say the same"}
	if target := targetOf(from, p); target.Pod != "" {
		f.via = []key{v.root(key{"Pod", target.Namespace, target.Pod})}
	}
	v.file(f)
}

// spoken is the object that a log names: one of the inputs, else as it is written; the zero key where its kind is unknown.
func (v *view) spoken(o *logpattern.Object) key {
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

// targetOf is the container that lines are of.
func targetOf(in *rules.LogInput, p *logpattern.Pattern) rules.Target {
	if in.StreamTarget != nil {
		return in.StreamTarget(p.Stream)
	}
	return in.Target
}

// located is the file and the line of a line of a log.
func located(in *rules.LogInput, line int64) (string, int64) {
	if in.Locate == nil {
		return in.Input, line
	}
	return in.Locate(line)
}

// stamped is a time of a log, zero where its lines lack the year.
func stamped(log *logpattern.Log, t time.Time) time.Time {
	if log.Yearless {
		return time.Time{}
	}
	return t
}

// isError reports lines about something that failed.
func isError(p *logpattern.Pattern) bool {
	switch p.Sign {
	case logpattern.SignNone, logpattern.SignConflict, logpattern.SignLimited, logpattern.SignRenewal:
	default:
		return false
	}
	if p.Level == logpattern.LevelError {
		return true
	}
	text := strings.ToLower(p.Message)
	return p.Level == logpattern.LevelUnknown && (strings.Contains(text, "error") || strings.Contains(text, "failed"))
}

// loggedBy is the workload that lines are of. Those of Kubernetes' own components are about others: the object that most
// of them name.
func (v *view) loggedBy(in *rules.LogInput, p *logpattern.Pattern) key {
	target := targetOf(in, p)
	pod := key{"Pod", target.Namespace, target.Pod}
	if target.Pod != "" && target.Namespace != "kube-system" {
		return v.root(pod)
	}
	if len(p.Objects) > 0 && 2*p.Objects[0].Count >= p.Count && p.Objects[0].Name != "" {
		if k := v.spoken(p.Objects[0]); v.objects[k] != nil {
			return k
		}
	}
	if target.Pod == "" {
		return key{}
	}
	return v.root(pod)
}

func (l *lines) add(in *rules.LogInput, log *logpattern.Log, p *logpattern.Pattern, fatal bool) {
	first, last := stamped(log, p.First), stamped(log, p.Last)
	path, line := located(in, p.FirstLine)
	if l.count == 0 {
		l.text = p.Message
	}
	l.span.add(int(p.Count), first, last, at(kube.At{Input: path, Line: line}, first))
	l.fatal = l.fatal || fatal
	l.conflict = l.conflict || p.Sign == logpattern.SignConflict
}

func (v *view) loggedFact(g lineGroup, l *lines) {
	if l.count < fewLines && !l.fatal || strings.Contains(l.text, "context canceled") {
		return
	}
	f := fact{about: g.root, kind: logged, count: l.count, at: l.at, message: l.text,
		points: 8 + grows(float64(l.count)/4, 3.5, 20) - plus(l.conflict, 8) + plus(l.fatal, 20),
		text:   phrase.Count(l.count, "error line") + in(l.count, l.last.Sub(l.first)),
		via:    slices.DeleteFunc(v.refs(g.root.namespace, l.text), func(k key) bool { return k == g.root })}
	if f.named = len(f.via) > 0; l.fatal {
		f.text = phrase.Count(l.count, "fatal line") + in(l.count, l.last.Sub(l.first))
		f.of = rules.Crash
	}
	v.file(f)
}
