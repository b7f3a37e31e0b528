package scenes

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// podScenes are scenes in which pods fail or do not start.
var podScenes = []Scene{
	fault("pinned-pods", "a", metadata, 35*time.Second, func(d day) {
		d.fill("ledger", "node-1", corev1.ResourceCPU, "3700m")
		o := deployment("ledger", "price-cache", 1, "registry.example.com/price-cache:1.12")
		o.Spec.Template.Spec.NodeName = "node-1"
		ask(&o.Spec.Template, corev1.ResourceCPU, "800m")
		d.make(o)
	}, "ledger"),

	fault("pinned-pods", "b", bodies, 30*time.Second, func(d day) {
		d.fill("imaging", "node-4", corev1.ResourceMemory, "7Gi")
		replicas := int32(3)
		o := &appsv1.ReplicaSet{ObjectMeta: meta("imaging", "thumbs"), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas,
			Selector: selector("thumbs"), Template: template("thumbs", "registry.example.com/thumbs:0.4")}}
		o.Spec.Template.Spec.NodeName = "node-4"
		ask(&o.Spec.Template, corev1.ResourceMemory, "3Gi")
		d.at(3).make(o)
	}, "imaging"),

	fault("recreated-pods", "a", bodies, 45*time.Second, func(d day) {
		o := job("batch", "convert", 60, 20, "sh", "-c", "echo 'convert: no codec for page' >&2; exit 3")
		mode, retries := batchv1.IndexedCompletion, int32(3)
		o.Spec.CompletionMode, o.Spec.BackoffLimitPerIndex = &mode, &retries
		d.make(o)
	}, "batch"),

	fault("recreated-pods", "b", metadata, 50*time.Second, func(d day) {
		o := daemonSet("audit", "recorder", "registry.example.com/recorder:4.0")
		o.Spec.Template.Spec.NodeName = "node-5"
		d.make(o)
	}, "audit"),

	fault("image-pull", "a", metadata, 40*time.Second, func(d day) {
		o := deployment("web", "front", 4, "registry.example.com/front:4.7.0")
		d.make(o)
		d.ready("web", "front")
		d.pause(10 * time.Second)
		change(d, o, func(o *appsv1.Deployment) {
			o.Spec.Template.Spec.Containers[0].Image = "registry.example.com/front:4.7.1-missing"
		})
		d.pause(20 * time.Second)
		d.age(12*time.Minute, "web")
	}, "web"),

	fault("image-pull", "b", bodies, 50*time.Second, func(d day) {
		o := daemonSet("infra", "shipper", "registry.example.net/shipper:1.9")
		d.make(o)
		d.pause(8 * time.Second)
		change(d, o, func(o *appsv1.DaemonSet) {
			o.Spec.Template.Spec.Containers[0].Image = "registry.example.net/shipper:2.0-missing"
		})
	}, "infra"),

	fault("config-rollout", "a", bodies, 40*time.Second, func(d day) {
		settings := configMap("pricing", "quoter-settings", "rounding", "half-up", "currency", "EUR")
		o := deployment("pricing", "quoter", 3, "registry.example.com/quoter:11")
		fromKey(&o.Spec.Template, "CURRENCY", "quoter-settings", "currency")
		d.make(settings, o)
		d.ready("pricing", "quoter")
		d.pause(10 * time.Second)
		change(d, settings, func(o *corev1.ConfigMap) {
			o.Data = map[string]string{"rounding": "half-up", "base-currency": "EUR"}
		})
		change(d, o, func(o *appsv1.Deployment) {
			o.Spec.Template.Spec.Containers[0].Image = "registry.example.com/quoter:12"
		})
		d.pause(15 * time.Second)
		d.age(12*time.Minute, "pricing")
	}, "pricing"),

	fault("config-rollout", "b", metadata, 50*time.Second, func(d day) {
		routes := configMap("chat", "relay-routes", "routes", "eu,us")
		o := statefulSet("chat", "relay", 3, "registry.example.net/relay:2.3")
		fromKey(&o.Spec.Template, "ROUTES", "relay-routes", "routes")
		d.make(routes, o)
		d.setReady("chat", "relay")
		d.remove(routes)
		d.pause(5 * time.Second)
		change(d, o, func(o *appsv1.StatefulSet) {
			o.Spec.Template.Spec.Containers[0].Image = "registry.example.net/relay:2.4"
		})
	}, "chat"),

	fault("unschedulable", "a", metadata, 25*time.Second, func(d day) {
		o := deployment("ml", "trainer", 3, "registry.example.com/trainer:0.8")
		o.Spec.Template.Spec.NodeSelector = map[string]string{"accelerator": "a100"}
		d.make(o)
		d.pause(15 * time.Second)
		d.age(12*time.Minute, "ml")
	}, "ml"),

	fault("unschedulable", "b", bodies, 50*time.Second, func(d day) {
		o := statefulSet("graph", "store", 2, "registry.example.net/graph-store:3.0")
		ask(&o.Spec.Template, corev1.ResourceMemory, "64Gi")
		d.make(o)
	}, "graph"),

	fault("crash-traceback", "a", metadata, 55*time.Second, func(d day) {
		o := deployment("catalog", "indexer", 2, "lab/controllers:1.8")
		o.Spec.Template.Spec.Containers[0].Args = []string{"catalog", "-pace=500ms"}
		d.make(o)
	}, "catalog"),

	fault("crash-traceback", "b", bodies, 55*time.Second, func(d day) {
		o := statefulSet("feeds", "merger", 1, "lab/controllers:2.1")
		o.Spec.Template.Spec.Containers[0].Args = []string{"merger", "-pace=600ms"}
		d.make(o)
	}, "feeds"),

	fault("selector-nothing", "a", metadata, 30*time.Second, func(d day) {
		d.make(service("retail", "basket", "basket"), deployment("retail", "basket", 2, "registry.example.com/basket:1.9"))
		d.ready("retail", "basket")
		d.make(object(`{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {namespace: retail, name: basket},
				spec: {rules: [{host: basket.example.com, http: {paths: [{path: /, pathType: Prefix,
				backend: {service: {name: basket, port: {number: 80}}}}]}}]}}`))
		d.make(deployment("retail", "basket-v2", 2, "registry.example.com/basket:2.0"))
		d.ready("retail", "basket-v2")
		d.remove(deployment("retail", "basket", 2, ""))
		d.pause(10 * time.Second)
	}, "retail"),

	fault("selector-nothing", "b", bodies, 30*time.Second, func(d day) {
		s := service("forum", "api", "api")
		s.Spec.Selector["tier"] = "backend"
		d.make(s, deployment("forum", "api", 3, "registry.example.net/forum-api:12"))
		d.ready("forum", "api")
		d.runNamed("forum", "web", "caller", 1, "-name=api", "-pace=700ms")
	}, "forum"),
}

// fill takes most of a node with one pod.
func (d day) fill(namespace, node string, what corev1.ResourceName, much string) {
	o := &corev1.Pod{ObjectMeta: meta(namespace, "simulation"),
		Spec: template("simulation", "registry.example.com/simulation:9").Spec}
	o.Spec.Containers[0].Resources.Requests[what] = quantity(much)
	o.Spec.Affinity = onNode(node)
	d.make(o)
	d.await("the pod that fills "+node, func() bool {
		d.fail(d.Get(d.ctx, key(o), o))
		return o.Status.Phase == corev1.PodRunning
	})
}

// onNode has the scheduler choose one node.
func onNode(node string) *corev1.Affinity {
	one := corev1.NodeSelectorRequirement{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn,
		Values: []string{node}}
	terms := []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{one}}}
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: terms}}}
}

// fromKey sets a variable of a template's container from a key of a ConfigMap.
func fromKey(t *corev1.PodTemplateSpec, variable, configMap, key string) {
	c := &t.Spec.Containers[0]
	from := &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: configMap}, Key: key}
	c.Env = append(c.Env, corev1.EnvVar{Name: variable, ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: from}})
}

// service is a Service of the pods of an app.
func service(namespace, name, app string) *corev1.Service {
	return &corev1.Service{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: corev1.ServiceSpec{
		Selector: map[string]string{"app": app}, Ports: []corev1.ServicePort{{Port: 80}}}}
}
