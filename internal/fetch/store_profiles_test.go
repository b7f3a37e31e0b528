package fetch

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/gotriage/triage/internal/fetch/storetest"
	"github.com/gotriage/triage/profile"
)

// The hour of a test, and the types of Go profiles as the agents of both stores name them.
var hourEnd = time.Date(2026, 11, 29, 13, 0, 0, 0, time.UTC)

const (
	shop      = `{service_name="shop"}`
	cpuType   = "process_cpu:cpu:nanoseconds:cpu:nanoseconds"
	heapType  = "memory:inuse_space:bytes:space:bytes"
	mutexType = "mutex:delay:nanoseconds:contentions:count"
	stateType = "goroutine:goroutine:count:goroutine:count"
)

// profileOf is a profile of one value in one function.
func profileOf(t testing.TB, sample, unit string, value int64, lasted time.Duration) []byte {
	t.Helper()
	fn := &pprof.Function{ID: 1, Name: "main.work", SystemName: "main.work", Filename: "main.go"}
	loc := &pprof.Location{ID: 1, Line: []pprof.Line{{Function: fn, Line: 7}}}
	p := &pprof.Profile{SampleType: []*pprof.ValueType{{Type: sample, Unit: unit}}, DurationNanos: int64(lasted),
		Sample:   []*pprof.Sample{{Location: []*pprof.Location{loc}, Value: []int64{value}}},
		Location: []*pprof.Location{loc}, Function: []*pprof.Function{fn}}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// id is a type of a store: Parca marks what was measured since the profile before.
func id(scheme, of string) string {
	if scheme == "parca" && of != heapType && of != stateType {
		return of + ":delta"
	}
	return of
}

func profilesOptions(t *testing.T, scheme string, s *storetest.Server, kinds ...string) StoreOptions {
	t.Helper()
	u, err := url.Parse(server(t, s).URL)
	if err != nil {
		t.Fatal(err)
	}
	store, err := ParseStore(scheme + "://" + u.Host)
	if err != nil {
		t.Fatal(err)
	}
	return StoreOptions{Store: store, Query: shop, From: hourEnd.Add(-time.Hour), To: hourEnd, Profiles: kinds,
		Out: filepath.Join(t.TempDir(), "capture"), clock: instant()}
}

// kept is a profile of a capture.
func kept(t *testing.T, res *Result, name string) *profile.Profile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(res.Path, name+".pb"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func everyStore(t *testing.T, test func(t *testing.T, scheme string)) {
	for _, scheme := range []string{"pyroscope", "parca"} {
		t.Run(scheme, func(t *testing.T) { test(t, scheme) })
	}
}

func TestAStoreOfProfilesGivesTheSumOfATimeEvenIfItFailsAtFirst(t *testing.T) {
	everyStore(t, func(t *testing.T, scheme string) {
		s := &storetest.Server{Trouble: func(w http.ResponseWriter, _ *http.Request, n int64) bool {
			switch n % 3 {
			case 1:
				w.Header().Set("Content-Length", "100000")
				_, _ = w.Write([]byte("half an answer")) // the connection ends
			case 2:
				http.Error(w, "slow down", http.StatusTooManyRequests)
			}
			return n%3 != 0
		}}
		for i, at := range []time.Duration{-61, -60, -30, -30, 0, 1} { // minutes; the first and the last are outside
			s.Stored = append(s.Stored, storetest.Stored{Type: id(scheme, cpuType), Selector: shop,
				At:      hourEnd.Add(at * time.Minute),
				Profile: profileOf(t, "cpu", "nanoseconds", 1e9<<i, 0)})
		}
		s.Stored = append(s.Stored, storetest.Stored{Type: id(scheme, cpuType), Selector: `{service_name="other"}`,
			At: hourEnd, Profile: profileOf(t, "cpu", "nanoseconds", 1, 0)})
		res, err := CaptureStore(t.Context(), profilesOptions(t, scheme, s))
		if err != nil {
			t.Fatal(err)
		}
		p := kept(t, res, "cpu")
		if want := int64(1e9 * (2 + 4 + 8 + 16)); p.Total() != want || p.Kind != profile.KindCPU {
			t.Errorf("%s profile of %d ns, want %d", p.Kind, p.Total(), want)
		}
		if p.Duration != time.Hour || len(res.Manifest.Items) != 1 || s.Asked() != 2*3 {
			t.Errorf("a profile of %s after %d requests, %+v", p.Duration, s.Asked(), res.Manifest.Items)
		}
	})
}

// What a store knows of the duration counts more than the time that it was asked for.
func TestADurationIsAddedOnlyWhereThereIsNone(t *testing.T) {
	everyStore(t, func(t *testing.T, scheme string) {
		for lasted, want := range map[time.Duration]time.Duration{0: time.Hour, time.Minute: time.Minute} {
			s := &storetest.Server{Stored: []storetest.Stored{{Type: id(scheme, cpuType), Selector: shop, At: hourEnd,
				Profile: profileOf(t, "cpu", "nanoseconds", 1e9, lasted)}}}
			res, err := CaptureStore(t.Context(), profilesOptions(t, scheme, s))
			if err != nil {
				t.Fatal(err)
			}
			file, err := os.ReadFile(filepath.Join(res.Path, "cpu.pb"))
			if err != nil {
				t.Fatal(err)
			}
			reference, err := pprof.ParseData(file)
			if err != nil || reference.DurationNanos != int64(want) || kept(t, res, "cpu").Duration != want {
				t.Errorf("%s: %v, %s, %v", lasted, reference, kept(t, res, "cpu").Duration, err)
			}
		}
	})
}

// Two processes send their state every 15 s, 2 s one after the other. They did so last some time before the end.
func TestOfAStateTheLastProfileOfEachProcessCounts(t *testing.T) {
	everyStore(t, func(t *testing.T, scheme string) {
		for _, ago := range []time.Duration{0, 3 * time.Second, 14 * time.Second, 100 * time.Second, 41 * time.Minute} {
			s := &storetest.Server{}
			for i := range 60 {
				at := hourEnd.Add(-ago - time.Duration(i)*15*time.Second)
				for pod := range 2 {
					s.Stored = append(s.Stored,
						storetest.Stored{Type: id(scheme, heapType), Selector: shop,
							At:      at.Add(-2 * time.Second * time.Duration(pod)),
							Profile: profileOf(t, "inuse_space", "bytes", int64(1000+i), 0)},
						storetest.Stored{Type: id(scheme, stateType), Selector: shop,
							At:      at.Add(-2 * time.Second * time.Duration(pod)),
							Profile: profileOf(t, "goroutine", "count", int64(10+i), 0)})
				}
			}
			res, err := CaptureStore(t.Context(), profilesOptions(t, scheme, s, "heap", "goroutine"))
			if err != nil {
				t.Fatalf("%s: %v", ago, err)
			}
			// Of a process that is profiled every 15 s, one profile at most is in 5 s: both processes, or one.
			if n := kept(t, res, "heap").Total(); n != 2000 && n != 1000 {
				t.Errorf("%s: a heap of %d bytes", ago, n)
			}
			if n := kept(t, res, "goroutine").Total(); n != 20 && n != 10 {
				t.Errorf("%s: %d goroutines", ago, n)
			}
			if s.Asked() > 1+2*24 {
				t.Errorf("%s: %d requests", ago, s.Asked())
			}
			for _, it := range res.Manifest.Items {
				if !strings.HasPrefix(it.Note, "covers only processes that were profiled in the 5s before 2026-11-29T1") {
					t.Errorf("%s: %q", ago, it.Note)
				}
			}
		}
	})
}

// Parca has the profiles of what a process has allocated and waited for since it began, as the process serves them.
func TestWhatParcaDoesNotMarkAsDeltaIsAState(t *testing.T) {
	s := &storetest.Server{}
	for i := range 10 {
		for _, of := range []string{mutexType, mutexType + ":delta"}[:1+i%2] {
			s.Stored = append(s.Stored, storetest.Stored{Type: of, Selector: shop,
				At: hourEnd.Add(-10 * time.Minute * time.Duration(i)), Profile: profileOf(t, "delay", "nanoseconds", 100, 0)})
		}
	}
	for stored, want := range map[*storetest.Server]int64{
		s: 300, // three deltas, which are preferred
		{Stored: slices.DeleteFunc(slices.Clone(s.Stored), func(p storetest.Stored) bool {
			return strings.HasSuffix(p.Type, ":delta")
		})}: 100,
	} {
		res, err := CaptureStore(t.Context(), profilesOptions(t, "parca", stored, "mutex"))
		if err != nil {
			t.Fatal(err)
		}
		if n := kept(t, res, "mutex").Total(); n != want {
			t.Errorf("%d ns, want %d", n, want)
		}
	}
}

func TestAllIsWhatTheStoreHasAndWhatIsMissingIsNamed(t *testing.T) {
	everyStore(t, func(t *testing.T, scheme string) {
		s := &storetest.Server{Stored: []storetest.Stored{
			{Type: id(scheme, cpuType), Selector: shop, At: hourEnd, Profile: profileOf(t, "cpu", "nanoseconds", 1e9, 0)},
			{Type: id(scheme, heapType), Selector: shop, At: hourEnd, Profile: profileOf(t, "inuse_space", "bytes", 1, 0)},
			{Type: "wall:samples:count:wallclock:nanoseconds", Selector: shop, At: hourEnd},
			{Type: "broken", Selector: shop, At: hourEnd},
		}}
		if scheme == "parca" {
			s.Stored = s.Stored[:3]
		}
		for asked, want := range map[string]string{
			"":           "cpu.pb",
			"all":        "cpu.pb heap.pb",
			"heap,block": "heap.pb the store has no block profiles",
			"block":      "the store has no block profiles",
		} {
			var kinds []string
			if asked != "" {
				kinds = strings.Split(asked, ",")
			}
			res, err := CaptureStore(t.Context(), profilesOptions(t, scheme, s, kinds...))
			var got []string
			if err != nil {
				got = append(got, err.Error())
			} else {
				for _, it := range res.Manifest.Items {
					got = append(got, it.File+it.Error)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%q: %q, want %q", asked, got, want)
			}
			if e, ok := errors.AsType[*Error](err); err != nil && (!ok || !strings.Contains(e.Hint, id(scheme, cpuType))) {
				t.Errorf("%q: %+v", asked, err)
			}
		}
	})
}

func TestAHostileStoreOfProfilesIsReportedAndLeavesNothing(t *testing.T) {
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	for zeros := make([]byte, 1<<20); bomb.Len() < 300_000; {
		_, _ = w.Write(zeros)
	}
	_ = w.Close()
	type answer = func(http.ResponseWriter, *http.Request)
	says := func(kind, text string) answer {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(text))
		}
	}
	pprofOf := func(data []byte) string { return `{"pprof":"` + base64.StdEncoding.EncodeToString(data) + `"}` }
	for name, c := range map[string]struct {
		scheme string // "" for both
		after  int64  // this answer
		answer answer
		want   string
	}{
		"endless": {"", 2, func(w http.ResponseWriter, r *http.Request) {
			for zeros := make([]byte, 1<<16); r.Context().Err() == nil; {
				if _, err := w.Write(zeros); err != nil {
					break
				}
			}
		}, "or than --max-bytes"},
		"a bomb":          {"pyroscope", 2, says("application/proto", bomb.String()), "more than 64 MiB"},
		"a bomb in JSON":  {"parca", 2, says("application/json", pprofOf(bomb.Bytes())), "more than 64 MiB"},
		"no protobuf":     {"pyroscope", 2, says("application/proto", "\xff\xff\xff"), "not in this store's format"},
		"no profile":      {"parca", 2, says("application/json", pprofOf([]byte("\xff\xff"))), "not in this store's format"},
		"no base64":       {"parca", 2, says("application/json", `{"pprof":"***"}`), "not in this store's format"},
		"another report":  {"parca", 2, says("application/json", `{"flamegraph":{}}`), "not in this store's format"},
		"no types":        {"", 1, says("application/json", `{}`), "no cpu profiles"},
		"types of others": {"", 1, says("application/json", `[1,2]`), "not in this store's format"},
		"a page":          {"", 1, says("text/html", "<html>"), "a web page"},
		"nothing":         {"pyroscope", 2, says("application/proto", ""), "no cpu profiles match"},
		"refuses": {"", 1, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"code":"unauthenticated","message":"no org id in\n` + "\x1b[2J" + ` hunter2hunter2"}`))
		}, "401"},
		"elsewhere": {"", 2, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusTemporaryRedirect)
		}, "redirected"},
		"is down": {"", 2, func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "starting", http.StatusServiceUnavailable)
		}, "503"},
		"never ends": {"", 2, func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // before that a server doesn't see that its client is gone
			<-r.Context().Done()
		}, "the time limit for the whole capture has passed (--timeout)"},
		"a gigabyte": {"", 2, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000000000")
			for zeros := make([]byte, 1<<20); ; {
				if _, err := w.Write(zeros); err != nil {
					break
				}
			}
		}, "the answer is larger than 64 MiB (8 MiB from Parca) or than --max-bytes"},
	} {
		everyStore(t, func(t *testing.T, scheme string) {
			if c.scheme != "" && c.scheme != scheme {
				return
			}
			s := &storetest.Server{Stored: []storetest.Stored{{Type: id(scheme, cpuType), Selector: shop, At: hourEnd}},
				Trouble: func(w http.ResponseWriter, r *http.Request, n int64) bool {
					if n >= c.after {
						c.answer(w, r)
					}
					return n >= c.after
				}}
			o := profilesOptions(t, scheme, s)
			switch name {
			case "never ends":
				o.Limits.Timeout = 50 * time.Millisecond
			case "a gigabyte": // with the bounds that a user has
			default:
				o.Limits.MaxBytes = 1 << 20
			}
			o.Access.BearerToken = "hunter2hunter2"
			_, err := CaptureStore(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				strings.Contains(fmt.Sprint(err), "hunter2") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			if e, ok := errors.AsType[*Error](err); !ok || e.Hint == "" && name != "is down" {
				t.Errorf("%s: no hint: %v", name, err)
			}
			if left, err := os.ReadDir(filepath.Dir(o.Out)); err != nil || len(left) > 0 {
				t.Errorf("%s: %v is left, %v", name, left, err)
			}
		})
	}
}

func TestOptionsOfTheOtherKindOfStoresAreRefused(t *testing.T) {
	s := &storetest.Server{}
	for name, change := range map[string]func(*StoreOptions){
		"no program":    func(o *StoreOptions) { o.Query = "" },
		"all programs":  func(o *StoreOptions) { o.Query = " { } " },
		"no selector":   func(o *StoreOptions) { o.Query = "shop" },
		"lines":         func(o *StoreOptions) { o.MaxEntries = 1 },
		"another kind":  func(o *StoreOptions) { o.Profiles = []string{"memory"} },
		"no time":       func(o *StoreOptions) { o.From = o.To },
		"logs profiles": func(o *StoreOptions) { o.Store.kind = storeKinds["loki"] },
	} {
		o := profilesOptions(t, "pyroscope", s, "cpu")
		change(&o)
		_, err := CaptureStore(t.Context(), o)
		if e, ok := errors.AsType[*Error](err); !ok || !e.Usage || e.Hint == "" || s.Asked() > 0 {
			t.Errorf("%s: %v after %d requests", name, err, s.Asked())
		}
	}
}

// testdata/gen/profilestore checks the file against the message of Pyroscope's own module.
func TestTheRequestIsTheOneInTestdata(t *testing.T) {
	want, err := os.ReadFile("testdata/select-merge-profile.pb")
	if err != nil {
		t.Fatal(err)
	}
	got := selectMerge(cpuType, `{service_name="shop", pod=~"web-.*"}`, time.UnixMilli(1_764_417_600_000),
		time.UnixMilli(1_764_421_200_000))
	if !bytes.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
