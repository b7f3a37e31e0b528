package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// A laneDrawing draws the writes of an object over time: a lane for each actor. A bar counts the writes of a span of
// time, so that no write hides another one.
type laneDrawing struct {
	Object        string
	Width, Height int
	Lanes         []lane
	MoreLanes     int
	Ticks         []tick
	Span, Total   string
	Fields        []fieldRow
	MoreFields    int
	First         []writeRow
}

// A lane is the writes of one actor, with an SVG path for each outcome.
type lane struct {
	Actor                 string
	Y                     int // of its base line
	Done, Same, Refused   string
	Created, Deleted      string
	Writes, Sames, Refuse int
}

// A fieldRow is what one actor wrote to one field.
type fieldRow struct {
	Actor, Path, Values string
	Count               int64
	rank                int
}

// A writeRow is one request.
type writeRow struct {
	Time, Actor, Request, Answer, Version, Fields string
}

const (
	laneW, laneH = 760, 50
	maxLanes     = 10
	// laneSlot is how wide a bar is, barH how high at most.
	laneSlot, barH = 8, 22
	maxFieldRows   = 12
	maxWriteRows   = 60
	maxValue       = 60
)

// timelinesOf are the timelines by the names of their objects, as findings have them.
func timelinesOf(r *schema.Report) map[string]*schema.ObjectTimeline {
	out := map[string]*schema.ObjectTimeline{}
	for i := range r.Timelines {
		out[r.Timelines[i].Object.Text()] = &r.Timelines[i]
	}
	return out
}

// lanesOf draws the writes of a finding's object, once for each object; nil where fewer than two are known.
func (m *model) lanesOf(f *rules.Finding) *laneDrawing {
	if f.Object == nil {
		return nil
	}
	t := m.timelines[f.Object.Text()]
	delete(m.timelines, f.Object.Text())
	if t == nil || len(t.Writes) < 2 {
		return nil
	}
	first, last := t.Writes[0].Time, t.Writes[len(t.Writes)-1].Time
	span := last.Sub(first)
	if span <= 0 {
		return nil
	}
	d := &laneDrawing{
		Object: safe(t.Object.Text()), Width: laneW, Total: phrase.Count(t.Total, "write"), First: writeRows(t),
		Span: first.Format(time.DateTime) + " to " + last.Format(time.DateTime),
	}
	if more := t.Total - int64(len(t.Writes)); more > 0 {
		d.Span += ", the first " + phrase.Number(len(t.Writes))
	}
	d.draw(t.Writes, f.Actors, first, span)
	d.Fields = fieldRows(t, f.Actors)
	d.MoreFields = max(0, len(d.Fields)-maxFieldRows)
	d.Fields = d.Fields[:min(len(d.Fields), maxFieldRows)]
	return d
}

// A writeCount counts an actor's writes of a span of time.
type writeCount struct {
	done, same, refused int
	created, deleted    bool
}

func (s *writeCount) add(w *schema.ObjectWrite) {
	switch {
	case w.Code >= 400:
		s.refused++
		return
	case w.Same:
		s.same++
	default:
		s.done++
	}
	s.created = s.created || w.Verb == "create" && w.Subresource == ""
	s.deleted = s.deleted || w.Verb == "delete"
}

// draw makes the lanes: those of the actors that the finding names first, then in order of their first write.
func (d *laneDrawing) draw(writes []schema.ObjectWrite, named []string, first time.Time, span time.Duration) {
	const slots = laneW / laneSlot
	byActor := map[string]*[slots]writeCount{}
	var actors []string
	for i := range writes {
		w := &writes[i]
		lane := byActor[w.Actor]
		if lane == nil {
			lane = &[slots]writeCount{}
			byActor[w.Actor], actors = lane, append(actors, w.Actor)
		}
		at := int(float64(slots) * float64(w.Time.Sub(first)) / float64(span))
		lane[min(max(at, 0), slots-1)].add(w)
	}
	slices.SortStableFunc(actors, func(a, b string) int { return cmp.Compare(rank(named, a), rank(named, b)) })
	d.MoreLanes = max(0, len(actors)-maxLanes)
	most := 1
	for _, lane := range byActor {
		for _, s := range lane {
			most = max(most, s.done+s.same+s.refused)
		}
	}
	for i, actor := range actors[:min(len(actors), maxLanes)] {
		d.Lanes = append(d.Lanes, newLane(actor, (i+1)*laneH, byActor[actor][:], most))
	}
	d.Height = len(d.Lanes)*laneH + 22
	for i, anchor := range []string{"start", "middle", "middle", "middle", "end"} {
		d.Ticks = append(d.Ticks, tick{
			X: i * laneW / 4, Y: d.Height - 4, Anchor: anchor,
			Text: first.Add(span * time.Duration(i) / 4).Format(axisTime(span)),
		})
	}
}

// rank is an actor's place among the named ones; the others come after them.
func rank(named []string, actor string) int {
	if i := slices.Index(named, actor); i >= 0 {
		return i
	}
	return len(named)
}

func axisTime(span time.Duration) string {
	switch {
	case span < 10*time.Second:
		return "15:04:05.000"
	case span < 24*time.Hour:
		return time.TimeOnly
	}
	return "01-02 15:04"
}

// newLane draws the bars: their height grows with the logarithm, so that one write is seen beside a thousand.
func newLane(actor string, y int, slots []writeCount, most int) lane {
	l := lane{Actor: safe(shortActor(actor)), Y: y}
	var done, same, refused, created, deleted strings.Builder
	for i, s := range slots {
		n := s.done + s.same + s.refused
		if n == 0 {
			continue
		}
		l.Writes, l.Sames, l.Refuse = l.Writes+n, l.Sames+s.same, l.Refuse+s.refused
		height := 6 + (barH-6)*math.Log1p(float64(n))/math.Log1p(float64(most))
		x, base := i*laneSlot, float64(y)
		for _, part := range []struct {
			to *strings.Builder
			n  int
		}{{&done, s.done}, {&same, s.same}, {&refused, s.refused}} {
			if part.n > 0 {
				high := height * float64(part.n) / float64(n)
				fmt.Fprintf(part.to, "M%d %.1fv-%.1fh%dv%.1fz", x, base, high, laneSlot-1, high)
				base -= high
			}
		}
		if s.created {
			fmt.Fprintf(&created, "M%d %dl3.5 5h-7z", x+laneSlot/2, y+1)
		}
		if s.deleted {
			fmt.Fprintf(&deleted, "M%d %dl3.5 -5h-7z", x+laneSlot/2, y+6)
		}
	}
	l.Done, l.Same, l.Refused = done.String(), same.String(), refused.String()
	l.Created, l.Deleted = created.String(), deleted.String()
	return l
}

// shortActor is a service account without the words that all of them begin with.
func shortActor(actor string) string {
	return strings.Replace(strings.TrimPrefix(actor, "system:serviceaccount:"), ":", "/", 1)
}

// fieldRows are the fields that changed by who changed them: those of the named actors first, most frequent first.
func fieldRows(t *schema.ObjectTimeline, named []string) (rows []fieldRow) {
	type key struct{ actor, path string }
	at := map[key]int{}
	row := func(actor, path string) *fieldRow {
		i, known := at[key{actor, path}]
		if !known {
			i = len(rows)
			at[key{actor, path}] = i
			rows = append(rows, fieldRow{
				Actor: safe(shortActor(actor)), Path: safe(path), rank: rank(named, actor),
			})
		}
		return &rows[i]
	}
	for i := range t.Writes {
		for _, path := range t.Writes[i].Fields {
			row(t.Writes[i].Actor, path).Count++
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		r := row(f.Actor, f.Path)
		r.Count = max(r.Count, f.Count)
		values := make([]string, 0, len(f.Values))
		for _, v := range f.Values {
			values = append(values, cmp.Or(safe(phrase.Cut(v, maxValue)), "(none)"))
		}
		r.Values = strings.Join(values, ", ")
		if f.Others {
			r.Values += ", …"
		}
	}
	slices.SortStableFunc(rows, func(a, b fieldRow) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.Count, a.Count))
	})
	return rows
}

// writeRows are the first requests, one by one.
func writeRows(t *schema.ObjectTimeline) (rows []writeRow) {
	for i := range t.Writes[:min(len(t.Writes), maxWriteRows)] {
		w := &t.Writes[i]
		row := writeRow{
			Time: w.Time.Format("15:04:05.000"), Actor: safe(shortActor(w.Actor)), Request: safe(w.Verb),
			Fields: safe(phrase.Some(w.Fields, maxFields)),
		}
		if w.Subresource != "" {
			row.Request += safe(" " + w.Subresource)
		}
		if w.Code > 0 {
			row.Answer = strconv.Itoa(w.Code)
		}
		if w.Version > 0 {
			row.Version = strconv.FormatUint(w.Version, 10)
		}
		if w.Same {
			row.Fields = "nothing"
		}
		rows = append(rows, row)
	}
	return rows
}

// maxFields is how many fields of one request are named.
const maxFields = 4
