// Package fediblock blocks domains and all their accounts.
package fediblock

import (
	"context"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/runners"
)

type processor struct {
	pool *runners.Pool
	ctx  context.Context
	slow bool
}

func (p *processor) block(ctx context.Context) {
	if p.slow {
		time.Sleep(500 * time.Millisecond)
		return
	}
	for range 5 {
		p.pool.Enqueue(ctx, p.account)
	}
}

func (p *processor) account(ctx context.Context) { time.Sleep(20 * time.Millisecond) }

func (p *processor) imports(w http.ResponseWriter, r *http.Request) { p.pool.Enqueue(p.ctx, p.block) }

func Main(fixed bool) {
	kit.Start()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	p := &processor{pool: runners.New(ctx, 4, 8), ctx: ctx, slow: fixed}
	url := kit.API(http.HandlerFunc(p.imports))
	if fixed {
		kit.Ask(9000, 120*time.Millisecond, url)
	}
	kit.Ask(50, 10*time.Millisecond, url)
	kit.Wait()
}
