package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

func countOf(list []Count, name string) int64 {
	for _, c := range list {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

func (m *merger) limits() []string {
	tr := m.trail
	if tr.Events == 0 {
		return nil
	}
	var out []string
	switch metadata, request := countOf(tr.Levels, "Metadata"), countOf(tr.Levels, "Request"); {
	case metadata == tr.Events:
		out = append(out, "every event is at level Metadata: the fields that a write changed and the "+
			"version that it returned are not logged")
	case request == tr.Events:
		out = append(out, "every event is at level Request: the content of a patch or update is logged, but not "+
			"the resulting object")
	case metadata+request == tr.Events:
		out = append(out, "no event is at level RequestResponse: the objects that writes returned are not logged")
	case metadata > 0:
		share := "under 1%"
		if percent := 100 * (float64(metadata) / float64(tr.Events)); percent >= 1 {
			share = fmt.Sprintf("%.0f%%", percent)
		}
		out = append(out, share+" of the events are at level Metadata, which does not log the fields that writes "+
			"changed")
	}
	out = append(out, m.stageLimits()...)
	out = append(out, m.serverLimits()...)
	if len(m.duplicate) > 0 {
		slices.Sort(m.duplicate)
		out = append(out, "copies of other inputs, not counted twice: "+
			strings.Join(m.duplicate[:min(len(m.duplicate), 5)], ", "))
	}
	for _, o := range m.overlap[:min(len(m.overlap), maxServerLimits)] {
		out = append(out, fmt.Sprintf("%.0f%% of the events in %s are in another log too: their reads and errors "+
			"count twice", 100*o.share, o.name))
	}
	if m.lost > 0 {
		out = append(out, fmt.Sprintf("%d writes are counted but not stored: chains and alternations cover only "+
			"the first writes of each object", m.lost))
	}
	if m.renewalsLost > 0 {
		out = append(out, fmt.Sprintf("%d Lease renewals are not stored: leader changes are judged by the "+
			"renewals before them", m.renewalsLost))
	}
	if m.t.full {
		out = append(out, "too many distinct users, objects or fields to track: later ones are left out")
	}
	return out
}

func (m *merger) stageLimits() []string {
	received, complete := countOf(m.trail.Stages, "RequestReceived"), countOf(m.trail.Stages, "ResponseComplete")
	if complete == 0 {
		return []string{"no event has the stage ResponseComplete: responses, their codes and durations are not logged"}
	}
	if received > 0 && complete < received*9/10 {
		return []string{fmt.Sprintf("%d of %d requests have no ResponseComplete: rotation cut them off, or the "+
			"server ended", received-complete, received)}
	}
	return nil
}

// maxServerLimits is how many servers are named for one kind of lack.
const maxServerLimits = 3

func (m *merger) serverLimits() []string {
	tr := m.trail
	var broken, long, gaps, partly []string
	for i := range tr.Servers {
		s := &tr.Servers[i]
		if s.Unreadable > 0 {
			broken = append(broken, fmt.Sprintf("%s: lines without a complete event: %d", s.Name, s.Unreadable))
		}
		if s.Long > 0 {
			long = append(long, fmt.Sprintf("%s: records left out because they are longer than %d MiB: %d", s.Name,
				defaultMaxLine>>20, s.Long))
		}
		if len(s.Gaps) > 0 {
			g := s.Gaps[0]
			gaps = append(gaps, fmt.Sprintf("%s: no event from %s to %s (%s): idle, or its log is missing there",
				s.Name, Time(g.From).Format(time.DateTime), Time(g.To).Format(time.DateTime),
				time.Duration((g.To-g.From)*1000).Round(time.Second)))
		}
		if s.First-tr.First > gapFloor.Microseconds() || tr.Last-s.Last > gapFloor.Microseconds() {
			partly = append(partly, fmt.Sprintf("%s covers %s to %s only: requests that it handled before and after "+
				"are missing", s.Name, Time(s.First).Format(time.DateTime), Time(s.Last).Format(time.DateTime)))
		}
	}
	var out []string
	for _, list := range [][]string{broken, long, gaps, partly} {
		shown := list[:min(len(list), maxServerLimits)]
		out = append(out, shown...)
		if more := len(list) - len(shown); more > 0 {
			out = append(out, fmt.Sprintf("the same in %d more logs", more))
		}
	}
	if len(tr.Servers) == 1 {
		out = append(out, "this is one API server's log; requests handled by others are missing")
	}
	return out
}
