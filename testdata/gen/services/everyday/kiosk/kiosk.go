// Package kiosk is a controller whose standby waits to lead, and whose workers ask a slow shop.
package kiosk

import (
	"context"
	"fmt"
	"time"

	"example.com/services/kit"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/workqueue"
)

// A controller works at what is in its queue.
type controller struct {
	client kubernetes.Interface
	queue  workqueue.TypedRateLimitingInterface[string]
}

func (c *controller) run(ctx context.Context) {
	for {
		key, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		if err := c.reconcile(ctx, key); err != nil {
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

// reconcile asks the shop, which takes two seconds, and then the cluster.
func (c *controller) reconcile(ctx context.Context, key string) error {
	time.Sleep(2 * time.Second)
	space, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	cm, err := c.client.CoreV1().ConfigMaps(space).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	cm.Data["seen"] = time.Now().String()
	_, err = c.client.CoreV1().ConfigMaps(space).Update(ctx, cm, metav1.UpdateOptions{})
	return err
}

// lead waits until this identity leads, and works then.
func (c *controller) lead(ctx context.Context, id string, workers int) {
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Namespace: "shop", Name: "kiosk"},
		Client:     c.client.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: id},
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				for range workers {
					go c.run(ctx)
				}
				<-ctx.Done()
			},
			OnStoppedLeading: func() {},
		},
	})
}

func Main() {
	kit.Start()
	ctx := context.Background()
	client := fake.NewClientset()
	for i := range 20 {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("kiosk-", i)}}
		cm.Data = map[string]string{"city": "Ghent"}
		client.CoreV1().ConfigMaps("shop").Create(ctx, cm, metav1.CreateOptions{})
	}
	for _, id := range []string{"a", "b", "c"} {
		limit := workqueue.DefaultTypedControllerRateLimiter[string]()
		c := &controller{client, workqueue.NewTypedRateLimitingQueue(limit)}
		factory := informers.NewSharedInformerFactory(client, 20*time.Second)
		factory.Core().V1().ConfigMaps().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: func(obj any) {
				if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil {
					c.queue.Add(key)
				}
			},
		})
		factory.Core().V1().Secrets().Informer()
		factory.Start(ctx.Done())
		factory.WaitForCacheSync(ctx.Done())
		go c.lead(ctx, id, 12)
		time.Sleep(time.Second)
	}
	kit.Wait()
}
