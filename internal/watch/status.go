package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// A Status is what a watch shows of itself over HTTP: at /healthz whether its rounds go on, at /metrics numbers in
// Prometheus' text format. A nil Status keeps nothing.
type Status struct {
	mu                       sync.Mutex
	stale                    time.Duration // a round that is longer ago is unhealthy
	rounds, failures, alarms int
	began, last              time.Time // the start, and the end of the last round
	processes                []Process
}

// NewStatus is the status of a watch whose rounds begin so often. It may miss three of them, and five minutes besides,
// which a full capture may take.
func NewStatus(interval time.Duration) *Status {
	return &Status{stale: 3*interval + 5*time.Minute, began: time.Now()}
}

func (s *Status) sampled(now time.Time, processes []Process) {
	s.update(func() { s.rounds, s.last, s.processes = s.rounds+1, now, processes })
}

func (s *Status) failed(now time.Time) {
	s.update(func() { s.rounds, s.failures, s.last, s.processes = s.rounds+1, s.failures+1, now, nil })
}

func (s *Status) alarmed() { s.update(func() { s.alarms++ }) }

func (s *Status) update(change func()) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// ServeHTTP answers /healthz and /metrics.
func (s *Status) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	switch r.URL.Path {
	case "/healthz":
		latest := s.began
		if s.last.After(latest) {
			latest = s.last
		}
		if ago := time.Since(latest); ago > s.stale {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = fmt.Fprintf(w, "the last round ended %s ago\n", ago.Round(time.Second))
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	case "/metrics":
		_, _ = w.Write(s.metrics())
	default:
		http.NotFound(w, r)
	}
}

// labelEscapes are those of a label's value in the text format
// (https://prometheus.io/docs/instrumenting/exposition_formats).
var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

// metrics writes the text format. Prometheus' client library would add a tenth to the binary (2.9 MB, measured).
func (s *Status) metrics() []byte {
	var b bytes.Buffer
	family := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP triage_watch_%s %s\n# TYPE triage_watch_%[1]s %s\n", name, help, kind)
	}
	for _, c := range []struct {
		name, help string
		value      int
	}{
		{"rounds_total", "Rounds, including those that failed.", s.rounds},
		{"failures_total", "Rounds without a sample.", s.failures},
		{"alarms_total", "Full captures, each caused by a limit, a restart or an alarm.", s.alarms},
	} {
		family(c.name, "counter", c.help)
		fmt.Fprintf(&b, "triage_watch_%s %d\n", c.name, c.value)
	}
	for m := range measureOf {
		family(measureOf[m].metric, "gauge", measureOf[m].help)
		for _, p := range s.processes {
			if math.IsNaN(p.Values[m]) {
				continue
			}
			fmt.Fprintf(&b, "triage_watch_%s{process=\"%s\"} %g\n", measureOf[m].metric, labelEscapes.Replace(p.Name),
				p.Values[m])
		}
	}
	return b.Bytes()
}

// Listen serves the status at an address until the context ends. The returned address has the port that was chosen, if
// the given one is 0.
func (s *Status) Listen(ctx context.Context, address string) (string, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return "", usage("--listen :8080", "serving the status: %w", err)
	}
	server := &http.Server{Handler: s, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second,
		MaxHeaderBytes: 16 << 10}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			_ = l.Close() // the health check fails then
		}
	}()
	return l.Addr().String(), nil
}
