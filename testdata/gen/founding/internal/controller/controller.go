// Package controller reconciles one resource: an informer's events go into a queue, workers take from it.
package controller

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"k8s.io/klog/v2"
)

// A Controller reconciles one resource.
type Controller struct {
	resource schema.GroupVersionResource
	lister   cache.GenericLister
	synced   cache.InformerSynced
	queue    workqueue.TypedRateLimitingInterface[string]
}

// New is a controller that listens to an informer.
func New(resource schema.GroupVersionResource, informer cache.SharedIndexInformer, lister cache.GenericLister) (*Controller, error) {
	c := &Controller{
		resource: resource, lister: lister, synced: informer.HasSynced,
		queue: workqueue.NewTypedRateLimitingQueueWithConfig(
			workqueue.DefaultTypedControllerRateLimiter[string](),
			workqueue.TypedRateLimitingQueueConfig[string]{Name: resource.Resource},
		),
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, now any) { c.enqueue(now) },
		DeleteFunc: c.enqueue,
	})
	if err != nil {
		return nil, fmt.Errorf("listening to %s: %w", resource.Resource, err)
	}
	return c, nil
}

func (c *Controller) enqueue(obj any) {
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		return
	}
	c.queue.Add(key)
}

// Run starts workers and returns when the context is done.
func (c *Controller) Run(ctx context.Context, workers int) {
	defer c.queue.ShutDown()
	klog.InfoS("Starting controller", "resource", c.resource.Resource, "workers", workers)
	if !cache.WaitForCacheSync(ctx.Done(), c.synced) {
		return
	}
	for range workers {
		go c.work(ctx)
	}
	<-ctx.Done()
}

func (c *Controller) work(ctx context.Context) {
	for c.next(ctx) {
	}
}

func (c *Controller) next(ctx context.Context) bool {
	key, shutdown := c.queue.Get()
	if shutdown {
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

func (c *Controller) reconcile(_ context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	_, err = c.lister.ByNamespace(namespace).Get(name)
	return err
}
