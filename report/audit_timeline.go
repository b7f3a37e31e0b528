package report

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// An AuditColumn is a column of a timeline of audit events.
type AuditColumn struct {
	Name, Doc string
	text      func(*auditRow) string // for people: short
	value     func(*auditRow) string // for programs: whole; nil where text is
}

// An auditRow is a row with what is around it.
type auditRow struct {
	*schema.Row
	before int64 // the time of the row before it, 0 for the first
	days   bool  // the timeline goes over more than one day
}

// AuditColumns are all columns of a timeline, in the order in which they are listed.
func AuditColumns() []AuditColumn {
	return []AuditColumn{
		{"time", "when the request was received, in UTC", (*auditRow).clock,
			func(r *auditRow) string { return moments(r.Time) }},
		{"delta", "milliseconds since the previous row", (*auditRow).delta, func(r *auditRow) string {
			return textIf(r.before != 0, strconv.FormatFloat(float64(r.Time-r.before)/1000, 'f', 3, 64))
		}},
		{"server", "the API server's host or log", func(r *auditRow) string { return r.Server }, nil},
		{"user", "the user who sent the request", (*auditRow).shortUser, (*auditRow).user},
		{"agent", "the client program (user agent)", func(r *auditRow) string { return r.Agent }, nil},
		{"verb", "the verb, and the subresource", func(r *auditRow) string {
			return r.Verb + prefixed(" ", r.Subresource)
		}, nil},
		{"resource", "the resource", func(r *auditRow) string { return r.Resource },
			func(r *auditRow) string { return r.Resource + prefixed(".", r.Group) }},
		{"namespace", "the object's namespace", func(r *auditRow) string { return r.Namespace }, nil},
		{"name", "the object's name", func(r *auditRow) string { return r.Name }, nil},
		{"code", "the answer's status code", func(r *auditRow) string {
			return textIf(r.Code != 0, strconv.Itoa(r.Code))
		}, nil},
		{"version", "resourceVersion in the request -> in the answer", (*auditRow).version, nil},
		{"took", "milliseconds from the request to the answer", func(r *auditRow) string {
			return textIf(r.Took != 0, strconv.FormatFloat(float64(r.Took)/1000, 'f', 1, 64))
		}, nil},
		{"changed", "the fields that the write changed, if bodies are logged", (*auditRow).changed,
			func(r *auditRow) string { return r.changes("=", ": ", math.MaxInt) }},
		{"level", "the level at which the policy logged the request", func(r *auditRow) string { return r.Level }, nil},
		{"message", "the server's message, if it refused the request",
			func(r *auditRow) string { return r.Message }, nil},
		{"ip", "the client's address", func(r *auditRow) string { return r.IP }, nil},
		{"id", "the audit id", func(r *auditRow) string { return r.ID }, nil},
		{"at", "file and line of the event",
			func(r *auditRow) string { return r.Place.Path + ":" + strconv.FormatInt(r.Place.Line, 10) }, nil},
	}
}

// DefaultAuditColumns are the columns of a timeline where none are chosen; one object's life leaves out what is the
// same in each row.
func DefaultAuditColumns(oneObject bool) []string {
	if oneObject {
		return []string{"time", "delta", "user", "verb", "code", "version", "changed"}
	}
	return []string{"time", "delta", "user", "verb", "resource", "namespace", "name", "code", "version", "changed"}
}

// ChooseColumns returns the columns of those names; the error names one that there isn't.
func ChooseColumns(names []string) ([]AuditColumn, error) {
	all := AuditColumns()
	var out []AuditColumn
	for _, n := range names {
		i := slices.IndexFunc(all, func(c AuditColumn) bool { return c.Name == n })
		if i < 0 {
			return nil, fmt.Errorf("unknown column %q", n)
		}
		out = append(out, all[i])
	}
	return out, nil
}

func (r *auditRow) clock() string {
	if r.Time == 0 {
		return "?"
	}
	return utc(r.Time).Format(textIf(r.days, "01-02 ") + milliForm)
}

func utc(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

func moments(micros int64) string { return textIf(micros != 0, utc(micros).Format(time.RFC3339Nano)) }

// delta is written in the unit that the eye compares best: milliseconds up to ten seconds, then seconds.
func (r *auditRow) delta() string {
	if r.before == 0 {
		return ""
	}
	switch d := time.Duration(r.Time-r.before) * time.Microsecond; {
	case d < 10*time.Second:
		return "+" + phrase.Number(d.Round(time.Millisecond).Milliseconds()) + " ms"
	case d < time.Hour:
		return "+" + phrase.Number(int64(d.Seconds())) + " s"
	default:
		return fmt.Sprintf("+%.1f h", d.Hours())
	}
}

func (r *auditRow) user() string { return r.User + prefixed(" as ", r.Impersonated) }

// shortUser leaves "namespace:name" of the name of a service account.
func (r *auditRow) shortUser() string {
	return strings.ReplaceAll(r.user(), "system:serviceaccount:", "")
}

func (r *auditRow) version() string {
	v := func(n uint64) string {
		if n == 0 {
			return "?"
		}
		return strconv.FormatUint(n, 10)
	}
	switch {
	case r.In == 0 && r.Out == 0:
		return ""
	case r.In == r.Out:
		return v(r.In) + " ="
	}
	return v(r.In) + " -> " + v(r.Out)
}

// shortValue is up to which length a table shows a field's old value beside the new one.
const shortValue = 16

// changed names the fields with their new values; what the row before in this object's life had is seen there.
func (r *auditRow) changed() string {
	if len(r.Changes) == 0 && !r.Compared && r.Code >= 400 {
		return r.Message
	}
	return r.changes(" = ", " ", shortValue)
}

// changes names the fields with their new values, and with the old ones of up to longest bytes.
func (r *auditRow) changes(is, was string, longest int) string {
	if len(r.Changes) == 0 && r.Compared {
		return "nothing"
	}
	parts := make([]string, 0, len(r.Changes))
	for _, c := range r.Changes {
		switch {
		case c.New == "":
			parts = append(parts, c.Path+" removed")
		case c.Old == "" || c.Old == c.New || len(c.Old) > longest:
			parts = append(parts, c.Path+is+c.New)
		default:
			parts = append(parts, c.Path+was+c.Old+" -> "+c.New)
		}
	}
	return strings.Join(parts, ", ")
}

// AuditText writes a timeline for people: what was read and what it can't show, the findings, then a row a request.
func AuditText(w io.Writer, t *schema.Timeline, cols []AuditColumn, o TextOptions) error {
	p := newPrinter(w, o)
	v := newView(t.Report, p)
	v.auditHead(t)
	if len(t.Report.Findings) > 0 {
		v.writeVerdict()
		v.writeFindings()
	}
	v.requests(t, cols)
	v.writeSkipped()
	return p.flush("the report as text")
}

// auditHead sums up what was read.
func (v *view) auditHead(t *schema.Timeline) {
	if t.Report.Audit != nil && t.Report.Audit.Events > 0 {
		v.writeTrail()
	} else {
		v.section("AUDIT", "no audit.k8s.io event in "+phrase.Count(len(t.Report.Inputs), "input"))
	}
	for _, r := range t.Refused {
		v.labelled(span{text: "  refused", style: v.colour.Dim}, phrase.Count(r.Count, "record")+
			" ("+v.at(r.Place.Path, r.Place.Line)+"): "+r.Reason+"; "+r.Hint, proseLines)
	}
}

// maxColumn is how wide a column but the last is at most: names of objects have up to 253 characters.
const maxColumn = 36

// requests writes the rows as a table. The last column takes what room is left.
func (v *view) requests(t *schema.Timeline, cols []AuditColumn) {
	text := phrase.Count(t.Matched, "request")
	if n := int64(len(t.Rows)); n < t.Matched {
		text += ", the first " + phrase.Number(n) + " of them; --limit shows more"
	}
	v.section("TIMELINE", text)
	if len(t.Rows) == 0 {
		return
	}
	days := utc(t.Rows[0].Time).YearDay() != utc(t.Rows[len(t.Rows)-1].Time).YearDay()
	cells := make([][]string, len(t.Rows))
	heads, widths := make([]string, len(cols)), make([]int, len(cols))
	for j, c := range cols {
		heads[j], widths[j] = c.Name, width(c.Name)
	}
	before := int64(0)
	for i := range t.Rows {
		r := auditRow{Row: &t.Rows[i], before: before, days: days}
		before = r.Time
		for j, c := range cols {
			text := v.escape(collapse(c.text(&r)))
			if j < len(cols)-1 {
				text = cutLeft(text, maxColumn, v.glyphs.ellipsis)
			}
			cells[i] = append(cells[i], text)
			widths[j] = max(widths[j], width(text))
		}
	}
	v.tableRow(heads, widths, v.colour.Dim)
	for _, row := range cells {
		v.tableRow(row, widths, "")
	}
}

// tableRow writes cells side by side. Numbers of milliseconds are right-aligned, so that sizes show.
func (v *view) tableRow(cells []string, widths []int, style string) {
	var b strings.Builder
	for j, c := range cells {
		b.WriteString("  ")
		switch {
		case j == len(cells)-1:
			room := max(v.width-width(b.String()), 24)
			if v.all {
				room = max(room, width(c))
			}
			b.WriteString(cut(c, room, v.glyphs.ellipsis))
		case strings.HasPrefix(c, "+") || c == "delta":
			b.WriteString(padLeft(c, widths[j]))
		default:
			b.WriteString(pad(c, widths[j]))
		}
	}
	v.line(span{text: b.String(), style: style})
}

// AuditCSV writes the columns' names, then a line a row. Fields that a spreadsheet would take for a formula begin with
// an apostrophe; control characters are escaped.
func AuditCSV(to io.Writer, rows []schema.Row, cols []AuditColumn) error {
	w := csv.NewWriter(to)
	fields, before := make([]string, len(cols)), int64(0)
	for j, c := range cols {
		fields[j] = c.Name
	}
	_ = w.Write(fields) // the first error stays
	for i := range rows {
		r := auditRow{Row: &rows[i], before: before, days: true}
		before = r.Time
		for j, c := range cols {
			f := c.value
			if f == nil {
				f = c.text
			}
			fields[j] = csvField(f(&r))
		}
		_ = w.Write(fields)
	}
	w.Flush()
	return written("CSV", w.Error())
}

func csvField(s string) string {
	s = Escape(s)
	if s != "" && strings.IndexByte("=+-@", s[0]) >= 0 {
		return "'" + s
	}
	return s
}

// auditLine is a row as JSON; fields are only ever added.
type auditLine struct {
	Time    string   `json:"time"`
	DeltaMS *float64 `json:"delta_ms"` // since the row before; null for the first
	*schema.Row
	TookMS   float64         `json:"took_ms"`
	Compared bool            `json:"compared"` // bodies are compared: without changes nothing changed
	Changes  []schema.Change `json:"changes"`
	ID       string          `json:"id"`
	Input    string          `json:"input"`
	Line     int64           `json:"line"`
}

// lineOf is the row as JSON, before the time of the row before it, 0 for the first.
func lineOf(r *schema.Row, before int64) auditLine {
	l := auditLine{
		Time: moments(r.Time), Row: r, TookMS: float64(r.Took) / 1000, Compared: r.Compared,
		Changes: append([]schema.Change{}, r.Changes...), ID: r.ID, Input: r.Place.Path, Line: r.Place.Line,
	}
	if before != 0 {
		d := float64(r.Time-before) / 1000
		l.DeltaMS = &d
	}
	return l
}

// AuditLines writes one JSON object a line.
func AuditLines(to io.Writer, rows []schema.Row) error {
	w := bufio.NewWriter(to)
	err := auditObjects(w, rows, "")
	return written("JSON lines", cmp.Or(err, w.Flush()))
}

// AuditJSON writes one JSON object: "report" is the report of the inputs and of what the rules find, as of triage -o
// json, "rows" an array of the objects that AuditLines writes.
func AuditJSON(to io.Writer, t *schema.Timeline) error {
	w := bufio.NewWriter(to)
	w.WriteString("{\"report\": ")
	err := JSON(w, t.Report)
	w.WriteString(", \"rows\": [")
	err = cmp.Or(err, auditObjects(w, t.Rows, ","))
	w.WriteString("]}\n")
	return written("the rows as JSON", cmp.Or(err, w.Flush()))
}

// auditObjects writes rows as JSON, a line each, with text between two of them. Errors of w stay until it is flushed.
func auditObjects(w *bufio.Writer, rows []schema.Row, between string) error {
	before := int64(0)
	for i := range rows {
		if i > 0 {
			w.WriteString(between)
		}
		if err := Line(w, lineOf(&rows[i], before)); err != nil {
			return err
		}
		before = rows[i].Time
	}
	return nil
}
