package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A session captures one process.
type session struct {
	r      *run
	from   string
	pod    *pod   // nil for what is no pod
	folder string // below the capture, "" for the capture itself
	dir    string
	src    source

	mu     sync.Mutex
	items  []ManifestItem
	came   bool  // something came
	misses int   // times in a row that the process could not be reached
	first  error // the first error of all
	disk   error // the file system's, which ends everything

	total   int // goroutines, where known
	counted bool
}

// maxMisses is how often in a row a process that answered before may be out of reach until no more is asked.
const maxMisses = 2

// run asks for everything in the plan: what decides about the rest, then the CPU profile with the dumps meanwhile, then what
// would disturb the CPU profile.
func (s *session) run(ctx context.Context) {
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
		case ItemPreviousLog, ItemLog:
			s.log(ctx, it)
		}
	}
}

// count learns the number of goroutines from the counted profile.
func (s *session) count(it item) {
	f, err := os.Open(filepath.Join(s.dir, it.file))
	if err != nil {
		return // it didn't come
	}
	defer f.Close()
	if n, err := countSamples(f); err == nil {
		s.total, s.counted = n, true
	}
}

// stacks takes the dumps at their times, unless they would stop the process for too long.
func (s *session) stacks(ctx context.Context, it item) {
	p := s.r.plan
	switch {
	case p.stacks:
	case !s.counted:
		s.leaveOut(it, "the number of goroutines is not known, and so not what a dump costs (--stacks takes them anyway)")
		return
	case s.total > maxDumped:
		stop := (time.Duration(s.total) * stopPerGoroutine).Round(100 * time.Millisecond)
		s.leaveOut(it, fmt.Sprintf("%d goroutines: each dump would stop the process for about %s (--stacks takes them anyway)", s.total, stop))
		return
	}
	began := s.r.o.clock.now()
	for n := range p.dumps {
		due := p.first + time.Duration(n)*p.interval
		if left := due - s.r.o.clock.now().Sub(began); left > 0 && ctx.Err() == nil {
			// Its error is the context's, which ask sees too.
			_ = s.r.o.clock.wait(ctx, left)
		}
		s.ask(ctx, it.numbered(n+1))
	}
}

func (s *session) leaveOut(it item, why string) {
	s.add(ManifestItem{Name: it.name, Kind: it.kind, Note: why}, nil)
}

// add files an item's result and tells about it.
func (s *session) add(m ManifestItem, err error) {
	if s.pod != nil {
		m.From = s.from
	}
	m.Error = s.r.o.Access.scrub(m.Error)
	s.mu.Lock()
	s.items = append(s.items, m)
	switch {
	case m.File != "":
		s.came, s.misses = true, 0
	case lost(err):
		s.misses++
	case err != nil && !errors.Is(err, errLost):
		s.misses = 0
	}
	if s.first == nil && m.Error != "" {
		s.first = err
	}
	s.mu.Unlock()
	s.r.emit(Event{Kind: EventItem, From: s.from, Name: m.Name, Item: &m})
}

// lost reports an error of the way to the process rather than of the process.
func lost(err error) bool {
	if err == nil {
		return false
	}
	var ke *kubectlError
	return unreachable(err) || errors.As(err, &ke) && (ke.verb == "port-forward" || ke.says("(Forbidden)", "(Unauthorized)", "Unable to connect", "connection refused"))
}

var errLost = errors.New("not asked: the process can't be reached")

// over is why nothing more is asked, nil where there is no reason.
func (s *session) over(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return cause(ctx, ctx.Err())
	case s.disk != nil:
		return s.disk
	case s.misses >= maxMisses, s.misses > 0 && !s.came:
		return errLost
	}
	return nil
}

// ask asks the process for one item and keeps what comes.
func (s *session) ask(ctx context.Context, it item) {
	r := requestOf(it)
	s.take(ctx, it, s.r.o.Target.base.Path+"/"+r.uri, func(ctx context.Context, to *sink) (int, error) { return s.patiently(ctx, r, to) })
}

// take runs get into the item's file and files the result.
func (s *session) take(ctx context.Context, it item, path string, get func(context.Context, *sink) (int, error)) {
	m := ManifestItem{Name: it.name, Kind: it.kind, Path: path}
	if err := s.over(ctx); err != nil {
		m.Error = err.Error()
		s.add(m, err)
		return
	}
	s.r.emit(Event{Kind: EventStart, From: s.from, Name: it.name, Expect: it.lasts})
	name := filepath.Join(s.dir, it.file)
	to, err := newSink(name, s.r.o.Limits.MaxBytes)
	if err != nil {
		s.fail(err)
		m.Error = err.Error()
		s.add(m, err)
		return
	}
	m.Started = s.r.o.clock.now().UTC()
	tries, err := get(ctx, to)
	m.TookMS = s.r.o.clock.now().Sub(m.Started).Milliseconds()
	if tries > 1 {
		m.Tries = tries
	}
	if cerr := to.f.Close(); to.disk == nil {
		to.disk = cerr
	}
	if to.disk != nil {
		s.fail(to.disk)
		err = to.disk
	}
	s.settle(&m, it, name, to, err)
	s.add(m, err)
}

func (s *session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk == nil {
		s.disk = err
	}
}

// settle decides what becomes of an item's file. A dump or log that was cut is worth reading; a profile is not.
func (s *session) settle(m *ManifestItem, it item, name string, to *sink, err error) {
	if err == nil {
		err = to.odd(it)
	}
	var st *statusError
	switch {
	case err == nil:
		m.File, m.Bytes = s.rel(it.file), to.n
		tidy(m, it, name, to.n)
		return
	case it.name == ItemLeaks && errors.As(err, &st) && st.code == 404:
		m.Note = "not served: it is part of Go 1.27, and of 1.26 built with GOEXPERIMENT=goroutineleakprofile"
	case it.kind == kindLog && noPrevious(err):
		m.Note = "the container was not restarted, or its former log is gone"
	default:
		m.Error = err.Error()
		if (it.kind == kindDump || it.kind == kindLog) && to.n > 0 && to.odd(it) == nil && to.disk == nil {
			m.File, m.Bytes, m.Truncated = s.rel(it.file), to.n, true
			return
		}
	}
	_ = os.Remove(name) // a file of zero bytes that stays hurts nobody
}

func (s *session) rel(file string) string {
	if s.folder == "" {
		return file
	}
	return s.folder + "/" + file
}

// odd tells an answer that is not what was asked for.
func (t *sink) odd(it item) error {
	head := bytes.ToLower(bytes.TrimLeft(t.head, " \t\r\n"))
	switch {
	case it.kind == kindLog:
		return nil
	case t.n == 0:
		return errors.New("answered nothing")
	case bytes.HasPrefix(head, []byte("<!doctype")), bytes.HasPrefix(head, []byte("<html")):
		return errWebPage
	}
	return nil
}

// maxDumpText is where net/http/pprof's debug=2 ends without a word (runtime/pprof, writeGoroutineStacks).
const maxDumpText = 64 << 20

// maxCmdline bounds the command line that is made readable: Linux allows 2 MiB of arguments by default.
const maxCmdline = 4 << 20

// tidy adds what is known of a file that came, and writes a command line, whose words NULs part, one word a line.
func tidy(m *ManifestItem, it item, name string, n int64) {
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
			m.Note = "its words are parted by NULs"
		}
	}
}

// busy reports the answer of a process that is being profiled by somebody else.
func busy(err error) bool {
	return err != nil && strings.Contains(err.Error(), "cpu profiling already in use")
}

// maxBackoff is the longest pause between two tries.
const maxBackoff = 8 * time.Second

// patiently asks, and asks again while somebody else is profiling. It returns how often it asked.
func (s *session) patiently(ctx context.Context, r request, to *sink) (tries int, err error) {
	c, l := s.r.o.clock, s.r.o.Limits
	began, pause := c.now(), time.Second
	for tries = 1; ; tries++ {
		err = s.src.get(ctx, r, to)
		if !busy(err) || c.now().Sub(began)+pause > l.Busy {
			return tries, err
		}
		s.r.note(s.from, fmt.Sprintf("somebody else is profiling the CPU: trying again in %s", pause))
		if werr := c.wait(ctx, pause); werr != nil {
			return tries, cause(ctx, werr)
		}
		if rerr := to.reset(); rerr != nil {
			return tries, rerr
		}
		pause = min(2*pause, maxBackoff)
	}
}

// previousLines bounds a former log to its end, where a crash stands; the kubelet rotates at 10 MiB by default, some
// 100,000 lines.
const previousLines = 500_000

// log takes a log of the pod's container.
func (s *session) log(ctx context.Context, it item) {
	p, lines := s.pod, s.r.plan.lines
	args := []string{"logs", "pod/" + p.name, "--timestamps"}
	switch {
	case it.name == ItemPreviousLog && p.known && p.restarts == 0:
		s.leaveOut(it, "the container was not restarted")
		return
	case it.name == ItemPreviousLog:
		args = append(args, "--previous", "--tail="+strconv.Itoa(previousLines))
		it.file = logName(p, p.restarts-1, "previous.log")
	default:
		if lines == 0 {
			lines = defaultLogLines
		}
		args = append(args, "--tail="+strconv.Itoa(lines))
		it.file = logName(p, p.restarts, "current.log")
	}
	if p.container != "" {
		args = append(args, "--container="+p.container)
	}
	args = append(args, p.namespaceFlag()...)
	s.take(ctx, it, "kubectl "+strings.Join(args, " "), func(ctx context.Context, to *sink) (int, error) {
		return 1, s.r.kubectl.stream(ctx, s.r.o.Limits, 0, to, args...)
	})
}

// defaultLogLines is what --only log takes without --log-lines.
const defaultLogLines = 10_000

// logName is the kubelet's name of a log, N.log for the container's Nth restart, where the number is known.
func logName(p *pod, restart int, otherwise string) string {
	if !p.known || restart < 0 {
		return otherwise
	}
	return strconv.Itoa(restart) + ".log"
}

// noPrevious reports that there is no log of a former container.
func noPrevious(err error) bool {
	var ke *kubectlError
	return errors.As(err, &ke) && ke.says("previous terminated container", "unable to retrieve container logs")
}
