package main

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"cluster/lab/program"
)

// runSetter keeps one field of one object at one value: it watches the object and patches what differs.
func runSetter(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	cl, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	var want any
	if err := json.Unmarshal([]byte(*value), &want); err != nil {
		return err
	}
	fields := strings.Split(*path, ".")
	patch := want
	for _, field := range slices.Backward(fields) {
		patch = map[string]any{field: patch}
	}
	data, err := json.Marshal(patch)
	if err != nil {
		return err
	}
	objects := cl.Resource(groupResource()).Namespace(program.Namespace())
	return follow(ctx, objects, func(o *unstructured.Unstructured, _ bool) {
		now, _, _ := unstructured.NestedFieldNoCopy(o.Object, fields...)
		if n, ok := now.(int64); ok {
			now = float64(n)
		}
		if reflect.DeepEqual(now, want) {
			return
		}
		klog.InfoS("Field drifted, setting it", "object", klog.KObj(o), "field", *path, "is", now, "want", want)
		time.Sleep(*pace)
		_, err := objects.Patch(ctx, *name, types.MergePatchType, data, metav1.PatchOptions{FieldManager: agentName(config)})
		complain(ctx, err, "Failed to set the field", *name)
	})
}

// agentName is the first part of a user agent.
func agentName(config *rest.Config) string {
	agent, _, _ := strings.Cut(config.UserAgent, "/")
	return agent
}

// follow watches the object that the flag names, from its state now on, and calls do with each state of it.
func follow(
	ctx context.Context, objects dynamic.ResourceInterface, do func(o *unstructured.Unstructured, gone bool),
) error {
	for ctx.Err() == nil {
		w, err := objects.Watch(ctx, metav1.SingleObject(metav1.ObjectMeta{Name: *name}))
		if err != nil {
			complain(ctx, err, "Failed to watch", *name)
			time.Sleep(time.Second)
			continue
		}
		for e := range w.ResultChan() {
			if o, ok := e.Object.(*unstructured.Unstructured); ok && o.GetName() != "" {
				do(o, e.Type == "DELETED")
			}
		}
	}
	return nil
}
