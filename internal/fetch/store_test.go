package fetch

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A record is a line of a store.
type record struct {
	stream string // the id, or a pod's name
	at     time.Time
	text   string
}

// A fakeStore answers as VictoriaLogs and Loki do. Before each answer trouble may answer instead.
type fakeStore struct {
	records []record
	trouble func(w http.ResponseWriter, r *http.Request, n int) bool // n counts the requests, from 1
	asked   int
}

func (f *fakeStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.asked++; f.trouble != nil && f.trouble(w, r, f.asked) {
		return
	}
	q := r.URL.Query()
	nanos := func(name string) time.Time {
		n, _ := strconv.ParseInt(q.Get(name), 10, 64)
		return time.Unix(0, n)
	}
	var in []record
	for _, rec := range f.records {
		if !rec.at.Before(nanos("start")) && rec.at.Before(nanos("end")) {
			in = append(in, rec)
		}
	}
	slices.SortStableFunc(in, func(a, b record) int { return a.at.Compare(b.at) })
	traceback := regexp.MustCompile(aTraceback)
	query := q.Get("query")
	switch r.URL.Path {
	case "/logs/select/logsql/hits":
		_, _ = fmt.Fprintf(w, `{"hits":[{"fields":{},"total":%d}]}`, len(in))
	case "/logs/select/logsql/query":
		if strings.Contains(query, "| stats by") {
			for _, rec := range in {
				if traceback.MatchString(rec.text) {
					_, _ = fmt.Fprintf(w, `{"_stream_id":%q,"_time":%q,"n":"1"}`+"\n", rec.stream,
						rec.at.Format(time.RFC3339Nano))
				}
			}
			return
		}
		for _, rec := range in {
			if strings.HasPrefix(query, "_stream_id:"+rec.stream+" ") {
				_ = json.NewEncoder(w).Encode(map[string]string{"_time": rec.at.Format(time.RFC3339Nano),
					"_msg": rec.text})
			}
		}
	case "/logs/loki/api/v1/index/stats":
		_, _ = fmt.Fprintf(w, `{"streams":2,"bytes":100,"entries":%d}`, len(in))
	case "/logs/loki/api/v1/query_range":
		limit, _ := strconv.Atoi(q.Get("limit"))
		streams := map[string][][2]string{}
		n := 0
		for _, rec := range in {
			selected := strings.Contains(query, strconv.Quote(rec.stream)) || strings.HasPrefix(query, "{job")
			if n < limit && selected && (!strings.Contains(query, "|~") || traceback.MatchString(rec.text)) {
				streams[rec.stream] = append(streams[rec.stream], [2]string{strconv.FormatInt(rec.at.UnixNano(), 10),
					rec.text})
				n++
			}
		}
		result := []any{}
		for pod, values := range streams {
			result = append(result, map[string]any{"stream": map[string]string{"pod": pod}, "values": values})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": "success",
			"data": map[string]any{"resultType": "streams", "result": result}})
	default:
		http.NotFound(w, r)
	}
}

const streamA, streamB = "0000000000000000aaaaaaaaaaaaaaaa", "0000000000000000bbbbbbbbbbbbbbbb"

// logs of two streams: one with a traceback of more lines than a page of Loki has, hours of other lines around it.
func logs() (all []record, dump []string) {
	begin := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	for i := range 240 {
		all = append(all, record{streamA, begin.Add(time.Duration(i) * time.Minute), fmt.Sprint("line ", i)},
			record{streamB, begin.Add(time.Duration(i) * time.Minute), fmt.Sprint("other ", i)})
	}
	at := begin.Add(2 * time.Hour).Add(time.Second)
	for i := range 6000 { // several at one time, also where a page ends
		text := fmt.Sprintf("goroutine %d [select]:", i)
		dump = append(dump, text)
		all = append(all, record{streamA, at.Add(time.Duration(i/7) * time.Microsecond), text})
	}
	return all, dump
}

func storeOptions(t *testing.T, scheme string, f *fakeStore) StoreOptions {
	t.Helper()
	u, err := url.Parse(server(t, f).URL)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseStore(scheme + "://" + u.Host + "/logs")
	if err != nil {
		t.Fatal(err)
	}
	return StoreOptions{Store: s, From: time.Date(2026, 11, 29, 7, 0, 0, 0, time.UTC), To: time.Date(2026, 11, 29, 13,
		0, 0, 0, time.UTC),
		Out: filepath.Join(t.TempDir(), "capture"), clock: instant()}
}

// taken are the messages in a file of a capture.
func taken(t *testing.T, file string) (all []string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var rec struct {
			Msg string `json:"_msg"`
		}
		if err := json.Unmarshal(sc.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		all = append(all, rec.Msg)
	}
	return all
}

func TestAStoreGivesTheLinesAroundTracebacksOnceEach(t *testing.T) {
	broken := func(w http.ResponseWriter, _ *http.Request, n int) bool {
		switch {
		case n%3 == 1:
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write([]byte(`{"_msg":"half an answer"}` + "\n")) // the connection ends
		case n%3 == 2:
			http.Error(w, "slow down", http.StatusTooManyRequests)
		}
		return n%3 != 0
	}
	for _, scheme := range []string{"victorialogs", "loki"} {
		for name, trouble := range map[string]func(http.ResponseWriter, *http.Request, int) bool{"well": nil,
			"broken": broken} {
			t.Run(scheme+" "+name, func(t *testing.T) {
				all, dump := logs()
				res, err := CaptureStore(t.Context(), storeOptions(t, scheme, &fakeStore{records: all,
					trouble: trouble}))
				if err != nil {
					t.Fatal(err)
				}
				got := taken(t, filepath.Join(res.Path, "0001.jsonl"))
				i := slices.Index(got, dump[0])
				if len(res.Manifest.Items) != 1 || i < 0 || i+len(dump) > len(got) || !slices.Equal(got[i:i+len(dump)],
					dump) {
					t.Fatalf("%d files, %d lines, the traceback at %d", len(res.Manifest.Items), len(got), i)
				}
				if others := len(got) - len(dump); others < 2 || others > 12 || slices.ContainsFunc(got,
					func(s string) bool { return strings.HasPrefix(s, "other") }) {
					t.Errorf("%d lines around it", others)
				}
			})
		}
	}
}

func TestAStoreThatCostsTooMuchIsNotSearched(t *testing.T) {
	all, _ := logs()
	for _, scheme := range []string{"victorialogs", "loki"} {
		f := &fakeStore{records: all}
		o := storeOptions(t, scheme, f)
		o.MaxEntries = 10
		_, err := CaptureStore(t.Context(), o)
		if e, ok := errors.AsType[*Error](err); !ok || !e.Usage || !strings.Contains(e.Error(),
			"more than --max-scan 10") || f.asked != 1 {
			t.Errorf("%s: %v after %d requests", scheme, err, f.asked)
		}
		if _, err := os.Stat(o.Out); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: something is left: %v", scheme, err)
		}
	}
}

func TestAHostileStoreIsReported(t *testing.T) {
	endless := func(w http.ResponseWriter, r *http.Request, _ int) bool {
		for line := []byte(strings.Repeat("x", 1<<16)); r.Context().Err() == nil; {
			if _, err := w.Write(line); err != nil {
				break
			}
		}
		return true
	}
	says := func(text string) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			_, _ = w.Write([]byte(text))
			return true
		}
	}
	find := func(text string) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, r *http.Request, n int) bool { return n > 1 && says(text)(w, r, n) }
	}
	for name, c := range map[string]struct {
		scheme  string
		trouble func(http.ResponseWriter, *http.Request, int) bool
		want    string
	}{
		"endless":      {"victorialogs", endless, "larger than"},
		"no JSON":      {"victorialogs", says("hello"), "not in this store's format"},
		"another JSON": {"loki", says(`{"entries":"many"}`), "not in this store's format"},
		"a stream as query": {"victorialogs", find(`{"_stream_id":"* | delete","_time":"2026-11-29T10:00:00Z"}`),
			"not in this store's format"},
		"a label as query": {"loki",
			find(`{"data":{"result":[{"stream":{"a=\"\"} or {b":"x"},"values":[["1","goroutine 1 [x]:"]]}]}}`),
			"not in this store's format"},
		"a time that is not": {"loki",
			find(`{"data":{"result":[{"stream":{"a":"x"},"values":[["soon","goroutine 1 [x]:"]]}]}}`),
			"not in this store's format"},
		"elsewhere": {"loki", func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
			return true
		}, "redirected"},
		"refuses": {"loki", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			http.Error(w, "no org id", http.StatusUnauthorized)
			return true
		}, "401"},
		"is down": {"loki", func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return true
		}, "503"},
		"backwards": {"loki", find(`{"data":{"result":[{"stream":{"a":"x"},"values":[["1","goroutine 1 [x]:"]]}]}}`),
			"not in this store's format"},
		"never ends": {"loki", func(_ http.ResponseWriter, r *http.Request, _ int) bool {
			<-r.Context().Done()
			return true
		}, "the time limit for the whole capture has passed (--timeout)"},
		"nothing there": {"loki", nil, "none of 0 lines belongs to a traceback"},
	} {
		t.Run(name, func(t *testing.T) {
			o := storeOptions(t, c.scheme, &fakeStore{trouble: c.trouble})
			if o.Limits.MaxBytes = 1 << 20; name == "never ends" {
				o.Limits.Timeout = 50 * time.Millisecond
			}
			o.Access.BearerToken = "hunter2hunter2"
			_, err := CaptureStore(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%v, want %q", err, c.want)
			}
			if e, ok := errors.AsType[*Error](err); !ok || e.Hint == "" && name != "is down" {
				t.Errorf("no hint: %v", err)
			}
		})
	}
}

// tracebacks are lines of as many streams.
func tracebacks(n int) (all []record) {
	for i := range n {
		all = append(all, record{fmt.Sprintf("%032x", i), time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC), "panic: " +
			strings.Repeat("x", 2700)})
	}
	return all
}

func TestACaptureOfAStoreEndsAndSaysWhatIsMissing(t *testing.T) {
	down := func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n > 3 { // after the cost, the search and one stream
			http.Error(w, "gone", http.StatusServiceUnavailable)
		}
		return n > 3
	}
	for name, c := range map[string]struct {
		trouble  func(http.ResponseWriter, *http.Request, int) bool
		maxBytes int64
		items    int
		want     string // of the last item
	}{
		"well":          {nil, 0, 50, ""},
		"goes down":     {down, 0, 5, "not read: 46 of 50; the last 3 failed"},
		"is very large": {nil, 6000, 36, "not read: 15 of 50; the capture has reached 16 times --max-bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			o := storeOptions(t, "victorialogs", &fakeStore{records: tracebacks(50), trouble: c.trouble})
			o.Limits.MaxBytes = c.maxBytes
			res, err := CaptureStore(t.Context(), o)
			if err != nil || len(res.Manifest.Items) != c.items ||
				!strings.HasSuffix(res.Manifest.Items[c.items-1].Error, c.want) {
				t.Fatalf("%d items, %v", len(res.Manifest.Items), err)
			}
		})
	}
}

// A bigStore is a store with a traceback in each of so many streams. It gives the first.
type bigStore int

func (c bigStore) entries(context.Context) (int64, error) { return int64(c), nil }

func (c bigStore) find(_ context.Context, found func(string, time.Time) error) (err error) {
	for i := 0; i < int(c) && err == nil; i++ {
		err = found(fmt.Sprint(i), time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC))
	}
	return err
}

func (c bigStore) pull(_ context.Context, w window, to *sink) error {
	if w.stream != "0" {
		return errAnswer
	}
	_, err := to.Write([]byte("{}"))
	return err
}

func TestMoreStreamsThanACaptureTakesAreNoted(t *testing.T) {
	for n, notes := range map[bigStore]int{maxWindows: 0, maxWindows + 1: 1} {
		o, said := storeOptions(t, "loki", &fakeStore{}), 0
		o.Store.kind.open = func(*storeRun) storeAPI { return n }
		o.Events = func(e Event) {
			if e.Kind == EventNote {
				said++
			}
		}
		res, err := CaptureStore(t.Context(), o)
		if err != nil || said != notes || len(res.Manifest.Notes) != notes {
			t.Errorf("%d streams: %d notes, %v", n, said, err)
		}
	}
}

func TestLongLinesOfLokiComeInSmallerPages(t *testing.T) {
	at, f := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC), &fakeStore{}
	for i := range 900 {
		f.records = append(f.records, record{"web-1", at.Add(time.Duration(i) * time.Millisecond), "panic: " +
			strings.Repeat("x", 2000)})
	}
	o := storeOptions(t, "loki", f)
	o.Limits.MaxBytes = 2 << 20 // of a file; a page of 500 lines fits, one of 5,000 does not
	if res, err := CaptureStore(t.Context(), o); err != nil || len(taken(t, filepath.Join(res.Path,
		"0001.jsonl"))) != 900 {
		t.Errorf("%+v, %v", res, err)
	}
}

// A page of Loki may be full of lines of one time: those beyond it are lost, those after it are not.
func TestMoreLinesAtOneTimeThanAPageHasEndNoCapture(t *testing.T) {
	at := time.Date(2026, 11, 29, 10, 0, 0, 0, time.UTC)
	f := &fakeStore{}
	for range lokiPage + 10 {
		f.records = append(f.records, record{"web-1", at, "panic: at once"})
	}
	f.records = append(f.records, record{"web-1", at.Add(time.Second), "goroutine 1 [running]:"})
	res, err := CaptureStore(t.Context(), storeOptions(t, "loki", f))
	if err != nil {
		t.Fatal(err)
	}
	if got := taken(t, filepath.Join(res.Path, "0001.jsonl")); len(got) != lokiPage+1 ||
		got[lokiPage] != "goroutine 1 [running]:" {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1])
	}
}

func TestAStoreIsReadOrRefused(t *testing.T) {
	for text, want := range map[string]string{
		"victorialogs://logs": "http://logs:9428", "loki://logs:80/tenant/": "http://logs:80/tenant",
		"loki+https://logs": "https://logs",
	} {
		if s, err := ParseStore(text); err != nil || s.base.String() != want {
			t.Errorf("%s: %v, %v", text, s.base, err)
		}
	}
	for _, text := range []string{"", "logs", "http://logs", "loki://", "loki://me:hunter2@logs", "loki://logs?query=x",
		"loki://%"} {
		_, err := ParseStore(text)
		if e, ok := errors.AsType[*Error](err); !ok || !e.Usage || e.Hint == "" || strings.Contains(cmp.Or(e.Error(),
			e.Hint), "hunter2") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTheCollectorMarksWhatASearchFinds(t *testing.T) {
	config, err := os.ReadFile("../../deploy/fleet/otel-collector.yaml")
	quoted := strings.ReplaceAll(aTraceback, `\`, `\\`)
	if err != nil || !strings.Contains(string(config), `"`+quoted+`"`) {
		t.Errorf("deploy/fleet/otel-collector.yaml does not have the pattern %s, %v", quoted, err)
	}
}
