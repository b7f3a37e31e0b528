package prometheus_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/internal/fetch/promtest"
	"github.com/gotriage/triage/internal/prometheus"
)

// ask asks a server about the last hour.
func ask(t *testing.T, s *promtest.Server, change func(*prometheus.Options)) (*prometheus.Population, error) {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	o := prometheus.Options{Server: srv.URL, Window: time.Hour}
	if change != nil {
		change(&o)
	}
	return prometheus.Ask(t.Context(), o)
}

func proc(labels map[string]string) promtest.Proc {
	return promtest.Proc{Labels: labels, Goroutines: [3]float64{1, 2, 3}, Cores: promtest.Flat(0.5),
		Memory: promtest.Flat(1e6), ScrapeURL: "http://10.0.0.1:8080/metrics"}
}

func pod(name string) map[string]string {
	return map[string]string{"namespace": "shop", "pod": name, "job": "web", "instance": "10.0.0.1:8080",
		"container": "app"}
}

func TestAProcessHasItsValuesRestartsPortAndError(t *testing.T) {
	old := proc(map[string]string{"kubernetes_namespace": "shop", "kubernetes_pod_name": "old-1", "job": "pods",
		"instance": "10.0.0.2:9090"})
	down := proc(pod("web-1"))
	down.Goroutines, down.Down, down.Error = [3]float64{7, 7, math.NaN()}, true, "connection refused"
	down.Discovered = map[string]string{"__meta_kubernetes_pod_annotation_pyroscope_io_port": "6060"}
	again := proc(pod("web-2"))
	again.Restarts = 3
	for _, noKube := range []bool{false, true} {
		p, err := ask(t, &promtest.Server{Procs: []promtest.Proc{old, down, again}, NoKube: noKube}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range p.Processes {
			got = append(got, fmt.Sprintf("%s/%s %v %v down=%v %s port=%d restarts=%d %s", x.Namespace, x.Pod, x.Goroutines,
				x.Cores.Now, x.Down, x.LastError, x.PprofPort, x.Restarts, x.ScrapeURL))
		}
		want := []string{
			"shop/old-1 {3 2 1} 0.5 down=false  port=0 restarts=0 http://10.0.0.1:8080/metrics",
			"shop/web-1 {NaN 7 7} 0.5 down=true connection refused port=6060 restarts=0 http://10.0.0.1:8080/metrics",
			"shop/web-2 {3 2 1} 0.5 down=false  port=0 restarts=3 http://10.0.0.1:8080/metrics",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("without kube-state-metrics %v: %s", noKube, diff)
		}
		if p.Cost.Queries != 5 || p.Cost.Samples != 5000 || p.Cost.Seconds != 1.25 || len(p.Notes) > 0 {
			t.Errorf("cost %+v, notes %q", p.Cost, p.Notes)
		}
	}
}

func TestAPodOfWhichAnotherPortIsScrapedIsNotDown(t *testing.T) {
	other := proc(pod("web-1"))
	other.Labels["instance"], other.Down, other.Error = "10.0.0.1:9113", true, "connection refused"
	other.Goroutines = promtest.Flat(math.NaN())
	p, err := ask(t, &promtest.Server{Procs: []promtest.Proc{proc(pod("web-1")), other}}, nil)
	if err != nil || len(p.Processes) != 1 || p.Processes[0].Down || p.Processes[0].LastError != "" {
		t.Errorf("%+v, %v", p.Processes, err)
	}
}

func TestAnErrorOfAScrapeShowsNoQueryOfItsURL(t *testing.T) {
	down := proc(pod("web-1"))
	down.Goroutines, down.Down = [3]float64{7, 7, math.NaN()}, true
	down.Error = `Get "http://10.0.0.1:8080/metrics?token=hunter2&x=y": connection refused`
	p, err := ask(t, &promtest.Server{Procs: []promtest.Proc{down}}, nil)
	want := `Get "http://10.0.0.1:8080/metrics?…": connection refused`
	if err != nil || p.Processes[0].LastError != want {
		t.Errorf("%+v, %v", p.Processes[0], err)
	}
}

func TestATokenThatAnybodyOnTheWayCanReadIsNoted(t *testing.T) {
	srv := httptest.NewServer(&promtest.Server{Procs: []promtest.Proc{proc(pod("web-1"))}})
	defer srv.Close()
	proxy, err := fetch.ParseProxy(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	for server, want := range map[string]bool{"http://prometheus.example.com:9090": true, srv.URL: false} {
		var said []string
		_, err := prometheus.Ask(t.Context(), prometheus.Options{Server: server, Window: time.Hour,
			Access: fetch.Access{BearerToken: "hunter2hunter2", Proxy: proxy},
			Events: func(e fetch.Event) { said = append(said, e.Text) }})
		if text := strings.Join(said, "\n"); err != nil || want != strings.Contains(text, "unencrypted") {
			t.Errorf("%s: %s, %v", server, text, err)
		}
	}
}

func TestProcessesOfOtherNamespacesAreLeftOut(t *testing.T) {
	other, none := pod("db-1"), map[string]string{"job": "web", "instance": "10.0.0.9:80"}
	other["namespace"] = "data"
	s := &promtest.Server{Procs: []promtest.Proc{proc(pod("web-1")), proc(other), proc(none)}}
	p, err := ask(t, s, func(o *prometheus.Options) { o.Namespace, o.Query = "shop", `env="prod"` })
	if err != nil || len(p.Processes) != 1 || p.Processes[0].Pod != "web-1" {
		t.Errorf("%d processes, %v", len(p.Processes), err)
	}
	for _, q := range s.Asked()[:4] {
		if !strings.Contains(q, `namespace=~"shop|", kubernetes_namespace=~"shop|", env="prod"`) {
			t.Errorf("a query does not select: %s", q)
		}
	}
}

func TestAServerThatGivesNothingOfUseIsAnErrorWithAHint(t *testing.T) {
	says := func(kind, text string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(text))
			return true
		}
	}
	status := func(code int, text string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			_, _ = w.Write([]byte(text))
			return true
		}
	}
	endless := func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = w.Write([]byte(`{"status":"success","data":{"result":[`))
		for text := []byte(strings.Repeat(`{"metric":{},"value":[1,"1"]},`, 1000)); r.Context().Err() == nil; {
			if _, err := w.Write(text); err != nil {
				break
			}
		}
		return true
	}
	const isJSON = "application/json"
	for name, c := range map[string]struct {
		trouble func(http.ResponseWriter, *http.Request) bool
		want    string
		hint    string
	}{
		"no metrics":   {says(isJSON, `{"data":{"result":[]}}`), "none of the selected targets", "right Prometheus"},
		"no JSON":      {says(isJSON, "hello"), "not in the format of the Prometheus API", "the path before /api/v1"},
		"cut off":      {says(isJSON, `{"data":{"result":[{"metric":{"pod":"a`), "not in the format", "path"},
		"another JSON": {says(isJSON, `{"data":{"result":"many"}}`), "not in the format", "path"},
		"a list":       {says(isJSON, `[]`), "not in the format", "path"},
		"no data":      {says(isJSON, `{"status":"success"}`), "not in the format", "path"},
		"a web page":   {says("text/html", "<html>log in</html>"), "a web page", "credentials"},
		"refuses":      {status(401, ""), "401", "--bearer-token-file"},
		"not there":    {status(404, ""), "404", "path before its API"},
		"bad query":    {status(400, `{"error":"1:32: parse error: unexpected identifier"}`), "parse error", "--query"},
		"too much":     {status(422, `{"error":"query would load too many samples"}`), "too many samples", "-n"},
		"endless":      {endless, "larger than 32 MiB", "--query"},
		"redirects": {func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://192.0.2.1/api/v1/query", http.StatusFound)
			return true
		}, "must not get the credentials", "address"},
		"never answers": {func(_ http.ResponseWriter, r *http.Request) bool {
			<-r.Context().Done()
			return true
		}, "time", "--timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t, &promtest.Server{Trouble: c.trouble}, func(o *prometheus.Options) {
				o.Access.BearerToken = "hunter2hunter2"
				if name == "never answers" {
					o.Timeout = 50 * time.Millisecond
				}
			})
			e, ok := errors.AsType[*fetch.Error](err)
			if !ok || !strings.Contains(e.Error(), c.want) || !strings.Contains(e.Hint, c.hint) ||
				strings.Contains(e.Error()+e.Hint, "hunter2") {
				t.Errorf("%v, want %q and a hint with %q", err, c.want, c.hint)
			}
		})
	}
}

// TestABusyServerIsAskedAgain waits for a second between two requests, as users do.
func TestABusyServerIsAskedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a second")
	}
	n, said := 0, []string{}
	s := &promtest.Server{Procs: []promtest.Proc{proc(pod("web-1"))}}
	s.Trouble = func(w http.ResponseWriter, _ *http.Request) bool {
		if n++; n == 1 {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return n == 1
	}
	p, err := ask(t, s, func(o *prometheus.Options) {
		o.Events = func(e fetch.Event) { said = append(said, e.Text) }
	})
	if err != nil || len(p.Processes) != 1 || len(said) != 2 || !strings.Contains(said[1], "429") {
		t.Errorf("%v after %q", err, said)
	}
}

func TestAPrometheusWithoutTheseMetricsHasAnErrorOfItsOwn(t *testing.T) {
	bare := proc(pod("web-1"))
	bare.Goroutines = promtest.Flat(math.NaN())
	_, err := ask(t, &promtest.Server{Procs: []promtest.Proc{bare}}, func(o *prometheus.Options) { o.Namespace = "shop" })
	e, ok := errors.AsType[*fetch.Error](err)
	if !ok || !errors.Is(err, prometheus.ErrNothing) ||
		!strings.Contains(e.Error(), "none of the selected targets has go_goroutines") ||
		!strings.Contains(e.Hint, "NewGoCollector") || !strings.Contains(e.Hint, "-n") {
		t.Errorf("%v", err)
	}
}

func TestWhatIsBeyondABoundIsNoted(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 60,300 series")
	}
	long := pod("web-1")
	long["instance"] = strings.Repeat("x", 301)
	var all []promtest.Proc
	for i := range 20_100 { // with three values each
		p := proc(pod(fmt.Sprintf("web-%d", i)))
		p.Goroutines = promtest.Flat(1)
		all = append(all, p)
	}
	for name, c := range map[string]struct {
		procs []promtest.Proc
		want  string
	}{
		"a long label": {[]promtest.Proc{proc(long), proc(pod("web-2"))}, "with a label of more than 300 bytes"},
		"many series":  {all, "more than 60000 series"},
	} {
		p, err := ask(t, &promtest.Server{Procs: c.procs}, nil)
		if err != nil || !strings.Contains(strings.Join(p.Notes, "\n"), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestTargetsThatAreNotGivenAreNoted(t *testing.T) {
	s := &promtest.Server{Procs: []promtest.Proc{proc(pod("web-1"))}}
	s.Trouble = func(w http.ResponseWriter, r *http.Request) bool { // as Mimir, which has none
		if strings.HasSuffix(r.URL.Path, "/targets") {
			http.NotFound(w, r)
			return true
		}
		return false
	}
	p, err := ask(t, s, nil)
	if err != nil || len(p.Processes) != 1 || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "404") {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestAQueryThatIsTooMuchForTheServerCostsNoOther(t *testing.T) {
	s := &promtest.Server{Procs: []promtest.Proc{proc(pod("web-1"))}}
	s.Trouble = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.FormValue("query"), "resets(") {
			http.Error(w, "too many samples", http.StatusUnprocessableEntity)
			return true
		}
		return false
	}
	p, err := ask(t, s, nil)
	if err != nil || len(p.Processes) != 1 || len(p.Notes) != 1 ||
		!strings.HasPrefix(p.Notes[0], "the number of restarts is unknown: ") ||
		!strings.Contains(p.Notes[0], "too many samples") {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestAHistoryThatIsTooShortIsNoted(t *testing.T) {
	p := proc(pod("web-1"))
	p.Goroutines[0] = math.NaN()
	got, err := ask(t, &promtest.Server{Procs: []promtest.Proc{p}}, nil)
	if err != nil || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "no values from 60 minutes earlier") {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzAnswers gives a server's answers: none may crash or hang triage.
func FuzzAnswers(f *testing.F) {
	f.Add(`{"data":{"resultType":"vector","result":[{"metric":{"pod":"a"},"value":[1,"2"]}],"stats":{}}}`)
	f.Add(`{"data":{"activeTargets":[{"labels":{},"scrapeUrl":"http://a"}],"result":[]}}`)
	f.Add(`{"data":{"result":[[]]`)
	f.Fuzz(func(t *testing.T, text string) {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(text))
		}))
		defer srv.Close()
		p, err := prometheus.Ask(t.Context(), prometheus.Options{Server: srv.URL, Window: time.Hour})
		if (err == nil) != (p != nil) {
			t.Errorf("%v, %v", p, err)
		}
	})
}
