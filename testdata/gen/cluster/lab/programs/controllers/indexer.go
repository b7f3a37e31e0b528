package main

import (
	"context"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"cluster/lab/program"
)

// An indexer counts its own updates of a ConfigMap in that ConfigMap.
type indexer struct {
	client kubernetes.Interface
	queue  workqueue.TypedRateLimitingInterface[string]
}

// runIndexer starts the indexer with an informer of one object.
func runIndexer(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	x := &indexer{client: cl, queue: workqueue.NewTypedRateLimitingQueue(
		workqueue.DefaultTypedControllerRateLimiter[string]())}
	factory := informers.NewSharedInformerFactoryWithOptions(cl, 0, informers.WithNamespace(program.Namespace()),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) { o.FieldSelector = "metadata.name=" + *name }))
	informer := factory.Core().V1().ConfigMaps().Informer()
	add := func(o any) { x.queue.Add(o.(*corev1.ConfigMap).Name) }
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, o any) { add(o) }})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	context.AfterFunc(ctx, x.queue.ShutDown)
	for {
		key, done := x.queue.Get()
		if done {
			return nil
		}
		err := x.sync(ctx, key)
		complain(ctx, err, "Failed to index", key)
		if err == nil {
			x.queue.Forget(key)
		}
		x.queue.Done(key)
	}
}

// sync counts one more update.
func (x *indexer) sync(ctx context.Context, key string) error {
	o, err := x.client.CoreV1().ConfigMaps(program.Namespace()).Get(ctx, key, metav1.GetOptions{})
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(o.Data["revision"])
	o.Data["revision"] = strconv.Itoa(n + 1)
	_, err = x.client.CoreV1().ConfigMaps(program.Namespace()).Update(ctx, o, metav1.UpdateOptions{})
	if apierrors.IsConflict(err) {
		return nil // the other's update wakes it
	}
	return err
}
