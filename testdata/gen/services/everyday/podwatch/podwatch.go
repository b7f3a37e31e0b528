// Package podwatch labels the pods of a cluster with their owner's team.
package podwatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/services/kit"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// A controller takes keys of pods from a queue and labels them.
type controller struct {
	client kubernetes.Interface
	pods   listers.PodLister
	work   chan string
}

func (c *controller) onPod(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err != nil {
		return
	}
	c.work <- key
}

func (c *controller) run(ctx context.Context) {
	for {
		select {
		case key := <-c.work:
			if err := c.label(ctx, key); err != nil {
				c.retry(key)
			}
		case <-ctx.Done():
			return
		}
	}
}

// retry puts a key back at the end of the queue.
func (c *controller) retry(key string) {
	time.Sleep(20 * time.Millisecond)
	c.work <- key
}

func (c *controller) label(ctx context.Context, key string) error {
	space, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return err
	}
	pod, err := c.pods.Pods(space).Get(name)
	if err != nil {
		return err
	}
	if pod.Labels["owner"] == "" {
		return errors.New("no owner yet")
	}
	pod = pod.DeepCopy()
	pod.Labels["team"] = "team-" + pod.Labels["owner"]
	_, err = c.client.CoreV1().Pods(space).Update(ctx, pod, metav1.UpdateOptions{})
	return err
}

func pod(i int, owner string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprint("cart-", i)}}
	p.Labels = map[string]string{"app": "cart"}
	if owner != "" {
		p.Labels["owner"] = owner
	}
	return p
}

func Main() {
	kit.Start()
	ctx := context.Background()
	client := fake.NewClientset()
	factory := informers.NewSharedInformerFactory(client, 30*time.Second)
	informer := factory.Core().V1().Pods()
	c := &controller{client: client, pods: informer.Lister(), work: make(chan string, 10)}
	informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.onPod,
		UpdateFunc: func(_, obj any) { c.onPod(obj) },
	})
	factory.Core().V1().ConfigMaps().Informer()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for range 3 {
		go c.run(ctx)
	}
	for i := range 12 {
		client.CoreV1().Pods("shop").Create(ctx, pod(i, "alice"), metav1.CreateOptions{})
		time.Sleep(100 * time.Millisecond)
	}
	for i := range 40 {
		client.CoreV1().Pods("shop").Create(ctx, pod(100+i, ""), metav1.CreateOptions{})
	}
	kit.Wait()
}
