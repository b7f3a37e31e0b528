package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// WatchOptions are how to repeat captures.
type WatchOptions struct {
	Keep     int           // how many captures are kept, the last ones
	Interval time.Duration // from the beginning of one to that of the next: one minute
	// Judge gets the kept captures, oldest first, and returns whether to stop and why.
	Judge func(ctx context.Context, kept []string) (stop bool, why string, err error)
}

// A WatchResult is what Watch left on disk.
type WatchResult struct {
	Path   string   // the folder of all
	Kept   []string // numbered folders in it, oldest first
	Rounds int
	// Stopped reports that Judge ended it, Interrupted that the caller's context did.
	Stopped, Interrupted bool
}

// Watch captures again and again into numbered folders until Judge or the context ends it. The first capture must
// succeed; later ones may fail, and the next is tried at its time.
func Watch(ctx context.Context, o Options, w WatchOptions) (*WatchResult, error) {
	if w.Keep < 1 {
		return nil, usage("--watch 10 keeps the last ten captures", "--watch %d keeps nothing", w.Keep)
	}
	w.Interval = cmp.Or(max(0, w.Interval), time.Minute)
	if strings.EqualFold(filepath.Ext(o.Out), ".zip") {
		return nil, usage("--out DIR", "--watch writes numbered folders, no archive")
	}
	first, err := newRun(o)
	if err != nil {
		return nil, err
	}
	root := first.name()
	if err := checkFree(root); err != nil {
		return nil, err
	}
	if err := os.Mkdir(root, dirMode); err != nil {
		return nil, unwritable("making the captures' folder: %w", err)
	}
	out := &WatchResult{Path: root}
	err = first.watch(ctx, o, w, out)
	if len(out.Kept) == 0 {
		_ = os.Remove(root) // it is empty
	}
	return out, err
}

func (r *run) watch(ctx context.Context, o Options, w WatchOptions, out *WatchResult) error {
	c := r.o.clock
	for {
		began := c.now()
		out.Rounds++
		stop, err := r.round(ctx, o, w, out)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			out.Interrupted = true
			return nil
		case stop:
			out.Stopped = true
			return nil
		}
		if err := c.wait(ctx, max(0, w.Interval-c.now().Sub(began))); err != nil {
			out.Interrupted = true
			return nil
		}
	}
}

// round makes one capture and calls Judge. A capture that fails is an error only if it is the first.
func (r *run) round(ctx context.Context, o Options, w WatchOptions, out *WatchResult) (stop bool, err error) {
	o.Out = filepath.Join(out.Path, fmt.Sprintf("%04d", out.Rounds))
	one, err := newRun(o)
	if err != nil {
		return false, err
	}
	one.quiet = out.Rounds > 1
	res, err := one.capture(ctx)
	if err != nil {
		fe, ok := errors.AsType[*Error](err)
		if ctx.Err() != nil && len(out.Kept) > 0 || ok && !fe.Usage && out.Rounds > 1 {
			r.emit(Event{Kind: EventRound, Of: out.Rounds, Text: "failed: " + err.Error()})
			return false, nil
		}
		return false, err
	}
	out.Kept = append(out.Kept, res.Path)
	for len(out.Kept) > w.Keep {
		if err := os.RemoveAll(out.Kept[0]); err != nil {
			return false, &Error{Err: fmt.Errorf("removing an old capture: %w", err), Usage: true}
		}
		out.Kept = out.Kept[1:]
	}
	if res.Interrupted || w.Judge == nil {
		return false, nil
	}
	stop, why, err := w.Judge(ctx, out.Kept)
	if err != nil {
		return false, err
	}
	r.emit(Event{Kind: EventRound, Of: out.Rounds, Text: why})
	return stop, nil
}
