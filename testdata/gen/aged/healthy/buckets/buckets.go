// Package buckets: each tenant has a bucket of tokens, which is full.
package buckets

import (
	"strconv"
	"sync"
	"time"

	"aged/kit"
)

type Bucket struct{ tokens chan struct{} }

func (b *Bucket) fill() {
	for range time.Tick(20 * time.Millisecond) {
		b.add()
	}
}

func (b *Bucket) add() { b.tokens <- struct{}{} }

type Limits struct {
	mu  sync.Mutex
	all map[string]*Bucket
}

func (l *Limits) Of(name string) *Bucket {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.all[name]
	if b == nil {
		b = &Bucket{make(chan struct{}, 5)}
		l.all[name] = b
		go b.fill()
	}
	return b
}

// Main runs it.
func Main() {
	l := &Limits{all: map[string]*Bucket{}}
	for i := range 60 {
		b := l.Of(strconv.Itoa(i))
		<-b.tokens
		time.Sleep(100 * time.Millisecond)
	}
	kit.Wait()
}
