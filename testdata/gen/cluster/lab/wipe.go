package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"cluster/lab/plane"
	"cluster/lab/scenes"
)

// wipe removes what a scene has left: its processes, its namespaces, what nodes and audit logs keep of it.
func (l *lab) wipe(ctx context.Context, s scenes.Scene) error {
	l.fleet.RestoreAll()
	l.mu.Lock()
	stops := l.outside
	l.outside = nil
	l.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
	if err := errors.Join(os.RemoveAll(l.shared()), os.MkdirAll(l.shared(), 0o755)); err != nil {
		return err
	}
	if err := l.unhook(ctx); err != nil {
		return err
	}
	list, err := l.client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, namespace := range list.Items {
		if slices.Contains(own, namespace.Name) {
			continue
		}
		err := l.client.CoreV1().Namespaces().Delete(ctx, namespace.Name, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	begun := time.Now()
	err = l.await(ctx, 2*time.Minute, "the end of namespaces", func() bool {
		if time.Since(begun) > 15*time.Second {
			l.release(ctx)
		}
		list, err := l.client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
		return err == nil && len(list.Items) <= len(own)
	})
	if err != nil {
		return err
	}
	if err := l.uncordon(ctx); err != nil {
		return err
	}
	for i := range plane.Servers {
		if err := os.Truncate(l.plane.AuditLog(i), 0); err != nil {
			return err
		}
	}
	return l.settled(ctx)
}

// release takes the finalizers of pods away. Those of a Job that is gone before its pods keep theirs for minutes.
func (l *lab) release(ctx context.Context) {
	list, err := l.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	for _, pod := range list.Items {
		if len(pod.Finalizers) > 0 {
			_, _ = l.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType,
				[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		}
	}
}

// own are the namespaces of the cluster itself.
var own = []string{"default", "kube-node-lease", "kube-public", "kube-system"}

// unhook removes admission webhooks, which would keep namespaces from being emptied.
func (l *lab) unhook(ctx context.Context) error {
	hooks := l.client.AdmissionregistrationV1()
	if err := hooks.ValidatingWebhookConfigurations().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{}); err != nil {
		return err
	}
	return hooks.MutatingWebhookConfigurations().DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
}

// uncordon makes all nodes schedulable, without the taints and labels that a scene has given them.
func (l *lab) uncordon(ctx context.Context) error {
	list, err := l.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, node := range list.Items {
		kept := slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(t v1.Taint) bool { return !known(t.Key) })
		if !node.Spec.Unschedulable && len(kept) == len(node.Spec.Taints) {
			continue
		}
		node.Spec.Unschedulable, node.Spec.Taints = false, kept
		if _, err := l.client.CoreV1().Nodes().Update(ctx, &node, metav1.UpdateOptions{}); err != nil && !apierrors.IsConflict(err) {
			return err
		}
	}
	return nil
}

// known reports whether the node controller gives and takes a taint by itself.
func known(key string) bool {
	return key == v1.TaintNodeNotReady || key == v1.TaintNodeUnreachable
}

// ready counts the nodes on which pods can be scheduled.
func (l *lab) ready(ctx context.Context) int {
	list, err := l.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return 0
	}
	count := 0
	for _, node := range list.Items {
		for _, c := range node.Status.Conditions {
			if c.Type == v1.NodeReady && c.Status == v1.ConditionTrue && len(node.Spec.Taints) == 0 && !node.Spec.Unschedulable {
				count++
			}
		}
	}
	return count
}

// programsReady builds all programs, so that no scene waits for a build.
func (l *lab) programsReady(ctx context.Context) error {
	entries, err := os.ReadDir("programs")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if _, err := l.program(ctx, entry.Name()); err != nil {
			return err
		}
	}
	return nil
}
