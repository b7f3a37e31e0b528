// Package sampler collects what sixty devices measure and writes it all at once, every ten minutes.
//
// It looks like senders whose reader has left (channel-send-leak, send-without-reader, loop-stuck): the buffer is full
// soon, and all devices wait to send. The writer takes everything at its next tick.
package sampler

import (
	"time"

	"example.com/services/kit"
	"go.uber.org/zap"
)

type sample struct {
	device int
	value  float64
}

type batcher struct {
	samples chan sample
	log     *zap.Logger
}

// Put hands a sample in, and waits while the buffer is full.
func (b *batcher) Put(s sample) { b.samples <- s }

func (b *batcher) run(every time.Duration) {
	for range time.Tick(every) {
		b.flush()
	}
}

func (b *batcher) flush() {
	n := 0
	for {
		select {
		case <-b.samples:
			n++
		case <-time.After(100 * time.Millisecond):
			b.log.Info("written", zap.Int("samples", n))
			return
		}
	}
}

type device struct {
	id  int
	out *batcher
}

func (d *device) measure() {
	for value := 0.0; ; value++ {
		d.out.Put(sample{d.id, value})
		time.Sleep(500 * time.Millisecond)
	}
}

func attach(b *batcher, n int) {
	for i := range n {
		go (&device{i, b}).measure()
	}
}

// Main collects.
func Main() {
	kit.Start()
	b := &batcher{make(chan sample, 1000), zap.NewNop()}
	go b.run(10 * time.Minute)
	attach(b, 60)
	kit.Wait()
}
