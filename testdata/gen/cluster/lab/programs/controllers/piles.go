package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"cluster/lab/program"
)

// runMinter makes one more Secret in each round and never deletes one.
func runMinter(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	every(ctx, *pace, func(i int) {
		_, err := cl.CoreV1().Secrets(program.Namespace()).Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{GenerateName: *name + "-", Labels: map[string]string{"app": *name}},
			StringData: map[string]string{"token": fmt.Sprint("t-", i)},
		}, metav1.CreateOptions{})
		complain(ctx, err, "Failed to mint", *name)
	})
	return nil
}

// runHasher makes a ConfigMap for each plan, named by the hash of the plan, which holds the time.
func runHasher(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	every(ctx, *pace, func(int) {
		plan := "computed: " + time.Now().Format(time.RFC3339Nano)
		_, err := cl.CoreV1().ConfigMaps(program.Namespace()).Create(ctx, &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%.5x", *name, sha256.Sum256([]byte(plan)))},
			Data:       map[string]string{"plan": plan},
		}, metav1.CreateOptions{})
		complain(ctx, err, "Failed to store a plan", *name)
	})
	return nil
}

// runChecker makes a ConfigMap for each check and deletes it.
func runChecker(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	maps := cl.CoreV1().ConfigMaps(program.Namespace())
	every(ctx, *pace, func(i int) {
		check := fmt.Sprintf("%s-%06d", *name, i)
		_, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: check}}, metav1.CreateOptions{})
		complain(ctx, err, "Failed to create", check)
		time.AfterFunc(200*time.Millisecond, func() {
			complain(ctx, maps.Delete(ctx, check, metav1.DeleteOptions{}), "Failed to delete", check)
		})
	})
	return nil
}

// runScanner makes a suspended Job for each scan, finds that nothing is to do and deletes it.
func runScanner(ctx context.Context, _ *rest.Config, cl kubernetes.Interface) error {
	jobs := cl.BatchV1().Jobs(program.Namespace())
	suspended, background := true, metav1.DeletePropagationBackground
	every(ctx, *pace, func(i int) {
		o := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{GenerateName: *name + "-"},
			Spec: batchv1.JobSpec{Suspend: &suspended}}
		o.Spec.Template.Spec = corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever,
			Containers: []corev1.Container{{Name: "scan", Image: "registry.example.com/scan:3.1"}}}
		made, err := jobs.Create(ctx, o, metav1.CreateOptions{})
		complain(ctx, err, "Failed to create", *name)
		if err == nil {
			err = jobs.Delete(ctx, made.Name, metav1.DeleteOptions{PropagationPolicy: &background})
			complain(ctx, err, "Failed to delete", made.Name)
		}
	})
	return nil
}
