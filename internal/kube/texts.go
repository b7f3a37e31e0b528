package kube

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Bounds on tables.
const (
	// tableWithin is in how many lines of a file its first table begins: behind a command's echo, a date, warnings.
	tableWithin = 16
	maxTableRow = 8 << 10 // bytes; a row of `-o wide` events with its message has below 2,000
	rowSize     = 500     // of a row without its texts, and of the object that is made of it
	maxColumns  = 32
	// maxOdd is how many lines in a row may be no rows in a table of events: their messages have several lines.
	maxOdd = 64
	// maxTableBytes is what the rows of one file may take before they are put on the run's account: some 30,000 pods.
	maxTableBytes = 16 << 20
)

// Texts takes the lines of one file that may hold what kubectl prints for people: `describe` of pods, and the events of
// any described object; the tables of `get` (pods, nodes, events, with or without -A and -o wide; columns of
// pkg/printers/internalversion/printers.go, Kubernetes 1.34), of `get all`, `events` and `top`. The zero value is
// ready. A file whose first lines hold none of these costs nothing more.
type Texts struct {
	lines     int
	begun     bool
	describer describer
	printed   []printedRow // pods, nodes and events
	usages    []Usage      // of top
	columns   []column     // of the table that the lines are in, nil outside
	odd       int          // lines in it since the last that was a row
	kind      string
	namespace string    // that the echoed command names, "" for none
	when      time.Time // the newest date line
	size, cut int       // bytes of what is kept; objects and rows that were left out
}

// A column is a column of a table, by where its header begins.
type column struct {
	name string
	at   int // in characters
}

// Line takes a line, and reports whether it is part of a table or a description, and so no line of a log.
func (t *Texts) Line(name string, line []byte, num int64) bool {
	if !t.begun && t.lines >= tableWithin || len(line) > maxTableRow && t.describer.d == nil {
		return false
	}
	t.lines++
	if columns, kind := tableHeader(line); kind != "" && !t.describer.quotes() {
		t.describer.end(t)
		t.begun, t.columns, t.kind, t.odd = true, columns, kind, 0
		return true
	}
	if t.describer.line(t, name, line, num) {
		t.begun, t.columns = true, nil
		return true
	}
	blank := len(bytes.TrimSpace(line)) == 0
	if t.columns != nil && !blank && t.row(line, At{Input: name, Line: num}) {
		t.odd = 0
		return true
	}
	if t.odd++; t.columns != nil && t.odd <= maxOdd && t.kind == "Event" {
		return blank // a message of several lines
	}
	t.columns = nil
	if when, ok := dateLine(line); ok {
		t.when = when
	}
	if bytes.Contains(line, []byte(" get ")) {
		t.namespace = echoedNamespace(string(line))
	}
	return t.begun && blank
}

// Any reports whether the file holds a row of a table or a description.
func (t *Texts) Any() bool {
	return t.begun && (len(t.printed)+len(t.usages) > 0 || t.describer.d != nil)
}

// tableKinds are the kinds of tables, with the columns that one has.
var tableKinds = []struct{ kind, has string }{
	{"Event", "LAST SEEN,TYPE,REASON,OBJECT,MESSAGE"},
	{"Pod", "NAME,AGE,READY,STATUS,RESTARTS"},
	{"Node", "NAME,AGE,STATUS,ROLES,VERSION"},
	{topNodes, "NAME,CPU(CORES),CPU%,MEMORY(BYTES)"},
	{topNodes, "NAME,CPU(CORES),CPU(%),MEMORY(BYTES)"},
	{topPods, "NAME,CPU(CORES),MEMORY(BYTES)"},
}

// tableHeader is the columns and the kind of the table that a line heads; "" for none.
func tableHeader(line []byte) ([]column, string) {
	if !bytes.HasPrefix(line, []byte("NAME")) && !bytes.HasPrefix(line, []byte("LAST SEEN")) && // or NAMESPACE
		!bytes.HasPrefix(line, []byte("POD")) {
		return nil, ""
	}
	columns := tableColumns(line)
	lacks := func(name string) bool {
		return !slices.ContainsFunc(columns, func(c column) bool { return c.name == name })
	}
	for _, k := range tableKinds {
		if !slices.ContainsFunc(strings.Split(k.has, ","), lacks) {
			return columns, k.kind
		}
	}
	return nil, ""
}

// tableColumns are the columns of a table by its header, in capitals. Names hold single spaces: NOMINATED NODE is one.
func tableColumns(line []byte) []column {
	var columns []column
	for i := 0; i < len(line) && len(columns) < maxColumns; {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		from := i
		for i < len(line) && (line[i] != ' ' || i+1 < len(line) && line[i+1] != ' ') {
			i++
		}
		if i > from {
			columns = append(columns, column{strings.ToUpper(string(bytes.TrimSpace(line[from:i]))), from})
		}
	}
	return columns
}

// cells are the two ways to read an event: by the columns of its table and, where its words do not begin where these
// do, by its gaps.
func cells(columns []column, line []byte) [2]map[string]string {
	text := string(line)
	return [2]map[string]string{byColumn(columns, []rune(text)), byGap(columns, strings.TrimSpace(text))}
}

// byColumn reads the cells that begin where the columns do; nil where another text does.
func byColumn(columns []column, line []rune) map[string]string {
	cell := map[string]string{}
	for i, c := range columns {
		if c.at >= len(line) {
			break
		}
		if c.at > 0 && line[c.at-1] != ' ' {
			return nil
		}
		end := len(line)
		if i+1 < len(columns) {
			end = min(end, columns[i+1].at)
		}
		setCell(cell, c.name, string(line[c.at:end]))
	}
	return cell
}

// byGap reads the cells of a row that has all, as events have them, separated by two spaces or more: behind a message
// of several lines kubectl's tables have other widths.
func byGap(columns []column, line string) map[string]string {
	cell := map[string]string{}
	for i, c := range columns {
		text, rest, more := strings.Cut(line, "  ")
		if i == len(columns)-1 {
			text, more = line, true
		}
		if !more || text == "" {
			return nil
		}
		setCell(cell, c.name, text)
		line = strings.TrimLeft(rest, " ")
	}
	return cell
}

// setCell keeps what a cell holds; kubectl writes nothing as <none>.
func setCell(cell map[string]string, name, text string) {
	if v := strings.TrimSpace(text); v != "<none>" && v != "<unset>" {
		cell[name] = v
	}
}

// objectKind is the kind that an event's OBJECT names in lower case, as it is written where it is unknown.
func objectKind(word string) string {
	if len(word) > maxIdent {
		return ""
	}
	if k, ok := KindOf(word); ok {
		return k.Kind
	}
	return word
}

// isName reports what may be an object's name: lower case, digits, dashes, dots.
func isName(s string) bool {
	return s != "" && len(s) <= maxIdent && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}

// parseAge reads a duration as apimachinery's duration.HumanDuration writes it: "45s", "3m12s", "4d3h", "2y10d".
func parseAge(s string) roundedAge {
	var d roundedAge
	for len(s) > 0 {
		i := 0
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(s[:i])
		if err != nil || i == len(s) || n > 200_000 {
			return roundedAge{}
		}
		unit := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour,
			'y': 365 * 24 * time.Hour}[s[i]]
		if unit == 0 || d.known && unit >= d.unit || unit > 0 && time.Duration(n) > 100*365*24*time.Hour/unit {
			return roundedAge{}
		}
		d.least += time.Duration(n) * unit
		d.unit, d.known = unit, true
		s = s[i+1:]
	}
	return d
}

// dateLine reads a line that is a date in `date`'s own form or RFC 3339. Of zones that are a word only UTC is known.
func dateLine(line []byte) (time.Time, bool) {
	s := strings.Join(strings.Fields(string(most(line, 64))), " ")
	if len(s) < 20 || len(s) > 40 {
		return time.Time{}, false
	}
	if when, ok := parseTime([]byte(s)); ok {
		return when, true
	}
	for _, form := range []string{"Mon Jan 2 15:04:05 UTC 2006", "Mon 2 Jan 2006 15:04:05 UTC",
		"Mon Jan 2 03:04:05 PM UTC 2006", "Mon 2 Jan 15:04:05 UTC 2006", "Mon Jan 2 15:04:05 -07 2006"} {
		if when, err := time.Parse(form, s); err == nil {
			return when.UTC(), true
		}
	}
	return time.Time{}, false
}

// echoedNamespace is the namespace that an echoed `kubectl get` names, "" for none.
func echoedNamespace(line string) string {
	f := strings.Fields(line)
	for i, w := range f {
		if v, ok := strings.CutPrefix(w, "--namespace="); ok && isName(v) {
			return v
		}
		if (w == "-n" || w == "--namespace") && i+1 < len(f) && isName(f[i+1]) {
			return f[i+1]
		}
	}
	return ""
}

// headsText reports text that begins with a table or a description.
func headsText(text []byte) bool {
	line, _, _ := bytes.Cut(text, newline)
	line = bytes.TrimRight(line, "\r")
	_, kind := tableHeader(line)
	_, described := beginning(line)
	return kind != "" || described
}
