package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"cluster/lab/program"
)

// runResync writes the status of custom resources whose spec changed, and of no others; its informer resyncs every
// 20 s.
func runResync(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	cl, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	objects := cl.Resource(groupResource()).Namespace(program.Namespace())
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(cl, 20*time.Second, program.Namespace(), nil)
	handle := func(o any) {
		u := o.(*unstructured.Unstructured)
		seen, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
		if seen == u.GetGeneration() {
			return
		}
		patch := fmt.Appendf(nil, `{"status":{"observedGeneration":%d,"ready":true}}`, u.GetGeneration())
		_, err := objects.Patch(ctx, u.GetName(), types.MergePatchType, patch, metav1.PatchOptions{}, "status")
		complain(ctx, err, "Failed to write the status", u.GetName())
	}
	_, err = factory.ForResource(groupResource()).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: handle, UpdateFunc: func(_, o any) { handle(o) }})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	<-ctx.Done()
	return nil
}

// A lineman cuts all connections for a while.
type lineman struct {
	mu    sync.Mutex
	conns []net.Conn
	until time.Time
}

func (l *lineman) dial(ctx context.Context, network, address string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Now().Before(l.until) {
		return nil, &net.OpError{Op: "dial", Net: network, Err: fmt.Errorf("connection refused")}
	}
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, network, address)
	if err == nil {
		l.conns = append(l.conns, c)
	}
	return c, err
}

func (l *lineman) cut(t time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.until = time.Now().Add(t)
	for _, c := range l.conns {
		c.Close()
	}
	l.conns = nil
}

// runWatcher keeps informers of several kinds and is cut off from its API server once, as by a restart of it.
func runWatcher(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	l := &lineman{}
	config = rest.CopyConfig(config)
	config.Dial = l.dial
	cl, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactory(cl, 0)
	core := factory.Core().V1()
	for _, informer := range []cache.SharedIndexInformer{core.Pods().Informer(), core.ConfigMaps().Informer(),
		core.Services().Informer(), core.Nodes().Informer(), core.Secrets().Informer(),
		factory.Apps().V1().Deployments().Informer()} {
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{}); err != nil {
			return err
		}
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	select {
	case <-ctx.Done():
	case <-time.After(*pace):
		l.cut(5 * time.Second)
	}
	<-ctx.Done()
	return nil
}

// runCaller calls a Service that selects no pod, as long as it runs, and logs what came of it.
func runCaller(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	every(ctx, *pace, func(int) {
		o, err := cl.CoreV1().Services(program.Namespace()).Get(ctx, *name, metav1.GetOptions{})
		if err == nil {
			err = call(ctx, o)
		}
		complain(ctx, err, "Failed to call the service", *name)
	})
	return nil
}

// call connects to a Service. Nothing carries its traffic in the lab; without endpoints kube-proxy refuses connections.
func call(ctx context.Context, o *corev1.Service) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1:9/healthz", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		klog.V(1).InfoS("No answer", "service", klog.KObj(o), "address", o.Spec.ClusterIP)
		return err
	}
	return res.Body.Close()
}
