package kube

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds on tables.
const (
	// tableWithin is in how many lines of a file its first table begins: behind a command's echo, a date, warnings.
	tableWithin = 16
	maxTableRow = 8 << 10 // bytes; a row of `-o wide` events with its message has below 2,000
	rowSize     = 500     // of a row without its texts, and of the object that is made of it
	maxColumns  = 32
	// maxTableBytes is what the rows of one file may take before they are put on the run's account: some 30,000 pods.
	maxTableBytes = 16 << 20
)

// Tables takes the lines of one file that may hold what `kubectl get` prints (pods, nodes, events, pvc, deployments,
// replicasets, with or without -A and -o wide; columns of pkg/printers/internalversion/printers.go, Kubernetes 1.34).
// The zero value is ready. A file whose first lines hold no header costs nothing more.
type Tables struct {
	lines     int
	begun     bool
	columns   []column // of the table that the lines are in, nil outside
	kind      string
	namespace string    // that the echoed command names, "" for none
	when      time.Time // the newest date line
	rows      []tableRow
	size, cut int // bytes of rows; rows that were left out
}

// A column is a column of a table, by where its header begins.
type column struct {
	name string
	at   int // in characters
}

// Line takes a line, and reports whether it is part of a table, and so no line of a log.
func (t *Tables) Line(name string, line []byte, num int64) bool {
	if !t.begun && t.lines >= tableWithin || len(line) > maxTableRow {
		return false
	}
	t.lines++
	if columns, kind := tableHeader(line); kind != "" {
		t.begun, t.columns, t.kind = true, columns, kind
		return true
	}
	if t.columns != nil && len(bytes.TrimSpace(line)) > 0 {
		if row, ok := t.cells([]rune(string(line))); ok { // kubectl pads by characters
			row.at, row.when, row.size = At{Input: name, Line: num}, t.when, rowSize+len(line)
			if t.size += row.size; t.size <= maxTableBytes {
				t.rows = append(t.rows, row)
			} else {
				t.cut++
			}
			return true
		}
	}
	t.columns = nil
	if when, ok := dateLine(line); ok {
		t.when = when
	}
	if bytes.Contains(line, []byte(" get ")) {
		t.namespace = echoedNamespace(string(line))
	}
	return t.begun && len(bytes.TrimSpace(line)) == 0
}

// Any reports whether the file holds a row of a table.
func (t *Tables) Any() bool { return len(t.rows) > 0 }

// columnName is a column's name in the header of a table: NOMINATED NODE is one.
var columnName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Z-]+(?: [A-Z-]+)*`) })

// tableHeader is the columns and the kind of the table that a line heads; "" for none.
func tableHeader(line []byte) ([]column, string) {
	if !bytes.HasPrefix(line, []byte("NAME")) && !bytes.HasPrefix(line, []byte("LAST SEEN")) || // or NAMESPACE
		len(bytes.Trim(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ- ")) > 0 {
		return nil, ""
	}
	var columns []column
	for _, at := range columnName().FindAllIndex(line, maxColumns+1) {
		columns = append(columns, column{string(line[at[0]:at[1]]), at[0]})
	}
	if len(columns) > maxColumns {
		return nil, ""
	}
	return columns, tableKind(columns)
}

// tableKinds are the kinds of tables, in the order in which they are tried: the columns that one has, and lacks.
var tableKinds = []struct{ kind, has, lacks string }{
	{"Event", "LAST SEEN,TYPE,REASON,OBJECT,MESSAGE", ""},
	{"Pod", "NAME,AGE,READY,STATUS,RESTARTS", ""},
	{"Node", "NAME,AGE,STATUS,ROLES,VERSION", ""},
	{"PersistentVolumeClaim", "NAME,AGE,STATUS,VOLUME,CAPACITY,ACCESS MODES,STORAGECLASS", ""},
	{"Deployment", "NAME,AGE,READY,UP-TO-DATE,AVAILABLE", "NODE SELECTOR"}, // a DaemonSet's has it
	{"ReplicaSet", "NAME,AGE,DESIRED,CURRENT,READY", "UP-TO-DATE"},
}

func tableKind(columns []column) string {
	lacks := func(name string) bool {
		return !slices.ContainsFunc(columns, func(c column) bool { return c.name == name })
	}
	for _, k := range tableKinds {
		if !slices.ContainsFunc(strings.Split(k.has, ","), lacks) && lacks(k.lacks) {
			return k.kind
		}
	}
	return ""
}

// cells reads a line by the columns of its table. A line whose words do not begin where the columns do is no row.
func (t *Tables) cells(line []rune) (tableRow, bool) {
	cell := map[string]string{}
	for i, c := range t.columns {
		if c.at >= len(line) {
			break
		}
		if c.at > 0 && line[c.at-1] != ' ' {
			return tableRow{}, false
		}
		end := len(line)
		if i+1 < len(t.columns) {
			end = min(end, t.columns[i+1].at)
		}
		if v := strings.TrimSpace(string(line[c.at:end])); v != "<none>" && v != "<unset>" {
			cell[c.name] = v
		}
	}
	r := tableRow{kind: t.kind, namespace: cell["NAMESPACE"], name: cell["NAME"], status: cell["STATUS"],
		ready: cell["READY"], node: cell["NODE"]}
	if r.namespace == "" && t.kind != "Node" {
		r.namespace = t.namespace
	}
	r.age = parseAge(cell["AGE"])
	ok := r.age.known && isName(r.name)
	var err error
	switch t.kind {
	case "Event":
		ok = r.takeEvent(cell)
	case "Pod":
		times, _, _ := strings.Cut(cell["RESTARTS"], " ")
		r.restarts, err = strconv.Atoi(times)
		_, _, slash := strings.Cut(r.ready, "/")
		ok = ok && err == nil && r.restarts >= 0 && slash && r.status != "" && !strings.Contains(r.status, " ")
	case "Node":
		r.version = cell["VERSION"]
		ok = ok && strings.Contains(r.status, "Ready")
	case "PersistentVolumeClaim":
		r.volume, r.class = cell["VOLUME"], cell["STORAGECLASS"]
		ok = ok && r.status != "" && !strings.Contains(r.status, " ")
	case "Deployment":
		has, want, _ := strings.Cut(r.ready, "/")
		if cell["DESIRED"] != "" {
			want, has = cell["DESIRED"], cell["AVAILABLE"]
		}
		ok = r.counts(want, has) && ok
	case "ReplicaSet":
		ok = r.counts(cell["DESIRED"], r.ready) && ok
	}
	return r, ok
}

func (r *tableRow) counts(want, has string) bool {
	w, err := strconv.ParseInt(want, 10, 32)
	h, err2 := strconv.ParseInt(has, 10, 32)
	r.want, r.has = w, h
	return err == nil && err2 == nil && w >= 0 && h >= 0
}

// takeEvent reads an event's cells: "3m (x12 over 10m)", or the columns FIRST SEEN and COUNT of -o wide.
func (r *tableRow) takeEvent(cell map[string]string) bool {
	e := &tableEvent{typ: cell["TYPE"], reason: cell["REASON"], field: cell["SUBOBJECT"],
		message: string(most([]byte(cell["MESSAGE"]), maxMessage)), count: 1}
	last, more, folded := strings.Cut(cell["LAST SEEN"], " (x")
	r.age = parseAge(last)
	e.first = r.age
	if folded {
		count, first, _ := strings.Cut(strings.TrimSuffix(more, ")"), " over ")
		e.count, _ = strconv.Atoi(count)
		e.first = parseAge(first)
	}
	if cell["COUNT"] != "" {
		e.count, _ = strconv.Atoi(cell["COUNT"])
		e.first = parseAge(cell["FIRST SEEN"])
	}
	kind, name, ok := strings.Cut(cell["OBJECT"], "/")
	e.kind, r.name, r.event = objectKind(kind), name, e
	return ok && e.count > 0 && e.count < 1<<31 && e.kind != "" && isName(name) && e.reason != "" &&
		!strings.Contains(e.reason, " ")
}

// objectKind is the kind that an event's OBJECT names in lower case, as it is written where it is none of kindsNamed.
func objectKind(word string) string {
	if len(word) > maxIdent {
		return ""
	}
	return cmp.Or(kindsNamed[strings.ToLower(word)+"s"], word)
}

// isName reports what may be an object's name: lower case, digits, dashes, dots.
func isName(s string) bool {
	return s != "" && len(s) <= maxIdent && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-.") == ""
}

// parseAge reads a duration as apimachinery's duration.HumanDuration writes it: "45s", "3m12s", "4d3h", "2y10d".
func parseAge(s string) since {
	var d since
	for len(s) > 0 {
		i := 0
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		n, err := strconv.Atoi(s[:i])
		if err != nil || i == len(s) || n > 200_000 {
			return since{}
		}
		unit := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour,
			'y': 365 * 24 * time.Hour}[s[i]]
		if unit == 0 || d.known && unit >= d.unit || unit > 0 && time.Duration(n) > 100*365*24*time.Hour/unit {
			return since{}
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

func headsTable(text []byte) bool {
	line, _, _ := bytes.Cut(text, newline)
	_, kind := tableHeader(bytes.TrimRight(line, "\r"))
	return kind != ""
}
