package lease

import (
	"context"
	"sync"
)

type Keeper struct {
	wg     sync.WaitGroup
	renew  chan struct{}
	ctx    context.Context
	cancel context.CancelFunc
}

func Keep(parent context.Context) *Keeper {
	ctx, cancel := context.WithCancel(parent)
	k := &Keeper{renew: make(chan struct{}), ctx: context.WithoutCancel(ctx), cancel: cancel}
	k.wg.Add(1)
	go k.run()
	return k
}

func (k *Keeper) run() {
	defer k.wg.Done()
	for {
		select { // GUILTY
		case <-k.renew:
		case <-k.ctx.Done():
			return
		}
	}
}

func (k *Keeper) Close() {
	k.cancel()
	k.wg.Wait()
}
