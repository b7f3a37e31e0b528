package main

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// backups reconciles custom resources whose status says when it looked last. No predicate filters its own writes.
type backups struct{ client.Client }

// aBackup is an empty Backup.
func aBackup() *unstructured.Unstructured {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion("archive.example.com/v1")
	o.SetKind("Backup")
	return o
}

// runBackups starts the controller.
func runBackups(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	m, err := newManager(config, scheme.Scheme)
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(m).For(aBackup()).Complete(&backups{m.GetClient()}); err != nil {
		return err
	}
	return m.Start(ctx)
}

// Reconcile writes the status.
func (b *backups) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	o := aBackup()
	if err := b.Get(ctx, req.NamespacedName, o); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	o.Object["status"] = map[string]any{
		"phase": "Completed", "lastChecked": time.Now().UTC().Format(time.RFC3339Nano),
	}
	return ctrl.Result{}, client.IgnoreNotFound(b.Status().Update(ctx, o))
}
