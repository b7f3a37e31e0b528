// Package ops runs reconcilers in controllers of controller-runtime.
package ops

import (
	"context"
	"fmt"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"example.com/fixtures/burn/run"
)

// Kind is a profile of the CPU whose culprit is a function of an internal package.
func Kind(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: "example.com/fixtures/burn/k8s/internal/" + culprit,
		Category: "hot-cpu", Start: start,
	}
}

// Run registers a controller with one worker, whose queue is never empty, and chores.
func Run(s *run.Service, name string, r reconcile.Reconciler) error { return RunMany(s, name, 1, r) }

// RunMany registers a controller with several workers.
func RunMany(s *run.Service, name string, workers int, r reconcile.Reconciler) error {
	log.SetLogger(logr.Discard())
	c, err := controller.NewUnmanaged(name, controller.Options{Reconciler: r, MaxConcurrentReconciles: workers, Logger: logr.Discard()})
	if err != nil {
		return err
	}
	if err := c.Watch(source.Func(feed)); err != nil {
		return err
	}
	s.Go(func(ctx context.Context) {
		if err := c.Start(ctx); err != nil {
			s.Fail(err)
		}
	})
	s.Go(run.Background)
	return nil
}

// feed keeps a queue filled.
func feed(ctx context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ctx.Err() == nil; <-tick.C {
			for i := 0; i < 200 && q.Len() < 100; i++ {
				n++
				q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "prod", Name: fmt.Sprintf("object-%d", n%300)}})
			}
		}
	}()
	return nil
}
