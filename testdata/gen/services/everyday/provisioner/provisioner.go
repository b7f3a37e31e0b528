// Package provisioner is a controller that makes databases, with four workers of client-go's queue; each takes fourteen
// minutes.
//
// It looks like workers that hang (workqueue-workers-busy, call-stuck): all four are in one call for minutes, and keys
// wait. They ask the cloud every twenty seconds whether it is done.
package provisioner

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/workqueue"
)

type controller struct {
	queue workqueue.TypedRateLimitingInterface[string]
	cloud string
}

func (c *controller) worker(ctx context.Context) {
	for c.processNextWorkItem(ctx) {
	}
}

func (c *controller) processNextWorkItem(ctx context.Context) bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	if err := c.reconcile(ctx, key); err != nil {
		c.queue.AddRateLimited(key)
		return true
	}
	c.queue.Forget(key)
	return true
}

func (c *controller) reconcile(ctx context.Context, _ string) error {
	begun := time.Now()
	return wait.PollUntilContextTimeout(ctx, 20*time.Second, time.Hour, true, func(context.Context) (bool, error) {
		kit.Get(c.cloud)
		return time.Since(begun) > 14*time.Minute, nil
	})
}

// Main runs the controller.
func Main() {
	kit.Start()
	c := &controller{
		workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
		kit.API(http.NotFoundHandler()),
	}
	for range 4 {
		go wait.UntilWithContext(context.Background(), c.worker, time.Second)
	}
	for i := range 50 {
		c.queue.Add(fmt.Sprint("shop/database-", i))
	}
	kit.Wait()
}
