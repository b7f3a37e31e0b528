// Command bulk-loader loads a file into a store that compacts after each batch, for minutes. Main reads and waits until the
// store takes the next batch.
package main

import (
	"log"
	"time"

	"wild/kit"
)

type batch struct{ first, rows int }

type loader struct {
	batches chan batch
	idle    chan struct{}
}

// load writes a batch and waits until the store has compacted.
func (l *loader) load() {
	for b := range l.batches {
		l.compact(b)
		<-l.idle
		log.Printf("rows from %d are loaded", b.first)
	}
}

// compact asks the store to compact; it says when it is idle again.
func (l *loader) compact(b batch) {
	time.AfterFunc(time.Duration(b.rows)*time.Second, func() { l.idle <- struct{}{} })
}

func main() {
	kit.Serve()
	l := &loader{batches: make(chan batch), idle: make(chan struct{})}
	go l.load()
	for first := 0; ; first += 400 {
		l.batches <- batch{first, 400}
	}
}
