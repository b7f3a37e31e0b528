// Package rollout upgrades clusters, six at a time, with an errgroup that has a limit. Each takes twelve minutes.
//
// It looks like a limit whose holders are stuck (semaphore-held, closed-circle, call-stuck): the one that hands out the
// tasks waits in Go for a slot, and all holders are in one call, which asks every fifteen seconds whether it is done.
package rollout

import (
	"context"
	"net/http"
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/util/wait"
)

type fleet struct{ cloud string }

// upgrade starts an upgrade and waits until the cloud says that it is done.
func (f *fleet) upgrade(ctx context.Context, _ int) error {
	begun := time.Now()
	return wait.PollUntilContextCancel(ctx, 15*time.Second, true, func(context.Context) (bool, error) {
		kit.Get(f.cloud)
		return time.Since(begun) > 12*time.Minute, nil
	})
}

func (f *fleet) upgradeAll(clusters int) error {
	group, ctx := errgroup.WithContext(context.Background())
	group.SetLimit(6)
	for i := range clusters {
		group.Go(func() error { return f.upgrade(ctx, i) })
	}
	return group.Wait()
}

// Main upgrades forty clusters.
func Main() {
	kit.Start()
	f := &fleet{kit.API(http.NotFoundHandler())}
	if err := f.upgradeAll(40); err != nil {
		panic(err)
	}
	kit.Wait()
}
