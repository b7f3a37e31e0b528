// Package fetch captures what a live Go process serves about itself below /debug/pprof (goroutine dumps and profiles)
// into a folder or a zip archive that can be read back later, over plain HTTP or through the user's own kubectl.
//
// A pprof port belongs to a process in production, so this package keeps these rules:
//
//   - The plan and what it costs the process are announced before the first request (EventPlan).
//   - Each item fails on its own, with its reason in the manifest; what came before an interruption is kept.
//   - Everything is bounded: bytes, time without a byte, time altogether, redirects.
//   - Secrets (tokens, passwords, header values) appear in no manifest, event or error.
//   - Nothing is printed here: the caller gets events.
//
// From the bottom: plan, access and target are data; http and forward are sources, which answer requests
// into a sink; a session captures one process from a source; a capture has all sessions of a run and their folder.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// atOnce is how many pods are captured at a time: all of them go through one API server and this machine.
const atOnce = 4

// captureMargin is what a capture may take besides what its plan asks for on purpose.
const captureMargin = 3 * time.Minute

// A Result is a capture on disk.
type Result struct {
	Path     string // the folder or the archive
	Manifest Manifest
	// Interrupted reports that the caller's context ended the capture early.
	Interrupted bool
}

// Capture asks the target for everything in the plan and writes what comes. Its error is an *Error: the options are
// wrong, nothing came, or the result could not be written. Items that failed are in the manifest.
func Capture(ctx context.Context, o Options) (*Result, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	return r.capture(ctx)
}

func (r *run) capture(parent context.Context) (*Result, error) {
	ctx := parent
	if r.o.Limits.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(parent, r.o.Limits.Timeout, errTimeout)
		defer cancel()
	}
	began := r.o.clock.Now()
	r.announce()
	to, err := newDestination(r.o.name(began))
	if err != nil {
		return nil, err
	}
	defer to.abandon()
	sessions, err := r.sessions(ctx, to.temp)
	if err == nil {
		err = r.askAll(ctx, sessions)
	}
	if err != nil {
		return nil, r.failed(cause(ctx, err))
	}
	res := &Result{Path: to.final, Manifest: r.manifest(sessions, began), Interrupted: parent.Err() != nil}
	res.Manifest.Interrupted = res.Interrupted
	if !slices.ContainsFunc(res.Manifest.Items, ManifestItem.kept) {
		return nil, r.failed(firstFailure(sessions))
	}
	if err := res.Manifest.write(to.temp); err != nil {
		return nil, r.failed(err)
	}
	if err := to.commit(); err != nil {
		return nil, r.failed(err)
	}
	return res, nil
}

// announce emits the plan and its cost, and a note for credentials that go over the network unencrypted.
func (r *run) announce() {
	t, plan := r.o.Target, r.plan
	if r.o.Declined {
		plan.items = slices.DeleteFunc(slices.Clone(plan.items), func(it item) bool { return fromPort(it.kind) })
	}
	for _, line := range plan.describe() {
		r.emit(Event{Kind: EventPlan, From: t.String(), Text: line, Expect: plan.lasts()})
	}
	if text := cleartext(t, r.o.Access); text != "" {
		r.note("", text)
	}
}

// cleartext returns a note about credentials that anybody on the way can read, "" if there are none.
func cleartext(t Target, a Access) string {
	if t.base.Scheme == "http" && !t.loopback() && a.readable() {
		return fmt.Sprintf("the credentials go to %s unencrypted", t.base.Host)
	}
	return ""
}

func (r *run) failed(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		return &Error{Err: errors.New(r.o.Access.scrub(e.Error())), Hint: e.Hint, Usage: e.Usage}
	}
	out := &Error{Err: fmt.Errorf("%s: %s", r.o.Target, r.o.Access.scrub(err.Error())), Hint: hintFor(err)}
	if errors.Is(err, errInterrupted) || errors.Is(err, context.Canceled) {
		out.Err = fmt.Errorf("%s: interrupted before any data came", r.o.Target)
	}
	return out
}

func firstFailure(sessions []*session) error {
	for _, s := range sessions {
		if err := cmp.Or(s.failure, s.pod.closedError()); err != nil {
			return err
		}
	}
	return errors.New("the target serves none of the requested items")
}

// sessions finds the processes of the target and makes their folders below dir.
func (r *run) sessions(ctx context.Context, dir string) ([]*session, error) {
	if !r.o.Target.isPod() {
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
	r.askConsent(ctx, pods)
	var all []*session
	for _, p := range pods {
		p.Folder = p.folder()
		s := &session{r: r, from: p.title(), pod: &p}
		switch {
		case p.closed != "":
		case r.o.Cluster.Via == ViaProxy:
			s.src = &proxySource{r, p}
		default:
			s.src = &forwardSource{r: r, pod: p}
		}
		s.dir = filepath.Join(dir, filepath.FromSlash(p.Folder))
		if err := os.MkdirAll(s.dir, dirMode); err != nil {
			return nil, fmt.Errorf("making a pod's folder: %w", err)
		}
		all = append(all, s)
	}
	return all, nil
}

// askConsent closes the ports of pods if the user does not agree to their being asked.
func (r *run) askConsent(ctx context.Context, pods []pod) {
	var open []string
	for i := range pods {
		if pods[i].closed == "" {
			open = append(open, pods[i].title())
		}
	}
	if len(open) == 0 || !r.o.Declined && (r.o.Agree == nil || r.o.Agree(ctx, open)) {
		return
	}
	for i := range pods {
		if p := &pods[i]; p.closed == "" {
			p.closed, p.declined = "its pprof port was not used (--pprof uses it)", true
		}
	}
}

func (r *run) askAll(ctx context.Context, sessions []*session) error {
	slots := make(chan struct{}, atOnce)
	var wg sync.WaitGroup
	for _, s := range sessions {
		wg.Go(func() {
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			case <-ctx.Done():
			}
			one, cancel := context.WithTimeoutCause(ctx, r.plan.lasts()+r.o.Limits.Busy+captureMargin, errTimeout)
			defer cancel()
			s.run(one)
			r.emit(Event{Kind: EventProcess, From: s.from, Of: len(sessions)})
		})
	}
	wg.Wait()
	for _, s := range sessions {
		if s.diskErr != nil {
			return unwritable("writing the capture: %w", s.diskErr)
		}
	}
	return nil
}

func (r *run) manifest(sessions []*session, began time.Time) Manifest {
	m := Manifest{
		Schema: Schema,
		Target: r.o.Target.String(),
		Time:   began.UTC(),
		TookMS: r.o.clock.Now().Sub(began).Milliseconds(),
		Tool:   Tool{Name: "triage", Version: r.o.Version},
		Items:  []ManifestItem{},
		Notes:  r.notes,
	}
	for _, s := range sessions {
		m.Items = append(m.Items, s.sorted()...)
		if s.pod == nil {
			continue
		}
		p := s.pod.ManifestPod
		if !slices.ContainsFunc(s.items, ManifestItem.kept) && s.failure != nil {
			p.Error = r.o.Access.scrub(s.failure.Error())
		}
		m.Pods = append(m.Pods, p)
	}
	return m
}
