// Package site finds all pages of a site.
package site

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// A Crawler follows links.
type Crawler struct {
	Limit, Depth int
	pages        atomic.Int64
}

// Crawl visits all pages below one.
func (c *Crawler) Crawl(ctx context.Context, page string) (int64, error) {
	level := []string{page}
	for depth := c.Depth; len(level) > 0; depth-- {
		next, err := c.follow(ctx, level, depth)
		if err != nil {
			return 0, err
		}
		level = next
	}
	return c.pages.Load(), nil
}

func (c *Crawler) follow(ctx context.Context, level []string, depth int) (next []string, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.Limit)
	var mu sync.Mutex
	for _, page := range level {
		group.Go(func() error {
			links, err := c.load(ctx, page, depth)
			mu.Lock()
			next = append(next, links...)
			mu.Unlock()
			return err
		})
	}
	return next, group.Wait()
}

// load returns the links of a page.
func (c *Crawler) load(ctx context.Context, page string, depth int) (links []string, err error) {
	time.Sleep(50 * time.Millisecond)
	c.pages.Add(1)
	for i := range min(depth, 3) {
		links = append(links, fmt.Sprint(page, i, "/"))
	}
	return links, ctx.Err()
}
