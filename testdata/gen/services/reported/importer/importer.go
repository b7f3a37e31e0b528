// Package importer imports a list of domains, many at a time.
package importer

import (
	"context"
	"time"

	"example.com/services/kit"
	"example.net/lib/ponds"
)

func domain() { time.Sleep(200 * time.Millisecond) }

func slow() { time.Sleep(2 * time.Minute) }

func imports(p *ponds.Pool, task func()) {
	g := p.Group()
	for range 10 {
		g.Submit(task)
	}
	g.Wait()
}

func Main(fixed bool) {
	kit.Start()
	if fixed {
		imports(ponds.New(context.Background(), 2), slow)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	imports(ponds.New(ctx, 2), domain)
	kit.Wait()
}
