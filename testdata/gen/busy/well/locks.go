package well

import (
	"crypto/sha256"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"example.com/busy/kit"
)

// A Spinlock tries for a moment before it yields, and sleeps when that takes long.
type Spinlock struct{ held atomic.Bool }

// Lock takes the lock.
func (l *Spinlock) Lock() {
	for tries := 0; !l.held.CompareAndSwap(false, true); tries++ {
		switch {
		case tries < 30:
		case tries < 40:
			runtime.Gosched()
		default:
			time.Sleep(50 * time.Microsecond)
		}
	}
}

// Unlock gives it back.
func (l *Spinlock) Unlock() { l.held.Store(false) }

func lockAdaptive() {
	kit.Start()
	var l Spinlock
	sums := map[int][32]byte{}
	for range 6 {
		go func() {
			for n := 0; ; n++ {
				sum := sha256.Sum256([]byte(strconv.Itoa(n)))
				l.Lock()
				sums[n%1000] = sum
				l.Unlock()
				if n%2000 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}
	kit.Wait()
}

// A Batcher flushes when it can, and lets it be where somebody else does.
type Batcher struct {
	mu    sync.Mutex
	n     int
	batch []byte
}

// add appends and flushes what is full.
func (b *Batcher) add(p []byte) {
	b.mu.Lock()
	b.batch = append(b.batch, p...)
	full := len(b.batch) > 1<<16
	b.mu.Unlock()
	if full && b.mu.TryLock() {
		b.n++
		sum := sha256.Sum256(b.batch)
		b.batch = append(b.batch[:0], sum[:]...)
		b.mu.Unlock()
	}
}

func tryFlush() {
	kit.Start()
	b := &Batcher{}
	for range 4 {
		go func() {
			p := make([]byte, 300)
			for n := 0; ; n++ {
				b.add(p)
				if n%3000 == 0 {
					time.Sleep(time.Millisecond)
				}
			}
		}()
	}
	kit.Wait()
}
