// Command notice posts notices to a board; readers are called when the lock is free again.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type board struct {
	mu      sync.Mutex
	notices []string
	readers []func(text string)
}

func (b *board) post(text string) {
	b.mu.Lock()
	b.notices = append(b.notices, text)
	readers := b.readers
	b.mu.Unlock()
	for _, tell := range readers {
		tell(text)
	}
}

func (b *board) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	return len(b.notices)
}

func main() {
	kit.Start()
	b := &board{}
	b.readers = append(b.readers, func(text string) {
		fmt.Println(text, "is number", b.count())
	})
	go func() {
		for range time.Tick(time.Second) {
			b.count()
		}
	}()
	for {
		b.post("lost: one umbrella")
		time.Sleep(2 * time.Second)
	}
}
