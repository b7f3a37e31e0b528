package main

import (
	"crypto/sha256"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

// hashInPool gives n workers blocks to hash.
func hashInPool(n int) {
	jobs, sums := make(chan []byte), make(chan [32]byte, 8)
	for i := 0; i < n; i++ {
		go hashJobs(jobs, sums)
	}
	go func() {
		block := make([]byte, 1<<18)
		for {
			jobs <- block
		}
	}()
	go func() {
		for range sums {
		}
	}()
}

func hashJobs(jobs <-chan []byte, sums chan<- [32]byte) {
	for block := range jobs {
		sums <- sha256.Sum256(block)
	}
}

var ticks int64

// tick runs n loops that each count every few milliseconds.
func tick(n int) {
	stop := make(chan struct{})
	for i := 0; i < n; i++ {
		go countTicks(time.NewTicker(time.Duration(i+1)*time.Millisecond), stop)
	}
}

func countTicks(t *time.Ticker, stop <-chan struct{}) {
	defer t.Stop()
	for {
		select {
		case <-t.C:
			atomic.AddInt64(&ticks, 1)
		case <-stop:
			return
		}
	}
}

// runPipeline joins n stages: each sorts what it gets and hands it on.
func runPipeline(n int) {
	first := make(chan []int)
	in := first
	for i := 0; i < n; i++ {
		out := make(chan []int, 2)
		go sortStage(in, out)
		in = out
	}
	go func() {
		for seed := 1; ; seed++ {
			numbers := make([]int, 2000)
			for i := range numbers {
				numbers[i] = (i * seed * 7919) % 100003
			}
			first <- numbers
		}
	}()
	go func() {
		for range in {
		}
	}()
}

func sortStage(in <-chan []int, out chan<- []int) {
	for numbers := range in {
		sort.Ints(numbers)
		for i := range numbers {
			numbers[i] ^= 1
		}
		out <- numbers
	}
}

// fanOut starts n short goroutines a round and waits for them.
func fanOut(n int) {
	go func() {
		for {
			var round sync.WaitGroup
			for i := 0; i < n; i++ {
				round.Add(1)
				go func(seed byte) {
					defer round.Done()
					digestParts(seed)
				}(byte(i))
			}
			round.Wait()
		}
	}()
}

func digestParts(seed byte) {
	block := make([]byte, 1<<16)
	block[0] = seed
	for i := 0; i < 8; i++ {
		sum := sha256.Sum256(block)
		copy(block, sum[:])
	}
}

// A queue is bounded on one side only: consumers wait on a condition variable.
type queue struct {
	mu     sync.Mutex
	filled *sync.Cond
	items  [][]byte
}

func (q *queue) put(item []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.filled.Signal()
}

func (q *queue) take() []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.filled.Wait()
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

func runQueue(producers, consumers int) {
	q := &queue{}
	q.filled = sync.NewCond(&q.mu)
	for i := 0; i < producers; i++ {
		go produce(q)
	}
	for i := 0; i < consumers; i++ {
		go consume(q)
	}
}

func produce(q *queue) {
	for {
		q.put(make([]byte, 4096))
		time.Sleep(50 * time.Microsecond)
	}
}

func consume(q *queue) {
	for {
		sha256.Sum256(q.take())
	}
}

// A cache is read far more often than it is written.
type cache struct {
	mu      sync.RWMutex
	entries map[int][]byte
}

func (c *cache) get(key int) []byte {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.entries[key]
}

func (c *cache) put(key int, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = value
}

func readCache(readers int) {
	c := &cache{entries: map[int][]byte{}}
	for i := 0; i < readers; i++ {
		go lookUp(c, i)
	}
	go func() {
		for key := 0; ; key = (key + 1) % 64 {
			c.put(key, make([]byte, 2048))
			time.Sleep(200 * time.Microsecond)
		}
	}()
}

func lookUp(c *cache, key int) {
	for ; ; key = (key + 1) % 64 {
		sha256.Sum256(c.get(key))
	}
}
