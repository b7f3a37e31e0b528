package triage_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/triage"
)

// A schemaMaker makes up how a store might write its records.
type schemaMaker struct {
	r    *rand.Rand
	used map[string]bool
}

func oneOf[T any](m *schemaMaker, from ...T) T { return from[m.r.IntN(len(from))] }

func (m *schemaMaker) chance(percent int) bool { return m.r.IntN(100) < percent }

// name is a member's name that this schema doesn't have yet: one of from, or a made-up one.
func (m *schemaMaker) name(made int, from ...string) string {
	for {
		n := oneOf(m, from...)
		if m.chance(made) {
			n = fmt.Sprintf("%s_%s%d", oneOf(m, "f", "attr", "x", "rec", "col"), oneOf(m, "a", "zz", "val", "w"), m.r.IntN(100))
		}
		if !m.used[n] {
			m.used[n] = true
			return n
		}
	}
}

// A field is one member of the records, at a path.
type field struct {
	path []string
	of   func(e entry, i int) any
}

// timeForms are how records write their time.
var timeForms = []func(e entry) any{
	func(e entry) any { return e.at.Format(time.RFC3339Nano) },
	func(e entry) any { return e.at.Format("2006-01-02T15:04:05.000Z") },
	func(e entry) any { return e.at.Format("2006-01-02 15:04:05.000000") },
	func(e entry) any { return e.at.Add(2*time.Hour).Format("2006-01-02T15:04:05.000000") + "+02:00" },
	func(e entry) any { return e.at.UnixMilli() },
	func(e entry) any { return e.at.UnixNano() },
	func(e entry) any { return nanos(e) },
	func(e entry) any { return e.at.UnixMicro() },
	func(e entry) any { return fmt.Sprintf("%.6f", float64(e.at.UnixMicro())/1e6) },
	func(e entry) any { return e.at.Format("Jan 2, 2006 @ 15:04:05.000") },
	func(e entry) any { return e.at.Format("2006/01/02 15:04:05.000") },
}

// others make members that are neither the text nor the time, though some look like it.
func (m *schemaMaker) others(log []entry) []func(e entry, i int) any {
	first, last := log[0].at, log[len(log)-1].at
	if last.Before(first) {
		first, last = last, first
	}
	words := strings.Fields("the request was served by a worker and its answer sent to who asked for it in time")
	return []func(e entry, i int) any{
		func(entry, int) any { return "application log of the harbor controller, kept for 30 days" },
		func(entry, int) any { return m.r.IntN(1 << 30) },
		func(_ entry, i int) any { return fmt.Sprintf("%016x-%d", m.r.Uint64(), i) },
		func(entry, int) any { return oneOf(m, "info", "error", "warning") },
		func(entry, int) any { return first.Add(-time.Hour).Format(time.RFC3339) }, // when the pod was started
		func(e entry, _ int) any {
			return e.at.Add(3 * time.Second).Truncate(5 * time.Second).Format(time.RFC3339)
		},
		func(entry, int) any { return last.Add(time.Minute).UnixMilli() },
		func(entry, int) any {
			return first.Add(time.Duration(m.r.Int64N(int64(24 * time.Hour)))).Format(time.RFC3339Nano) // a deadline
		},
		func(entry, int) any {
			m.r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
			return strings.Join(words[:3+m.r.IntN(6)], " ")
		},
		func(entry, int) any { return nil },
		func(entry, int) any { return true },
		func(_ entry, i int) any { return i },
		func(entry, int) any { return "" },
	}
}

// fields makes up the members of a schema; flat ones have no paths of several keys.
func (m *schemaMaker) fields(log []entry, flat bool) []field {
	var nests [][]string
	if !flat {
		for range m.r.IntN(3) {
			nest := []string{m.name(30, "_source", "result", "attributes", "record", "fields", "doc", "json", "value")}
			if m.chance(30) {
				nest = append(nest, m.name(30, "inner", "data", "log"))
			}
			nests = append(nests, nest)
		}
	}
	at := func(name string) []string {
		if len(nests) > 0 && m.chance(60) {
			return append(slices.Clone(oneOf(m, nests...)), name)
		}
		return []string{name}
	}
	form := oneOf(m, timeForms...)
	all := []field{
		{at(m.name(25, "message", "msg", "log", "line", "_raw", "body", "text", "textPayload", "LogMessage", "content", "_msg", "Message")),
			func(e entry, _ int) any { return e.text }},
		{at(m.name(15, "time", "timestamp", "@timestamp", "ts", "_time", "date", "TimeGenerated", "eventTime", "logged_at", "Date")),
			func(e entry, _ int) any { return form(e) }},
	}
	if m.chance(60) {
		path := at("k8s")
		for i, label := range []string{
			oneOf(m, "namespace", "namespace_name", "k8s.namespace.name", "PodNamespace"), oneOf(m, "pod", "pod_name", "k8s.pod.name", "PodName"),
			oneOf(m, "container", "container_name", "k8s.container.name"),
		} {
			val := []string{storeNamespace, storePod, storeContainer}[i]
			all = append(all, field{append(slices.Clone(path[:len(path)-1]), m.name(0, label)), func(entry, int) any { return val }})
		}
	}
	others := m.others(log)
	for range m.r.IntN(8) {
		all = append(all, field{
			at(m.name(40, "id", "level", "severity", "start_time", "ingested_at", "created", "summary", "description", "source", "host",
				"labels", "trace", "expires", "seq", "note", "kind", "cluster", "service", "agent", "version", "tag", "size", "title")),
			oneOf(m, others...),
		})
	}
	m.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// record is an object with the fields of one entry.
func record(fields []field, e entry, i int) object {
	var o object
	for _, f := range fields {
		o = o.put(f.path, f.of(e, i))
	}
	return o
}

func (o object) put(path []string, val any) object {
	if len(path) == 1 {
		return append(o, member{path[0], val})
	}
	for i := range o {
		if inner, ok := o[i].val.(object); ok && o[i].key == path[0] {
			o[i].val = inner.put(path[1:], val)
			return o
		}
	}
	return append(o, member{path[0], object{}.put(path[1:], val)})
}

// write makes up a schema and writes a log in it. what describes it.
func (m *schemaMaker) write(log []entry) (data []byte, what string) {
	kind := oneOf(m, "lines", "array", "pretty array", "body", "pretty body", "tuples", "streams", "pairs", "csv", "csv")
	if m.chance(45) {
		log = backward(log)
		kind += ", newest first"
	}
	flat := strings.HasPrefix(kind, "csv") || strings.HasPrefix(kind, "tuples") || strings.HasPrefix(kind, "pairs")
	fields := m.fields(log, flat)
	for _, f := range fields {
		what += " " + strings.Join(f.path, ".")
	}
	what = kind + what
	records := make([]any, len(log))
	for i, e := range log {
		records[i] = record(fields, e, i)
	}
	kind, _, _ = strings.Cut(kind, ",")
	switch kind {
	case "lines":
		return jsonLines(records, func(r any) any { return r }), what
	case "array":
		return jsonOf(records), what
	case "pretty array":
		return prettyOf(records), what
	case "csv":
		return m.csv(fields, log), what
	case "pairs":
		for i, r := range records {
			var pairs []any
			for _, v := range r.(object) {
				pairs = append(pairs, object{{"field", v.key}, {"value", v.val}})
			}
			records[i] = pairs
		}
	case "tuples":
		for i, r := range records {
			var tuple []any
			for _, v := range r.(object) {
				tuple = append(tuple, v.val)
			}
			records[i] = tuple
		}
	}
	if kind == "streams" { // the labels lie around the records, before or behind them
		stream := object{{m.name(30, "values", "rows", "lines"), records}}
		labels := member{m.name(30, "stream", "metric", "tags"), storeLabels}
		if stream = append(stream, labels); m.chance(50) {
			slices.Reverse(stream)
		}
		records = []any{object{{"stream", object{{"pod", "idle-0"}}}, {stream[0].key, []any{}}}, stream}
	}
	var body any = object{{m.name(30, "hits", "entries", "results", "rows", "values"), records}, {"next", nil}}
	if m.chance(50) {
		body = object{{"status", "ok"}, {"count", len(log)}, {m.name(30, "payload", "answer", "response"), body}, {"took", 3}}
	}
	if kind == "pretty body" {
		return prettyOf(body), what
	}
	return jsonOf(body), what
}

func (m *schemaMaker) csv(fields []field, log []entry) []byte {
	var columns []string
	for _, f := range fields {
		columns = append(columns, strings.Join(f.path, "."))
	}
	i := -1
	data := csvOf(oneOf(m, ',', ',', ';', '\t'), columns, log, func(e entry) []string {
		var row []string
		i++
		for _, f := range fields {
			v := f.of(e, i)
			if v == nil {
				v = ""
			}
			row = append(row, fmt.Sprint(v))
		}
		return row
	})
	if m.chance(30) {
		data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
	}
	if m.chance(30) {
		data = append([]byte("\ufeff"), data...)
	}
	return data
}

// shapesRight is how many of so many made-up schemas say what the pod log says, with the others.
func shapesRight(t *testing.T, seed uint64, shapes int) (right int, wrong []string) {
	logs := storeLogs(t)
	dir := t.TempDir()
	want := make(map[string][]string)
	for name, log := range logs {
		want[name], _ = saidOf(t, dir, name+".log", criLog(log))
		if len(want[name]) == 0 {
			t.Fatalf("%s: the pod log itself says nothing", name)
		}
	}
	for i := range uint64(shapes) {
		m := &schemaMaker{rand.New(rand.NewPCG(seed, i)), map[string]bool{}}
		name := oneOf(m, "founding", "crash", "loop")
		log := logs[name]
		if m.chance(35) {
			log = joined(log)
		}
		data, what := m.write(log)
		got, r := saidOf(t, dir, "export", data)
		if slices.Equal(got, want[name]) {
			right++
			continue
		}
		wrong = append(wrong, fmt.Sprintf("%d: %s as %s: %q, want %q; %+v", i, name, what, got, want[name], r.Skipped))
		if len(r.Dumps) > 0 && r.Dumps[0].Goroutines == 1 && name == "founding" {
			t.Errorf("schema %d makes a dump of one goroutine", i)
		}
	}
	return right, wrong
}

func TestMadeUpRecordsSayWhatThePodLogSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	shapes := 200
	if triage.RaceDetector {
		shapes = 20
	}
	for _, seed := range []uint64{1, 20261122} {
		right, wrong := shapesRight(t, seed, shapes)
		t.Logf("seed %d: %d of %d\n%s", seed, right, shapes, strings.Join(wrong, "\n"))
		if right*100 < 98*shapes {
			t.Errorf("seed %d: %d of %d schemas are right", seed, right, shapes)
		}
	}
}
