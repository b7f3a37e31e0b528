// Package controller keeps the annotations of Deployments and of the ConfigMaps that they use up to date.
package controller

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
)

// Add adds the controllers to a manager.
func Add(mgr ctrl.Manager) error {
	d := &deploymentReconciler{client: mgr.GetClient(), live: mgr.GetAPIReader()}
	err := ctrl.NewControllerManagedBy(mgr).For(&appsv1.Deployment{}).Owns(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).Complete(d)
	if err != nil {
		return fmt.Errorf("adding the deployments' controller: %w", err)
	}
	err = ctrl.NewControllerManagedBy(mgr).For(&corev1.Secret{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 2}).Complete(&secretReconciler{client: mgr.GetClient()})
	if err != nil {
		return fmt.Errorf("adding the secrets' controller: %w", err)
	}
	return nil
}

type deploymentReconciler struct {
	client client.Client
	live   client.Reader
}

// Reconcile reads a Deployment and its ConfigMap, and writes the Deployment.
func (r *deploymentReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var d appsv1.Deployment
	if err := r.client.Get(ctx, req.NamespacedName, &d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var config corev1.ConfigMap
	if err := r.live.Get(ctx, req.NamespacedName, &config); err != nil {
		return ctrl.Result{}, fmt.Errorf("reading the configuration: %w", err)
	}
	d.Spec.Template.Annotations = map[string]string{"example.com/configuration": config.ResourceVersion}
	if err := r.client.Update(ctx, &d); err != nil {
		return ctrl.Result{}, fmt.Errorf("updating the deployment: %w", err)
	}
	return ctrl.Result{RequeueAfter: 10 * time.Minute}, nil
}

type secretReconciler struct{ client client.Client }

// Reconcile reads a Secret; what would be out of date has another minute.
func (r *secretReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var s corev1.Secret
	if err := r.client.Get(ctx, req.NamespacedName, &s); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}
