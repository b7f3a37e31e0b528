package open

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// A walker is one Walk. Visitors look at files, list archives with random access and call visit; unpackers read through
// streamed archives, hand small entries to the visitors and visit large ones themselves, as they come. A visitor never
// waits for room or for another visitor; an unpacker waits for visitors and for what lies deeper than its own archive,
// and each depth has unpackers of its own: so there is no circle to wait in.
type walker struct {
	ctx    context.Context
	o      Options
	filter filter
	visit  func(Source)

	visitors  *pool
	unpackers []*pool // by the depth of the archives; they begin with the first of their depth
	workers   sync.WaitGroup
	pending   sync.WaitGroup
	store     *SpillStore
	allowance *Allowance
	entries   atomic.Int64 // files found so far

	mu       sync.Mutex
	skips    []orderedSkip
	full     sync.Once // reports MaxEntries
	excluded excluded
}

// A foundFile is something found that may be a log, an archive or anything else.
type foundFile struct {
	Part
	at    Order
	depth int // archives around it
	// base is how much of Path is the way to what the user named: globs look at what follows.
	base int
	// random opens it for random access; nil where only a stream is to be had.
	random func() *Archive
	// around is the archive around it that must be kept until it was read; nil for none.
	around *refCount
}

// Walk finds the sources in args (files, folders, globs, archives, "-") and calls visit for each, from as many
// goroutines as there are processors; in no certain order (Source.At has it). Archives within archives are walked like
// folders, the rotated files of one log become one Source. A source must be read before its visit returns, once.
//
// Source.At orders them by the arguments' names, whatever the order of args. What can't be opened is a Skip, never
// an error. A cancelled ctx ends it early.
func Walk(ctx context.Context, args []string, o Options, visit func(Source)) []Skip {
	o.Limits = o.Limits.WithDefaults()
	w := &walker{
		ctx: ctx, o: o, filter: o.filter(), visit: visit,
		store: NewSpillStore(o.Limits), allowance: NewAllowance(o.Limits),
	}
	w.visitors = newPool(&w.pending)
	w.submit(w.find(args))
	w.start(w.visitors)
	w.pending.Wait()
	for _, p := range append(w.unpackers, w.visitors) {
		p.close()
	}
	w.workers.Wait()
	if e := w.excluded; e.files > 0 {
		w.skip(e.at, Skip{Path: e.where, Reason: fmt.Sprintf("files left out by --only and --skip: %d", e.files)})
	}
	return inOrder(w.skips)
}

// start gives a pool as many goroutines as there are processors.
func (w *walker) start(p *pool) {
	for range runtime.GOMAXPROCS(0) {
		w.workers.Go(p.work)
	}
}

// unpacker returns the pool for archives of a depth.
func (w *walker) unpacker(depth int) *pool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.unpackers) <= depth {
		p := newPool(&w.pending)
		w.start(p)
		w.unpackers = append(w.unpackers, p)
	}
	return w.unpackers[depth]
}

// skip reports something that isn't read.
func (w *walker) skip(at Order, s Skip) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.skips = append(w.skips, orderedSkip{at, s})
}

// skipFile reports a file that isn't read.
func (w *walker) skipFile(f foundFile, reason, hint string) {
	w.skip(f.at, Skip{Path: f.Path, Reason: reason, Hint: hint, Named: f.Named})
}

// admit counts one more file; false when there are too many.
func (w *walker) admit(at Order, where string) bool {
	if w.entries.Add(1) <= int64(w.o.MaxEntries) {
		return true
	}
	w.full.Do(func() {
		w.skip(at, Skip{
			Path: where, Reason: fmt.Sprintf("more than %d files: only the first were read", w.o.MaxEntries),
			Hint: "select files with --only or --skip, or raise --max-entries",
		})
	})
	return false
}

// excluded counts what Only and Skip left out, and names the first folder or archive that something was left out of:
// with --only most files are, so there is one Skip of all.
type excluded struct {
	at    Order
	where string
	files int
}

func (w *walker) countExcluded(at Order, where string, files int) {
	if files == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.excluded.files == 0 || at.Compare(w.excluded.at) < 0 {
		w.excluded.at, w.excluded.where = at, where
	}
	w.excluded.files += files
}

// submit gives files to the visitors, the rotated ones of one log together.
func (w *walker) submit(files []foundFile) {
	for _, set := range group(files) {
		for i := range set {
			set[i].around.retain()
		}
		w.visitors.add(set[0].at, func() {
			defer func() {
				for i := range set {
					set[i].around.release()
				}
			}()
			if w.ctx.Err() == nil {
				w.examine(set)
			}
		})
	}
}

// examine looks at what files hold and visits them, or walks them.
func (w *walker) examine(set []foundFile) {
	defer w.recoverPanic(set[0])
	var logs []foundFile
	for _, f := range set {
		o, err := w.open(f)
		switch {
		case err != nil: // what reads it reports why: a second attempt might give another answer
			f.Open = func() (io.ReadCloser, error) { return nil, err }
		case w.enter(f, o):
			continue
		case len(set) > 1:
			_ = o.Close()
		default: // what was opened to be looked at is what is read
			var taken atomic.Bool
			take := func() bool { return taken.CompareAndSwap(false, true) }
			defer func() {
				if take() {
					_ = o.Close()
				}
			}()
			again := f.Open
			f.Open = func() (io.ReadCloser, error) {
				if take() {
					return o, nil
				}
				return again()
			}
		}
		logs = append(logs, f)
	}
	if len(logs) > 0 {
		w.read(logs)
	}
}

// recoverPanic keeps a fault of ours in one hostile file from costing the others.
func (w *walker) recoverPanic(f foundFile) {
	if p := recover(); p != nil {
		w.skipFile(f, fmt.Sprintf("triage failed while reading it: %v", p), "")
	}
}

// open opens a file to look at it.
func (w *walker) open(f foundFile) (*File, error) {
	rc, err := f.Open()
	if err != nil {
		return nil, err
	}
	if !f.Regular {
		rc = newContextReader(w.ctx, rc)
	}
	return NewFile(rc), nil
}

// read visits the files of one log.
func (w *walker) read(logs []foundFile) {
	if !w.filter.all() {
		wanted := logs[:0:0]
		for _, f := range logs {
			if f.Named || w.filter.wants(f.Path[f.base:]) {
				wanted = append(wanted, f)
			}
		}
		w.countExcluded(logs[0].at, logs[0].Path, len(logs)-len(wanted))
		if logs = wanted; len(logs) == 0 {
			return
		}
	}
	s := Source{At: logs[0].at, Allowance: w.allowance}
	for _, f := range logs {
		s.Parts = append(s.Parts, f.Part)
	}
	w.visit(s)
}

// enter walks f where it is an archive, and takes o over then.
func (w *walker) enter(f foundFile, o *File) bool {
	what := o.container(f.Regular)
	if what == NoContainer {
		return false
	}
	if f.depth >= w.o.MaxDepth {
		_ = o.Close()
		w.skipTooDeep(f)
		return true
	}
	if what == Zip {
		w.zip(f, o)
		return true
	}
	// The unpackers open it again when its turn comes: many archives in a folder are not open all at once.
	if f.Regular {
		_ = o.Close()
		o = nil
	}
	f.around.retain()
	w.unpacker(f.depth).add(f.at, func() {
		defer f.around.release()
		if w.ctx.Err() != nil {
			return
		}
		defer w.recoverPanic(f)
		if o == nil {
			var err error
			if o, err = w.open(f); err != nil {
				w.skipFile(f, "it could be opened once, but not again: "+ReasonOf(err), HintOf(f.Path, err))
				return
			}
		}
		w.unpack(f, o)
	})
	return true
}

func (w *walker) skipTooDeep(f foundFile) {
	around := "another one"
	if f.depth > 1 {
		around = fmt.Sprintf("%d others", f.depth)
	}
	w.skipFile(f, "an archive inside "+around+": not opened",
		"unpack the outer ones and pass this one, or raise --max-depth")
}

// A refCount keeps something until all its users have released it.
type refCount struct {
	n    atomic.Int32
	done func()
}

func newRefCount(done func()) *refCount {
	h := &refCount{done: done}
	h.n.Store(1)
	return h
}

func (h *refCount) retain() {
	if h != nil {
		h.n.Add(1)
	}
}

func (h *refCount) release() {
	if h != nil && h.n.Add(-1) == 0 {
		h.done()
	}
}
