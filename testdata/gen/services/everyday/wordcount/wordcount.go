// Package wordcount counts words of 2,000 files at a time, gated by a semaphore of golang.org/x/sync with eight slots.
//
// It looks like goroutines that pile up behind a semaphore that is held (semaphore-held, goroutine-pile-up): nearly
// 2,000 wait, most for minutes, and the holders are all in one call to the store. Each file takes two seconds.
package wordcount

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/semaphore"
)

// store answers with a file after two seconds.
func store(w http.ResponseWriter, r *http.Request) {
	time.Sleep(2 * time.Second)
	w.Write(bytes.Repeat([]byte("word "), 1000))
}

type counter struct {
	url   string
	gate  *semaphore.Weighted
	mu    sync.Mutex
	words int
}

func (c *counter) fetch() ([]byte, error) {
	answer, err := http.Get(c.url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

func (c *counter) file(ctx context.Context) error {
	if err := c.gate.Acquire(ctx, 1); err != nil {
		return err
	}
	defer c.gate.Release(1)
	data, err := c.fetch()
	if err != nil {
		return err
	}
	n := len(bytes.Fields(data))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.words += n
	return nil
}

func (c *counter) all(ctx context.Context, files int) {
	var group sync.WaitGroup
	for range files {
		group.Add(1)
		go func() {
			defer group.Done()
			c.file(ctx)
		}()
	}
	group.Wait()
}

// Main counts again and again.
func Main() {
	kit.Start()
	c := &counter{url: kit.API(http.HandlerFunc(store)), gate: semaphore.NewWeighted(8)}
	go func() {
		for {
			c.all(context.Background(), 2000)
		}
	}()
	kit.Wait()
}
