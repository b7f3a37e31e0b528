package fetch

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// A run is one capture with checked options.
type run struct {
	o       Options
	plan    planned
	kubectl *kubectl // for pods

	events sync.Mutex
	notes  []string
}

func newRun(o Options) (*run, error) {
	if o.Target.base == nil {
		return nil, usage("triage fetch HOST:PORT", "no target")
	}
	o.Limits = o.Limits.withDefaults()
	o.Cluster.Via = cmp.Or(o.Cluster.Via, ViaPortForward)
	o.Cluster.MaxPods = cmp.Or(o.Cluster.MaxPods, defaultMaxPods)
	if o.clock.Now == nil {
		o.clock = WallClock()
	}
	if err := o.Cluster.check(); err != nil {
		return nil, err
	}
	r := &run{}
	if o.Cluster.Unhealthy && (!o.Target.isPod() || o.Target.pod != "" && o.Target.workload == "") {
		return nil, usage("--unhealthy selects among the pods of -l, -A or deploy/NAME",
			"--unhealthy can't be used with a single target")
	}
	if !o.Target.isPod() && (o.Cluster.Kubeconfig != "" || o.Cluster.Context != "") {
		return nil, usage("kubectl create token SERVICEACCOUNT > FILE, and --bearer-token-file FILE; a pod is pod/NAME",
			"--kubeconfig and --context are for pods, which kubectl reaches")
	}
	var err error
	if o.Target.isPod() {
		if r.kubectl, err = findKubectl(o.Cluster); err != nil {
			return nil, err
		}
	}
	r.o = o
	if r.plan, err = o.Plan.complete(o.Target.isPod(), o.proxied()); err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	return r, nil
}

func (o *Options) proxied() bool { return o.Target.isPod() && o.Cluster.Via == ViaProxy }

func (o *Options) check() error {
	if err := o.Access.check(); err != nil {
		return err
	}
	if o.Target.isPod() && o.Access.Proxy != nil {
		return usage("kubectl has its own proxy settings: $HTTPS_PROXY, or proxy-url in the kubeconfig",
			"--proxy can't reach pods")
	}
	if o.proxied() && o.Access.credentials() {
		return usage("--via "+ViaPortForward, "an API server's proxy passes no credentials on to the pod")
	}
	if _, err := o.Access.tls(); err != nil {
		return err
	}
	if o.Out != "" {
		return checkFree(o.Out)
	}
	return nil
}

func (r *run) emit(e Event) {
	r.events.Lock()
	defer r.events.Unlock()
	if e.Kind == EventNote {
		r.notes = append(r.notes, e.Text)
	}
	if r.o.Events != nil {
		r.o.Events(e)
	}
}

func (r *run) note(from, text string) {
	r.emit(Event{Kind: EventNote, From: from, Text: r.o.Access.scrub(text)})
}

// name is where a capture that begins now goes.
func (o *Options) name(now time.Time) string {
	if o.Out != "" {
		return filepath.Clean(o.Out)
	}
	return unused("triage-" + cmp.Or(o.Target.short(), "capture") + "-" + now.UTC().Format("20060102T150405Z"))
}

// unused returns name, or name-2, name-3, … where it is taken: captures of one target may begin within a second.
func unused(name string) string {
	free := name
	for n := 2; n < 100; n++ {
		if _, err := os.Lstat(free); err != nil {
			break
		}
		free = name + "-" + strconv.Itoa(n)
	}
	return free
}

// MakeFolder checks the options and makes the folder that Out names, for several captures below it. made is false where
// there is one already.
func (o Options) MakeFolder() (root string, made bool, err error) {
	root = o.name(time.Now())
	o.Out = ""
	if _, err := newRun(o); err != nil {
		return "", false, err
	}
	err = os.Mkdir(root, dirMode)
	if info, statErr := os.Lstat(root); errors.Is(err, fs.ErrExist) && statErr == nil && info.IsDir() {
		return root, false, nil
	}
	if err != nil {
		return "", false, unwritable("making the captures' folder: %w", err)
	}
	return root, true, nil
}
