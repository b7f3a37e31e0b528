package cluster

import (
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

// logs see errors that are logged again and again, by workload, and objects of which the same is logged again and again
// with nothing new in it.
func (v *view) logs(logs []*rules.LogInput) {
	const often = 3 * time.Second // a resync says something of each object every few minutes
	for _, from := range logs {
		log := parsed.Log(from)
		if log.Empty() {
			continue
		}
		see := func(k *kind, about key, form string, n, line int64, first, last time.Time, message string) *fact {
			if log.Yearless {
				first, last = time.Time{}, time.Time{}
			}
			path := from.Input
			if from.Locate != nil {
				path, line = from.Locate(line)
			}
			return v.see(k, about, "", "", form).
				add(int(n), first, last, message, at(kube.At{Input: path, Line: line}, first))
		}
		for _, p := range log.Patterns {
			target := from.Target
			if from.StreamTarget != nil {
				target = from.StreamTarget(p.Stream)
			}
			pod := v.root(key{"Pod", target.Namespace, target.Pod})
			if k := kindOfLines(p); k != nil {
				f := see(k, pod, form(p.Template), p.Count, p.FirstLine, p.First, p.Last, p.Message)
				v.explain(f, pod.namespace)
			}
			if len(p.Objects) == 0 || p.Sign == logpattern.SignLiveness {
				continue
			}
			o := p.Objects[0]
			if run := o.Run(); run.Period() <= often && 10*o.News <= o.Count && o.Name != "" {
				f := see(repeated, v.spoken(o), "", run.Count, run.FirstLine, run.First, run.Last, p.Message)
				f.via = []key{pod}
			}
		}
	}
}

// kindOfLines is that of lines about something that failed, nil for others.
func kindOfLines(p *logpattern.Pattern) *kind {
	text := strings.ToLower(p.Message)
	switch {
	case p.Level == logpattern.LevelFatal, p.Sign == logpattern.SignLeaderLost:
		return fatal
	case strings.Contains(text, "context canceled"), p.Sign == logpattern.SignLiveness,
		p.Sign == logpattern.SignThrottled, p.Sign == logpattern.SignWatchEnded:
		return nil
	case p.Level == logpattern.LevelError, p.Level == logpattern.LevelUnknown &&
		(strings.Contains(text, "error") || strings.Contains(text, "failed")):
		return logged
	}
	return nil
}

// spoken is the object that a log names: one of the inputs, else as it is written; the zero key where its kind is
// unknown.
func (v *view) spoken(o *logpattern.Object) key {
	for _, kind := range append([]string{o.Kind, v.kindOf(strings.ToLower(o.Kind)), "Pod", "Node"}, workloads...) {
		if k := (key{kind, o.Namespace, o.Name}); v.objects[k] != nil {
			return v.root(k)
		}
	}
	if o.Kind == "" {
		return key{}
	}
	return key{strings.ToUpper(o.Kind[:1]) + o.Kind[1:], o.Namespace, o.Name}
}
