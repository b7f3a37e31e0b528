package main

import "sync"

// A depot is a mutex with a holder that waits for a delivery which never comes, and many who want to take.
type depot struct {
	name     string
	mu       sync.Mutex
	stock    map[string]int
	delivery chan int
}

func (d *depot) restock(held chan<- bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	held <- true
	d.stock["crate"] += <-d.delivery
}

func (d *depot) take(item string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stock[item]--
	return d.stock[item]
}

// A ledger is a read-write mutex with a reader inside, one writer waiting for it, two writers behind that one, and
// readers behind all of them.
type ledger struct {
	mu      sync.RWMutex
	entries []int
	release chan int
}

func (l *ledger) audit(held chan<- bool) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	held <- true
	<-l.release
}

func (l *ledger) post(amount int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, amount)
}

func (l *ledger) balance() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	sum := 0
	for _, e := range l.entries {
		sum += e
	}
	return sum
}

// A queue is a condition variable that nobody signals.
type queue struct {
	mu    sync.Mutex
	ready *sync.Cond
	items []string
}

func (q *queue) pop() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.ready.Wait()
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

// A family is one parent that waits for its children; the children's stacks differ only in who started them.
type family struct {
	wg   sync.WaitGroup
	hold chan int
}

func (f *family) parent(children int) {
	for i := 0; i < children; i++ {
		f.wg.Add(1)
		go f.child()
	}
	f.wg.Wait()
}

func (f *family) child() {
	defer f.wg.Done()
	<-f.hold
}

func awaitBatch(wg *sync.WaitGroup) {
	wg.Wait()
}

func keepLocks(takers, writers, readers int) {
	held := make(chan bool)
	d := &depot{name: "north", stock: map[string]int{}, delivery: make(chan int)}
	go d.restock(held)
	<-held
	for i := 0; i < takers; i++ {
		go d.take("crate")
	}
	l := &ledger{release: make(chan int)}
	go l.audit(held)
	<-held
	for i := 0; i < writers; i++ {
		go l.post(i)
	}
	// Readers that come before the first writer would pass.
	waitForWriter(l)
	for i := 0; i < readers; i++ {
		go l.balance()
	}
	q := &queue{}
	q.ready = sync.NewCond(&q.mu)
	for i := 0; i < size("main.(*queue).pop"); i++ {
		go q.pop()
	}
	batch := new(sync.WaitGroup)
	batch.Add(1)
	for i := 0; i < size("main.awaitBatch"); i++ {
		go awaitBatch(batch)
	}
	parents := size("main.(*family).parent")
	for i := 0; i < parents; i++ {
		f := &family{hold: make(chan int)}
		go f.parent(size("main.(*family).child") / parents)
	}
}
