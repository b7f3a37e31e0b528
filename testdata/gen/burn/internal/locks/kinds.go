// Package locks holds locks longer, and takes them more often, than it should.
package locks

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"time"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		kind("mutex-cpu", "cpu", "mutex taken by many for next to nothing", "contention", `^(internal/)?sync\.\(\*Mutex\)\.(Lock|Unlock|lockSlow|unlockSlow)$`, "(*Counter).add", startCounter),
		kind("rwmutex-cpu", "cpu", "read lock taken for every look-up", "contention", `^sync\.\(\*RWMutex\)\.(RLock|RUnlock)$`, "(*Routes).get", startRoutes),
		kind("syncmap-cpu", "cpu", "sync.Map asked for every item", "hot-cpu", `^(internal/)?sync\.\(\*(Map|HashTrieMap\[.*\])\)\.`, "(*Registry).load", startRegistry),
		kind("mutex-holder", "mutex", "lock held for long by one function", "contention", `^sync\.\(\*Mutex\)\.Unlock$`, "(*Store).Commit", startStore),
		kind("mutex-log", "mutex", "logging under a lock", "contention", `^log\.\(\*Logger\)\.output$`, "(*Ledger).Post", startLedger),
		kind("mutex-rw", "mutex", "readers wait for a writer that rebuilds under the lock", "contention", `^sync\.\(\*RWMutex\)\.Unlock$`, "(*Policies).Rebuild", startPolicies),
		kind("block-lock", "block", "callers wait for a lock", "contention", `^sync\.\(\*Mutex\)\.Lock$`, "(*Store).Commit", startStore),
		kind("block-send", "block", "senders wait for one slow receiver", "contention", `^runtime\.chansend1$`, "(*Uploader).Submit", startUploader),
		well("block-idle", "block", "workers that wait for work", startPool),
		well("mutex-quiet", "mutex", "locks held for short", startQuiet),
	}
}

func kind(name, profile, topic, category, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: profile, Topic: topic, Guilty: guilty, Culprit: run.Own("locks", culprit), Category: category, Start: start,
	}
}

func well(name, profile, topic string, start func(*run.Service) error) run.Kind {
	return run.Kind{Name: name, Profile: profile, Topic: topic, Category: "none", Start: start}
}

// A Counter counts for many goroutines.
type Counter struct {
	mu sync.Mutex
	n  map[string]int
}

func startCounter(s *run.Service) error {
	c := &Counter{n: map[string]int{}}
	for i := 0; i < 16; i++ {
		s.Reconcile(1, func(ctx context.Context, key string) error {
			for i := 0; i < 200; i++ {
				c.add("requests")
			}
			return nil
		})
	}
	return nil
}

func (c *Counter) add(name string) {
	c.mu.Lock()
	c.n[name]++
	c.mu.Unlock()
}

// Routes are read by all and changed by nobody.
type Routes struct {
	mu    sync.RWMutex
	table []string
}

func startRoutes(s *run.Service) error {
	r := &Routes{table: make([]string, 256)}
	for i := 0; i < 8; i++ {
		s.Reconcile(1, func(ctx context.Context, key string) error {
			n := 0
			for i := 0; i < 5000; i++ {
				n += len(r.get(i & 255))
			}
			if n > 0 {
				return fmt.Errorf("a route that nobody made")
			}
			return nil
		})
	}
	return nil
}

func (r *Routes) get(i int) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.table[i]
}

// A Registry is a sync.Map of small numbers.
type Registry struct {
	entries sync.Map
	keys    []string
	sum     int
}

func startRegistry(s *run.Service) error {
	r := &Registry{}
	for i := 0; i < 5000; i++ {
		key := fmt.Sprint("endpoint-", i)
		r.keys = append(r.keys, key)
		r.entries.Store(key, i)
	}
	s.Reconcile(1, r.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (r *Registry) Reconcile(ctx context.Context, key string) error {
	for _, key := range r.keys {
		r.sum += r.load(key)
	}
	return nil
}

func (r *Registry) load(key string) int {
	v, _ := r.entries.Load(key)
	n, _ := v.(int)
	return n
}

// A Store writes under its lock.
type Store struct {
	mu   sync.Mutex
	rows map[string]int
}

func startStore(s *run.Service) error {
	t := &Store{rows: map[string]int{}}
	s.Reconcile(12, func(ctx context.Context, key string) error {
		t.Commit(key)
		time.Sleep(time.Millisecond)
		return nil
	})
	return nil
}

// Commit holds the lock while the disk is busy.
func (t *Store) Commit(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[key]++
	t.flush()
}

func (t *Store) flush() { time.Sleep(2 * time.Millisecond) }

// A Ledger logs what it posts while it holds its lock.
type Ledger struct {
	mu       sync.Mutex
	balances map[string]int
	log      *log.Logger
}

// A slow writer: a pipe that somebody reads at leisure.
type slow struct{ w io.Writer }

func (s slow) Write(b []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return s.w.Write(b)
}

func startLedger(s *run.Service) error {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	out := log.New(slow{f}, "", log.LstdFlags)
	// The logger has a lock of its own, for which those wait that hold a ledger's.
	for i := 0; i < 6; i++ {
		l := &Ledger{balances: map[string]int{}, log: out}
		s.Reconcile(2, func(ctx context.Context, key string) error {
			l.Post(key, 1)
			return nil
		})
	}
	return nil
}

// Post changes a balance and logs it under the lock.
func (l *Ledger) Post(account string, amount int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.balances[account] += amount
	l.log.Printf("posted %d to %s", amount, account)
}

// Policies are read by many; a writer rebuilds them under the lock.
type Policies struct {
	mu    sync.RWMutex
	rules map[int]string
}

func startPolicies(s *run.Service) error {
	p := &Policies{rules: map[int]string{}}
	s.Reconcile(10, func(ctx context.Context, key string) error {
		p.Allowed(len(key))
		return nil
	})
	s.Reconcile(1, func(ctx context.Context, key string) error {
		p.Rebuild(key)
		time.Sleep(5 * time.Millisecond)
		return nil
	})
	return nil
}

// Allowed reads.
func (p *Policies) Allowed(n int) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	_, ok := p.rules[n]
	return ok
}

// Rebuild makes all rules anew.
func (p *Policies) Rebuild(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 0; i < 20000; i++ {
		p.rules[i%500] = key
	}
	time.Sleep(2 * time.Millisecond)
}

// An Uploader takes parts from many and uploads one after the other.
type Uploader struct{ parts chan string }

func startUploader(s *run.Service) error {
	u := &Uploader{parts: make(chan string, 4)}
	s.Reconcile(12, func(ctx context.Context, key string) error {
		u.Submit(key)
		return nil
	})
	s.Go(func(ctx context.Context) {
		for range u.parts {
			time.Sleep(2 * time.Millisecond)
		}
	})
	return nil
}

// Submit hands a part over.
func (u *Uploader) Submit(part string) { u.parts <- part }

// startPool has workers that wait most of the time.
func startPool(s *run.Service) error {
	jobs, done := make(chan int), make(chan int, 64)
	for i := 0; i < 20; i++ {
		s.Go(func(ctx context.Context) { serveJobs(ctx, jobs, done) })
	}
	s.Go(func(ctx context.Context) {
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ctx.Err() == nil; n++ {
			<-tick.C
			jobs <- n
			<-done
		}
	})
	return nil
}

func serveJobs(ctx context.Context, jobs <-chan int, done chan<- int) {
	for {
		select {
		case n := <-jobs:
			done <- n * 2
		case <-ctx.Done():
			return
		}
	}
}

// startQuiet has a lock that is rarely waited for.
func startQuiet(s *run.Service) error {
	c := &Counter{n: map[string]int{}}
	s.Reconcile(8, func(ctx context.Context, key string) error {
		for i := 0; i < 300; i++ {
			c.add("events")
		}
		time.Sleep(time.Millisecond)
		return nil
	})
	return nil
}
