package cluster

import (
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

// logs see errors that are logged again and again, by workload.
func (v *view) logs(logs []*rules.LogInput) {
	for _, from := range logs {
		log := parsed.Log(from)
		if log.Empty() {
			continue
		}
		for _, p := range log.Patterns {
			k := kindOfLines(p)
			if k == nil {
				continue
			}
			target, first, last := from.Target, p.First, p.Last
			if from.StreamTarget != nil {
				target = from.StreamTarget(p.Stream)
			}
			if log.Yearless {
				first, last = time.Time{}, time.Time{}
			}
			place := kube.At{Input: from.Input, Line: p.FirstLine}
			if from.Locate != nil {
				place.Input, place.Line = from.Locate(place.Line)
			}
			f := v.see(k, v.root(key{"Pod", target.Namespace, target.Pod}), "", "", form(p.Template)).
				add(int(p.Count), first, last, p.Message, at(place, first))
			v.explain(f, target.Namespace)
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
