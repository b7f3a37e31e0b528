package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/profile"
)

// A session captures one process.
type session struct {
	r    *run
	from string
	pod  *pod // nil if it is no pod
	dir  string
	src  source // nil where only logs are kept

	mu          sync.Mutex
	items       []ManifestItem
	answered    bool          // the port answered
	silent      time.Duration // waited for answers that did not come since the last one that did
	unreachable int           // times in a row that the process could not be reached
	failure     error         // the first one
	diskErr     error         // of the file system, which ends everything

	goroutines int64 // if counted
	counted    bool
}

// maxProfile bounds the goroutine profile that is counted, as it is stored: one of 10,000 distinct stacks has some MiB.
// Four are counted at a time.
const maxProfile = 16 << 20

// maxUnreachable is how often in a row a process that answered before may be unreachable until no more is asked.
const maxUnreachable = 2

// run asks for everything in the plan. The log of an unsettled container comes first: it may be gone soon.
func (s *session) run(ctx context.Context) {
	early := s.pod != nil && s.pod.unsettled
	if early {
		s.logs(ctx)
	}
	if s.src != nil {
		s.pages(ctx)
	}
	if s.pod != nil && !early {
		s.logs(ctx)
	}
	if s.pod != nil && !s.pod.second {
		s.objects(ctx)
	}
	if s.pod != nil && (s.pod.closed != "" || !s.answered) {
		s.r.note(s.from, s.pod.unanswered())
	}
}

// pages asks for what the port serves: the CPU profile with the dumps meanwhile, then what would disturb it.
func (s *session) pages(ctx context.Context) {
	defer s.src.close()
	p := s.r.plan
	for _, it := range p.items {
		switch it.name {
		case ItemCmdline, ItemLeaks:
			s.ask(ctx, it)
		case ItemGoroutine:
			s.ask(ctx, it)
			s.count(it)
		}
	}
	var wg sync.WaitGroup
	if it, ok := p.item(ItemCPU); ok {
		wg.Go(func() { s.ask(ctx, it) })
	}
	if it, ok := p.item(ItemStacks); ok {
		wg.Go(func() { s.stacks(ctx, it) })
	}
	wg.Wait()
	for _, it := range p.items {
		switch it.name {
		case ItemHeap, ItemAllocs, ItemMutex, ItemBlock, ItemThreadCreate:
			s.ask(ctx, it)
		}
	}
}

// count gets the number of goroutines from the counted profile.
func (s *session) count(it item) {
	f, err := os.Open(filepath.Join(s.dir, it.file))
	if err != nil {
		return // it didn't come
	}
	defer f.Close()
	if n, err := countGoroutines(f); err == nil {
		s.goroutines, s.counted = n, true
	}
}

// countGoroutines returns the number of goroutines in a goroutine profile.
func countGoroutines(r io.Reader) (int64, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxProfile))
	if err != nil {
		return 0, fmt.Errorf("reading a profile: %w", err)
	}
	p, err := profile.Read(data)
	if err != nil {
		return 0, fmt.Errorf("reading a profile: %w", err)
	}
	if n := p.Total(); n > 0 {
		return n, nil
	}
	return 0, errors.New("the profile has no goroutine")
}

// stacks takes the dumps at their times, unless they would stop the process for too long.
func (s *session) stacks(ctx context.Context, it item) {
	const takeAnyway = " (--stacks takes them anyway)"
	p, c := s.r.plan, s.r.o.clock
	switch {
	case p.Stacks:
	case !s.counted:
		s.leaveOut(it, "the number of goroutines is unknown, and so is the cost of a dump"+takeAnyway)
		return
	case s.goroutines > maxDumped:
		stop := (time.Duration(s.goroutines) * stopPerGoroutine).Round(100 * time.Millisecond)
		s.leaveOut(it, fmt.Sprintf("%d goroutines: each dump would stop the process for about %s%s", s.goroutines, stop,
			takeAnyway))
		return
	}
	it.lasts = time.Duration(s.goroutines) * stopPerGoroutine
	began := c.Now()
	for n := range p.Dumps {
		due := p.first + time.Duration(n)*p.Interval
		if left := due - c.Now().Sub(began); left > 0 && ctx.Err() == nil {
			// Its error is the context's, which ask finds too.
			_ = c.Wait(ctx, left)
		}
		s.ask(ctx, it.numbered(n+1))
	}
}

func (s *session) leaveOut(it item, why string) {
	s.add(ManifestItem{Name: it.name, Kind: it.kind, Note: why}, nil)
}

func (s *session) add(m ManifestItem, err error) {
	if s.pod != nil {
		m.From = s.from
	}
	m.Error = s.r.o.Access.scrub(m.Error)
	s.mu.Lock()
	s.items = append(s.items, m)
	switch {
	case !fromPort(m.Kind):
	case m.kept():
		s.answered, s.unreachable = true, 0
	case connectionLost(err):
		s.unreachable++
	case err != nil && !errors.Is(err, errNotAsked):
		s.unreachable = 0
	}
	if s.failure == nil && m.Error != "" {
		s.failure = err
	}
	s.mu.Unlock()
	s.r.emit(Event{Kind: EventItem, From: s.from, Name: m.Name, Item: &m})
}

// connectionLost reports whether err is one of the way to the process and not of the process.
func connectionLost(err error) bool {
	if err == nil {
		return false
	}
	ke, ok := errors.AsType[*kubectlError](err)
	return unreachable(err) || ok && ke.verb == "port-forward" ||
		isKubectlError(err, "(Forbidden)", "(Unauthorized)", "Unable to connect", "connection refused")
}

var errNotAsked = errors.New("not requested: the process can't be reached")

// stopReason returns why no item of a kind is asked for any more, nil if there is no reason.
func (s *session) stopReason(ctx context.Context, kind string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return cause(ctx, ctx.Err())
	case s.diskErr != nil:
		return s.diskErr
	case !fromPort(kind):
		return nil
	case s.unreachable >= maxUnreachable, s.unreachable > 0 && !s.answered, s.silent >= s.r.o.Limits.Header:
		return errNotAsked
	}
	return nil
}

// patience is how long the next answer may take to begin. The port may be silent for Limits.Header in all between two
// answers, and one item may use half of it: a page that hangs costs no other one, and a port that never answers is not
// waited for once for each item.
func (s *session) patience() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	limit := s.r.o.Limits.Header
	return min(limit/2, max(limit-s.silent, time.Millisecond))
}

// waited counts how long the port was silent. An answer, of whatever kind, ends the silence.
func (s *session) waited(took time.Duration, to *sink, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil || to.n > 0 || fromProcess(err) {
		s.silent = 0
		return
	}
	s.silent += max(took, 0)
}

func (s *session) ask(ctx context.Context, it item) {
	path := s.r.o.Target.base.Path + "/" + it.uri()
	s.take(ctx, it, path, func(ctx context.Context, to *sink) (int, error) { return s.retryWhileBusy(ctx, it, to) })
}

// take calls get with the item's file, and records the result. get returns how often it tried.
func (s *session) take(ctx context.Context, it item, path string, get func(context.Context, *sink) (int, error)) {
	m := ManifestItem{Name: it.name, Kind: it.kind, Path: path}
	var to *sink
	name := filepath.Join(s.dir, it.file)
	err := s.stopReason(ctx, it.kind)
	if err == nil {
		s.r.emit(Event{Kind: EventStart, From: s.from, Name: it.name, Expect: it.lasts})
		if to, err = newSink(name, s.r.o.Limits.MaxBytes); err != nil {
			s.diskFailed(err)
		}
	}
	if err != nil {
		m.Error = err.Error()
		s.add(m, err)
		return
	}
	m.Started = s.r.o.clock.Now().UTC()
	tries, err := get(ctx, to)
	m.TookMS = s.r.o.clock.Now().Sub(m.Started).Milliseconds()
	if tries > 1 {
		m.Tries = tries
	}
	to.diskErr = cmp.Or(to.diskErr, to.f.Close())
	if to.diskErr != nil {
		s.diskFailed(to.diskErr)
		err = to.diskErr
	}
	s.keepOrRemove(&m, it, name, to, err)
	s.add(m, err)
}

func (s *session) diskFailed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.diskErr = cmp.Or(s.diskErr, err)
}

// keepOrRemove decides about an item's file. A dump or log that was cut is worth reading; a profile is not.
func (s *session) keepOrRemove(m *ManifestItem, it item, name string, to *sink, err error) {
	unexpected := unexpectedResponse(it, to)
	switch err = cmp.Or(err, unexpected); {
	case err == nil:
		m.File, m.Bytes = s.pathOf(it), to.n
		finish(m, it, name, to.n)
		return
	case it.name == ItemLeaks && isStatus(err, 404):
		m.Note = "not served: it is part of Go 1.27, and of 1.26 built with GOEXPERIMENT=goroutineleakprofile"
	case it.kind == kindLog && noPrevious(err):
		m.Note = "the container was not restarted, or its previous log is gone"
	default:
		m.Error = err.Error()
		isText := it.kind == kindDump || !fromPort(it.kind)
		if isText && to.n > 0 && unexpected == nil && to.diskErr == nil {
			m.File, m.Bytes, m.Truncated = s.pathOf(it), to.n, true
			return
		}
	}
	_ = os.Remove(name) // if it stays, it does no harm
}

func (s *session) pathOf(it item) string {
	if s.pod == nil {
		return it.file
	}
	return s.pod.Folder + "/" + it.file
}

// maxDumpText is where net/http/pprof cuts a debug=2 dump without a mark (runtime/pprof, writeGoroutineStacks).
const maxDumpText = 64 << 20

// maxCmdline bounds the command line that is made readable: Linux allows 2 MiB of arguments by default.
const maxCmdline = 4 << 20

// finish notes a dump that was cut, and separates the words of a command line by line breaks, not NULs.
func finish(m *ManifestItem, it item, name string, n int64) {
	switch {
	case it.kind == kindDump && n >= maxDumpText:
		m.Truncated = true
		m.Note = "net/http/pprof ends a dump at 64 MiB"
	case it.name == ItemCmdline && n <= maxCmdline:
		words, err := os.ReadFile(name)
		if err != nil {
			return
		}
		words = append(bytes.ReplaceAll(words, []byte{0}, []byte{'\n'}), '\n')
		if err := os.WriteFile(name, words, fileMode); err != nil {
			m.Note = "its arguments are separated by NUL bytes"
		}
	}
}

// maxBackoff is the longest pause between two tries.
const maxBackoff = 8 * time.Second

// retryWhileBusy asks for an item, and asks again while another client profiles the CPU. It returns how often it asked.
func (s *session) retryWhileBusy(ctx context.Context, it item, to *sink) (tries int, err error) {
	c, busy := s.r.o.clock, s.r.o.Limits.Busy
	began, pause := c.Now(), time.Second
	for tries = 1; ; tries++ {
		asked := time.Now()
		err = s.src.get(ctx, it, s.patience(), to)
		s.waited(time.Since(asked)-it.lasts, to, err)
		if !profilerInUse(err) || c.Now().Sub(began)+pause > busy {
			return tries, err
		}
		s.r.note(s.from, fmt.Sprintf("another client is profiling the CPU: trying again in %s", pause))
		if werr := c.Wait(ctx, pause); werr != nil {
			return tries, cause(ctx, werr)
		}
		if rerr := to.reset(); rerr != nil {
			return tries, rerr
		}
		pause = min(2*pause, maxBackoff)
	}
}

func (s *session) sorted() []ManifestItem {
	order := ItemNames()
	slices.SortStableFunc(s.items, func(a, b ManifestItem) int {
		return cmp.Or(cmp.Compare(slices.Index(order, a.Name), slices.Index(order, b.Name)),
			a.Started.Compare(b.Started), strings.Compare(a.File, b.File))
	})
	return s.items
}
