// Package transcode weighs jobs: a film takes two units, and each of its parts one more.
package transcode

import (
	"context"
	"net/http"
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/semaphore"
)

type Encoder struct{ units *semaphore.Weighted }

func (e *Encoder) Film(ctx context.Context, parts int) error {
	if err := e.units.Acquire(ctx, 2); err != nil {
		return err
	}
	defer e.units.Release(2)
	for range parts {
		time.Sleep(50 * time.Millisecond)
		if err := e.part(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (e *Encoder) part(ctx context.Context) error {
	if err := e.units.Acquire(ctx, 1); err != nil {
		return err
	}
	defer e.units.Release(1)
	time.Sleep(50 * time.Millisecond)
	return nil
}

func Main() {
	kit.Start()
	e := &Encoder{semaphore.NewWeighted(8)}
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { e.Film(context.Background(), 3) }))
	kit.Ask(2, time.Second, url)
	kit.Ask(14, 10*time.Millisecond, url)
	kit.Wait()
}
