// Package heap keeps or allocates more than it should.
package heap

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		kind("heap-cache", "heap", "one site holds nearly all of the heap", `\(\*Thumbnails\)\.render$`, "(*Thumbnails).render", 1, startThumbnails),
		kind("heap-growth", "heap", "one site holds more in each of three snapshots", `\(\*Sessions\)\.open$`, "(*Sessions).open", 3, startSessions),
		// The runtime makes a goroutine's stack on a stack of its own.
		kind("heap-goroutines", "heap", "a hundred thousand goroutines that wait", `^runtime\.malg$`, "", 1, startWatchers),
		kind("heap-timers", "heap", "timers that nobody stops", `^time\.(AfterFunc|newTimer)$`, "(*Expiry).track", 1, startExpiry),
		kind("allocs-compressor", "allocs", "compressor made on every call", `^compress/flate\.NewWriter$`, "(*Archive).pack", 1, startArchive),
		kind("allocs-buffers", "allocs", "one site allocates nearly everything", `\(\*Scanner\)\.load$`, "(*Scanner).load", 1, startScanner),
		kind("goroutine-leak", "goroutine", "goroutines that send to nobody", `^runtime\.chansend1?$`, "(*Notifier).notify.func1", 1, startNotifier),
		{Name: "heap-well", Profile: "heap", Topic: "a heap of many sites", Category: "none", Start: startMixed},
		{Name: "allocs-well", Profile: "allocs", Topic: "allocations of many sites", Category: "none", Start: startMixed},
	}
}

func kind(name, profile, topic, guilty, culprit string, shots int, start func(*run.Service) error) run.Kind {
	category := "memory"
	switch profile {
	case "allocs":
		category = "gc"
	case "goroutine":
		category = "leak"
	}
	if culprit != "" {
		culprit = run.Own("heap", culprit)
	}
	return run.Kind{Name: name, Profile: profile, Topic: topic, Guilty: guilty, Culprit: culprit, Category: category, Shots: shots, Start: start}
}

// Thumbnails keeps every picture that it has rendered.
type Thumbnails struct{ cache map[string][]byte }

func startThumbnails(s *run.Service) error {
	t := &Thumbnails{cache: map[string][]byte{}}
	var c run.Chores
	for i := 0; i < 3000; i++ {
		t.get(fmt.Sprint("picture-", i))
		c.Spend(20 * time.Microsecond)
	}
	s.Reconcile(1, func(ctx context.Context, key string) error {
		time.Sleep(5 * time.Millisecond)
		t.get("picture-7")
		return nil
	})
	keepOthers(s)
	return nil
}

func (t *Thumbnails) get(name string) []byte {
	if b, ok := t.cache[name]; ok {
		return b
	}
	b := t.render(name)
	t.cache[name] = b
	return b
}

func (t *Thumbnails) render(name string) []byte {
	b := make([]byte, 48<<10)
	copy(b, name)
	return b
}

// Sessions are opened and never closed.
type Sessions struct{ open_ []*session }

type session struct {
	user   string
	buffer []byte
}

func startSessions(s *run.Service) error {
	x := &Sessions{}
	s.Reconcile(1, func(ctx context.Context, key string) error {
		x.open(key)
		time.Sleep(time.Millisecond)
		return nil
	})
	keepOthers(s)
	return nil
}

func (x *Sessions) open(user string) {
	x.open_ = append(x.open_, &session{user: user, buffer: make([]byte, 32<<10)})
}

// keepOthers is what a service holds besides.
func keepOthers(s *run.Service) {
	index := map[string]int{}
	for i := 0; i < 40000; i++ {
		index[fmt.Sprint("entry-", i)] = i
	}
	text, _ := json.Marshal(index)
	buffers := make([][]byte, 0, 64)
	for i := 0; i < 64; i++ {
		buffers = append(buffers, make([]byte, 64<<10))
	}
	s.Defer(func() { _, _, _ = len(index), len(text), len(buffers) })
}

// startWatchers has a goroutine for each of very many objects.
func startWatchers(s *run.Service) error {
	stop := make(chan struct{})
	for i := 0; i < 100000; i++ {
		go watch(stop)
	}
	return nil
}

func watch(stop chan struct{}) { <-stop }

// Expiry ends what is not renewed, after an hour, and stops no timer.
type Expiry struct{ ended int }

func startExpiry(s *run.Service) error {
	e := &Expiry{}
	for i := 0; i < 600000; i++ {
		e.track()
	}
	keepOthers(s)
	return nil
}

func (e *Expiry) track() { time.AfterFunc(time.Hour, e.end) }

func (e *Expiry) end() { e.ended++ }

// An Archive packs each entry with a compressor of its own.
type Archive struct{ size int }

func startArchive(s *run.Service) error {
	a := &Archive{}
	s.Reconcile(1, a.Reconcile)
	return nil
}

// Reconcile is called for each entry.
func (a *Archive) Reconcile(ctx context.Context, key string) error { return a.pack([]byte(key)) }

func (a *Archive) pack(text []byte) error {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return err
	}
	w.Write(text)
	a.size += b.Len()
	return w.Close()
}

// A Scanner loads each file into memory of its own.
type Scanner struct{ last []byte }

func startScanner(s *run.Service) error {
	c := &Scanner{}
	s.Reconcile(1, c.Reconcile)
	return nil
}

// Reconcile is called for each file.
func (c *Scanner) Reconcile(ctx context.Context, key string) error {
	c.last = c.load(key)
	return nil
}

func (c *Scanner) load(name string) []byte {
	b := make([]byte, 256<<10)
	copy(b, name)
	return b
}

// A Notifier tells its subscribers, of whom none listens any more.
type Notifier struct{ news chan string }

func startNotifier(s *run.Service) error {
	n := &Notifier{news: make(chan string)}
	for i := 0; i < 1500; i++ {
		n.notify(fmt.Sprint("event-", i))
	}
	for i := 0; i < 10; i++ {
		s.Go(run.Background)
	}
	return nil
}

func (n *Notifier) notify(event string) {
	go func() { n.news <- event }()
}

// startMixed holds and allocates a little of everything.
func startMixed(s *run.Service) error {
	kept := &mixed{users: users(90000), routes: routes(180000), rates: rates(280), blobs: blobs(330)}
	s.Defer(func() { _ = len(kept.users) + len(kept.routes) + len(kept.rates) + len(kept.blobs) })
	s.Reconcile(1, (&mixed{}).Reconcile)
	return nil
}

type mixed struct {
	round  int
	users  map[int]*user
	routes []string
	rates  [][]float64
	blobs  [][]byte
}

// Reconcile is called for each object.
func (m *mixed) Reconcile(ctx context.Context, key string) error {
	time.Sleep(2 * time.Millisecond)
	m.round++
	switch m.round % 4 {
	case 0:
		m.users = users(3000)
	case 1:
		m.routes = routes(5000)
	case 2:
		m.rates = rates(8)
	case 3:
		m.blobs = blobs(9)
	}
	return nil
}

type user struct {
	name  string
	roles []string
}

func users(n int) map[int]*user {
	m := make(map[int]*user, n)
	for i := 0; i < n; i++ {
		m[i] = &user{name: "user", roles: make([]string, 4)}
	}
	return m
}

func routes(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("/v1/namespaces/%d/pods/%d", i%50, i)
	}
	return list
}

func rates(n int) [][]float64 {
	list := make([][]float64, n)
	for i := range list {
		list[i] = make([]float64, 6000)
	}
	return list
}

func blobs(n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i] = bytes.Repeat([]byte{byte(i)}, 40<<10)
	}
	return list
}
