// Package prefetch: pages are read ahead; nobody turns them.
package prefetch

import (
	"time"

	"aged/kit"
)

type Reader struct{ pages chan []byte }

func New() *Reader { r := &Reader{make(chan []byte, 2)}; go r.fill(); return r }
func (r *Reader) fill() {
	for {
		r.put(r.load())
	}
}

func (r *Reader) load() []byte { time.Sleep(10 * time.Millisecond); return make([]byte, 100) }
func (r *Reader) put(p []byte) { r.pages <- p }

var kept []*Reader

// Main runs it.
func Main() {
	for range 30 {
		kept = append(kept, New())
	}
	kit.Wait()
}
