package page

import (
	"cmp"
	"strings"
	"time"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
)

// A laneDrawing draws what happened to an object over time: a lane for each actor, a mark for each request.
type laneDrawing struct {
	Width, Height int
	Lanes         []lane
	From, To      string
}

type lane struct {
	Actor string
	Y     int
	Marks []mark
}

type mark struct {
	X    int
	Text string // when, what was done, which fields changed
}

const (
	laneW, laneH = 760, 30
	maxLanes     = 12
)

// drawLanes draws the requests among a finding's evidence: it is nil where fewer than two have a time and an actor.
func drawLanes(f *rules.Finding) *laneDrawing {
	if f.Object == nil && len(f.Actors) == 0 {
		return nil
	}
	type event struct {
		at          time.Time
		actor, text string
	}
	var events []event
	for _, e := range f.Evidence {
		actor, text, ok := strings.Cut(e.Text, ": ")
		at, err := time.Parse(time.RFC3339Nano, e.Time)
		if !ok || err != nil || strings.Contains(actor, " ") {
			continue
		}
		events = append(events, event{at, actor, text})
	}
	if len(events) < 2 {
		return nil
	}
	first, last := events[0].at, events[0].at
	for _, e := range events {
		if e.at.Before(first) {
			first = e.at
		}
		if e.at.After(last) {
			last = e.at
		}
	}
	span := last.Sub(first)
	if span <= 0 {
		return nil
	}
	d := &laneDrawing{Width: laneW, From: first.UTC().Format(time.RFC3339Nano), To: last.UTC().Format(time.RFC3339Nano)}
	index := map[string]int{}
	for _, e := range events {
		i, known := index[e.actor]
		if !known {
			if len(d.Lanes) == maxLanes {
				continue
			}
			i = len(d.Lanes)
			index[e.actor] = i
			d.Lanes = append(d.Lanes, lane{Actor: report.Escape(e.actor), Y: i*laneH + laneH/2})
		}
		x := int(float64(laneW-20)*(float64(e.at.Sub(first))/float64(span))) + 10
		text := e.at.UTC().Format("15:04:05.000") + " " + cmp.Or(e.text, "request")
		d.Lanes[i].Marks = append(d.Lanes[i].Marks, mark{x, report.Escape(text)})
	}
	d.Height = len(d.Lanes)*laneH + 4
	return d
}
