// Package promtest has fleets of processes for tests, and answers about them as Prometheus does; only tests import it.
package promtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Proc is a process as its metrics show it. Values are those at the beginning of the window, in the middle and now;
// NaN where there is none.
type Proc struct {
	Labels                    map[string]string // job, instance, namespace, pod, …
	Goroutines, Cores, Memory [3]float64
	Restarts                  int
	LateKube                  bool // kube-state-metrics was installed in the middle of the window
	Down                      bool
	Error                     string
	ScrapeURL                 string
	Discovered                map[string]string
}

// Flat is a value that stays.
func Flat(v float64) [3]float64 { return [3]float64{v, v, v} }

// A Server answers queries of triage about processes, by the metric that a query names.
type Server struct {
	Procs   []Proc
	NoKube  bool // there is no kube-state-metrics
	Trouble func(w http.ResponseWriter, r *http.Request) bool

	mu    sync.Mutex
	asked []string
}

// Asked returns the queries so far, and the paths of other requests.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

type series struct {
	Metric map[string]string `json:"metric"`
	Value  [2]any            `json:"value"`
}

func vector(all []series) any {
	return map[string]any{"status": "success", "data": map[string]any{"resultType": "vector", "result": all,
		"stats": map[string]any{"timings": map[string]any{"evalTotalTime": 0.25},
			"samples": map[string]any{"totalQueryableSamples": 1000}}}}
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.FormValue("query")
	s.mu.Lock()
	s.asked = append(s.asked, q+strings.TrimPrefix(r.URL.Path, "/api/v1/query"))
	s.mu.Unlock()
	if s.Trouble != nil && s.Trouble(w, r) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	all := []series{}
	add := func(p *Proc, at string, v float64) {
		m := maps.Clone(p.Labels)
		if at != "" {
			m["at"] = at
		}
		all = append(all, series{m, [2]any{1.0, strconv.FormatFloat(v, 'g', -1, 64)}})
	}
	of := func(values func(*Proc) [3]float64) {
		for i, at := range []string{"before", "mid", "now"} {
			for j := range s.Procs {
				if v := values(&s.Procs[j])[i]; !math.IsNaN(v) {
					add(&s.Procs[j], at, v)
				}
			}
		}
	}
	switch {
	case r.URL.Path == "/api/v1/targets":
		_ = json.NewEncoder(w).Encode(s.targets())
		return
	case r.URL.Path != "/api/v1/query":
		http.NotFound(w, r)
		return
	case strings.Contains(q, "process_resident_memory_bytes"):
		of(func(p *Proc) [3]float64 { return p.Memory })
	case strings.Contains(q, "kube_pod_container_status_restarts_total"):
		for i := range s.Procs {
			if p := &s.Procs[i]; p.Restarts > 0 && s.NoKube {
				add(p, "start", float64(p.Restarts))
			} else if p.Restarts > 0 {
				add(p, "kube", float64(p.Restarts))
			}
		}
	case strings.Contains(q, "process_cpu_seconds_total"):
		of(func(p *Proc) [3]float64 { return p.Cores })
	case strings.Contains(q, "(up{"):
		for i := range s.Procs {
			if p := &s.Procs[i]; p.Down {
				add(p, "", 0)
			}
		}
	default:
		of(func(p *Proc) [3]float64 { return p.Goroutines })
	}
	_ = json.NewEncoder(w).Encode(vector(all))
}

func (s *Server) targets() any {
	active := []any{}
	for i := range s.Procs {
		p := &s.Procs[i]
		health := "up"
		if p.Down {
			health = "down"
		}
		active = append(active, map[string]any{"labels": p.Labels, "scrapeUrl": p.ScrapeURL, "health": health,
			"lastError": p.Error, "discoveredLabels": p.Discovered})
	}
	return map[string]any{"status": "success", "data": map[string]any{"activeTargets": active}}
}

// step is how often OpenMetrics has a sample.
const step = 30 * time.Second

// OpenMetrics writes the fleet's history as promtool tsdb create-blocks-from openmetrics reads it: up to now, and as
// long before the window as rates need.
func OpenMetrics(w io.Writer, all []Proc, now time.Time, window time.Duration) {
	for _, m := range []struct {
		name, kind string
		value      func(*Proc, time.Time) float64
	}{
		{"go_goroutines", "gauge", func(p *Proc, t time.Time) float64 { return at(p.Goroutines, now, window, t) }},
		{"process_resident_memory_bytes", "gauge",
			func(p *Proc, t time.Time) float64 { return at(p.Memory, now, window, t) }},
		// The clock of the node is set in the middle of the window.
		{"process_start_time_seconds", "gauge", func(p *Proc, t time.Time) float64 {
			started := at(p.Goroutines, now, window, t)*0 + 1e9
			if now.Sub(t) > window/2 {
				started++
			}
			return started
		}},
		{"kube_pod_container_status_restarts", "counter",
			func(p *Proc, t time.Time) float64 {
				if p.LateKube && now.Sub(t) > window/2 {
					return math.NaN()
				}
				return 7 + float64(p.restarts(now, window, t))
			}},
		{"up", "gauge", func(p *Proc, t time.Time) float64 {
			if p.Down && now.Sub(t) < 10*time.Minute {
				return 0
			}
			return 1
		}},
	} {
		_, _ = fmt.Fprintf(w, "# TYPE %s %s\n", m.name, m.kind)
		for i := range all {
			all[i].write(w, m.name+suffix(m.kind), now, window, m.value)
		}
	}
	_, _ = fmt.Fprintln(w, "# TYPE process_cpu_seconds counter")
	for i := range all {
		total, restarts := 0.0, 0
		all[i].write(w, "process_cpu_seconds_total", now, window, func(p *Proc, t time.Time) float64 {
			c := at(p.Cores, now, window, t)
			if n := p.restarts(now, window, t); n > restarts {
				total, restarts = 0, n
			}
			if !math.IsNaN(c) {
				total += c * step.Seconds()
			}
			return total + c*0
		})
	}
	_, _ = fmt.Fprintln(w, "# EOF")
}

func suffix(kind string) string {
	if kind == "counter" {
		return "_total"
	}
	return ""
}

// write writes one series.
func (p *Proc) write(
	w io.Writer, name string, now time.Time, window time.Duration, value func(*Proc, time.Time) float64,
) {
	var labels []string
	for _, k := range slices.Sorted(maps.Keys(p.Labels)) {
		if strings.HasPrefix(name, "kube_") && (k == "job" || k == "instance") {
			continue
		}
		labels = append(labels, k+"="+strconv.Quote(p.Labels[k]))
	}
	for t := now.Add(-window - 20*time.Minute).Truncate(step); !t.After(now); t = t.Add(step) {
		if v := value(p, t); !math.IsNaN(v) {
			_, _ = fmt.Fprintf(w, "%s{%s} %g %d\n", name, strings.Join(labels, ","), v, t.Unix())
		}
	}
}

// restarts are those up to a time: spread over the window, away from its ends.
func (p *Proc) restarts(now time.Time, window time.Duration, t time.Time) int {
	n := 0
	for i := range p.Restarts {
		if !t.Before(now.Add(-window + window*time.Duration(i+1)/time.Duration(p.Restarts+1))) {
			n++
		}
	}
	return n
}

// at is a value at a time, between the three that are known.
func at(v [3]float64, now time.Time, window time.Duration, t time.Time) float64 {
	x := 2 - 2*now.Sub(t).Seconds()/window.Seconds()
	switch {
	case x > 1.5 && math.IsNaN(v[1]): // it has started since
		return v[2]
	case x <= 0:
		return v[0]
	case x < 1:
		return v[0] + (v[1]-v[0])*x
	}
	return v[1] + (v[2]-v[1])*(min(x, 2)-1)
}
