package scenes

import (
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// loopScenes are scenes in which controllers work without end.
var loopScenes = []Scene{
	fault("self-loop", "a", metadata, 35*time.Second, func(d day) {
		for _, name := range []string{"invoices", "dunning", "tax"} {
			d.make(deployment("billing", name, 1, "registry.example.com/"+name+":2.0"))
		}
		d.pause(5 * time.Second)
		d.run("billing", "stamper", 2)
	}, "billing"),

	fault("self-loop", "b", bodies, 40*time.Second, func(d day) {
		d.make(configMap("routing", "table", "revision", "0", "routes", "a,b,c"))
		d.pause(5 * time.Second)
		d.run("routing", "indexer", 3, "-name=table")
	}, "routing"),

	fault("status-timestamp", "a", bodies, 35*time.Second, func(d day) {
		d.define("archive.example.com", "Backup", "backups")
		for i := range int64(6) {
			d.make(custom("archive.example.com", "Backup", "archive", fmt.Sprint("nightly-", i), i))
		}
		d.runNamed("archive", "backup-operator", "backups", 1)
	}, "archive"),

	fault("status-timestamp", "b", metadata, 35*time.Second, func(d day) {
		d.define("uptime.example.net", "Probe", "probes")
		d.make(custom("uptime.example.net", "Probe", "uptime", "homepage", 1),
			custom("uptime.example.net", "Probe", "uptime", "login", 2))
		d.runNamed("uptime", "prober", "probes", 2, "-resource=probes.v1.uptime.example.net")
	}, "uptime"),

	fault("field-flip", "a", bodies, 35*time.Second, func(d day) {
		d.make(deployment("store", "cart", 2, "registry.example.com/cart:5.5"))
		d.ready("store", "cart")
		of := []string{"-resource=deployments.v1.apps", "-name=cart", "-path=spec.replicas", "-pace=600ms"}
		d.runNamed("store", "scaler", "setter", 1, append(of, "-value=4")...)
		d.runNamed("store", "syncer", "setter", 2, append(of, "-value=2")...)
	}, "store"),

	fault("field-flip", "b", bodies, 35*time.Second, func(d day) {
		d.make(configMap("edge", "limits", "burst", "100", "rate", "20"))
		of := []string{"-name=limits", "-path=data.burst", "-pace=150ms"}
		d.runNamed("edge", "tuner", "setter", 2, append(of, `-value="400"`)...)
		d.runNamed("edge", "keeper", "setter", 3, append(of, `-value="100"`)...)
	}, "edge"),

	fault("owner-loop", "a", metadata, 35*time.Second, func(d day) {
		d.runNamed("tenants", "provisioner", "maker", 1, "-resource=services.v1.", "-pace=200ms", `-value={"apiVersion":"v1",
				"kind":"Service","metadata":{"name":"gateway"},"spec":{"selector":{"app":"gateway"},"ports":[{"port":80}]}}`)
		d.runNamed("tenants", "janitor", "remover", 3, "-resource=services.v1.", "-name=gateway", "-pace=300ms")
	}, "tenants"),

	fault("owner-loop", "b", bodies, 45*time.Second, func(d day) {
		d.runNamed("labs", "spawner", "maker", 2, "-resource=deployments.v1.apps", "-pace=1s", `-value={
				"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"notebook"},"spec":{"replicas":1,
				"selector":{"matchLabels":{"app":"notebook"}},"template":{"metadata":{"labels":{"app":"notebook"}},
				"spec":{"containers":[{"name":"notebook","image":"registry.example.com/notebook:7.2"}]}}}}`)
		d.runNamed("labs", "reaper", "remover", 1, "-resource=deployments.v1.apps", "-name=notebook", "-pace=1s")
	}, "labs"),

	fault("two-autoscalers", "a", bodies, 35*time.Second, func(d day) {
		d.make(deployment("video", "transcode", 3, "registry.example.com/transcode:2.2"))
		d.make(autoscaler("video", "transcode-cpu", "Deployment", "transcode", 70),
			autoscaler("video", "transcode-queue", "Deployment", "transcode", 40))
	}, "video"),

	fault("two-autoscalers", "b", metadata, 35*time.Second, func(d day) {
		d.make(statefulSet("geo", "lookup", 2, "registry.example.com/lookup:0.9"))
		d.make(autoscaler("geo", "lookup", "StatefulSet", "lookup", 60),
			autoscaler("geo", "lookup-peak", "StatefulSet", "lookup", 85))
		d.make(object(`{apiVersion: autoscaling/v1, kind: HorizontalPodAutoscaler,
				metadata: {namespace: geo, name: lookup-old}, spec: {maxReplicas: 5, targetCPUUtilizationPercentage: 50,
				scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: lookup}}}`))
	}, "geo"),
}

// autoscaler scales a workload by its use of CPU.
func autoscaler(namespace, name, kind, target string, percent int32) *autoscalingv2.HorizontalPodAutoscaler {
	return &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: kind, Name: target},
			MaxReplicas:    10,
			Metrics: []autoscalingv2.MetricSpec{{Type: autoscalingv2.ResourceMetricSourceType,
				Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{
					Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent}}}},
		},
	}
}
