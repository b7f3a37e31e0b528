package main

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"cluster/lab/program"
)

// probes writes the status of each object that its informer reports, with the time.
type probes struct{ objects dynamic.ResourceInterface }

// runProbes starts the informer.
func runProbes(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	cl, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	p := &probes{cl.Resource(groupResource()).Namespace(program.Namespace())}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(cl, 0, program.Namespace(), nil)
	informer := factory.ForResource(groupResource()).Informer()
	handle := func(o any) {
		object := o.(*unstructured.Unstructured)
		complain(ctx, p.sync(ctx, object.DeepCopy()), "Failed to probe", object.GetName())
	}
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: handle, UpdateFunc: func(_, o any) { handle(o) }})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	<-ctx.Done()
	return nil
}

// sync writes what was observed, and when.
func (p *probes) sync(ctx context.Context, o *unstructured.Unstructured) error {
	o.Object["status"] = map[string]any{
		"reachable": true, "observedAt": time.Now().UTC().Format(time.RFC3339Nano),
	}
	_, err := p.objects.UpdateStatus(ctx, o, metav1.UpdateOptions{})
	if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
		return nil
	}
	return err
}
