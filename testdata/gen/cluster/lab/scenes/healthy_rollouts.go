package scenes

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// rolloutScenes are healthy scenes in which workloads change.
var rolloutScenes = []Scene{
	healthy("rollout-young", metadata, 25*time.Second, func(d day) {
		o := deployment("rollout-young", "front", 4, "registry.example.com/front:1.0")
		d.make(o)
		d.ready("rollout-young", "front")
		d.pause(6 * time.Second)
		d.setImage(o, "registry.example.com/front:1.1")
		d.ready("rollout-young", "front")
	}, "rollout-young"),

	healthy("rollout-large", bodies, 40*time.Second, func(d day) {
		o := deployment("rollout-large", "search", 60, "registry.example.com/search:8.0")
		half := intstr.FromString("50%")
		o.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: &half, MaxUnavailable: &half}
		d.make(o)
		d.ready("rollout-large", "search")
		d.pause(5 * time.Second)
		d.setImage(o, "registry.example.com/search:8.1")
		d.ready("rollout-large", "search")
	}, "rollout-large"),

	healthy("rollback", metadata, 30*time.Second, func(d day) {
		o := deployment("rollback", "mailer", 5, "registry.example.com/mailer:3.3")
		d.make(o)
		d.ready("rollback", "mailer")
		alice := d.as("alice", 1)
		change(alice, o, func(o *appsv1.Deployment) {
			c := &o.Spec.Template.Spec.Containers[0]
			c.Image, c.Env = "registry.example.com/mailer:3.4", []corev1.EnvVar{{Name: "LAB_READY", Value: "false"}}
		})
		d.pause(12 * time.Second)
		change(alice, o, func(o *appsv1.Deployment) {
			c := &o.Spec.Template.Spec.Containers[0]
			c.Image, c.Env = "registry.example.com/mailer:3.3", nil
		})
		d.ready("rollback", "mailer")
	}, "rollback"),

	healthy("image-twice", bodies, 25*time.Second, func(d day) {
		o := deployment("image-twice", "cart", 8, "registry.example.com/cart:20")
		d.make(o)
		d.ready("image-twice", "cart")
		alice := d.as("alice", 2)
		alice.setImage(o, "registry.example.com/cart:21")
		d.pause(1500 * time.Millisecond)
		alice.setImage(o, "registry.example.com/cart:22")
		d.ready("image-twice", "cart")
	}, "image-twice"),

	healthy("scale-up-down", bodies, 40*time.Second, func(d day) {
		o := deployment("scale-up-down", "workers", 2, "registry.example.com/workers:4")
		d.make(o)
		d.ready("scale-up-down", "workers")
		alice := d.as("alice", 3)
		for _, n := range []int{30, 2, 30, 5} {
			alice.merge(o, `{"spec":{"replicas":%d}}`, n)
			d.ready("scale-up-down", "workers")
			d.pause(4 * time.Second)
		}
	}, "scale-up-down"),

	healthy("autoscaler-work", bodies, 45*time.Second, func(d day) {
		o := deployment("autoscaler-work", "api", 2, "registry.example.com/api:15")
		d.make(o)
		d.ready("autoscaler-work", "api")
		scaler := d.as("system:serviceaccount:kube-system:horizontal-pod-autoscaler", 1)
		deployer := d.as("system:serviceaccount:autoscaler-work:deployer", 2)
		for i, n := range []int{3, 6, 9, 7, 4, 6} {
			scaler.merge(o, `{"spec":{"replicas":%d}}`, n)
			d.pause(2 * time.Second)
			deployer.merge(o, `{"metadata":{"labels":{"release":"r%d"}}}`, i)
			d.pause(5 * time.Second)
		}
	}, "autoscaler-work"),

	healthy("stateful-update", bodies, 40*time.Second, func(d day) {
		d.volumes("store-disks", 4)
		o := claims(statefulSet("stateful-update", "store", 4, "registry.example.com/store:1.1"), "data", "store-disks")
		d.make(o)
		d.setReady("stateful-update", "store")
		change(d, o, func(o *appsv1.StatefulSet) {
			o.Spec.Template.Spec.Containers[0].Image = "registry.example.com/store:1.2"
		})
		d.setReady("stateful-update", "store")
	}, "stateful-update"),

	healthy("daemon-update", metadata, 30*time.Second, func(d day) {
		o := daemonSet("daemon-update", "agent", "registry.example.com/agent:0.8")
		d.make(o)
		d.pause(8 * time.Second)
		change(d, o, func(o *appsv1.DaemonSet) {
			o.Spec.Template.Spec.Containers[0].Image = "registry.example.com/agent:0.9"
		})
		d.await("the agents", func() bool {
			d.fail(d.Get(d.ctx, key(o), o))
			s := &o.Status
			return s.ObservedGeneration >= o.Generation && s.UpdatedNumberScheduled == s.DesiredNumberScheduled &&
				s.NumberReady == s.DesiredNumberScheduled
		})
	}, "daemon-update"),

	healthy("quota-waits", bodies, 30*time.Second, func(d day) {
		d.quota("quota-waits", "pods", corev1.ResourcePods, "7")
		o := deployment("quota-waits", "forms", 5, "registry.example.com/forms:2")
		surge, none := intstr.FromInt32(3), intstr.FromInt32(1)
		o.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: &surge, MaxUnavailable: &none}
		d.make(o)
		d.ready("quota-waits", "forms")
		d.setImage(o, "registry.example.com/forms:3")
		d.ready("quota-waits", "forms")
	}, "quota-waits"),

	healthy("drain-respected", metadata, 40*time.Second, func(d day) {
		b := budget("drain-respected", "gate", "gate")
		b.Spec.MaxUnavailable = number(1)
		d.make(deployment("drain-respected", "gate", 8, "registry.example.com/gate:3"), b)
		d.ready("drain-respected", "gate")
		drainer := d.as("drainer", 2)
		for _, node := range []string{"node-3", "node-4"} {
			d.cordon(node)
			d.await("the drain of "+node, func() bool {
				d.pause(1500 * time.Millisecond)
				return drainer.evict("drain-respected", node) == 0
			})
		}
		d.ready("drain-respected", "gate")
	}, "drain-respected"),

	healthy("start-of-day", bodies, 40*time.Second, func(d day) {
		for i := range 10 {
			d.make(deployment("start-of-day", fmt.Sprint("app-", i), 2, fmt.Sprint("registry.example.com/app:", i)))
		}
		slow := deployment("start-of-day", "reports", 1, "registry.example.com/reports:1")
		slow.Spec.Template.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "LAB_READY", Value: "8s"}}
		// It ends with 1 before its database is there, once.
		late := deployment("start-of-day", "ledger", 1, "registry.example.com/ledger:1", "sh", "-c",
			`if mkdir "/tmp/lab-$POD_NAME"; then echo "database is not there yet" >&2; exit 1; fi; sleep 300`)
		d.make(slow, late)
	}, "start-of-day"),
}

// setImage gives a Deployment's container another image.
func (d day) setImage(o *appsv1.Deployment, image string) {
	change(d, o, func(o *appsv1.Deployment) { o.Spec.Template.Spec.Containers[0].Image = image })
}
