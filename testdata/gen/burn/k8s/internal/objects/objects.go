// Package objects copies and compares objects more than it should.
package objects

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/fixtures/burn/k8s/internal/ops"
	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		ops.Kind("semantic-deepequal", "equality.Semantic.DeepEqual over every object", `^k8s\.io/apimachinery/third_party/forked/golang/reflect\.Equalities\.`,
			"objects.(*DriftReconciler).drifted", startDrift),
		ops.Kind("deepcopy-list", "every listed object copied", `\.DeepCopy(Into)?$`, "objects.(*QuotaReconciler).list", startQuota),
		{Name: "well-operator", Profile: "cpu", Topic: "an operator at work, with nothing wrong", Category: "none", Start: startPlacement},
	}
}

// New is a Deployment as large as real ones.
func New(name string) *appsv1.Deployment {
	d := &appsv1.Deployment{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "prod", Labels: map[string]string{"app": name, "tier": "backend", "team": "storage"},
			Annotations: map[string]string{"revision": "7", "description": "a service of ours"},
		},
	}
	for i := 0; i < 5; i++ {
		c := corev1.Container{Name: fmt.Sprint("c", i), Image: "registry.example.com/team/image:v1", Args: []string{"--verbose=2", "--bind=0.0.0.0"}}
		for j := 0; j < 8; j++ {
			c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprint("KEY_", j), Value: "value"})
			c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: fmt.Sprint("v", j), MountPath: "/var/lib/v"})
		}
		d.Spec.Template.Spec.Containers = append(d.Spec.Template.Spec.Containers, c)
	}
	return d
}

// A DriftReconciler compares what it wants with what it finds.
type DriftReconciler struct {
	wanted, found *appsv1.Deployment
	drifts        int
}

func startDrift(s *run.Service) error {
	return ops.Run(s, "drift", &DriftReconciler{wanted: New("web"), found: New("web")})
}

// Reconcile is called for each object.
func (r *DriftReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	for i := 0; i < 20; i++ {
		if r.drifted() {
			r.drifts++
		}
	}
	return reconcile.Result{}, nil
}

func (r *DriftReconciler) drifted() bool {
	return !equality.Semantic.DeepEqual(r.wanted.Spec, r.found.Spec)
}

// A QuotaReconciler adds up what a namespace's objects ask for.
type QuotaReconciler struct {
	store cache.Indexer
	last  int
}

func startQuota(s *run.Service) error {
	r := &QuotaReconciler{store: cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})}
	for i := 0; i < 100; i++ {
		if err := r.store.Add(New(fmt.Sprint("web-", i))); err != nil {
			return err
		}
	}
	return ops.Run(s, "quota", r)
}

// Reconcile is called for each namespace.
func (r *QuotaReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	n := 0
	for _, d := range r.list() {
		n += len(d.Spec.Template.Spec.Containers)
	}
	r.last = n
	return reconcile.Result{}, nil
}

// list copies all objects, so that nobody changes the cache.
func (r *QuotaReconciler) list() []*appsv1.Deployment {
	var list []*appsv1.Deployment
	for _, object := range r.store.List() {
		list = append(list, object.(*appsv1.Deployment).DeepCopy())
	}
	return list
}
