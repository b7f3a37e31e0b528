package scenes

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// nodeScenes are scenes about nodes.
var nodeScenes = []Scene{
	fault("drain-blocked", "a", metadata, 45*time.Second, func(d day) {
		d.make(deployment("core", "auth", 3, "registry.example.com/auth:7.3"))
		b := budget("core", "auth", "auth")
		b.Spec.MinAvailable = number(3)
		d.make(b)
		d.ready("core", "auth")
		d.pause(5 * time.Second)
		drainer := d.as("drainer", 1)
		node := d.cordonFirst("core")
		drainer.every(2*time.Second, func(int) { drainer.evict("core", node) })
	}, "core"),

	fault("drain-blocked", "b", bodies, 40*time.Second, func(d day) {
		d.make(statefulSet("kv", "member", 3, "registry.example.net/kv:3.5"))
		b := budget("kv", "members", "member")
		b.Spec.MaxUnavailable = number(0)
		d.make(b)
		d.setReady("kv", "member")
		d.pause(5 * time.Second)
		scaler := d.as("system:serviceaccount:kube-system:node-scaler", 2)
		node := d.cordonFirst("kv")
		scaler.every(time.Second, func(int) { scaler.evict("kv", node) })
	}, "kv"),

	fault("node-lost", "a", metadata, 75*time.Second, func(d day) {
		o := deployment("depot", "parcels", 9, "registry.example.com/parcels:2.4")
		prefer(&o.Spec.Template.Spec, "node-2")
		d.make(o)
		d.ready("depot", "parcels")
		d.lose("node-2")
	}, "depot"),

	fault("node-lost", "b", bodies, 75*time.Second, func(d day) {
		o := statefulSet("wiki", "pages", 2, "registry.example.net/pages:1.35")
		prefer(&o.Spec.Template.Spec, "node-3")
		d.make(o)
		d.setReady("wiki", "pages")
		d.lose("node-3")
	}, "wiki"),
}

// lose ends a node's kubelet until the scene ends.
func (d day) lose(node string) {
	if !d.over() {
		d.c.Nodes.Lose(node)
		d.atEnd(func(d day) { d.c.Nodes.Restore(node) })
	}
}

// prefer has the scheduler take one node if it can, and the pods leave it 10 s after it is lost.
func prefer(s *corev1.PodSpec, node string) {
	s.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{
		PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 100,
			Preference: onNode(node).NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0]}}}}
	soon := int64(10)
	for _, taint := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		s.Tolerations = append(s.Tolerations, corev1.Toleration{Key: taint, Operator: corev1.TolerationOpExists,
			Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &soon})
	}
}

// budget is a PodDisruptionBudget of an app.
func budget(namespace, name, app string) *policyv1.PodDisruptionBudget {
	return &policyv1.PodDisruptionBudget{ObjectMeta: meta(namespace, name),
		Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector(app)}}
}

func number(n int) *intstr.IntOrString {
	v := intstr.FromInt(n)
	return &v
}

// cordonFirst cordons the node of a namespace's first pod until the scene ends.
func (d day) cordonFirst(namespace string) (node string) {
	pods := &corev1.PodList{}
	d.list(pods, namespace)
	if d.over() || len(pods.Items) == 0 {
		return ""
	}
	d.cordon(pods.Items[0].Spec.NodeName)
	return pods.Items[0].Spec.NodeName
}

// cordon keeps new pods from a node until the scene ends.
func (d day) cordon(node string) {
	o := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node}}
	d.merge(o, `{"spec":{"unschedulable":true}}`)
	d.atEnd(func(d day) { d.merge(o, `{"spec":{"unschedulable":null}}`) })
}

func (d day) list(into client.ObjectList, namespace string) {
	if !d.over() {
		d.fail(d.List(d.ctx, into, client.InNamespace(namespace)))
	}
}

// evict asks for the eviction of a namespace's pods on a node, as kubectl drain does, and reports how many are left.
func (d day) evict(namespace, node string) (left int) {
	pods := &corev1.PodList{}
	d.list(pods, namespace)
	for i := range pods.Items {
		p := &pods.Items[i]
		if p.Spec.NodeName != node || d.over() {
			continue
		}
		left++
		if p.DeletionTimestamp == nil {
			err := d.SubResource("eviction").Create(d.ctx, p, &policyv1.Eviction{})
			if !apierrors.IsTooManyRequests(err) {
				d.fail(client.IgnoreNotFound(err))
			}
		}
	}
	return left
}
