// Package watch captures processes again and again: cheap samples into a ring of folders and, when a limit is passed,
// everything once. It prints nothing: the caller gets events.
package watch

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Options are what to watch, how often, and what to do when a limit is passed.
type Options struct {
	// Capture is where from and how; its Out is the folder of all captures, and its Plan that of full captures.
	Capture fetch.Options
	Sample  fetch.Plan // of each round
	// Interval is from the beginning of one round to that of the next. The last Keep samples are kept, and as many full
	// captures.
	Interval time.Duration
	Keep     int
	Limits   []Limit
	// Read returns the report of captures, and Alarms whether a finding is an alarm that asks for a full capture.
	Read   func(ctx context.Context, captures []string) (*schema.Report, error)
	Alarms func(*rules.Finding) bool
	// Write writes the report of captures into files whose names begin with name, and returns its headline.
	Write func(ctx context.Context, captures []string, name string) (headline string, files []string, err error)
	// Notify is called with each alarm.
	Notify []func(context.Context, Alarm) error
	// Events is called for each event of a capture and at the end of each round, by one goroutine at a time.
	Events func(fetch.Event)
	// Once ends it after the first alarm. Patient goes on where the first sample fails.
	Once, Patient bool
	Status        *Status // is kept up to date, where not nil

	clock fetch.Clock // a test's own, or the zero value for the wall's
}

// A Result is what a watch left on disk.
type Result struct {
	Path     string   // the folder of all
	Captures []string // those that are kept, samples first, each oldest first
	Alarms   int
	// Interrupted reports that the caller's context ended it.
	Interrupted bool
}

// An Alarm is why everything was captured, and what came of it. Webhooks and commands get its JSON form, of which chat
// services show the member text.
type Alarm struct {
	Text     string    `json:"text"`     // the headline and the reasons, without what acts in a chat
	Headline string    `json:"headline"` // of the report; or why there is none
	Reasons  []string  `json:"reasons"`
	Target   string    `json:"target"`
	Time     time.Time `json:"time"`
	Capture  string    `json:"capture"` // the folder; "" if there is none
	Reports  []string  `json:"reports"` // files
}

// maxFailures is how many samples in a row may fail before that is an alarm.
const maxFailures = 3

// minPause is the least time between two full captures: what comes and goes must not profile a process all the time.
const minPause = 10 * time.Minute

// Run watches until the context ends it, or the first alarm with Options.Once. Its error is for options that can't be
// followed, for a first sample that fails and for a full disk; what fails later is an event.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.clock.Now == nil {
		o.clock = fetch.WallClock()
	}
	if o.Interval <= 0 {
		return nil, usage("--interval 1m", "--interval %s: must be more than 0", o.Interval)
	}
	if o.Keep < 1 {
		return nil, usage("--keep 10 keeps the last ten captures", "--keep %d keeps nothing", o.Keep)
	}
	if strings.EqualFold(filepath.Ext(o.Capture.Out), ".zip") {
		return nil, usage("--out DIR", "a watch writes numbered folders, not an archive")
	}
	root, made, err := o.Capture.MakeFolder()
	if err != nil {
		return nil, err
	}
	w := &watch{o: o, root: root, seen: map[string]bool{}}
	if !made {
		if err := w.resume(); err != nil {
			return nil, err
		}
	}
	err = w.run(ctx)
	if len(w.samples) == 0 && made {
		_ = os.Remove(root) // it is empty
	}
	return &Result{
		Path: root, Captures: slices.Concat(w.samples, w.full), Alarms: w.alarms, Interrupted: ctx.Err() != nil,
	}, err
}

// ownNames are those of what a watch leaves in its folder: samples, full captures, their reports, and captures that a
// killed watch did not end.
var ownNames = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(alarm-)?(\d{6,9})(\.html|\.json)?|\.(?:alarm-)?\d{6,9}\.\d+\.tmp)$`)
})

// resume goes on in the folder of a former watch: a container that restarts keeps its volume.
func (w *watch) resume() error {
	entries, err := os.ReadDir(w.root)
	if err != nil {
		return usage("--out DIR", "reading the folder of an earlier watch: %w", err)
	}
	for _, e := range entries {
		m, path := ownNames().FindStringSubmatch(e.Name()), filepath.Join(w.root, e.Name())
		switch {
		case m == nil, m[2] != "" && m[3] == "" && !e.IsDir():
			return usage("choose another with --out", "%s already exists, and is not the folder of a watch", w.root)
		case m[2] == "":
			if err := os.RemoveAll(path); err != nil {
				return fmt.Errorf("removing an incomplete capture: %w", err)
			}
			continue
		case m[3] != "":
			continue
		case m[1] != "":
			w.full = append(w.full, path)
		default:
			w.samples = append(w.samples, path)
		}
		if n, err := strconv.Atoi(m[2]); err == nil {
			w.rounds = max(w.rounds, n)
		}
	}
	return nil
}

func usage(hint, format string, args ...any) error {
	return &fetch.Error{Err: fmt.Errorf(format, args...), Hint: hint, Usage: true}
}

// A watch is one run.
type watch struct {
	o             Options
	root          string
	rounds        int
	alarms        int
	samples, full []string // folders that are kept, oldest first
	last          []Process
	seen          map[string]bool // the reasons of the last round, by key
	restarts      map[string]int  // of containers, by process, when they were first seen
	failures      int             // samples that failed in a row
	lastFull      time.Time
	lastFailed    time.Time // a full capture, as was passed on
	announced     bool      // the plan of a sample
}

func (w *watch) run(ctx context.Context) error {
	for {
		began := w.o.clock.Now()
		w.rounds++
		stop, err := w.round(ctx)
		if err != nil || stop || ctx.Err() != nil {
			return err
		}
		if w.o.clock.Wait(ctx, max(0, w.o.Interval-w.o.clock.Now().Sub(began))) != nil {
			return nil
		}
	}
}

// round takes a sample and looks at it.
func (w *watch) round(ctx context.Context) (stop bool, err error) {
	sample, err := w.capture(ctx, fmt.Sprintf("%06d", w.rounds), w.o.Sample)
	if err == nil {
		w.samples, err = keep(append(w.samples, sample.Path), w.o.Keep)
	}
	if err != nil {
		w.o.Status.failed(w.o.clock.Now())
		return w.missed(ctx, err)
	}
	w.failures = 0
	// The sample alone shows every process: of equal dumps, a report of several lists the first.
	r, err := w.o.Read(ctx, []string{sample.Path})
	if err != nil || ctx.Err() != nil {
		return false, w.tolerate(ctx, "report", err)
	}
	processes := w.measure(r)
	if r, err = w.o.Read(ctx, w.samples); err != nil || ctx.Err() != nil {
		return false, w.tolerate(ctx, "report", err)
	}
	reasons := w.reasons(processes, sample, r)
	w.o.Status.sampled(w.o.clock.Now(), processes)
	w.say(describe(processes, w.last))
	for _, l := range w.o.Limits {
		shows := func(p Process) bool { return !math.IsNaN(p.Values[l.measure]) }
		if w.last == nil && !slices.ContainsFunc(processes, shows) {
			w.say("the limit on " + measureOf[l.measure].name + " can't be checked: the sample does not show it")
		}
	}
	w.last = processes
	if len(reasons) == 0 {
		return false, nil
	}
	if err := w.alarm(ctx, reasons); err != nil {
		return false, w.tolerate(ctx, "full capture", err)
	}
	return w.o.Once, nil
}

// missed handles a sample that failed. A process that was sampled before and is not for some rounds hangs or is gone,
// which is an alarm; one that starts again is back earlier.
func (w *watch) missed(ctx context.Context, cause error) (stop bool, err error) {
	w.failures++
	if err := w.tolerate(ctx, "sample", cause); err != nil || w.failures != maxFailures || len(w.samples) == 0 {
		return false, err
	}
	text := fmt.Sprintf("%s: %d samples in a row failed", w.o.Capture.Target, maxFailures)
	return w.o.Once, w.tolerate(ctx, "full capture", w.alarm(ctx, []reason{{"failures", text}}))
}

// tolerate returns an error that ends the watch, and reports any other: the process may be starting again.
func (w *watch) tolerate(ctx context.Context, what string, err error) error {
	e, ok := errors.AsType[*fetch.Error](err)
	switch {
	case err == nil || ctx.Err() != nil && len(w.samples) > 0:
		return nil
	case !ok || e.Usage || len(w.samples) == 0 && !w.o.Patient:
		return err
	}
	w.say(what + " failed: " + err.Error())
	return nil
}

// capture makes one capture below the root. Only the first one announces its plan.
func (w *watch) capture(ctx context.Context, name string, plan fetch.Plan) (*fetch.Result, error) {
	o := w.o.Capture
	o.Out, o.Plan = filepath.Join(w.root, name), plan
	o.Events = func(e fetch.Event) {
		if w.o.Events != nil && (e.Kind != fetch.EventPlan || !w.announced) {
			w.o.Events(e)
		}
	}
	defer func() { w.announced = true }()
	return fetch.Capture(ctx, o)
}

// alarm captures everything, writes the report and passes the alarm on.
func (w *watch) alarm(ctx context.Context, reasons []reason) error {
	now := w.o.clock.Now()
	a := Alarm{Target: w.o.Capture.Target.String(), Time: now.UTC()}
	for _, r := range reasons {
		a.Reasons = append(a.Reasons, r.text)
		w.say(r.text)
	}
	if !w.lastFull.IsZero() && now.Sub(w.lastFull) < minPause {
		w.say(fmt.Sprintf("no full capture: the last one is less than %d minutes old", int(minPause.Minutes())))
		return nil
	}
	// An alarm is passed on even if the capture or its report fails: the process may hang, or the disk be full.
	err := w.captureAll(ctx, &a)
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case a.Capture != "":
		w.lastFull = now
		for _, r := range reasons {
			w.seen[r.key] = true
		}
	case !w.lastFailed.IsZero() && now.Sub(w.lastFailed) < minPause:
		return err
	default:
		w.lastFailed = now
	}
	if err != nil {
		a.Headline = "no report: " + err.Error()
	} else {
		w.say(a.Headline)
	}
	a.Text = harmless.Replace(a.Headline + "\n" + strings.Join(a.Reasons, "\n"))
	for _, notify := range w.o.Notify {
		if err := notify(ctx, a); err != nil {
			w.say(err.Error())
		}
	}
	return err
}

// harmless makes text of a log one that calls nobody and links nowhere in a chat: <!channel>, @here, [words](address).
var harmless = strings.NewReplacer("<", "‹", ">", "›", "@", "＠", "](", "] (")

// captureAll captures everything for an alarm, and writes the report.
func (w *watch) captureAll(ctx context.Context, a *Alarm) error {
	full, err := w.capture(ctx, fmt.Sprintf("alarm-%06d", w.rounds), w.o.Capture.Plan)
	if err != nil {
		return err
	}
	a.Capture = full.Path
	w.alarms++
	w.o.Status.alarmed()
	if w.full, err = keep(append(w.full, full.Path), w.o.Keep); err != nil {
		return err
	}
	a.Headline, a.Reports, err = w.o.Write(ctx, slices.Concat(w.samples, []string{full.Path}), full.Path)
	return err
}

// keep removes all but the last n of folders, with the files beside them that share their names.
func keep(folders []string, n int) ([]string, error) {
	for ; len(folders) > n; folders = folders[1:] {
		for _, suffix := range []string{".html", ".json", ""} {
			if err := os.RemoveAll(folders[0] + suffix); err != nil {
				return folders, usage("--out needs a DIR in which files can be removed", "removing an old capture: %w",
					err)
			}
		}
	}
	return folders, nil
}

func (w *watch) say(text string) {
	if w.o.Events != nil {
		w.o.Events(fetch.Event{Kind: fetch.EventRound, Of: w.rounds, Text: text})
	}
}
