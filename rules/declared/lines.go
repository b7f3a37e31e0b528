package declared

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// LogEnv is what a condition sees of a pattern: log lines of one process that differ only in names and numbers.
type LogEnv struct {
	Text      string            `expr:"text"`     // its first line, up to 512 bytes
	Message   string            `expr:"message"`  // the message in it
	Template  string            `expr:"template"` // the message, with <*> for what changes from line to line
	Level     string            `expr:"level"`    // debug, info, warning, error, fatal; "" for none
	Source    string            `expr:"source"`   // the line of code that logs it, as logged: "controller.go:114"
	Logger    string            `expr:"logger"`   // the component
	Fields    map[string]string `expr:"fields"`   // keys of structured lines; "" where the value changes
	Count     int               `expr:"count"`    // lines
	Minutes   int               `expr:"minutes"`  // from the first to the last
	PerMinute float64           `expr:"per_minute"`
	// About is what most lines are about, as they name it: "Bundle fleet-local/web"; "" for nothing.
	About     string `expr:"about"`
	Process   string `expr:"process"` // who logs it: "shop/web-0 (app)", or the file
	Namespace string `expr:"namespace"`
	Pod       string `expr:"pod"`
	Container string `expr:"container"`
}

// MetricEnv is what a condition sees of a sample of a process's metrics.
type MetricEnv struct {
	Name      string            `expr:"name"`
	Value     float64           `expr:"value"`
	Labels    map[string]string `expr:"labels"`
	Process   string            `expr:"process"` // whose it is: "shop/web-0 (app)", or the file
	Namespace string            `expr:"namespace"`
	Pod       string            `expr:"pod"`
	Container string            `expr:"container"`
}

// maxText bounds the text of evidence.
const maxText = 240

// seeLogs finds patterns, those of one process as one finding.
func seeLogs(c *declared, p *rules.Pass, found func(sight)) {
	for _, in := range p.Logs {
		log := parsed.Log(in)
		for _, pt := range log.Patterns {
			t := in.Target
			if in.StreamTarget != nil {
				t = in.StreamTarget(pt.Stream)
			}
			env := logEnv(pt, in.Input, t)
			if !c.when.holds(env) {
				continue
			}
			s := sight{group: in.Input + env.Process, count: env.Count, minutes: env.Minutes, env: env, target: t,
				finding: aboutProcess(c.def.ID, in.Input, t)}
			if t.Pod != "" {
				s.finding.Next = []rules.Step{t.Logs().With("--timestamps --tail=200")}
			}
			stamp := func(at time.Time) string { return phrase.OnlyIf(!log.Yearless, phrase.Time(at)) }
			s.finding.FirstSeen, s.finding.LastSeen = stamp(pt.First), stamp(pt.Last)
			s.evidence = func() rules.Evidence {
				e := rules.Evidence{Input: in.Input, Line: pt.FirstLine, Time: stamp(pt.First), Count: env.Count,
					Text: phrase.Cut(strings.Map(printable, env.Text), maxText)}
				if in.Locate != nil {
					e.Input, e.Line = in.Locate(pt.FirstLine)
				}
				return e
			}
			found(s)
		}
	}
}

func logEnv(p *logpattern.Pattern, input string, t rules.Target) *LogEnv {
	e := &LogEnv{
		Text: p.Example, Message: p.Message, Template: p.Template, Level: p.Level.String(), Source: p.Source,
		Logger: p.Logger, Fields: make(map[string]string, len(p.Fields)), Count: int(p.Count),
		Process: processName(input, t), Namespace: t.Namespace, Pod: t.Pod, Container: t.Container,
	}
	for _, f := range p.Fields {
		e.Fields[f.Key] = f.Value
	}
	if span := p.Last.Sub(p.First); span > 0 {
		e.Minutes, e.PerMinute = int(span/time.Minute), float64(p.Count-1)/span.Minutes()
	}
	if len(p.Objects) > 0 && p.Objects[0].Name != "" {
		o := p.Objects[0]
		e.About = strings.TrimSpace(rules.Object{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}.Text())
	}
	return e
}

// seeMetrics finds samples, those of one process as one finding.
func seeMetrics(c *declared, p *rules.Pass, found func(sight)) {
	for _, in := range p.Metrics {
		samples := parsed.Scrape(in).Kept()
		for i := range samples {
			v := &samples[i]
			env := metricEnv(v, in.Input, in.Target)
			if !c.when.holds(env) {
				continue
			}
			found(sight{group: in.Input + env.Process, count: 1, env: env, target: in.Target,
				words:   []string{"{labels}", labelsText(env.Labels)},
				finding: aboutProcess(c.def.ID, in.Input, in.Target),
				evidence: func() rules.Evidence {
					text := v.Name + phrase.InBrackets(labelsText(env.Labels)) + " " + numberText(v.Value)
					return rules.Evidence{Input: in.Input, Line: v.Line, Text: phrase.Cut(text, maxText), Count: 1}
				}})
		}
	}
}

func metricEnv(s *metrics.Sample, input string, t rules.Target) *MetricEnv {
	e := &MetricEnv{Name: s.Name, Value: s.Value, Labels: make(map[string]string, len(s.Labels)),
		Process: processName(input, t), Namespace: t.Namespace, Pod: t.Pod, Container: t.Container}
	for _, l := range s.Labels {
		e.Labels[l.Name] = l.Value
	}
	return e
}

// labelsText writes labels in a sentence: "name=orders, queue=in".
func labelsText(labels map[string]string) string {
	var parts []string
	for _, name := range sortedKeys(labels) {
		parts = append(parts, name+"="+labels[name])
	}
	return strings.Map(printable, strings.Join(parts, ", "))
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
