package memory

import (
	"context"
	"fmt"
	"sort"

	"example.com/fixtures/burn/run"
)

// An Index is made anew for each object.
type Index struct {
	names []string
	last  map[string]int
}

func startIndex(s *run.Service) error {
	x := &Index{names: names(4000, "pod-")}
	s.Reconcile(1, x.Reconcile)
	return nil
}

func names(n int, prefix string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = prefix + fmt.Sprint(i)
	}
	return list
}

// Reconcile is called for each object.
func (x *Index) Reconcile(ctx context.Context, key string) error {
	x.last = x.byName()
	return nil
}

func (x *Index) byName() map[string]int {
	m := map[string]int{}
	for i, name := range x.names {
		m[name] = i
	}
	return m
}

// A Cache is asked for the same keys again and again.
type Cache struct {
	entries map[string]int
	keys    []string
	sum     int
}

func startLookups(s *run.Service) error {
	c := &Cache{entries: map[string]int{}, keys: names(50000, "clusters/eu-central-1/namespaces/production/services/")}
	for i, key := range c.keys {
		c.entries[key] = i
	}
	s.Reconcile(1, c.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (c *Cache) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 5000; i++ {
		c.sum += c.lookup(c.keys[i*7919%len(c.keys)])
	}
	return nil
}

func (c *Cache) lookup(key string) int { return c.entries[key] }

// A Batch gathers records.
type Batch struct{ last []record }

type record struct {
	id int
	_  [6]float64
}

func startBatch(s *run.Service) error {
	b := &Batch{}
	s.Reconcile(1, b.Reconcile)
	return nil
}

// Reconcile is called for each source.
func (b *Batch) Reconcile(ctx context.Context, key string) error {
	b.last = b.gather(20000)
	return nil
}

func (b *Batch) gather(n int) []record {
	var list []record
	for i := 0; i < n; i++ {
		list = append(list, record{id: i})
	}
	return list
}

// A Ranking orders nodes by their score.
type Ranking struct {
	scores []score
	work   []score
}

type score struct {
	node  string
	value int
	_     string
}

func startRanking(s *run.Service) error {
	r := &Ranking{}
	for i := 0; i < 2000; i++ {
		r.scores = append(r.scores, score{node: fmt.Sprint("node-", i), value: i * 7919 % 2003})
	}
	r.work = make([]score, len(r.scores))
	s.Reconcile(1, r.Reconcile)
	return nil
}

// Reconcile is called for each pod to be placed.
func (r *Ranking) Reconcile(ctx context.Context, key string) error {
	copy(r.work, r.scores)
	r.order()
	return nil
}

func (r *Ranking) order() {
	sort.Slice(r.work, func(i, j int) bool { return r.work[i].value < r.work[j].value })
}

// A Window keeps the newest samples, the newest first.
type Window struct{ samples []sample }

type sample struct {
	at int64
	_  [15]float64
}

func startWindow(s *run.Service) error {
	w := &Window{samples: make([]sample, 2000)}
	s.Reconcile(1, w.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (w *Window) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 10; i++ {
		w.push(sample{at: int64(i)})
	}
	return nil
}

func (w *Window) push(n sample) {
	copy(w.samples[1:], w.samples)
	w.samples[0] = n
}

// A Copier copies little files through large buffers.
type Copier struct {
	buffer []byte
	bytes  int
}

func startCopier(s *run.Service) error {
	c := &Copier{}
	s.Reconcile(1, c.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (c *Copier) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 10; i++ {
		c.copyOne(key)
	}
	return nil
}

func (c *Copier) copyOne(text string) {
	c.buffer = make([]byte, 4<<20)
	c.bytes += copy(c.buffer, text)
}
