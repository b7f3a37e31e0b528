package objects

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/fixtures/burn/k8s/internal/ops"
	"example.com/fixtures/burn/run"
)

// A PlacementReconciler reads from its cache, plans, copies the one object that it changes, and logs a line when it has changed one.
type PlacementReconciler struct {
	store cache.Indexer
	log   *slog.Logger
	load  [400]int
}

func startPlacement(s *run.Service) error {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	r := &PlacementReconciler{store: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{}), log: slog.New(slog.NewJSONHandler(f, nil))}
	for i := 0; i < 300; i++ {
		if err := r.store.Add(New(fmt.Sprint("object-", i))); err != nil {
			return err
		}
	}
	return ops.Run(s, "placement", r)
}

// Reconcile is called for each object.
func (r *PlacementReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	object, found, err := r.store.GetByKey(req.String())
	if err != nil || !found {
		return reconcile.Result{}, err
	}
	d := object.(*appsv1.Deployment)
	node := r.plan(len(d.Spec.Template.Spec.Containers))
	if name := fmt.Sprint("node-", node); d.Annotations["node"] != name {
		changed := d.DeepCopy()
		changed.Annotations["node"] = name
		r.log.Info("moved", "object", req.String(), "node", name)
		return reconcile.Result{}, r.store.Update(changed)
	}
	return reconcile.Result{}, nil
}

// plan spreads the load, in several passes.
func (r *PlacementReconciler) plan(weight int) int {
	best := 0
	for pass := 0; pass < 300; pass++ {
		for node := range r.load {
			cost := r.load[node]*7 + (node*pass)%13
			if cost < r.load[best]*7 {
				best = node
			}
		}
		best = r.relax(best, pass)
	}
	r.load[best] += weight
	return best
}

func (r *PlacementReconciler) relax(node, pass int) int {
	next := (node + pass) % len(r.load)
	if r.load[next] < r.load[node] {
		return next
	}
	return node
}
