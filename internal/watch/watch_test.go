package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A lab watches a server of profiles. What its rounds see is what a test says, and a minute passes between them.
type lab struct {
	o      Options
	said   []string
	alarms []Alarm
	stop   context.CancelFunc
}

// sight is what one round sees.
type sight struct {
	goroutines int
	finding    string
	gone       bool // nothing is served
}

// newLab returns a lab that ends after the given rounds.
func newLab(t *testing.T, rounds ...sight) (*lab, context.Context) {
	t.Helper()
	mux := http.NewServeMux()
	var gone atomic.Bool
	mux.HandleFunc("/debug/pprof/heap", func(w http.ResponseWriter, r *http.Request) {
		if gone.Load() {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		pprof.Handler("heap").ServeHTTP(w, r)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	target, err := fetch.ParseTarget(s.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l, plan, now, round := &lab{stop: cancel}, fetch.Plan{Only: []string{fetch.ItemHeap}}, time.Unix(1_800_000_000, 0),
		0
	l.o = Options{
		Capture: fetch.Options{Target: target, Out: filepath.Join(t.TempDir(), "watched"), Plan: plan}, Sample: plan,
		Interval: time.Minute, Keep: 2,
		Read: func(_ context.Context, captures []string) (*schema.Report, error) {
			see, newest := rounds[round], captures[len(captures)-1]
			r := schema.New("")
			r.Dumps = []schema.Dump{{Input: filepath.Join(newest, "goroutine-1.txt"), Goroutines: see.goroutines}}
			if see.finding != "" {
				r.Findings = []rules.Finding{{Title: see.finding, Severity: rules.High, Fingerprint: see.finding}}
			}
			return r, nil
		},
		Alarms: func(*rules.Finding) bool { return true },
		Write: func(_ context.Context, _ []string, name string) (string, []string, error) {
			return "the headline", []string{name + ".html"}, os.WriteFile(name+".html", nil, 0o600)
		},
		Notify: []func(context.Context, Alarm) error{func(_ context.Context, a Alarm) error {
			l.alarms = append(l.alarms, a)
			return nil
		}},
		Events: func(e fetch.Event) {
			if e.Kind == fetch.EventRound {
				l.said = append(l.said, e.Text)
			}
		},
		clock: fetch.Clock{
			Now: func() time.Time { return now },
			Wait: func(context.Context, time.Duration) error {
				now = now.Add(time.Minute)
				if round++; round == len(rounds) {
					cancel()
					return ctx.Err()
				}
				gone.Store(rounds[round].gone)
				return nil
			},
		},
	}
	return l, ctx
}

func TestAReasonIsCapturedOnceWhileItLasts(t *testing.T) {
	calm, many := sight{goroutines: 10}, sight{goroutines: 101}
	minutes := slices.Repeat([]sight{calm}, 10)
	for name, c := range map[string]struct {
		rounds []sight
		want   []string // the reasons of each alarm
	}{
		"calm":             {[]sight{calm, calm}, nil},
		"the limit itself": {[]sight{{goroutines: 100}}, nil},
		"a limit":          {[]sight{calm, many, many}, []string{"101 goroutines, limit 100 goroutines"}},
		"passed again": {slices.Concat([]sight{many}, minutes, []sight{many}),
			[]string{"101 goroutines, limit 100 goroutines", "101 goroutines, limit 100 goroutines"}},
		"passed again soon": {[]sight{many, calm, many}, []string{"101 goroutines, limit 100 goroutines"}},
		"a finding":         {[]sight{{finding: "stuck"}, {finding: "stuck"}}, []string{"high: stuck"}},
		"another one meanwhile": {slices.Concat([]sight{many}, slices.Repeat([]sight{{goroutines: 101,
			finding: "stuck"}}, 10)),
			[]string{"101 goroutines, limit 100 goroutines", "high: stuck"}},
	} {
		t.Run(name, func(t *testing.T) {
			l, ctx := newLab(t, c.rounds...)
			l.o.Limits = []Limit{{goroutines, 100}}
			res, err := Run(ctx, l.o)
			if err != nil || !res.Interrupted || res.Alarms != len(c.want) {
				t.Fatalf("%+v, %v", res, err)
			}
			for i, a := range l.alarms {
				if reasons := strings.Join(a.Reasons, "; "); !strings.HasSuffix(reasons, c.want[i]) ||
					!strings.HasPrefix(a.Text, "the headline\n") {
					t.Errorf("%+v, want %q", a, c.want[i])
				}
			}
		})
	}
}

func TestTheLastCapturesAreKeptWithTheirReports(t *testing.T) {
	var rounds []sight
	for i := range 41 {
		rounds = append(rounds, sight{finding: fmt.Sprint("f", i/10)}) // a new one every ten minutes
	}
	l, ctx := newLab(t, rounds...)
	l.o.Capture.Out = filepath.Join(t.TempDir(), "[a[1]*") // no pattern of files
	res, err := Run(ctx, l.o)
	if err != nil || res.Alarms != 5 {
		t.Fatalf("%+v, %v", res, err)
	}
	var names []string
	entries, err := os.ReadDir(res.Path)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{"000040", "000041", "alarm-000031", "alarm-000031.html", "alarm-000041", "alarm-000041.html"}
	if err != nil || !slices.Equal(names, want) || len(res.Captures) != 4 {
		t.Errorf("%v, %v", names, res.Captures)
	}
}

func TestAWatchContinuesTheFolderOfAFormerOne(t *testing.T) {
	l, ctx := newLab(t, sight{}, sight{finding: "stuck"})
	if _, err := Run(ctx, l.o); err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(l.o.Capture.Out, "000007")
	if err := os.Symlink("/etc", foreign); err != nil {
		t.Skip(err)
	}
	if _, err := Run(ctx, l.o); err == nil || !strings.Contains(err.Error(), "is not the folder of a watch") {
		t.Errorf("a symbolic link that the watch did not make: %v", err)
	}
	if err := os.Remove(foreign); err != nil {
		t.Fatal(err)
	}
	half := filepath.Join(l.o.Capture.Out, ".000003.17.tmp")
	if err := os.Mkdir(half, 0o700); err != nil {
		t.Fatal(err)
	}
	next, ctx := newLab(t, sight{})
	next.o.Capture.Out = l.o.Capture.Out
	res, err := Run(ctx, next.o)
	var names []string
	for _, c := range res.Captures {
		names = append(names, filepath.Base(c))
	}
	if err != nil || !slices.Equal(names, []string{"000002", "000003", "alarm-000002"}) {
		t.Errorf("%q, %v", names, err)
	}
	if _, err := os.Stat(half); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half a capture is left: %v", err)
	}
}

func TestAWatchGoesOnWhereALaterSampleFails(t *testing.T) {
	l, ctx := newLab(t, sight{goroutines: 1}, sight{}, sight{goroutines: 3})
	l.o.Limits = []Limit{{goroutines, 9}, {heap, 1}}
	good := l.o.Capture.Target
	l.o.Status = NewStatus(time.Minute)
	read, rounds := l.o.Read, 0
	l.o.Read = func(ctx context.Context, captures []string) (*schema.Report, error) {
		if rounds++; rounds == 3 { // each round reads its sample and all of them
			return nil, &fetch.Error{Err: errors.New("restarting")}
		}
		return read(ctx, captures)
	}
	res, err := Run(ctx, l.o)
	target := good.String() + ": "
	want := []string{target + "1 goroutine", "the limit on heap can't be checked: the sample does not show it",
		"report failed: restarting", target + "3 goroutines (+2)"}
	if err != nil || len(res.Captures) != 2 || !slices.Equal(l.said, want) {
		t.Errorf("%q, %v, %v", l.said, res.Captures, err)
	}
}

func TestAWatchWhoseFirstSampleFailsLeavesNothing(t *testing.T) {
	l, ctx := newLab(t, sight{})
	l.o.Sample.Only = []string{fetch.ItemGoroutine} // which is not served
	_, err := Run(ctx, l.o)
	if _, ok := errors.AsType[*fetch.Error](err); !ok {
		t.Error(err)
	}
	if _, err := os.Stat(l.o.Capture.Out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is there: %v", l.o.Capture.Out, err)
	}
	l.o.Patient = true
	if _, err := Run(ctx, l.o); err != nil || len(l.said) != 1 || !strings.HasPrefix(l.said[0], "sample failed: ") {
		t.Errorf("%v, %q", err, l.said)
	}
}

func TestAnAlarmIsPassedOnThoughTheCaptureOrItsReportFails(t *testing.T) {
	l, ctx := newLab(t, slices.Repeat([]sight{{goroutines: 101}}, 12)...)
	l.o.Limits = []Limit{{goroutines, 100}}
	l.o.Capture.Plan = fetch.Plan{Only: []string{fetch.ItemGoroutine}} // which is not served: the process hangs
	res, err := Run(ctx, l.o)
	if err != nil || res.Alarms != 0 || len(l.alarms) != 2 || l.alarms[0].Capture != "" ||
		!strings.HasPrefix(l.alarms[0].Text, "no report: ") {
		t.Errorf("once every ten minutes: %+v, %v, %+v", res, err, l.alarms)
	}
	full := errors.New("no space left on device")
	l, ctx = newLab(t, sight{finding: "stuck"})
	l.o.Write = func(context.Context, []string, string) (string, []string, error) { return "", nil, full }
	if _, err := Run(ctx, l.o); !errors.Is(err, full) || len(l.alarms) != 1 || !strings.HasSuffix(l.alarms[0].Capture,
		"alarm-000001") {
		t.Errorf("%v, %+v", err, l.alarms)
	}
}

func TestAProcessThatIsGoneForThreeRoundsIsAnAlarm(t *testing.T) {
	here, gone := sight{goroutines: 1}, sight{gone: true}
	for name, c := range map[string]struct {
		rounds []sight
		want   int
	}{
		"gone":            {[]sight{here, gone, gone, gone, gone, gone}, 1},
		"starts again":    {[]sight{here, gone, gone, here, gone, gone}, 0},
		"was never there": {[]sight{gone, gone, gone, gone}, 0},
	} {
		l, ctx := newLab(t, c.rounds...)
		l.o.Patient = true
		if c.rounds[0].gone {
			l.o.Sample.Only = []string{fetch.ItemGoroutine} // which is not served
		}
		if _, err := Run(ctx, l.o); err != nil || len(l.alarms) != c.want {
			t.Errorf("%s: %v, %+v", name, err, l.alarms)
		}
		for _, a := range l.alarms {
			if len(a.Reasons) != 1 || !strings.HasSuffix(a.Reasons[0], ": 3 samples in a row failed") {
				t.Errorf("%s: %q", name, a.Reasons)
			}
		}
	}
}

func TestTextOfALogCallsNobodyInAChat(t *testing.T) {
	const hostile = "panic: <!channel> @here [log in](http://192.0.2.1)"
	l, ctx := newLab(t, sight{finding: hostile})
	if _, err := Run(ctx, l.o); err != nil || len(l.alarms) != 1 {
		t.Fatalf("%v, %+v", err, l.alarms)
	}
	if a := l.alarms[0]; strings.ContainsAny(a.Text, "<>@") || strings.Contains(a.Text, "](") ||
		a.Reasons[0] != "high: "+hostile {
		t.Errorf("%+v", a)
	}
}

func TestAContainerThatRestartsIsAReason(t *testing.T) {
	w := &watch{seen: map[string]bool{}}
	sample := func(restarts int) *fetch.Result {
		return &fetch.Result{Manifest: fetch.Manifest{Pods: []fetch.ManifestPod{{Namespace: "shop", Name: "web",
			Restarts: restarts}}}}
	}
	const restarted = "shop/web: the container has restarted"
	for _, c := range []struct {
		restarts int
		captured bool
		want     string
	}{{3, false, ""}, {4, false, restarted}, {4, true, restarted}, {4, false, ""}, {5, true, restarted}, {0, false, ""},
		{1, true, restarted}} {
		got := ""
		for _, r := range w.reasons(nil, sample(c.restarts), schema.New("")) {
			got += r.text
			w.seen[r.key] = c.captured
		}
		if got != c.want {
			t.Errorf("%d restarts: %q, want %q", c.restarts, got, c.want)
		}
	}
}

func TestAWatchThatCannotBeFollowedIsRefused(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"keeps nothing":              func(o *Options) { o.Keep = 0 },
		"samples without a pause":    func(o *Options) { o.Interval = 0 },
		"an archive":                 func(o *Options) { o.Capture.Out += ".zip" },
		"a file":                     func(o *Options) { o.Capture.Out = os.Args[0] },
		"a folder of something else": func(o *Options) { o.Capture.Out = filepath.Dir(os.Args[0]) },
	} {
		l, ctx := newLab(t, sight{})
		change(&l.o)
		_, err := Run(ctx, l.o)
		if e, ok := errors.AsType[*fetch.Error](err); !ok || !e.Usage || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheStatusIsReadAsPrometheusDoes(t *testing.T) {
	s := NewStatus(time.Minute)
	s.sampled(time.Now(), []Process{{Name: "shop/\"web\"\n", Values: [measures]float64{1e6, 1.5, 2 << 30}}})
	s.alarmed()
	got := map[string]float64{}
	for _, line := range strings.Split(get(s, "/metrics").Body.String(), "\n") {
		if name, value, ok := strings.Cut(line, " "); ok && !strings.HasPrefix(line, "#") {
			var v float64
			if _, err := fmt.Sscan(value, &v); err != nil {
				t.Errorf("%q: %v", line, err)
			}
			got[name] = v
		}
	}
	label := `{process="shop/\"web\"\n"}`
	for name, want := range map[string]float64{"rounds_total": 1, "failures_total": 0, "alarms_total": 1, "goroutines" +
		label: 1e6, "cpu_cores" + label: 1.5, "heap_bytes" + label: 2 << 30} {
		if v, ok := got["triage_watch_"+name]; !ok || v != want {
			t.Errorf("%s is %v, want %v of %v", name, v, want, got)
		}
	}
}

func TestAWatchIsUnhealthyWhereItsRoundsEnd(t *testing.T) {
	s := NewStatus(time.Minute)
	if code := get(s, "/healthz").Code; code != http.StatusOK {
		t.Errorf("at the start: %d", code)
	}
	s.began = time.Now().Add(-9 * time.Minute)
	if code := get(s, "/healthz").Code; code != http.StatusServiceUnavailable {
		t.Errorf("no round in nine minutes: %d", code)
	}
	s.failed(time.Now())
	if code := get(s, "/healthz").Code; code != http.StatusOK {
		t.Errorf("a process that can't be reached is no fault of the watch: %d", code)
	}
	if code := get(s, "/").Code; code != http.StatusNotFound {
		t.Errorf("another page: %d", code)
	}
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestAWebhookGetsTheAlarmAndItsErrorsKeepTheURL(t *testing.T) {
	var got Alarm
	status := http.StatusNoContent
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.Method != http.MethodPost {
			t.Error(r.Method, err)
		}
		w.Header().Set("Location", "/login") // of a redirect
		w.WriteHeader(status)
	}))
	notify, err := Webhook(s.URL + "/hooks/hunter2")
	if err != nil {
		t.Fatal(err)
	}
	if err := notify(t.Context(), Alarm{Text: "stuck"}); err != nil || got.Text != "stuck" {
		t.Errorf("%+v, %v", got, err)
	}
	status = http.StatusFound
	if err := notify(t.Context(), Alarm{}); err == nil || !strings.Contains(err.Error(), "302") {
		t.Errorf("a redirect, which would hide that nobody got the alarm: %v", err)
	}
	status = http.StatusForbidden
	if err := notify(t.Context(), Alarm{}); err == nil || !strings.Contains(err.Error(), "403") ||
		strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	s.Close()
	if err := notify(t.Context(), Alarm{}); err == nil || !strings.Contains(err.Error(), "refused") ||
		strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
}

func TestALimitIsReadOrRefused(t *testing.T) {
	size := func(string) (int64, error) { return 2 << 30, nil }
	for text, want := range map[string]Limit{"goroutines=10000": {goroutines, 10_000}, "cores=1.5": {cores, 1.5},
		"heap=2GiB": {heap, 2 << 30}} {
		if l, err := ParseLimit(text, size); err != nil || l != want {
			t.Errorf("%s: %v, %v", text, l, err)
		}
	}
	for _, text := range []string{"", "cores", "cores=", "cores=NaN", "cores=Inf", "cores=-1", "threads=3"} {
		if l, err := ParseLimit(text, size); err == nil {
			t.Errorf("%q is %v", text, l)
		}
	}
}
