// Package films encodes films; each takes its units at once, and many wait.
package films

import (
	"context"
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/semaphore"
)

type Encoder struct{ units *semaphore.Weighted }

func (e *Encoder) Film(ctx context.Context) error {
	if err := e.units.Acquire(ctx, 3); err != nil {
		return err
	}
	defer e.units.Release(3)
	time.Sleep(4 * time.Second)
	return nil
}

func Main() {
	kit.Start()
	e := &Encoder{semaphore.NewWeighted(9)}
	for range 30 {
		go func() {
			for {
				e.Film(context.Background())
			}
		}()
	}
	kit.Wait()
}
