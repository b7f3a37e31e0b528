// Package api asks the API server more than it should, or makes itself the means to ask it anew each time.
package api

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/fixtures/burn/k8s/internal/ops"
	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		ops.Kind("restmapper", "REST mapper rebuilt from discovery on every call", `^k8s\.io/client-go/(restmapper|discovery)\.`, "api.(*GraphReconciler).mapper", startGraph),
		ops.Kind("client-rebuild", "clientset made on every call", `^k8s\.io/client-go/kubernetes\.NewForConfig`, "api.(*SyncReconciler).clientset", startSync),
		ops.Kind("scheme-rebuild", "scheme filled on every call", `^k8s\.io/apimachinery/pkg/runtime\.\(\*Scheme\)\.`, "api.(*HookReconciler).scheme", startHook),
		ops.Kind("live-get", "object fetched from the API server for every event", `^k8s\.io/client-go/(dynamic|rest)\.`, "api.(*OwnerReconciler).owner", startOwner),
		{
			Name: "heap-informer", Profile: "heap", Topic: "informer cache of whole objects", Guilty: `^k8s\.io/client-go/tools/cache\.`,
			Category: "memory", Hidden: true, Start: startInformer,
		},
	}
}

func config(s *run.Service) (*rest.Config, error) {
	addr, err := s.Peer("api")
	return &rest.Config{Host: "http://" + addr, QPS: -1}, err
}

// A GraphReconciler follows owner references of any kind, and asks what kinds there are each time.
type GraphReconciler struct {
	config *rest.Config
	last   schema.GroupVersionResource
}

func startGraph(s *run.Service) error {
	c, err := config(s)
	if err != nil {
		return err
	}
	return ops.Run(s, "graph", &GraphReconciler{config: c})
}

// Reconcile is called for each object.
func (r *GraphReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	m, err := r.mapper()
	if err != nil {
		return reconcile.Result{}, err
	}
	mapping, err := m.RESTMapping(schema.GroupKind{Group: "group-3.example.com", Kind: "Kind4"})
	if err != nil {
		return reconcile.Result{}, err
	}
	r.last = mapping.Resource
	return reconcile.Result{}, nil
}

func (r *GraphReconciler) mapper() (meta.RESTMapper, error) {
	d, err := discovery.NewDiscoveryClientForConfig(r.config)
	if err != nil {
		return nil, err
	}
	groups, err := restmapper.GetAPIGroupResources(d)
	if err != nil {
		return nil, fmt.Errorf("discovering resources: %w", err)
	}
	return restmapper.NewDiscoveryRESTMapper(groups), nil
}

// A SyncReconciler makes a clientset for each object.
type SyncReconciler struct {
	config *rest.Config
	last   kubernetes.Interface
}

func startSync(s *run.Service) error {
	return ops.Run(s, "sync", &SyncReconciler{config: &rest.Config{Host: "http://127.0.0.1:1"}})
}

// Reconcile is called for each object.
func (r *SyncReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	c, err := r.clientset()
	r.last = c
	return reconcile.Result{}, err
}

func (r *SyncReconciler) clientset() (kubernetes.Interface, error) {
	c := rest.CopyConfig(r.config)
	c.UserAgent = "sync-controller"
	return kubernetes.NewForConfig(c)
}

// A HookReconciler makes a scheme for each object.
type HookReconciler struct{ kinds int }

func startHook(s *run.Service) error { return ops.Run(s, "hook", &HookReconciler{}) }

// Reconcile is called for each object.
func (r *HookReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	scheme, err := r.scheme()
	if err != nil {
		return reconcile.Result{}, err
	}
	r.kinds = len(scheme.PrioritizedVersionsAllGroups())
	return reconcile.Result{}, nil
}

func (r *HookReconciler) scheme() (*runtime.Scheme, error) {
	s := runtime.NewScheme()
	return s, clientgoscheme.AddToScheme(s)
}

// An OwnerReconciler fetches each object's owner from the API server.
type OwnerReconciler struct {
	client dynamic.Interface
}

func startOwner(s *run.Service) error {
	c, err := config(s)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(c)
	if err != nil {
		return err
	}
	return ops.RunMany(s, "owner", 4, &OwnerReconciler{client: client})
}

// Reconcile is called for each object.
func (r *OwnerReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return reconcile.Result{}, r.owner(ctx, req.Name)
}

func (r *OwnerReconciler) owner(ctx context.Context, name string) error {
	deployments := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	o, err := r.client.Resource(deployments).Namespace("prod").Get(ctx, name, metav1.GetOptions{})
	if err == nil && o.GetKind() != "Deployment" {
		err = fmt.Errorf("%s is a %s", name, o.GetKind())
	}
	return err
}

// startInformer caches all pods of a cluster, though it needs no more than their names.
func startInformer(s *run.Service) error {
	c, err := config(s)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Pods().Informer()
	stop := make(chan struct{})
	s.Defer(func() { close(stop) })
	factory.Start(stop)
	if !cache.WaitForCacheSync(stop, informer.HasSynced) {
		return fmt.Errorf("the cache did not fill")
	}
	if n := len(informer.GetStore().List()); n != pods {
		return fmt.Errorf("%d pods of %d in the cache", n, pods)
	}
	s.Go(run.Background)
	return nil
}
