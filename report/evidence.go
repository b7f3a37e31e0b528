package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// raceRows is how many rows of a race are shown without TextOptions.All: one between three actors, with what hung
// afterwards, has seven or eight.
const raceRows = 8

// clockSpan is up to what length a timeline shows how long after its first row each row is; then the clock is more
// useful.
const clockSpan = 10 * time.Minute

// evidence is one row for each thing that was seen.
func (v *view) evidence(f *rules.Finding) []row {
	limit, columns := evidenceRows, max(v.width/3, 24)
	if ofNoCode(f) { // what happened matters more than where
		columns = max(v.width/4, 16)
		if f.Category == rules.RaceCat {
			limit = raceRows
		}
	}
	shown := f.Evidence[:v.shown(len(f.Evidence), limit)]
	rows := make([]row, len(shown), len(shown)+1)
	for i := range shown {
		e := &shown[i]
		rows[i] = row{indent: 2, text: v.escape(collapse(e.Text)), at: v.atIn(e.Input, e.Line, columns)}
		if i > 0 && ofNoCode(f) && e.Line > 0 && e.Input == shown[i-1].Input {
			rows[i].at = ":" + strconv.FormatInt(e.Line, 10)
		}
	}
	v.toTimeline(f, rows)
	for i := range rows {
		rows[i].text = v.seenAs(f, &shown[i], rows[i].text, max(v.width-4-width(rows[i].at), 20))
	}
	if hidden := len(f.Evidence) - len(shown); hidden > 0 {
		rows = append(rows, row{indent: 2, text: "+" + phrase.Number(hidden) + " more like it"})
	}
	return rows
}

// seenAs is what was seen, in room columns: the text, and how often, how much of what, or in which goroutines, where
// there is room.
func (v *view) seenAs(f *rules.Finding, e *rules.Evidence, text string, room int) string {
	if text == "" {
		text = "seen"
		if e.Count > 0 && len(e.Goroutines) > 0 {
			text = phrase.Count(e.Count, "goroutine")
		}
	}
	often := ""
	if e.Count > 1 && ofNoCode(f) && len(e.Goroutines) == 0 {
		often = ", " + phrase.Number(e.Count) + " times"
	}
	if share := phrase.Share(e.Share); e.Share > 0 && often == "" && !strings.Contains(text, share) &&
		width(text+", "+share) <= room {
		text += ", " + share
	}
	ids := ": " + v.ids(e.Goroutines, e.Count)
	text += given(len(e.Goroutines) > 1 && width(text+ids) <= room, ids)
	if often != "" && !mentions(text, e.Count) {
		text = cut(text, room-width(often), v.glyphs.ellipsis) + often
	}
	return cut(text, room, v.glyphs.ellipsis)
}

// mentions reports whether text has the number already, with or without commas.
func mentions(text string, n int) bool {
	for field := range strings.FieldsFuncSeq(text, func(r rune) bool { return (r < '0' || r > '9') && r != ',' }) {
		if strings.ReplaceAll(field, ",", "") == strconv.Itoa(n) {
			return true
		}
	}
	return false
}

// ofNoCode reports whether a finding is about log lines, objects or requests: it names no function.
func ofNoCode(f *rules.Finding) bool { return len(f.Path) == 0 && f.Culprit.Function == "" }

// toTimeline puts a column of times before rows that show what happened one after the other. Where all of them have who
// requested what, as those of audit events do, these are in columns too if there is room.
func (v *view) toTimeline(f *rules.Finding, rows []row) {
	times, column := v.timeline(f)
	if times == nil {
		return
	}
	n, actors, verbs := 0, 0, 0
	aligned := true
	for ; n < len(rows) && times[n] != ""; n++ {
		rows[n].text = withoutDelay(rows[n].text)
		actor, verb, _, ok := requestParts(rows[n].text)
		aligned = aligned && ok
		actors, verbs = max(actors, width(actor)), max(verbs, width(verb))
	}
	texts := make([]string, n)
	for i := range texts {
		actor, verb, rest, _ := requestParts(rows[i].text)
		texts[i] = pad(actor, actors) + "  " + pad(verb, verbs) + "  " + rest
		aligned = aligned && 2+column+2+width(texts[i])+2+width(rows[i].at) <= v.width
	}
	for i := range rows {
		if aligned && i < n {
			rows[i].text = texts[i]
		}
		rows[i].text = pad(times[i], column) + "  " + rows[i].text
	}
}

// timeline is a column of times for a finding whose evidence is what happened one after the other: the first with its
// clock, the others by how much later they are. What was seen besides, behind these, has "". Nil where that isn't so.
func (v *view) timeline(f *rules.Finding) (column []string, columns int) {
	if !ofNoCode(f) {
		return nil, 0
	}
	var times []time.Time
	for i := range f.Evidence {
		t := moment(f.Evidence[i].Time)
		if t.IsZero() || i > 0 && t.Before(times[i-1]) {
			break
		}
		times = append(times, t)
	}
	n := len(times)
	if n < 2 || 2*n < len(f.Evidence) || times[0].Equal(times[n-1]) {
		return nil, 0
	}
	span := times[n-1].Sub(times[0])
	column = make([]string, len(f.Evidence))
	for i, t := range times {
		switch {
		case span > 12*time.Hour:
			column[i] = dated(t, secondForm)
		case span > clockSpan:
			column[i] = t.UTC().Format(time.TimeOnly)
		case i > 0:
			column[i] = "+" + later(t.Sub(times[0]))
		default:
			column[i] = t.UTC().Format(milliForm)
		}
		columns = max(columns, width(column[i]))
	}
	return column, columns
}

// requestParts takes "kudo-manager: patch statefulsets db" apart.
func requestParts(text string) (actor, verb, rest string, ok bool) {
	actor, rest, ok = strings.Cut(text, ": ")
	if !ok || strings.Contains(actor, " ") {
		return "", "", "", false
	}
	verb, rest, ok = strings.Cut(rest, " ")
	switch verb {
	case "create", "update", "patch", "delete", "deletecollection", "get", "list", "watch":
		return actor, verb, rest, ok
	}
	return "", "", "", false
}

// withoutDelay takes "+29 ms " off the beginning of a text.
func withoutDelay(text string) string {
	fields := strings.SplitN(text, " ", 3)
	if len(fields) == 3 && strings.HasPrefix(fields[0], "+") && strings.Trim(fields[0], "+0123456789.,") == "" {
		switch fields[1] {
		case "µs", "ms", "s", "min", "h":
			return fields[2]
		}
	}
	return text
}

// later writes a delay with what counts of it: "18 ms", "3.054 s", "52 s", "4 min".
func later(d time.Duration) string {
	switch {
	case d < time.Second:
		return phrase.Number(d.Milliseconds()) + " ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + " s"
	}
	return phrase.Duration(d)
}
