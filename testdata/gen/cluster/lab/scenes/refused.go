package scenes

import (
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// refusalScenes are scenes in which the API server refuses what clients ask for.
var refusalScenes = []Scene{
	fault("webhook-closed", "a", metadata, 40*time.Second, func(d day) {
		d.make(service("gatekeeper", "pod-guard", "pod-guard"))
		path := "/validate"
		o := &admissionv1.ValidatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "pod-guard"},
			Webhooks: []admissionv1.ValidatingWebhook{{
				Name: "guard.pods.example.org", Rules: podCreations(), NamespaceSelector: namespaced("shop"),
				ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{
					Namespace: "gatekeeper", Name: "pod-guard", Path: &path}},
				SideEffects: noEffects(), AdmissionReviewVersions: []string{"v1"}, TimeoutSeconds: seconds(2),
			}}}
		d.make(o)
		d.afterwards(o)
		d.pause(2 * time.Second)
		d.make(deployment("shop", "checkout", 3, "registry.example.com/checkout:2.30"))
	}, "shop", "gatekeeper"),

	fault("webhook-closed", "b", bodies, 40*time.Second, func(d day) {
		url := "https://127.0.0.1:9/inject"
		o := &admissionv1.MutatingWebhookConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "sidecar-injector"},
			Webhooks: []admissionv1.MutatingWebhook{{
				Name: "inject.sidecar.example.net", Rules: podCreations(), NamespaceSelector: namespaced("stream"),
				ClientConfig: admissionv1.WebhookClientConfig{URL: &url},
				SideEffects:  noEffects(), AdmissionReviewVersions: []string{"v1"}, TimeoutSeconds: seconds(5),
			}}}
		d.make(o)
		d.afterwards(o)
		d.pause(2 * time.Second)
		d.make(statefulSet("stream", "broker", 3, "registry.example.net/broker:3.6"),
			job("stream", "replay", 2, 2, "sleep", "20"))
	}, "stream"),

	fault("quota-refused", "a", bodies, 40*time.Second, func(d day) {
		d.quota("reports", "team-pods", corev1.ResourcePods, "3")
		d.make(deployment("reports", "render", 8, "registry.example.com/render:5"))
	}, "reports"),

	fault("quota-refused", "b", metadata, 40*time.Second, func(d day) {
		d.quota("analytics", "compute", corev1.ResourceRequestsMemory, "3Gi")
		cube := deployment("analytics", "cube", 2, "registry.example.net/cube:1")
		ask(&cube.Spec.Template, corev1.ResourceMemory, "1Gi")
		d.make(cube)
		d.ready("analytics", "cube")
		cells := statefulSet("analytics", "cells", 3, "registry.example.net/cells:1")
		ask(&cells.Spec.Template, corev1.ResourceMemory, "1Gi")
		d.make(cells)
	}, "analytics"),

	fault("forbidden-again", "a", metadata, 35*time.Second, func(d day) {
		stop, err := d.c.Start(d.ctx, "controllers", []string{"refused", "-pace=200ms"}, ProcessOptions{
			User: "limited-collector", Server: 2, Namespace: "agents", Pod: "collector-6c5f7b9d4-m7q2z",
			Env: []string{"AGENT=collector/v2.1.0 (linux/amd64) kubernetes/$Format"}})
		d.fail(err)
		_ = stop // it runs until the scene ends
	}, "agents"),

	fault("forbidden-again", "b", bodies, 35*time.Second, func(d day) {
		d.make(service("mesh", "ingress", "ingress"), deployment("mesh", "ingress", 2, "registry.example.net/ingress:1"))
		d.runNamed("mesh", "router", "invalid", 1, "-name=ingress", "-pace=120ms")
	}, "mesh"),

	fault("stale-writer", "a", bodies, 40*time.Second, func(d day) {
		d.make(configMap("stock", "ledger", "total", "0"))
		d.runNamed("stock", "reporter", "stale", 1, "-name=ledger", "-pace=200ms")
		counter := d.as("system:serviceaccount:stock:counter", 2)
		d.every(500*time.Millisecond, func(i int) {
			counter.merge(configMap("stock", "ledger"), `{"data":{"total":"%d"}}`, i)
		})
	}, "stock"),

	fault("stale-writer", "b", metadata, 35*time.Second, func(d day) {
		d.make(&corev1.Secret{ObjectMeta: meta("queue", "offsets"), StringData: map[string]string{"base": "0"}})
		d.runNamed("queue", "worker", "crossing", 2, "-name=offsets", "-workers=4", "-pace=250ms")
	}, "queue"),
}

// podCreations are the rules of a webhook that is asked about each new pod.
func podCreations() []admissionv1.RuleWithOperations {
	return []admissionv1.RuleWithOperations{{Operations: []admissionv1.OperationType{admissionv1.Create},
		Rule: admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}}}}
}

// namespaced keeps a webhook to one namespace, so that it does not stop the rest of the lab.
func namespaced(name string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": name}}
}

func noEffects() *admissionv1.SideEffectClass {
	none := admissionv1.SideEffectClassNone
	return &none
}

func seconds(n int32) *int32 { return &n }

// quota makes a ResourceQuota and waits until it counts.
func (d day) quota(namespace, name string, what corev1.ResourceName, hard string) {
	o := &corev1.ResourceQuota{ObjectMeta: meta(namespace, name),
		Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{what: quantity(hard)}}}
	d.make(o)
	d.await("the quota's count", func() bool {
		d.fail(d.Get(d.ctx, key(o), o))
		return len(o.Status.Used) > 0
	})
}
