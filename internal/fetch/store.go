package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// StoreOptions are what to take from a store of logs or profiles, and how to reach it.
type StoreOptions struct {
	Store Store
	// Query limits what is searched, in the store's own language: a filter of LogsQL, a selector of LogQL or of labels.
	Query string
	// Profiles are what to take from a store of profiles, of ProfileNames: cpu.
	Profiles []string
	From, To time.Time
	// MaxEntries is how many lines may match Query in the time: 200 million.
	MaxEntries int64
	Access     Access
	Limits     Limits
	Out        string // as in Options
	Part       string // ends the name of the folder or archive
	Version    string
	Events     func(Event)

	clock Clock
}

// A Store is where a store of logs or profiles answers, and which one it is, as ParseStore returns it.
type Store struct {
	base *url.URL
	kind storeKind
}

func (s Store) String() string { return s.kind.name + " at " + s.base.Host }

// OfProfiles reports whether the store has profiles, not logs.
func (s Store) OfProfiles() bool { return s.kind.profiles != nil }

// A storeKind is how one kind of store is asked.
type storeKind struct {
	name, port, query string // query is the one that matches all lines
	flags             string // of lokiFlags
	open              func(*storeRun) storeAPI
	profiles          func(*storeRun) profileAPI // of a store of profiles, which has neither query, flags nor open
	delta             string                     // of storedKind.best
}

// A storeAPI asks one store of logs.
type storeAPI interface {
	// entries is how many lines match the query: what a search costs.
	entries(ctx context.Context) (int64, error)
	// find calls found with each time at which a stream has a line of a traceback, until found fails.
	find(ctx context.Context, found func(stream string, at time.Time) error) error
	// pull writes the lines of a stream in a span of time as JSON lines, in order of time.
	pull(ctx context.Context, w window, to *sink) error
}

var storeKinds = map[string]storeKind{
	"victorialogs": {name: "VictoriaLogs", port: "9428", query: "*",
		open: func(s *storeRun) storeAPI { return victoriaLogs{s} }},
	"loki": {name: "Loki", port: "3100", query: `{job=~".+"}`, flags: "categorize-labels",
		open: func(s *storeRun) storeAPI { return loki{s} }},
	"pyroscope": {name: "Pyroscope", port: "4040", profiles: func(s *storeRun) profileAPI { return pyroscope{s} }},
	"parca": {name: "Parca", port: "7070", delta: parcaDelta,
		profiles: func(s *storeRun) profileAPI { return parca{s} }},
}

// ParseStore parses victorialogs://HOST[:PORT][/PREFIX], loki://…, pyroscope://… or parca://…; a scheme that ends in
// +https is asked over TLS.
func ParseStore(s string) (Store, error) {
	const hint = "victorialogs://HOST:9428, loki://HOST:3100, pyroscope://HOST:4040 or parca://HOST:7070; " +
		"over TLS loki+https://HOST"
	u, err := url.Parse(s)
	if err != nil {
		return Store{}, usage(hint, "the store is not a URL") // it may hold a password
	}
	scheme, tls := strings.CutSuffix(u.Scheme, "+https")
	kind, known := storeKinds[scheme]
	if !known || u.Host == "" {
		return Store{}, usage(hint, "triage does not support this kind of store")
	}
	base, err := apiBase(u)
	if err != nil {
		return Store{}, err
	}
	if base.Scheme = "http"; tls {
		base.Scheme = "https"
	} else if u.Port() == "" {
		base.Host += ":" + kind.port
	}
	return Store{base, kind}, nil
}

// lokiFlags is the header that keeps labels of lines apart from those of streams.
const lokiFlags = "X-Loki-Response-Encoding-Flags"

const (
	// aTraceback is a regular expression (RE2) of lines that tracebacks have, and few other lines.
	aTraceback = `goroutine [0-9]+ .*\[[a-z]|goroutine profile: total [0-9]|SIG[A-Z]{2,6}: |panic: |fatal error: |` +
		`signal arrived during |WARNING: DATA RACE`
	// Lines are taken by windows of this length, with a margin on either side for the rest of a traceback. Chosen.
	windowMargin = time.Minute
	windowStep   = 5 * time.Minute
	// maxWindows bounds the windows of all streams together, defaultMaxEntries the lines that a store searches. Chosen.
	maxWindows        = 2000
	defaultMaxEntries = 200_000_000
	// A store that fails so many windows in a row, each after all tries, is asked for no other.
	maxFailed    = 3
	storeTimeout = time.Hour // of the whole capture
	// maxCapture is how many times Limits.MaxBytes all files may have together.
	maxCapture = 16
	// maxAnswer bounds answers that are decoded in memory, where hostile JSON takes twenty times its size.
	maxAnswer = 8 << 20
)

// A window is a span of time of one stream.
type window struct {
	stream   string
	from, to time.Time
}

// A storeRun is one capture of a store.
type storeRun struct {
	*Client
	o     StoreOptions
	dir   string
	bytes int64 // of the files
}

// CaptureStore searches a store of logs for tracebacks and takes the lines around them, each stream into a file of its
// own; from a store of profiles it takes those of Profiles, each as one file. Its error is an *Error.
func CaptureStore(parent context.Context, o StoreOptions) (*Result, error) {
	switch {
	case o.Store.base == nil:
		return nil, usage("triage store loki://HOST:3100", "no store")
	case o.MaxEntries < 0 || o.Limits.Timeout < 0:
		return nil, usage("--max-scan 200000000, --timeout 1h", "--max-scan and --timeout can't be negative")
	}
	ctx, cancel := context.WithTimeoutCause(parent, cmp.Or(o.Limits.Timeout, storeTimeout), errTimeout)
	defer cancel()
	if err := o.checkKind(); err != nil {
		return nil, err
	}
	o.Limits, o.MaxEntries = o.Limits.withDefaults(), cmp.Or(o.MaxEntries, defaultMaxEntries)
	o.Query = cmp.Or(o.Query, o.Store.kind.query)
	if o.clock.Now == nil {
		o.clock = WallClock()
	}
	if !o.From.Before(o.To) {
		return nil, usage("--since 1h", "--since is not before --until")
	}
	if o.Store.kind.flags != "" {
		o.Access.Headers = o.Access.Headers.Clone()
		if o.Access.Headers == nil {
			o.Access.Headers = http.Header{}
		}
		o.Access.Headers.Set(lokiFlags, o.Store.kind.flags)
	}
	client, err := newClient(o.Store.base, o.Access, o.Limits, o.Version, storeTries, o.Events)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	client.clock = o.clock
	began := o.clock.Now()
	to, err := newDestination(o.name(began))
	if err != nil {
		return nil, err
	}
	defer to.abandon()
	s := &storeRun{Client: client, o: o, dir: to.temp}
	m := Manifest{Schema: Schema, Target: o.Store.String(), Time: began.UTC(), Tool: Tool{"triage", o.Version}}
	if err := s.capture(ctx, &m); err != nil {
		return nil, s.failed(ctx, err)
	}
	m.Interrupted = parent.Err() != nil
	m.TookMS = o.clock.Now().Sub(began).Milliseconds()
	if err := cmp.Or(m.write(to.temp), to.commit()); err != nil {
		return nil, err
	}
	return &Result{Path: to.final, Manifest: m, Interrupted: m.Interrupted}, nil
}

// name is where the capture goes.
func (o *StoreOptions) name(began time.Time) string {
	name := cmp.Or(o.Out, "triage-"+o.Store.base.Hostname()+"-"+began.UTC().Format("20060102T150405Z"))
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".zip") {
		return strings.TrimSuffix(name, ext) + o.Part + ext
	}
	return name + o.Part
}

func (s *storeRun) capture(ctx context.Context, m *Manifest) error {
	if s.o.Store.OfProfiles() {
		return s.captureProfiles(ctx, m)
	}
	api := s.o.Store.kind.open(s)
	n, err := api.entries(ctx)
	if err != nil {
		return err
	}
	span := s.o.To.Sub(s.o.From).Round(time.Second)
	s.emit(Event{Kind: EventPlan, From: s.o.Store.String(),
		Text: fmt.Sprintf("%d lines match %s in %s; searching them for tracebacks", n, s.o.Query, span)})
	if n > s.o.MaxEntries {
		return usage("a narrower --query, a shorter --since, or a larger --max-scan",
			"%d lines match %s, more than --max-scan %d", n, s.o.Query, s.o.MaxEntries)
	}
	windows, cut, err := s.windows(ctx, api)
	switch {
	case err != nil:
		return err
	case len(windows) == 0:
		return hinted("a wider --query or a longer --since", "none of %d lines belongs to a traceback", n)
	case cut:
		note := fmt.Sprintf("more than %d time ranges have tracebacks: only the first are read", maxWindows)
		m.Notes = append(m.Notes, note)
		s.emit(Event{Kind: EventNote, Text: note})
	}
	taken, failed := 0, 0
	for i, w := range windows {
		if why := s.over(ctx, failed); why != "" {
			m.Items = append(m.Items, ManifestItem{Name: ItemLog, Kind: kindLog, From: s.o.Store.String(),
				Error: fmt.Sprintf("time ranges with tracebacks not read: %d of %d; %s", len(windows)-i,
					len(windows), why)})
			break
		}
		item := s.take(ctx, api, fmt.Sprintf("%04d.jsonl", i+1), w)
		if failed++; item.kept() {
			taken, failed = taken+1, 0
		}
		m.Items = append(m.Items, item)
		s.emit(Event{Kind: EventItem, Name: item.Name, Item: &item})
	}
	if taken == 0 {
		return errors.New(m.Items[0].Error)
	}
	return nil
}

// over is why no further window is taken, "" while there is no reason.
func (s *storeRun) over(ctx context.Context, failed int) string {
	switch {
	case ctx.Err() != nil:
		return cause(ctx, ctx.Err()).Error()
	case failed >= maxFailed:
		return fmt.Sprintf("the last %d failed", failed)
	case s.bytes >= maxCapture*s.o.Limits.MaxBytes:
		return fmt.Sprintf("the capture has reached %d times --max-bytes", maxCapture)
	}
	return ""
}

// windows finds the spans of time that have tracebacks, by stream and time.
func (s *storeRun) windows(ctx context.Context, api storeAPI) (all []window, cut bool, err error) {
	steps := map[window]bool{}
	err = api.find(ctx, func(stream string, at time.Time) error {
		from := at.Truncate(windowStep)
		w := window{stream, from.Add(-windowMargin), from.Add(windowStep + windowMargin)}
		if len(steps) >= maxWindows && !steps[w] {
			return errEnough
		}
		steps[w] = true
		return nil
	})
	if cut = errors.Is(err, errEnough); cut {
		err = nil
	}
	for w := range steps {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b window) int {
		return cmp.Or(strings.Compare(a.stream, b.stream), a.from.Compare(b.from))
	})
	var joined []window
	for _, w := range all {
		if n := len(joined) - 1; n >= 0 && joined[n].stream == w.stream && !w.from.After(joined[n].to) {
			joined[n].to = w.to
			continue
		}
		joined = append(joined, w)
	}
	return joined, cut, err
}

// take writes the lines of a window into a file.
func (s *storeRun) take(ctx context.Context, api storeAPI, file string, w window) ManifestItem {
	m, err := s.fill(ctx, file, api.pull, w)
	m.Name, m.Kind = ItemLog, kindLog
	switch {
	case errors.Is(err, errTooLarge) && m.Bytes > 0:
		m.File, m.Truncated, m.Error = file, true, err.Error()
	case err != nil || m.Bytes == 0:
		m.Error = s.o.Access.scrub(cmp.Or(err, errors.New("the store no longer has lines of this stream")).Error())
		_ = os.Remove(filepath.Join(s.dir, file)) // if it stays, it does no harm
	default:
		m.File = file
	}
	return m
}

// fill writes what pull gets of a window into a file. What fails in the middle is asked for again from the beginning,
// so that nothing is lost or there twice.
func (s *storeRun) fill(ctx context.Context, file string, pull func(context.Context, window, *sink) error, w window) (
	m ManifestItem, err error,
) {
	m = ManifestItem{From: w.stream, Started: s.o.clock.Now().UTC()}
	to, err := newSink(filepath.Join(s.dir, file), s.o.Limits.MaxBytes)
	if err != nil {
		return m, err
	}
	m.Tries, err = s.again(ctx, func() error {
		if err := to.reset(); err != nil {
			return err
		}
		return pull(ctx, w, to)
	})
	err = cmp.Or(err, to.diskErr, to.f.Close())
	s.bytes += to.n
	m.TookMS, m.Bytes = s.o.clock.Now().Sub(m.Started).Milliseconds(), to.n
	if m.Tries == 1 {
		m.Tries = 0
	}
	return m, err
}

var (
	// errAnswer is the error of an answer that is not what the store's API describes.
	errAnswer = errors.New("the answer is not in this store's format")
	// errEnough ends a search that found what a capture takes.
	errEnough = errors.New("more time ranges have tracebacks than a capture reads")
)

// ask returns an answer of a page that is small enough to be decoded in memory.
func (s *storeRun) ask(ctx context.Context, page string, query url.Values) ([]byte, error) {
	return s.answer(ctx, item{page: page, query: query.Encode()})
}

func (s *storeRun) answer(ctx context.Context, it item) ([]byte, error) {
	return s.Client.ask(ctx, it, min(maxAnswer, s.o.Limits.MaxBytes))
}

// span adds the span of time of a window to a query, in nanoseconds since 1970.
func span(q url.Values, from, to time.Time) url.Values {
	q.Set("start", fmt.Sprint(from.UnixNano()))
	q.Set("end", fmt.Sprint(to.UnixNano()))
	return q
}

func (s *storeRun) failed(ctx context.Context, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	err = cause(ctx, err)
	return &Error{Err: fmt.Errorf("%s: %s", s.o.Store, s.o.Access.scrub(err.Error())), Hint: apiHint(err,
		"a narrower --query, a shorter --since, or a longer --timeout",
		"--query must be a LogsQL filter (victorialogs://), a LogQL stream selector (loki://) or a label selector "+
			"(pyroscope://, parca://); is this the right kind of store?")}
}
