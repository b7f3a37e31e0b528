package memory

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"time"

	"example.com/fixtures/burn/run"
)

// A Decoder makes many small objects of each message, which nobody needs for long.
type Decoder struct {
	kept []*tree
	last *tree
}

type tree struct {
	left, right *tree
	name        *int
}

func startDecoder(s *run.Service) error {
	d := &Decoder{}
	for i := 0; i < 40; i++ {
		d.kept = append(d.kept, d.nodes(13))
	}
	s.Reconcile(1, d.Reconcile)
	return nil
}

// Reconcile is called for each message.
func (d *Decoder) Reconcile(ctx context.Context, key string) error {
	d.last = d.nodes(12)
	return nil
}

func (d *Decoder) nodes(depth int) *tree {
	if depth == 0 {
		return &tree{name: new(int)}
	}
	return &tree{left: d.nodes(depth - 1), right: d.nodes(depth - 1), name: new(int)}
}

// A Graph is rebuilt by several goroutines at once, beside a large one that stays.
type Graph struct {
	all   []*edge
	fresh []*edge
}

type edge struct {
	next, other *edge
	_           [6]*int
}

func startGraph(s *run.Service) error {
	g := &Graph{}
	g.all = g.chain(600000)
	debug.SetGCPercent(8)
	for i := 0; i < 2; i++ {
		part := &Graph{all: g.all}
		s.Reconcile(1, part.Reconcile)
	}
	return nil
}

// Reconcile is called for each change.
func (g *Graph) Reconcile(ctx context.Context, key string) error {
	g.fresh = g.rebuild(4000)
	return nil
}

func (g *Graph) rebuild(n int) []*edge { return g.chain(n) }

func (g *Graph) chain(n int) []*edge {
	list := make([]*edge, 0, n)
	var last *edge
	for i := 0; i < n; i++ {
		last = &edge{next: last}
		if i > 7 {
			last.other = list[i*7919%i]
		}
		list = append(list, last)
	}
	return list
}

// A Janitor thinks that it knows better when to collect.
type Janitor struct{ kept []*tree }

func startJanitor(s *run.Service) error {
	j := &Janitor{kept: forest(8)}
	s.Reconcile(1, j.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (j *Janitor) Reconcile(ctx context.Context, key string) error {
	d := &Decoder{}
	j.kept[0] = d.nodes(9)
	j.sweep()
	return nil
}

func (j *Janitor) sweep() { runtime.GC() }

// forest is what a service of some size has in use: 4 MiB of pointers a tree.
func forest(trees int) []*tree {
	d := &Decoder{}
	var all []*tree
	for i := 0; i < trees; i++ {
		all = append(all, d.nodes(16))
	}
	return all
}

// A Shrinker gives memory back after each object.
type Shrinker struct {
	kept   []*tree
	buffer []byte
}

func startShrinker(s *run.Service) error {
	h := &Shrinker{kept: forest(6)}
	s.Reconcile(1, h.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (h *Shrinker) Reconcile(ctx context.Context, key string) error {
	h.buffer = make([]byte, 8<<20)
	for i := 0; i < len(h.buffer); i += 4096 {
		h.buffer[i] = 1
	}
	h.buffer = nil
	h.shrink()
	return nil
}

func (h *Shrinker) shrink() { debug.FreeOSMemory() }

// A Session keeps more than the memory limit allows.
type Session struct {
	kept []*tree
	last *tree
}

func startSessions(s *run.Service) error {
	d := &Decoder{}
	x := &Session{}
	for i := 0; i < 12; i++ {
		x.kept = append(x.kept, d.nodes(15))
	}
	debug.SetMemoryLimit(24 << 20)
	s.Reconcile(1, x.touch)
	return nil
}

func (x *Session) touch(ctx context.Context, key string) error {
	d := &Decoder{}
	x.last = d.nodes(8)
	return nil
}

// Handles are closed by finalizers.
type Handles struct{ last *handle }

type handle struct {
	fd   int
	name string
}

func startHandles(s *run.Service) error {
	h := &Handles{}
	s.Reconcile(1, h.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (h *Handles) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 300; i++ {
		h.last = h.open(i, key)
	}
	return nil
}

func (h *Handles) open(fd int, name string) *handle {
	x := &handle{fd: fd, name: name}
	runtime.SetFinalizer(x, func(x *handle) { x.fd = -1 })
	return x
}

// A Gauge samples the heap's size with every object.
type Gauge struct{ highest uint64 }

func startGauge(s *run.Service) error {
	g := &Gauge{}
	s.Reconcile(1, g.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (g *Gauge) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 10; i++ {
		if n := g.sample(); n > g.highest {
			g.highest = n
		}
	}
	return nil
}

func (g *Gauge) sample() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A Watchdog looks at all goroutines with every object.
type Watchdog struct{ size int }

func startWatchdog(s *run.Service) error {
	for i := 0; i < 300; i++ {
		s.Go(func(ctx context.Context) { <-ctx.Done() })
	}
	w := &Watchdog{}
	s.Reconcile(1, w.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (w *Watchdog) Reconcile(ctx context.Context, key string) error {
	return w.check(time.Now())
}

func (w *Watchdog) check(now time.Time) error {
	var b bytes.Buffer
	fmt.Fprintln(&b, now)
	err := pprof.Lookup("goroutine").WriteTo(&b, 1)
	w.size = b.Len()
	return err
}
