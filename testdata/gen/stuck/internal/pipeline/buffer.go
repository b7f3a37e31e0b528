// Package pipeline moves blocks from a reader to a writer.
package pipeline

import (
	"sync"
	"time"
)

type buffer struct {
	mu     sync.Mutex
	filled *sync.Cond
	blocks [][]byte
}

func (b *buffer) take() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.blocks) == 0 {
		b.filled.Wait()
	}
	block := b.blocks[0]
	b.blocks = b.blocks[1:]
	return block
}

func (b *buffer) put(block []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.blocks = append(b.blocks, block)
	b.filled.Signal()
}

// A Transfer copies blocks and knows how far it is.
type Transfer struct {
	state sync.Mutex
	buf   *buffer
	read  int
	wrote int
}

// Start writes before anything was read.
func Start() {
	t := &Transfer{buf: &buffer{}}
	t.buf.filled = sync.NewCond(&t.buf.mu)
	go t.writeNext()
	go t.readNext()
	go t.progress()
}

// writeNext writes the next block.
func (t *Transfer) writeNext() {
	t.state.Lock()
	defer t.state.Unlock()
	t.wrote += len(t.buf.take())
}

// readNext reads the next block.
func (t *Transfer) readNext() {
	time.Sleep(20 * time.Millisecond)
	t.state.Lock()
	defer t.state.Unlock()
	t.read += 512
	t.buf.put(make([]byte, 512))
}

func (t *Transfer) progress() {
	time.Sleep(40 * time.Millisecond)
	t.state.Lock()
	done := t.wrote >= t.read
	t.state.Unlock()
	if done {
		t = nil
	}
}
