package main

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"cluster/lab/program"
)

// A stamper writes into an annotation of each Deployment when it has looked at it. That write wakes it.
type stamper struct{ client.Client }

// runStamper starts the stamper.
func runStamper(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	m, err := newManager(config, scheme.Scheme)
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(m).For(&appsv1.Deployment{}).Complete(&stamper{m.GetClient()})
	if err != nil {
		return err
	}
	return m.Start(ctx)
}

// newManager is a manager of controllers of the program's namespace, without metrics and probes.
func newManager(config *rest.Config, s *runtime.Scheme) (manager.Manager, error) {
	ctrl.SetLogger(logr.New(klog.NewKlogr().GetSink()))
	return ctrl.NewManager(config, manager.Options{
		Scheme:  s,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{program.Namespace(): {}}},
	})
}

// Reconcile writes the time of the last look.
func (s *stamper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var d appsv1.Deployment
	if err := s.Get(ctx, req.NamespacedName, &d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := client.MergeFrom(d.DeepCopy())
	if d.Annotations == nil {
		d.Annotations = map[string]string{}
	}
	d.Annotations["stamper.example.org/last-seen"] = time.Now().Format(time.RFC3339Nano)
	return ctrl.Result{}, s.Patch(ctx, &d, before)
}
