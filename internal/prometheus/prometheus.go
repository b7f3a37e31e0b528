// Package prometheus asks a Prometheus about the Go processes that it scrapes: what they use now and used before, which
// were restarted, which targets are down, and where they are scraped.
package prometheus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what a server may answer. Chosen: ten times what 3,000 pods take.
const (
	maxAnswer  = 32 << 20 // bytes of a query's answer
	maxTargets = 64 << 20 // bytes of the list of targets, which has all that discovery knows
	maxRows    = 60_000   // series of an answer, targets
	maxLabel   = 300      // bytes of a label; names of Kubernetes have up to 253
	maxError   = 200      // bytes of a target's error that are kept
	// evalTimeout ends a query on the server before the client gives up.
	evalTimeout    = "25s"
	defaultTimeout = 3 * time.Minute
)

// MinWindow and MaxWindow bound Options.Window: rates need several scrapes, and servers keep two weeks by default.
const MinWindow, MaxWindow = 10 * time.Minute, 14 * 24 * time.Hour

// ErrNothing is the error where the server has no metrics of Go processes.
var ErrNothing = errors.New("no metrics of Go processes")

// Options are which processes to ask about, and how to reach the server.
type Options struct {
	Server    string // http://HOST:PORT, with the path before /api/v1
	Namespace string // "" for all
	Query     string // label matchers of PromQL, without braces
	Window    time.Duration
	Until     time.Time // zero for now
	Access    fetch.Access
	Timeout   time.Duration
	Version   string
	Events    func(fetch.Event)
}

// Points are a value now, in the middle of the window and at its beginning; NaN where the server has none.
type Points struct{ Now, Mid, Before float64 }

// Known reports whether there is a value now.
func (p Points) Known() bool { return !math.IsNaN(p.Now) }

// A Process is what the server knows about one process. Where no pod is known, its instance identifies it.
type Process struct {
	schema.SurveyName // without the workload and revision
	App               string

	Goroutines, Cores, Memory Points
	Restarts                  int // within the window
	Down                      bool
	LastError                 string // of its scrape
	ScrapeURL                 string
	PprofPort                 int // that an annotation or a port's name gives
}

// A Population is all that was answered.
type Population struct {
	Server    string
	Processes []*Process
	Notes     []string // what is missing, and why
	Cost      schema.SurveyCost
}

// An asker is one run of questions.
type asker struct {
	*fetch.Client
	o     Options
	p     *Population
	byKey map[schema.SurveyName]*Process
}

// Ask asks five queries and for the targets. Its error is ErrNothing or a *fetch.Error.
func Ask(ctx context.Context, o Options) (*Population, error) {
	c, err := fetch.NewClient(o.Server, o.Access, o.Version, o.Events)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	ctx, cancel := c.Within(ctx, cmp.Or(o.Timeout, defaultTimeout))
	defer cancel()
	a := &asker{Client: c, o: o, p: &Population{Server: c.Host()}, byKey: map[schema.SurveyName]*Process{}}
	a.plan()
	q := queriesOf(o)
	if err := a.query(ctx, q.goroutines, a.values(func(p *Process) *Points { return &p.Goroutines })); err != nil {
		return nil, err
	}
	if len(a.byKey) == 0 {
		return nil, &fetch.Error{Err: fmt.Errorf("%s: %w: none of the selected targets has go_goroutines", c.Host(),
			ErrNothing), Hint: "check -n, --query and whether it is the right Prometheus; " +
			"client_golang's default registry exports it; your own registry needs collectors.NewGoCollector"}
	}
	for _, more := range []struct {
		query, what string
		take        func(*row)
	}{
		{q.cores, "CPU", a.values(func(p *Process) *Points { return &p.Cores })},
		{q.memory, "memory", a.values(func(p *Process) *Points { return &p.Memory })},
		{q.down, "what is down", func(r *row) { // a pod of which one port is scraped and another can't be is up
			if p := a.process(&r.Metric); !p.Goroutines.Known() {
				p.Down = true
			}
		}},
		{q.restarts, "the number of restarts", a.restarted()},
	} {
		err := a.query(ctx, more.query, more.take)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, err
		case err != nil: // the rest is worth a report
			a.note("%s is unknown: %s", more.what, err)
		}
	}
	if !slices.ContainsFunc(a.p.Processes, func(p *Process) bool { return p.Goroutines.Before > 0 }) {
		a.note("there are no values from %.0f minutes earlier: growth is unknown", o.Window.Minutes())
	}
	if err := a.targets(ctx); err != nil {
		a.note("without the list of targets, ports are guessed and scrape errors are unknown: %s", err)
	}
	return a.p, nil
}

// plan says what will be asked.
func (a *asker) plan() {
	if a.o.Events != nil {
		text := fmt.Sprintf("5 instant queries over %.0f minutes, aggregated by process, and the list of targets",
			a.o.Window.Minutes())
		a.o.Events(fetch.Event{Kind: fetch.EventPlan, From: a.p.Server, Text: text})
	}
}

func (a *asker) note(format string, args ...any) {
	a.p.Notes = append(a.p.Notes, fmt.Sprintf(format, args...))
}

// query calls take with each series of a query's answer.
func (a *asker) query(ctx context.Context, query string, take func(*row)) error {
	q := url.Values{"query": {query}, "timeout": {evalTimeout}, "stats": {"all"}}
	if !a.o.Until.IsZero() {
		q.Set("time", strconv.FormatInt(a.o.Until.Unix(), 10))
	}
	answer, err := a.Get(ctx, "api/v1/query", q, maxAnswer)
	if err != nil {
		return err
	}
	a.p.Cost.Queries++
	a.p.Cost.Bytes += int64(len(answer))
	n, cut, long := 0, false, 0
	st, err := readRows(answer, func(text []byte) error {
		var r row
		if err := json.Unmarshal(text, &r); err != nil {
			return err
		}
		n++
		switch {
		case n > maxRows:
			cut = true
			return errEnough
		case r.Metric.tooLong():
			long++
		case math.IsNaN(r.value()):
		case a.o.Namespace != "" && r.Metric.At != "kube" && r.Metric.key().Namespace != a.o.Namespace:
			// The server can't leave out those without the label.
		default:
			take(&r)
		}
		return nil
	})
	if err != nil {
		return &fetch.Error{Err: fmt.Errorf("%s: %w", a.p.Server, err),
			Hint: "is this Prometheus, Thanos, Mimir or VictoriaMetrics, and is the path before /api/v1 in the URL?"}
	}
	a.p.Cost.Series += min(n, maxRows)
	a.p.Cost.Samples += st.Samples.Total
	a.p.Cost.Seconds += st.Timings.Total
	if cut {
		a.note("an answer had more than %d series, and the rest was not read: ask for less with -n or --query", maxRows)
	}
	if long > 0 {
		a.note("%d series with a label of more than %d bytes were left out", long, maxLabel)
	}
	return nil
}

// process returns the process of a series.
func (a *asker) process(l *labels) *Process {
	k := l.key()
	p := a.byKey[k]
	if p == nil {
		none := Points{math.NaN(), math.NaN(), math.NaN()}
		p = &Process{SurveyName: k, App: l.App, Goroutines: none, Cores: none, Memory: none}
		p.Instance = l.Instance
		a.byKey[k] = p
		a.p.Processes = append(a.p.Processes, p)
	}
	return p
}

// values takes series of one metric, which know goroutines now or before. A process with two targets has the greater.
func (a *asker) values(of func(*Process) *Points) func(*row) {
	return func(r *row) {
		v, points := r.value(), of(a.process(&r.Metric))
		to := map[string]*float64{"now": &points.Now, "mid": &points.Mid, "before": &points.Before}[r.Metric.At]
		if to != nil && !(*to >= v) {
			*to = v
		}
	}
}

// restarted takes the restarts that kube-state-metrics counts or the process itself shows, whichever are more.
func (a *asker) restarted() func(*row) {
	byPod := map[schema.SurveyName][]*Process{}
	for _, p := range a.p.Processes {
		k := schema.SurveyName{Cluster: p.Cluster, Namespace: p.Namespace, Pod: p.Pod}
		byPod[k] = append(byPod[k], p)
	}
	return func(r *row) {
		n := int(math.Round(min(r.value(), math.MaxInt32)))
		switch r.Metric.At {
		case "start":
			if p := a.byKey[r.Metric.key()]; p != nil && (p.Goroutines.Known() || p.Down) { // it hasn't ended
				p.Restarts = max(p.Restarts, n)
			}
		case "kube":
			pod := r.Metric.podOfState()
			container := pod.Container
			pod.Container = ""
			for _, p := range byPod[pod] {
				if p.Container == "" || p.Container == container {
					p.Restarts = max(p.Restarts, n)
				}
			}
		}
	}
}
