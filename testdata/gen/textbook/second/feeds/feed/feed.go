// Package feed polls news.
package feed

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A Fetcher remembers when what it polled has changed.
type Fetcher struct {
	client http.Client
	keep   time.Duration

	mu      sync.RWMutex
	changed map[string]time.Time
}

// NewFetcher forgets after keep.
func NewFetcher(keep time.Duration) *Fetcher {
	return &Fetcher{keep: keep, changed: map[string]time.Time{}, client: http.Client{Transport: &http.Transport{}}}
}

// Poll asks url once.
func (f *Fetcher) Poll(url string) error {
	res, err := f.client.Get(url)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, res.Status)
	}
	at, err := http.ParseTime(res.Header.Get("Last-Modified"))
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.changed[url] = at
	f.mu.Unlock()
	return nil
}

// Prune forgets until ctx ends.
func (f *Fetcher) Prune(ctx context.Context) {
	t := time.NewTicker(f.keep / 10)
	defer t.Stop()
	for {
		select {
		case now := <-t.C:
			f.mu.Lock()
			for url, at := range f.changed {
				if now.Sub(at) > f.keep {
					delete(f.changed, url)
				}
			}
			f.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// ServeHTTP lists what is known.
func (f *Fetcher) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for url, at := range f.changed {
		fmt.Fprintln(w, at.Format(time.TimeOnly), url)
	}
}
