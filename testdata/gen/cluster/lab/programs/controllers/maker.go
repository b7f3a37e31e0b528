package main

import (
	"context"
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"cluster/lab/program"
)

// runMaker makes an object, given as JSON, and again when it is gone.
func runMaker(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	cl, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	want := &unstructured.Unstructured{}
	if err := json.Unmarshal([]byte(*value), &want.Object); err != nil {
		return err
	}
	*name = want.GetName()
	objects := cl.Resource(groupResource()).Namespace(program.Namespace())
	create := func() {
		time.Sleep(*pace)
		klog.InfoS("Object is missing, creating it", "object", klog.KRef(program.Namespace(), *name))
		_, err := objects.Create(ctx, want, metav1.CreateOptions{FieldManager: agentName(config)})
		complain(ctx, err, "Failed to create", *name)
	}
	create()
	return follow(ctx, objects, func(_ *unstructured.Unstructured, gone bool) {
		if gone {
			create()
		}
	})
}

// runRemover deletes an object that it does not know, as often as it is there.
func runRemover(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	cl, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	objects := cl.Resource(groupResource()).Namespace(program.Namespace())
	return follow(ctx, objects, func(o *unstructured.Unstructured, gone bool) {
		if gone || o.GetDeletionTimestamp() != nil {
			return
		}
		time.Sleep(*pace)
		klog.InfoS("Removing an object without registration", "object", klog.KObj(o))
		background := metav1.DeletePropagationBackground
		err := objects.Delete(ctx, *name, metav1.DeleteOptions{PropagationPolicy: &background})
		complain(ctx, err, "Failed to delete", *name)
	})
}
