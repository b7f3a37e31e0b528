package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"cluster/lab/program"
)

// runRefused lists and makes ConfigMaps, which it may not, without backoff.
func runRefused(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	maps := cl.CoreV1().ConfigMaps(program.Namespace())
	every(ctx, *pace, func(i int) {
		if i%2 == 0 {
			_, err := maps.List(ctx, metav1.ListOptions{})
			complain(ctx, err, "Failed to list", "")
			return
		}
		_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "state"}}, metav1.CreateOptions{})
		complain(ctx, err, "Failed to create", "state")
	})
	return nil
}

// runInvalid changes a Service's address, which is immutable, without backoff.
func runInvalid(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	services := cl.CoreV1().Services(program.Namespace())
	every(ctx, *pace, func(int) {
		o, err := services.Get(ctx, *name, metav1.GetOptions{})
		if err == nil {
			o.Spec.ClusterIP = "10.0.0.77"
			o.Spec.ClusterIPs = []string{o.Spec.ClusterIP}
			_, err = services.Update(ctx, o, metav1.UpdateOptions{})
		}
		complain(ctx, err, "Failed to update", *name)
	})
	return nil
}

// runStale updates a ConfigMap from a copy that it reads anew only every 30 s.
func runStale(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	maps := cl.CoreV1().ConfigMaps(program.Namespace())
	var o *corev1.ConfigMap
	var read time.Time
	every(ctx, *pace, func(i int) {
		if time.Since(read) > 30*time.Second {
			fresh, err := maps.Get(ctx, *name, metav1.GetOptions{})
			complain(ctx, err, "Failed to get", *name)
			if err != nil {
				return
			}
			o, read = fresh, time.Now()
		}
		o.Data["report"] = fmt.Sprint(i)
		_, err := maps.Update(ctx, o, metav1.UpdateOptions{})
		complain(ctx, err, "Failed to update", *name)
	})
	return nil
}

// runCrossing adds to a Secret in several goroutines, each from the copy of its last success or of its start.
func runCrossing(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	secrets := cl.CoreV1().Secrets(program.Namespace())
	var all sync.WaitGroup
	for worker := range *workers {
		all.Go(func() {
			o, err := secrets.Get(ctx, *name, metav1.GetOptions{})
			complain(ctx, err, "Failed to get", *name)
			every(ctx, *pace, func(i int) {
				o.Data[fmt.Sprint("worker-", worker)] = fmt.Append(nil, i)
				if fresh, err := secrets.Update(ctx, o, metav1.UpdateOptions{}); err == nil {
					o = fresh
				} else if complain(ctx, err, "Failed to update", *name); i%5 == 4 {
					if fresh, err := secrets.Get(ctx, *name, metav1.GetOptions{}); err == nil {
						o = fresh
					}
				}
			})
		})
	}
	all.Wait()
	return nil
}
