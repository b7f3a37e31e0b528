// Package controllers reconciles forty kinds of objects with client-go: an informer, a queue and two workers each.
//
// It looks like waiters of a sync.Cond that nobody signals (cond-missed-signal), and like loops that pile up
// (loops-pile-up): eighty workers wait for keys. There are none, since nobody creates objects at night.
package controllers

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

type controller struct {
	queue  workqueue.TypedRateLimitingInterface[string]
	synced cache.InformerSynced
	done   int
}

func (c *controller) enqueue(object any) {
	if key, err := cache.MetaNamespaceKeyFunc(object); err == nil {
		c.queue.Add(key)
	}
}

func (c *controller) worker() {
	for c.processNextWorkItem() {
	}
}

func (c *controller) processNextWorkItem() bool {
	key, quit := c.queue.Get()
	if quit {
		return false
	}
	defer c.queue.Done(key)
	c.done++
	c.queue.Forget(key)
	return true
}

func (c *controller) run(ctx context.Context) {
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) {
		return
	}
	for range 2 {
		go c.worker()
	}
	<-ctx.Done()
	c.queue.ShutDown()
}

// Main starts forty controllers.
func Main() {
	kit.Start()
	ctx := context.Background()
	client, err := dynamic.NewForConfig(&rest.Config{Host: kit.API(http.HandlerFunc(apiserver)), QPS: 100, Burst: 100})
	if err != nil {
		panic(err)
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 10*time.Hour)
	for i := range 40 {
		kind := schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: fmt.Sprintf("things%d", i)}
		informer := factory.ForResource(kind).Informer()
		c := &controller{
			queue:  workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]()),
			synced: informer.HasSynced,
		}
		informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: c.enqueue, DeleteFunc: c.enqueue})
		go c.run(ctx)
	}
	factory.Start(ctx.Done())
	kit.Wait()
}
