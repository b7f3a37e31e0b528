package main

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// listed are the resources that the flag names, as resource.version.group with commas.
func listed(config *rest.Config) ([]dynamic.ResourceInterface, error) {
	cl, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	var all []dynamic.ResourceInterface
	for _, text := range strings.Split(*resource, ",") {
		parts := strings.SplitN(text, ".", 3)
		all = append(all, cl.Resource(schema.GroupVersionResource{Resource: parts[0], Version: parts[1], Group: parts[2]}))
	}
	return all, nil
}

// runLister lists whole resources in each round.
func runLister(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	all, err := listed(config)
	if err != nil {
		return err
	}
	every(ctx, *pace, func(int) {
		n := 0
		for _, objects := range all {
			l, err := objects.List(ctx, metav1.ListOptions{})
			complain(ctx, err, "Failed to list", "")
			if err == nil {
				n += len(l.Items)
			}
		}
		klog.V(1).InfoS("Exported", "objects", n)
	})
	return nil
}

// runPager lists in turns: in pages, from the server's cache, and with a selector.
func runPager(ctx context.Context, config *rest.Config, _ kubernetes.Interface) error {
	all, err := listed(config)
	if err != nil {
		return err
	}
	every(ctx, *pace, func(i int) {
		objects := all[i%len(all)]
		switch i % 3 {
		case 0:
			o := metav1.ListOptions{Limit: 20}
			for ctx.Err() == nil {
				l, err := objects.List(ctx, o)
				complain(ctx, err, "Failed to list", "")
				if err != nil || l.GetContinue() == "" {
					return
				}
				o.Continue = l.GetContinue()
			}
		case 1:
			_, err = objects.List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		default:
			_, err = objects.List(ctx, metav1.ListOptions{LabelSelector: "app=front", ResourceVersion: "0"})
		}
		complain(ctx, err, "Failed to list", "")
	})
	return nil
}
