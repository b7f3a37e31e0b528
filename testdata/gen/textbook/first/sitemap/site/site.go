// Package site finds all pages of a site.
package site

import (
	"context"
	"fmt"
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
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.Limit)
	group.Go(func() error { return c.visit(ctx, group, page, c.Depth) })
	err := group.Wait()
	return c.pages.Load(), err
}

func (c *Crawler) visit(ctx context.Context, group *errgroup.Group, page string, depth int) error {
	links, err := c.load(ctx, page, depth)
	for _, link := range links {
		group.Go(func() error { return c.visit(ctx, group, link, depth-1) })
	}
	return err
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
