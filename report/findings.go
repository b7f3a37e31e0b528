package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

func (v *view) writeFindings() {
	full := v.inFull()
	for i := range v.report.Findings[:full] {
		v.finding(i)
	}
	rest := v.report.Findings[full:]
	if len(rest) == 0 {
		return
	}
	v.section("MORE", phrase.Count(len(rest), "more finding")+"; --all shows all of them in full")
	v.oneLineEach(rest, min(len(rest), lineFindings), v.whereabouts)
}

// oneLineEach writes the first n findings in a line each, with their places in one column.
func (v *view) oneLineEach(fs []rules.Finding, n int, place func(*rules.Finding) string) {
	column := min(widest(pointers(fs[:n]), place), v.width/3)
	for f := range pointers(fs[:n]) {
		v.oneLine(f, column)
	}
	v.more(2, len(fs)-n, "finding")
}

// finding writes one in full. The title of the first one may be the headline already; an only one follows right under
// it, which saves a line of the first screen.
func (v *view) finding(i int) {
	f := &v.report.Findings[i]
	if len(v.report.Findings) > 1 || !v.headlined(i) {
		v.line()
	}
	v.head(f)
	if !v.headlined(i) {
		v.block(v.accusation(f), 2, 0, v.colour.Culprit)
	}
	v.stack(i)
	v.writeCode(f)
	v.about(f)
	v.paragraph("seen", v.seen(f), proseLines)
	v.paragraph("why", v.sentences(f.Why), 0)
	v.writeLabelled("but", f.Against)
	v.paragraph("fix", v.sentences(f.Fix), 0)
	v.commands("next", f.Next)
	for _, n := range f.Notes {
		v.paragraph("note", v.sentences(n), 0)
	}
	if v.all {
		v.paragraph("refs", strings.Join(f.Refs, ", "), 0)
	}
}

// head names severity, rule, category and confidence.
func (v *view) head(f *rules.Finding) {
	dot := " " + v.glyphs.dot + " "
	text := v.escape(f.Name + " (" + f.Rule + ")" + dot + string(f.Category) + dot + "confidence " +
		string(f.Confidence) + prefixed(dot, f.Baseline.Text()))
	v.labelled(span{text: strings.ToUpper(v.escape(string(f.Severity))), style: v.colour.severity(f.Severity)}, text,
		proseLines)
}

// about writes which object a finding is about and who writes it, and where the lines are from.
func (v *view) about(f *rules.Finding) {
	if f.Object != nil && (v.all || !strings.Contains(v.accusation(f), v.escape(f.Object.Text()))) {
		v.paragraph("of", f.Object.Text()+phrase.InBrackets(f.Object.API), proseLines)
	}
	n := len(f.Actors)
	v.paragraph("by", v.some(n, n, shownIDs, func(i int) string { return f.Actors[i] }), proseLines)
	if at := v.place(f.Culprit.File, f.Culprit.Line); at != "" && ofNoCode(f) {
		v.paragraph("at", at+" writes the line", proseLines)
	}
	n = len(f.Objects)
	v.paragraph("with", v.some(n, n, shownIDs, func(i int) string { return f.Objects[i].Text() }), proseLines)
}

// whereabouts is a finding's place for a column: its file and line, else its object, cut from the left.
func (v *view) whereabouts(f *rules.Finding) string {
	at := v.place(f.Culprit.File, f.Culprit.Line)
	if at == "" && f.Object != nil {
		at = cutLeft(v.escape(collapse(f.Object.Text())), max(v.width*3/10, 16), v.glyphs.ellipsis)
	}
	return at
}

// seen lists the number of pods, or sources, and the time, where that is more than one place and one time.
func (v *view) seen(f *rules.Finding) string {
	s := v.inPods(f)
	if n := len(f.Sources); n > 1 && s == "" && !v.shownAll(f) {
		s = "in " + phrase.Number(n) + " sources: " +
			v.some(n, n, shownIDs, func(i int) string { return v.at(f.Sources[i], 0) })
	}
	switch {
	case f.FirstSeen == "" || f.LastSeen == "" || timeText(f.FirstSeen) == timeText(f.LastSeen):
		return s
	case ofTwoTimes(f):
		return joined("; ", s, "at "+timeText(f.FirstSeen)+" and, in another input, at "+timeText(f.LastSeen)+
			phrase.InBrackets(durationText(f.FirstSeen, f.LastSeen)+" later"))
	}
	return joined("; ", s, spanText(f.FirstSeen, f.LastSeen))
}

// ofTwoTimes reports whether a finding joins two inputs that were taken more than a day apart, each of one moment: what
// lies between them is no span in which it was seen.
func ofTwoTimes(f *rules.Finding) bool {
	if lasted := timeIn(f.LastSeen).Sub(timeIn(f.FirstSeen)); lasted < 24*time.Hour || len(f.Sources) < 2 {
		return false
	}
	inputs := map[string]string{} // time → its input
	for _, e := range f.Evidence {
		if e.Time != "" {
			inputs[timeText(e.Time)] = e.Input
		}
	}
	first, last := inputs[timeText(f.FirstSeen)], inputs[timeText(f.LastSeen)]
	return len(inputs) == 2 && first != "" && last != "" && first != last
}

// shownAll reports whether the evidence that is shown of a finding without code names all its sources already.
func (v *view) shownAll(f *rules.Finding) bool {
	rows := f.Evidence[:v.shown(len(f.Evidence), evidenceRows)]
	return ofNoCode(f) && !slices.ContainsFunc(f.Sources, func(src string) bool {
		return !slices.ContainsFunc(rows, func(e rules.Evidence) bool { return e.Input == src })
	})
}

// oneLine writes a finding in one line: severity, id, place, title. The title gives way, the place never; places are
// padded to column.
func (v *view) oneLine(f *rules.Finding, column int) {
	severity := strings.ToUpper(v.escape(string(f.Severity)))
	title, at := v.escape(collapse(strings.TrimSuffix(Title(f), "."))), v.whereabouts(f)
	title = strings.TrimSuffix(title, " ("+at+")")
	if f.Object != nil {
		if act, ok := strings.CutPrefix(title, v.escape(f.Object.Text())+" "); ok {
			title = textIf(!strings.HasPrefix(at, f.Object.Kind+" "), v.escape(f.Object.Kind)+" ") + act
		}
	}
	id := v.escape(f.Rule)
	lead := 2 + max(width(severity), len("CRITICAL")) + 2 + width(id) + 2
	title = cutRemark(title, max(v.width-lead-column-2, 20), v.glyphs.ellipsis)
	v.line(plain("  "), span{text: pad(severity, len("CRITICAL")), style: v.colour.severity(f.Severity)}, plain("  "),
		span{text: id, style: v.colour.Dim}, plain("  "+pad(at, column)+"  "+title))
}

// A stackLine is one line of a finding's stack: a mark, a text, and a place in a column of its own.
type stackLine struct {
	indent                     int    // of the text; the mark is two columns before it
	mark, text, at, tag, style string // the tag follows the place
}

// stack writes a finding's evidence and then its path: leaf first, the culprit marked, down to where the goroutine
// was created.
func (v *view) stack(i int) {
	f := &v.report.Findings[i]
	rows := v.evidence(f)
	places := max(widest(slices.Values(rows), func(r stackLine) string { return r.at }),
		widest(pointers(f.Path), func(p *rules.PathFrame) string { return v.place(p.File, p.Line) }))
	for _, r := range v.path(f, v.bucketOfFinding[i], v.width-6-places) {
		r.indent = 4
		rows = append(rows, r)
	}
	v.table(rows)
}

// table writes rows with their places in one column: where the widest text ends, as far as they leave room.
func (v *view) table(rows []stackLine) {
	column, places := 0, 0
	for _, r := range rows {
		if r.at != "" {
			column, places = max(column, r.indent+width(r.text)), max(places, width(r.at+r.tag))
		}
	}
	for _, r := range rows {
		v.row(r, min(column, v.width-2-places))
	}
}

// row writes a row with its place two columns after column, where the text leaves room; else right after the text, and
// if that is too wide on a line of its own. A text wider than the line goes on below.
func (v *view) row(r stackLine, column int) {
	mark := pad(r.mark, 2)
	lead := spaces(r.indent - width(mark))
	for room := v.width - r.indent; width(r.text) > max(room, minWidth/2); room = v.width - r.indent {
		part := headOfWord(r.text, max(room, minWidth/2))
		v.line(lead, span{text: mark + part, style: r.style})
		if mark != "" {
			mark, lead, r.indent = "", spaces(r.indent+2), r.indent+2
		}
		r.text = r.text[len(part):]
	}
	switch end := r.indent + width(r.text); {
	case r.at == "":
		v.line(lead, span{text: mark + r.text, style: r.style})
	case end <= column || end+2+width(r.at+r.tag) <= v.width:
		v.line(lead, span{text: mark + pad(r.text, column-r.indent) + "  " + r.at, style: r.style},
			span{text: r.tag, style: v.colour.Dim})
	default:
		v.line(lead, span{text: mark + r.text, style: r.style})
		at := strings.TrimRight(r.at, " ")
		tag := cut(r.tag, max(v.width-r.indent-4-width(at), 0), v.glyphs.ellipsis)
		v.line(spaces(r.indent+4), span{text: at, style: r.style}, span{text: tag, style: v.colour.Dim})
	}
}

// path is the finding's path, leaf first, with gaps where it is long, and the creator. Functions shorten to room
// columns as far as they can.
func (v *view) path(f *rules.Finding, home *schema.Bucket, room int) []stackLine {
	n := len(f.Path)
	leaf := func(i int) *rules.PathFrame { return &f.Path[n-1-i] } // i counts from the leaf
	culprit, own := -1, -1
	for i := range n {
		p := leaf(i)
		if culprit < 0 && p.Function == f.Culprit.Function && p.Line == f.Culprit.Line {
			culprit = i
		}
		if own < 0 && p.Class == "own" {
			own = i
		}
	}
	var rows []stackLine
	skipped := 0
	keep := v.kept(n, culprit, own)
	for i := range n { // what the text speaks of is shown
		if at := v.place(leaf(i).File, leaf(i).Line); at != "" && strings.Contains(f.Why+" "+f.Fix, at) {
			keep[i] = true
		}
	}
	for i := range n {
		if !keep[i] {
			skipped++
			continue
		}
		rows = v.gap(rows, skipped)
		skipped = 0
		p := leaf(i)
		r := stackLine{text: v.function(p.Function, room), at: v.place(p.File, p.Line), style: v.dim(p.Class),
			tag: textIf(p.Share > 0, "  "+phrase.Share(p.Share))}
		switch i {
		case culprit:
			r.mark, r.style = v.glyphs.mark, v.colour.Culprit
		case own:
			r.mark, r.tag = v.glyphs.own, r.tag+"  own code"
		}
		rows = append(rows, r)
	}
	rows = v.gap(rows, skipped)
	return append(rows, v.created(f, home, culprit < 0, room)...)
}

func (v *view) gap(rows []stackLine, n int) []stackLine {
	if n == 0 {
		return rows
	}
	between := v.glyphs.ellipsis + " " + phrase.Count(n, "frame") + " between"
	return append(rows, stackLine{text: between, style: v.colour.Dim})
}

// kept chooses the frames to show of n, counted from the leaf: all while they are few, else the leaf, the culprit
// with a neighbour on either side, the nearest own one and the outermost. A gap of one frame is filled with the
// frame.
func (v *view) kept(n, culprit, own int) []bool {
	if n <= pathFrames || v.all {
		return slices.Repeat([]bool{true}, n)
	}
	keep := make([]bool, n)
	shown := 0
	for _, i := range []int{culprit, 0, own, n - 1, culprit - 1, culprit + 1, 1, 2, 3, 4, 5} {
		if i >= 0 && i < n && !keep[i] && shown < pathFrames-1 {
			keep[i] = true
			shown++
		}
	}
	for i := 1; i < n-1; i++ {
		if !keep[i] && keep[i-1] && keep[i+1] {
			keep[i] = true
		}
	}
	return keep
}

// created is the row of the go statement that started the goroutine. Where no frame of the path is the culprit, it
// may be.
func (v *view) created(f *rules.Finding, home *schema.Bucket, mayBeCulprit bool, room int) (rows []stackLine) {
	const createdBy = "created by "
	by, at := &schema.Frame{Function: f.Creator}, f.Culprit
	if home != nil && home.CreatedBy != nil {
		by = home.CreatedBy
	}
	isCulprit := mayBeCulprit && by.Function == at.Function && by.Line == at.Line
	if mayBeCulprit && at.Function != "" {
		prefix := textIf(isCulprit, createdBy)
		rows = append(rows, stackLine{mark: v.glyphs.mark, text: prefix + v.function(at.Function, room-len(prefix)),
			at: v.place(at.File, at.Line), style: v.colour.Culprit})
	}
	if by.Function != "" && !isCulprit {
		rows = append(rows, stackLine{text: createdBy + v.function(by.Function, room-len(createdBy)),
			at: v.place(by.File, by.Line)})
	}
	return rows
}

// raceRows is how many rows of a race are shown without TextOptions.All: one between three actors, with what hung
// afterwards, has seven or eight.
const raceRows = 8

// clockSpan is up to what length a timeline shows how long after its first row each row is; then the clock is more
// useful.
const clockSpan = 10 * time.Minute

// evidence is one row for each thing that was seen.
func (v *view) evidence(f *rules.Finding) []stackLine {
	limit, columns := evidenceRows, max(v.width/3, 24)
	if ofNoCode(f) { // what happened matters more than where
		columns = max(v.width/4, 16)
		if f.Category == rules.RaceCat {
			limit = raceRows
		}
	}
	shown := f.Evidence[:v.shown(len(f.Evidence), limit)]
	rows := make([]stackLine, len(shown), len(shown)+1)
	for i := range shown {
		e := &shown[i]
		rows[i] = stackLine{indent: 2, text: v.escape(collapse(e.Text)), at: v.atIn(e.Input, e.Line, columns)}
		if i > 0 && ofNoCode(f) && e.Line > 0 && e.Input == shown[i-1].Input {
			rows[i].at = ":" + strconv.FormatInt(e.Line, 10)
		}
	}
	v.toTimeline(f, rows)
	for i := range rows {
		rows[i].text = v.seenAs(f, &shown[i], rows[i].text, max(v.width-4-width(rows[i].at), 20))
	}
	if hidden := len(f.Evidence) - len(shown); hidden > 0 {
		rows = append(rows, stackLine{indent: 2, text: "+" + phrase.Number(hidden) + " more like it"})
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
	text += textIf(len(e.Goroutines) > 1 && width(text+ids) <= room, ids)
	if often != "" && !mentions(text, e.Count) {
		text = cutRemark(text, room-width(often), v.glyphs.ellipsis) + often
	}
	return cutRemark(text, room, v.glyphs.ellipsis)
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
func (v *view) toTimeline(f *rules.Finding, rows []stackLine) {
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
		t := timeIn(f.Evidence[i].Time)
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
			column[i] = formatDated(t, secondForm)
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
		return phrase.Number(d.Round(time.Millisecond).Milliseconds()) + " ms"
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + " s"
	}
	return phrase.Duration(d)
}
