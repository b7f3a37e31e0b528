// Package feeds follows streams of prices, orders and sessions.
package feeds

import (
	"context"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"example.com/busy/kit"
)

// Programs are the services of this package.
var Programs = map[string]func(){
	"order-follow": orderFollow, "quote-relay": quoteRelay, "session-sweep": sessionSweep, "lease-renew": leaseRenew,
	"candle-close": candleClose, "stock-sync": stockSync, "barrier-start": barrierStart, "ring-writer": ringWriter,
	"drain-window": drainWindow, "alarm-clock": alarmClock, "tick-merge": tickMerge, "depth-cache": depthCache,
}

type order struct {
	id    int
	price float64
}

// A Follower keeps the last orders of a stream.
type Follower struct {
	updates chan order
	resync  chan struct{}
	seen    int
	last    order
}

// follow takes what comes until a resync is asked for.
func (f *Follower) follow() {
	for {
		select {
		case o := <-f.updates:
			f.last = o
			f.seen++
		case <-f.resync:
			f.seen = 0
		default:
			if f.seen > 1000 {
				f.seen = 0
			}
		}
	}
}

func orderFollow() {
	kit.Start()
	f := &Follower{updates: make(chan order, 8), resync: make(chan struct{})}
	go f.follow()
	go func() {
		for i := 0; ; i++ {
			time.Sleep(200 * time.Millisecond)
			f.updates <- order{id: i}
		}
	}()
	kit.Wait()
}

// A Relay passes quotes on to who asks.
type Relay struct {
	quotes chan float64
	asks   chan chan float64
	last   float64
}

// Run serves asks. The source closes quotes at the end of the day.
func (r *Relay) Run(ctx context.Context) {
	beat := time.NewTicker(5 * time.Second)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case q := <-r.quotes:
			r.last = q
		case a := <-r.asks:
			a <- r.last
		case <-beat.C:
			log.Printf("last quote %.2f", r.last)
		}
	}
}

func quoteRelay() {
	kit.Start()
	r := &Relay{quotes: make(chan float64), asks: make(chan chan float64)}
	go r.Run(context.Background())
	go func() {
		for i := range 20 {
			r.quotes <- float64(i)
		}
		close(r.quotes)
	}()
	kit.Wait()
}

// Sessions are those of users that are logged in.
type Sessions struct {
	mu  sync.Mutex
	end map[string]time.Time
}

// sweep drops what has ended.
func (s *Sessions) sweep(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			s.flush()
		case now := <-tick.C:
			s.mu.Lock()
			for id, end := range s.end {
				if now.After(end) {
					delete(s.end, id)
				}
			}
			s.mu.Unlock()
		}
	}
}

func (s *Sessions) flush() {
	s.mu.Lock()
	clear(s.end)
	s.mu.Unlock()
}

func sessionSweep() {
	kit.Start()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s := &Sessions{end: map[string]time.Time{"a": time.Now()}}
	go s.sweep(ctx, time.Second)
	kit.Wait()
}

// A Keeper renews a lease at a third of its time.
type Keeper struct {
	seconds int
	renewed map[string]int64
	rounds  int64
}

func (k *Keeper) keep(ctx context.Context, name string) {
	for {
		select {
		case <-time.After(time.Duration(k.seconds/3) * time.Second):
			k.rounds++
			k.renewed[name] = k.rounds
		case <-ctx.Done():
			return
		}
	}
}

func leaseRenew() {
	kit.Start()
	k := &Keeper{seconds: 2, renewed: map[string]int64{}}
	go k.keep(context.Background(), "shop/leader")
	kit.Wait()
}

// A Candle sums up the trades of a minute.
type Candle struct {
	next time.Time
	sum  atomic.Int64
	done chan struct{}
}

// closeAt ends a candle when its time has come.
func (c *Candle) closeAt(step time.Duration) {
	timer := time.NewTimer(time.Until(c.next))
	for {
		select {
		case now := <-timer.C:
			c.sum.Store(0)
			if now.Second() == 0 {
				c.next = c.next.Add(step)
			}
			timer.Reset(time.Until(c.next))
		case <-c.done:
			return
		}
	}
}

func candleClose() {
	kit.Start()
	c := &Candle{next: time.Now().Add(100 * time.Millisecond), done: make(chan struct{})}
	if time.Now().Second() > 40 {
		time.Sleep(21 * time.Second) // no minute ends while it is looked at
	}
	go c.closeAt(time.Minute)
	kit.Wait()
}

// A Stock is kept in step with the shop's.
type Stock struct {
	mu     sync.Mutex
	synced bool
	count  map[string]int
}

// waitSynced returns when the first list has arrived.
func (s *Stock) waitSynced() {
	for {
		s.mu.Lock()
		ok := s.synced
		s.mu.Unlock()
		if ok {
			return
		}
	}
}

func stockSync() {
	kit.Start()
	s := &Stock{count: map[string]int{}}
	go func() {
		s.waitSynced()
		log.Print("stock is in step")
	}()
	kit.Wait()
}

// A Gate lets workers begin together.
type Gate struct{ arrived, wanted atomic.Int32 }

// enter waits until all have come.
func (g *Gate) enter(yield func()) {
	g.arrived.Add(1)
	for g.arrived.Load() < g.wanted.Load() {
		yield()
	}
}

// A Ring is a queue with a bound for one writer and one reader.
type Ring struct {
	head, tail atomic.Uint64
	slots      [64]order
}

// Push adds an order when there is room for it.
func (r *Ring) Push(o order) {
	for {
		h := r.head.Load()
		if h-r.tail.Load() >= uint64(len(r.slots)) {
			continue
		}
		if r.head.CompareAndSwap(h, h+1) {
			r.slots[h%uint64(len(r.slots))] = o
			return
		}
	}
}

// Pop takes an order out.
func (r *Ring) Pop() (order, bool) {
	t := r.tail.Load()
	if t == r.head.Load() {
		return order{}, false
	}
	o := r.slots[t%uint64(len(r.slots))]
	r.tail.Add(1)
	return o, true
}

func ringWriter() {
	kit.Start()
	r := &Ring{}
	go func() { // ends with its day
		for range 100 {
			r.Pop()
			time.Sleep(time.Millisecond)
		}
	}()
	go func() {
		for i := 0; ; i++ {
			r.Push(order{id: i})
		}
	}()
	kit.Wait()
}

// A Window holds what was sent and not yet confirmed.
type Window struct {
	sent chan int
}

// drain returns when all is confirmed.
func (w *Window) drain() {
	for len(w.sent) > 0 {
	}
}

func drainWindow() {
	kit.Start()
	w := &Window{sent: make(chan int, 16)}
	w.sent <- 1
	go func() {
		w.drain()
		log.Print("all is confirmed")
	}()
	kit.Wait()
}

// An Alarm rings at a time of the day.
type Alarm struct{ rings int }

// until waits for the time.
func (a *Alarm) until(t time.Time) {
	for time.Now().Before(t) {
	}
	a.rings++
}

func alarmClock() {
	kit.Start()
	a := &Alarm{}
	go a.until(time.Now().Add(6 * time.Hour))
	kit.Wait()
}
