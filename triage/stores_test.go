package triage_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// An entry is one line of a container's log, or a text of several lines that a program logged at once.
type entry struct {
	at   time.Time
	text string
}

const (
	storeNamespace = "harbor-system"
	storePod       = "harbor-controller-5c9d8f7b6-x2x7k"
	storeContainer = "controller"
)

// foundingEntries are the lines of the founding pod log, as far as its first 200 goroutines.
func foundingEntries(t testing.TB) []entry {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "testdata", "pods", "*", "*", "1.log"))
	if err != nil || len(names) != 1 {
		t.Fatalf("no pod log: %v", err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	var all []entry
	for line := range strings.Lines(string(data)) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
		at, err := time.Parse(time.RFC3339Nano, f[0])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, entry{at, f[3]})
	}
	return all[:goroutineEnd(all, 200)]
}

// goroutineEnd is where a log's n-th goroutine ends.
func goroutineEnd(log []entry, n int) int {
	for i, e := range log {
		if strings.HasPrefix(e.text, "goroutine ") {
			if n--; n < 0 {
				return i
			}
		}
	}
	return len(log)
}

// klogLine is a line that klog writes.
func klogLine(at time.Time, level byte, text string) entry {
	return entry{at, fmt.Sprintf("%c%s       1 controller.go:115] %s", level, at.Format("0102 15:04:05.000000"), text)}
}

// crashEntries are a log that ends in a panic.
func crashEntries(t testing.TB) []entry {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "dumps", "go1.26", "crash-nil-map.txt"))
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 21, 2, 14, 10, 75742130, time.UTC)
	var all []entry
	for i := range 200 {
		at = at.Add(time.Duration(3+i%7) * 41 * time.Millisecond)
		all = append(all, klogLine(at, 'I', fmt.Sprintf(`"Synced" item="shop/order-%d" duration="%dms"`, i, 3+i%11)))
	}
	for line := range strings.Lines(string(data)) {
		at = at.Add(137 * time.Microsecond)
		all = append(all, entry{at, strings.TrimSuffix(line, "\n")})
	}
	return all
}

// loopEntries are a log without a dump: one object is reconciled again and again.
func loopEntries(testing.TB) []entry {
	at := time.Date(2026, 11, 21, 2, 14, 10, 75742130, time.UTC)
	r := rand.New(rand.NewPCG(7, 7))
	var all []entry
	for range 1500 {
		at = at.Add(time.Duration(550+r.IntN(300)) * time.Millisecond)
		all = append(all, klogLine(at, 'I', fmt.Sprintf(`"Reconciling" controller="bundle" namespace="fleet-local" `+
			`name="web" reconcileID="%08x"`, r.Uint32())))
	}
	return all
}

// joined makes one record of the traceback that a log ends in, as a program does that logs it in one call.
func joined(log []entry) []entry {
	i := slices.IndexFunc(log, func(e entry) bool {
		return strings.HasPrefix(e.text, "SIGABRT") || strings.HasPrefix(e.text, "panic:")
	})
	if i < 0 {
		return log
	}
	var text []string
	for _, e := range log[i:] {
		text = append(text, e.text)
	}
	return append(slices.Clone(log[:i]), entry{log[i].at, strings.Join(text, "\n")})
}

// milliseconds cuts the times: what a program prints at once has one then.
func milliseconds(log []entry) []entry {
	out := slices.Clone(log)
	for i := range out {
		out[i].at = out[i].at.Truncate(time.Millisecond)
	}
	return out
}

func backward(log []entry) []entry {
	out := slices.Clone(log)
	slices.Reverse(out)
	return out
}

// criLog writes a log as the container runtime does.
func criLog(log []entry) []byte {
	var b bytes.Buffer
	for _, e := range log {
		for line := range strings.SplitSeq(e.text, "\n") {
			fmt.Fprintf(&b, "%s stderr F %s\n", e.at.Format(time.RFC3339Nano), line)
		}
	}
	return b.Bytes()
}

// A member is one of a JSON object, whose members keep their order.
type member struct {
	key string
	val any
}

type object []member

// appendJSON appends v, quicker than encoding/json, which looks at what a MarshalJSON returns again and again.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case object:
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(append(appendJSON(b, m.key), ':'), m.val)
		}
		return append(b, '}')
	case []any:
		b = append(b, '[')
		for i, e := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, e)
		}
		return append(b, ']')
	}
	leaf, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(b, leaf...)
}

func jsonOf(v any) []byte { return appendJSON(nil, v) }

func prettyOf(v any) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, jsonOf(v), "", "  "); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func jsonLines[T any](log []T, record func(T) any) []byte {
	var b bytes.Buffer
	for _, e := range log {
		b.Write(append(jsonOf(record(e)), '\n'))
	}
	return b.Bytes()
}

func listOf[T any](log []T, record func(T) any) []any {
	var all []any
	for _, e := range log {
		all = append(all, record(e))
	}
	return all
}

func csvOf(comma rune, columns []string, log []entry, row func(entry) []string) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = comma
	if err := w.Write(columns); err != nil {
		panic(err)
	}
	for _, e := range log {
		if err := w.Write(row(e)); err != nil {
			panic(err)
		}
	}
	w.Flush()
	return b.Bytes()
}

func nanos(e entry) string { return fmt.Sprint(e.at.UnixNano()) }

func rfc3339(e entry) string { return e.at.Format(time.RFC3339Nano) }

// storeLabels are those of the pod.
var storeLabels = object{{"namespace", storeNamespace}, {"pod", storePod}, {"container", storeContainer}}

// said is what a report says: all that must not differ between a log and its exports.
func said(r *schema.Report) []string {
	var all []string
	for _, f := range r.Findings {
		all = append(all, fmt.Sprint(f.Rule, " ", f.Severity, " ", f.Confidence, " ", f.Title, " ", f.Culprit.Function, " ",
			f.Culprit.Line, " ", f.Count))
	}
	for _, d := range r.Dumps {
		all = append(all, fmt.Sprint(d.Format, " ", d.Goroutines, " ", len(d.Buckets), " ", d.Truncated))
	}
	return all
}

// saidOf is what triage says of a file with that content.
func saidOf(t testing.TB, dir, name string, data []byte) ([]string, *schema.Report) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	return said(r), r
}

// storeLogs are the logs that are exported, by name.
func storeLogs(t testing.TB) map[string][]entry {
	return map[string][]entry{"founding": foundingEntries(t), "crash": crashEntries(t), "loop": loopEntries(t)}
}

// No store's export says anything else than the log that the kubelet has.
func TestExportsOfLogStoresSayWhatThePodLogSays(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	dir := t.TempDir()
	for name, log := range storeLogs(t) {
		want, plain := saidOf(t, dir, name+".log", criLog(log))
		if len(plain.Findings) == 0 {
			t.Fatalf("%s: the pod log itself says nothing", name)
		}
		for i, s := range storeShapes {
			if triage.RaceDetector && i%5 != 0 {
				continue
			}
			check := func(variant string, log []entry) {
				got, r := saidOf(t, dir, "export", s.write(log))
				if !slices.Equal(got, want) {
					t.Errorf("%s of %s%s: %q, want %q, %+v, %+v", s.name, name, variant, got, want, r.Inputs, r.Skipped)
				}
			}
			check("", log)
			check(", joined", joined(log))
			if !s.backward {
				check(", in milliseconds", milliseconds(log))
			}
		}
	}
}
