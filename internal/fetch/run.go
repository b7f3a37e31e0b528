package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// atOnce is how many pods are captured at the same time: all of them go through one API server and one kubectl's machine.
const atOnce = 4

// margin is what a capture may take besides what its plan asks for on purpose.
const margin = 3 * time.Minute

// A run is one capture with checked options.
type run struct {
	o       Options
	plan    planned
	kubectl *kubectl // for pods

	events  sync.Mutex
	noted   []string
	quietly bool // a later round of Watch: the plan is known
}

func newRun(o Options) (*run, error) {
	if o.Target.base == nil {
		return nil, usage("triage fetch HOST:PORT", "there is no target")
	}
	o.Limits = o.Limits.withDefaults()
	o.Cluster.Via = cmp.Or(o.Cluster.Via, ViaPortForward)
	o.Cluster.MaxPods = cmp.Or(o.Cluster.MaxPods, defaultMaxPods)
	if o.clock.now == nil {
		o.clock = wallClock()
	}
	r := &run{o: o}
	proxied := o.Target.IsPod() && o.Cluster.Via == ViaProxy
	var err error
	if r.plan, err = o.Plan.complete(o.Target.IsPod(), proxied); err != nil {
		return nil, err
	}
	if err := errors.Join(o.Access.check(), o.Cluster.check()); err != nil {
		return nil, firstError(err)
	}
	if o.Target.IsPod() && o.Access.Proxy != nil {
		return nil, usage("kubectl has its own: HTTPS_PROXY of the environment, proxy-url of the kubeconfig", "--proxy is no way to a pod")
	}
	if proxied && o.Access.credentials() {
		return nil, usage("--via "+ViaPortForward, "an API server's proxy passes no credentials on to the pod")
	}
	if _, err := o.Access.tls(); err != nil {
		return nil, err
	}
	if o.Out != "" {
		if err := checkPlace(o.Out); err != nil {
			return nil, err
		}
	}
	if o.Target.IsPod() {
		if r.kubectl, err = findKubectl(o.Cluster); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// firstError finds the *Error in what was joined.
func firstError(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return err
}

func (r *run) emit(e Event) {
	r.events.Lock()
	defer r.events.Unlock()
	if e.Kind == EventNote {
		r.noted = append(r.noted, e.Text)
	}
	if r.o.Events != nil {
		r.o.Events(e)
	}
}

func (r *run) note(from, text string) {
	r.emit(Event{Kind: EventNote, From: from, Text: r.o.Access.scrub(text)})
}

// name is what the capture is called.
func (r *run) name() string {
	if r.o.Out != "" {
		return filepath.Clean(r.o.Out)
	}
	return "triage-" + cmp.Or(r.o.Target.short(), "capture") + "-" + r.o.clock.now().UTC().Format("20060102T150405Z")
}

func (r *run) capture(parent context.Context) (*Result, error) {
	ctx := parent
	if r.o.Limits.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(parent, r.o.Limits.Timeout, errTimeout)
		defer cancel()
	}
	began := r.o.clock.now()
	if !r.quietly {
		for _, line := range r.plan.announce() {
			r.emit(Event{Kind: EventPlan, From: r.o.Target.String(), Text: line, Expect: r.plan.lasts()})
		}
		if text := cleartext(r.o.Target, r.o.Access); text != "" {
			r.note("", text)
		}
	}
	at, err := newPlace(r.name())
	if err != nil {
		return nil, err
	}
	sessions, err := r.sessions(ctx, at.temp)
	if err == nil {
		err = r.askAll(ctx, sessions)
	}
	if err != nil {
		at.abandon()
		return nil, r.failed(cause(ctx, err))
	}
	res := &Result{Path: at.final, Manifest: r.manifest(sessions, began), Interrupted: parent.Err() != nil}
	res.Manifest.Interrupted = res.Interrupted
	if res.Manifest.kept() == 0 {
		at.abandon()
		return nil, r.failed(nothing(sessions))
	}
	if err := errors.Join(res.Manifest.write(at.temp), at.commit()); err != nil {
		at.abandon()
		return nil, r.failed(err)
	}
	return res, nil
}

// failed makes an *Error of what kept a capture from being made.
func (r *run) failed(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Err: errors.New(r.o.Access.scrub(e.Error())), Hint: e.Hint, Usage: e.Usage}
	}
	out := &Error{Err: fmt.Errorf("%s: %s", r.o.Target, r.o.Access.scrub(err.Error())), Hint: hintFor(err)}
	if errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) {
		out.Err = fmt.Errorf("%s: interrupted before anything came", r.o.Target)
	}
	return out
}

// nothing is why nothing came: the first reason of all.
func nothing(sessions []*session) error {
	for _, s := range sessions {
		if s.first != nil {
			return s.first
		}
	}
	return errors.New("nothing of what was asked for is served")
}

// sessions finds out which processes the target is, and makes their folders below dir.
func (r *run) sessions(ctx context.Context, dir string) ([]*session, error) {
	if !r.o.Target.IsPod() {
		src, err := newHTTPSource(r.o.Target, r.o.Access, r.o.Limits, r.o.Version)
		if err != nil {
			return nil, err
		}
		return []*session{{r: r, from: r.o.Target.String(), dir: dir, src: src}}, nil
	}
	pods, notes, err := r.pods(ctx)
	for _, n := range notes {
		r.note("", n)
	}
	if err != nil {
		return nil, err
	}
	var all []*session
	for _, p := range pods {
		s := &session{r: r, from: p.title(), pod: &p, folder: p.folder()}
		s.dir = filepath.Join(dir, filepath.FromSlash(s.folder))
		if err := os.MkdirAll(s.dir, dirMode); err != nil {
			return nil, fmt.Errorf("making a pod's folder: %w", err)
		}
		s.src = r.podSource(p)
		all = append(all, s)
	}
	return all, nil
}

func (r *run) podSource(p pod) source {
	prefix := r.o.Target.base.Path
	if r.o.Cluster.Via == ViaProxy {
		return newProxySource(r.kubectl, p, r.o.Cluster, prefix, r.o.Limits)
	}
	scheme := "http"
	if r.o.Cluster.HTTPS {
		scheme = "https"
	}
	access := r.o.Access
	return &forwardSource{
		k: r.kubectl, pod: p, scheme: scheme, prefix: prefix,
		note: func(text string) { r.note(p.title(), text) },
		open: func(base *url.URL) (source, error) {
			return newHTTPSource(Target{base: base, direct: true}, access, r.o.Limits, r.o.Version)
		},
	}
}

// askAll runs the sessions, a few at a time.
func (r *run) askAll(ctx context.Context, sessions []*session) error {
	turn := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for _, s := range sessions {
		wg.Go(func() {
			select {
			case turn <- struct{}{}:
				defer func() { <-turn }()
			case <-ctx.Done():
			}
			one, cancel := context.WithTimeoutCause(ctx, r.plan.lasts()+r.o.Limits.Busy+margin, errTimeout)
			defer cancel()
			s.run(one)
			r.emit(Event{Kind: EventProcess, From: s.from, Of: len(sessions)})
		})
	}
	wg.Wait()
	for _, s := range sessions {
		if s.disk != nil {
			return &Error{Err: fmt.Errorf("writing the capture: %w", s.disk), Hint: "--out names a place with room", Usage: true}
		}
	}
	return nil
}

func (r *run) manifest(sessions []*session, began time.Time) Manifest {
	m := Manifest{
		Schema: Schema, Target: r.o.Target.String(), Time: began.UTC(), TookMS: r.o.clock.now().Sub(began).Milliseconds(),
		Tool: Tool{Name: "triage", Version: r.o.Version}, Items: []ManifestItem{}, Notes: r.noted,
	}
	for _, s := range sessions {
		m.Items = append(m.Items, s.sorted()...)
		if s.pod == nil {
			continue
		}
		p := ManifestPod{
			Namespace: s.pod.namespace, Name: s.pod.name, UID: s.pod.uid, Node: s.pod.node, Container: s.pod.container,
			Port: s.pod.port, Restarts: s.pod.restarts, Folder: s.folder,
		}
		if !slices.ContainsFunc(s.items, func(it ManifestItem) bool { return it.File != "" }) && s.first != nil {
			p.Error = r.o.Access.scrub(s.first.Error())
		}
		m.Pods = append(m.Pods, p)
	}
	return m
}

// sorted returns the session's items in the order of the plan.
func (s *session) sorted() []ManifestItem {
	order := ItemNames()
	slices.SortStableFunc(s.items, func(a, b ManifestItem) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name)), a.Started.Compare(b.Started), strings.Compare(a.File, b.File))
	})
	return s.items
}
