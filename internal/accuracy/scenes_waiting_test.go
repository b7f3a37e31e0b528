package accuracy

import (
	"fmt"
	"time"
)

// scaler is a HorizontalPodAutoscaler with a condition ScalingActive.
func (w *world) scaler(namespace, name, kind, target, status, reason, message string) obj {
	conditions := []any{obj{"type": "AbleToScale", "status": "True", "reason": "SucceededGetScale",
		"lastTransitionTime": stamp(w.now)}}
	if reason == "FailedGetScale" {
		conditions = []any{obj{"type": "AbleToScale", "status": "False", "reason": reason, "message": message,
			"lastTransitionTime": stamp(w.now)}}
	} else {
		conditions = append(conditions, obj{"type": "ScalingActive", "status": status, "reason": reason, "message": message,
			"lastTransitionTime": stamp(w.now)})
	}
	return w.made(user("admin", 0), thing("autoscaling/v2", "HorizontalPodAutoscaler", namespace, name, obj{"spec": obj{
		"scaleTargetRef": obj{"apiVersion": "apps/v1", "kind": kind, "name": target}, "minReplicas": 2, "maxReplicas": 20,
		"metrics": []any{obj{"type": "Resource", "resource": obj{"name": "cpu", "target": obj{"type": "Utilization",
			"averageUtilization": 70}}}}}, "status": obj{"currentReplicas": 2, "desiredReplicas": 0, "conditions": conditions}}))
}

// served is an aggregated API.
func (w *world) served(name, group, service, status, reason, message string) obj {
	return w.made(user("admin", 0), thing("apiregistration.k8s.io/v1", "APIService", "", name, obj{"spec": obj{
		"group": group, "version": "v1beta1", "service": obj{"namespace": "kube-system", "name": service, "port": 443}},
		"status": obj{"conditions": []any{obj{"type": "Available", "status": status, "reason": reason, "message": message,
			"lastTransitionTime": stamp(w.now)}}}}))
}

const noMetrics = "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get " +
	"metrics for resource " +
	"cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get " +
	"pods.metrics.k8s.io)"

func scalerScenes() map[string]func(*world) {
	return map[string]func(*world){
		"metrics-server-gone": func(w *world) {
			w.app("Deployment", "web", "feed", 2, obj{}, w.readyState)
			w.svc("kube-system", "metrics-server", obj{"k8s-app": "metrics-server"}, 443, "https")
			w.endpoints("kube-system", "metrics-server", 0, true, 0)
			w.served("v1beta1.metrics.k8s.io", "metrics.k8s.io", "metrics-server", "False", "MissingEndpoints",
				"endpoints for service/metrics-server in \"kube-system\" have no addresses with port name \"https\"")
			h := w.scaler("web", "feed", "Deployment", "feed", "False", "FailedGetResourceMetric", noMetrics)
			w.wait(3 * time.Hour)
			w.warns(h, "FailedGetResourceMetric", noMetrics, 700, 3*time.Hour)
			w.look(0)
		},
		"hpa-no-request": func(w *world) {
			w.app("StatefulSet", "video", "encode", 2, obj{}, w.readyState)
			const message = "the HPA was unable to compute the replica count: failed to get cpu utilization: missing request " +
				"for " +
				"cpu in container main of Pod encode-0"
			h := w.scaler("video", "encode", "StatefulSet", "encode", "False", "FailedGetResourceMetric", message)
			w.wait(5 * time.Hour)
			w.warns(h, "FailedGetResourceMetric", message, 1200, 5*time.Hour)
			w.look(0)
		},
		"hpa-no-target": func(w *world) {
			w.app("Deployment", "web", "front-v2", 2, obj{}, w.readyState)
			w.scaler("web", "front", "Deployment", "front", "", "FailedGetScale", `the HPA controller was unable to get the `+
				`target's current scale: deployments.apps "front" not found`)
			w.look(5 * time.Hour)
		},
		"hpa-at-first": func(w *world) {
			w.wait(time.Hour)
			w.app("Deployment", "web", "feed", 2, obj{}, w.readyState)
			w.scaler("web", "feed", "Deployment", "feed", "False", "FailedGetResourceMetric", "the HPA was unable to compute "+
				"the replica count: failed to get cpu utilization: did not receive metrics for targeted pods (pods might be "+
				"unready)")
			w.begin()
			w.wait(40 * time.Second)
		},
		"hpa-of-zero": func(w *world) {
			d := w.workload("Deployment", "web", "nights", 0)
			w.replicaSet(d, 0)
			w.scaler("web", "nights", "Deployment", "nights", "False", "ScalingDisabled",
				"scaling is disabled since the replica "+
					"count of the target is zero")
			w.look(30 * time.Hour)
		},
		"api-not-found": func(w *world) {
			w.served("v1beta1.custom.metrics.k8s.io", "custom.metrics.k8s.io", "prometheus-adapter", "False", "ServiceNotFound",
				`service/prometheus-adapter in "kube-system" is not present`)
			w.look(2 * time.Hour)
		},
		"api-restarts": func(w *world) {
			w.app("Deployment", "kube-system", "metrics-server", 1, obj{}, w.readyState)
			w.wait(time.Hour)
			w.begin()
			w.served("v1beta1.metrics.k8s.io", "metrics.k8s.io", "metrics-server", "False", "FailedDiscoveryCheck",
				"failing or missing response from https://10.96.1.9:443/apis/metrics.k8s.io/v1beta1: connection refused")
			w.wait(25 * time.Second)
		},
	}
}

// claim is a PersistentVolumeClaim that waits.
func (w *world) claim(namespace, name, class string, age time.Duration, reason, message string) obj {
	c := w.made(user("admin", 0), thing("v1", "PersistentVolumeClaim", namespace, name,
		obj{"spec": obj{"storageClassName": class,
			"accessModes": []any{"ReadWriteOnce"}}, "finalizers": []any{"kubernetes.io/pvc-protection"},
			"status": obj{"phase": "Pending"}}))
	if reason != "" {
		typ := "Normal"
		if reason == "ProvisioningFailed" {
			typ = "Warning"
		}
		w.wait(age)
		w.event(c, typ, reason, message, int(age/(15*time.Second)), w.now.Add(-age))
	}
	return c
}

func (w *world) class(name, provisioner, mode string) {
	w.made(user("admin", 0), thing("storage.k8s.io/v1", "StorageClass", "", name, obj{"provisioner": provisioner,
		"volumeBindingMode": mode, "reclaimPolicy": "Delete"}))
}

func volumes(claim string) obj {
	return obj{"spec": obj{"containers": []any{obj{"name": "main", "image": "registry.example.com/db:1"}},
		"volumes": []any{obj{
			"name": "data", "persistentVolumeClaim": obj{"claimName": claim}}}}}
}

// stored is a StatefulSet whose first pod waits for its claim.
func (w *world) stored(namespace, name, message string) {
	s := w.workload("StatefulSet", namespace, name, 3)
	w.counts(s, 1, 0)
	w.unplaced(w.pod(controller(s), s, name+"-0", "", volumes("data-"+name+"-0")), message)
}

const unboundText = "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/4 " +
	"nodes are " +
	"available: 4 Preemption is not helpful for scheduling."

func claimScenes() map[string]func(*world) {
	return map[string]func(*world){
		"class-missing": func(w *world) {
			w.class("standard", "ebs.csi.example.com", "WaitForFirstConsumer")
			w.stored("db", "orders", unboundText)
			w.claim("db", "data-orders-0", "fast-ssd", 40*time.Minute, "ProvisioningFailed",
				`storageclass.storage.k8s.io "fast-ssd" not found`)
			w.look(0)
		},
		"provisioner-silent": func(w *world) {
			w.class("standard", "ebs.csi.example.com", "Immediate")
			w.stored("db", "users", unboundText)
			w.claim("db", "data-users-0", "standard", 50*time.Minute, "ExternalProvisioning",
				"Waiting for a volume to be created "+
					"either by the external provisioner 'ebs.csi.example.com' or manually by the system administrator. If volume "+
					"creation is delayed, please verify that the provisioner is running and correctly registered.")
			w.look(0)
		},
		"zone-conflict": func(w *world) {
			w.class("zonal", "ebs.csi.example.com", "WaitForFirstConsumer")
			w.stored("db", "carts", "0/4 nodes are available: 4 node(s) had volume node affinity conflict. preemption: 0/4 "+
				"nodes "+
				"are available: 4 Preemption is not helpful for scheduling.")
			c := w.claim("db", "data-carts-0", "zonal", 0, "", "")
			c["status"] = obj{"phase": "Bound"}
			c["spec"].(obj)["volumeName"] = "pv-7"
			w.made(manager("pv"), thing("v1", "PersistentVolume", "", "pv-7", obj{"spec": obj{"claimRef": obj{"namespace": "db",
				"name": "data-carts-0"}, "nodeAffinity": obj{}}, "status": obj{"phase": "Bound"}}))
			w.look(45 * time.Minute)
		},
		"claim-for-later": func(w *world) {
			w.class("standard", "ebs.csi.example.com", "WaitForFirstConsumer")
			w.claim("lab", "scratch", "standard", 90*time.Minute, "WaitForFirstConsumer",
				"waiting for first consumer to be created "+
					"before binding")
			w.look(0)
		},
		"claim-is-made": func(w *world) {
			w.class("standard", "ebs.csi.example.com", "Immediate")
			w.wait(time.Hour)
			w.begin()
			w.stored("db", "users", unboundText)
			c := w.claim("db", "data-users-0", "standard", 45*time.Second, "ExternalProvisioning",
				"Waiting for a volume to be created")
			w.updated(manager("pv"), c, "status", sets("Bound", "status", "phase"))
		},
		"schema-kept": func(w *world) {
			crd := thing("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "tunnels.net.example.com", obj{"spec": obj{
				"group": "net.example.com", "names": obj{"kind": "Tunnel", "plural": "tunnels"}}, "status": obj{"conditions": []any{
				obj{"type": "Terminating", "status": "True", "reason": "InstanceDeletionInProgress"}}}})
			t := w.made(user("admin", 0), custom("net.example.com/v1", "Tunnel", "net", "a", obj{"to": "b"}, obj{}))
			meta(t)["finalizers"] = []any{"net.example.com/teardown"}
			w.wait(time.Hour)
			w.deleted(user("admin", 0), t)
			w.kept(crd, "customresourcecleanup.apiextensions.k8s.io", 35*time.Minute)
		},
	}
}

// initializes is a workload whose pods hang in an init container.
func (w *world) initializes(kind, namespace, name, init string, age time.Duration, always bool) {
	c := obj{"name": init, "image": "registry.example.com/" + init + ":1"}
	if always {
		c["restartPolicy"] = "Always"
	}
	top := w.workload(kind, namespace, name, 2)
	owner := top
	if kind == "Deployment" {
		owner = w.replicaSet(top, 2)
	}
	if !always {
		w.short(top, owner, 2, 0)
	}
	for i := range 2 {
		p := w.pod(controller(owner), owner, w.podName(owner, i), w.nodes[i], obj{"spec": obj{"initContainers": []any{c},
			"containers": []any{obj{"name": "main", "image": "registry.example.com/" + name + ":1"}}}})
		running := obj{"name": init, "ready": always, "started": true, "restartCount": 0, "state": obj{"running": obj{
			"startedAt": stamp(w.now)}}}
		if always {
			w.runs(p)
			p["status"].(obj)["initContainerStatuses"] = []any{running}
			continue
		}
		w.status(p, obj{"phase": "Pending", "startTime": stamp(w.now), "conditions": []any{
			obj{"type": "PodScheduled", "status": "True"}, obj{"type": "Initialized", "status": "False",
				"reason": "ContainersNotInitialized", "message": "containers with incomplete status: [" + init + "]",
				"lastTransitionTime": stamp(w.now)}, obj{"type": "Ready", "status": "False"}},
			"initContainerStatuses": []any{running}, "containerStatuses": []any{obj{"name": "main", "ready": false,
				"restartCount": 0, "state": obj{"waiting": obj{"reason": "PodInitializing"}}}}})
	}
	w.look(age)
}

// killed is a workload whose containers fail a probe, so many times.
func (w *world) killed(kind, namespace, name, which string, restarts int) {
	top, owner, pods := w.app(kind, namespace, name, 2, obj{which + "Probe": obj{"httpGet": obj{"path": "/live",
		"port": 8080}}},
		w.readyState)
	w.wait(time.Hour)
	for _, p := range pods {
		running := obj{"name": "main", "ready": restarts < 3, "restartCount": restarts,
			"state": obj{"running": obj{"startedAt": stamp(w.now)}},
			"lastState": obj{"terminated": obj{"exitCode": 137, "reason": "Error", "startedAt": stamp(w.now.Add(-time.Minute)),
				"finishedAt": stamp(w.now)}}}
		if restarts > 5 {
			running["state"] = obj{"waiting": obj{"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed " +
				"container=main"}}
		}
		w.status(p, obj{"phase": "Running", "startTime": stamp(w.now.Add(-time.Hour)), "conditions": []any{
			obj{"type": "Ready", "status": map[bool]string{true: "True", false: "False"}[restarts < 3]}},
			"containerStatuses": []any{running}})
		probe := map[string]string{"liveness": "liveness", "startup": "startup"}[which]
		w.warns(p, "Unhealthy", "Liveness probe failed: Get \"http://10.244.1.4:8080/live\": context deadline exceeded",
			3*restarts,
			time.Hour)
		w.event(p, "Normal", "Killing", "Container main failed "+probe+" probe, will be restarted", restarts,
			w.now.Add(-time.Hour))
	}
	if restarts > 5 {
		w.short(top, owner, 2, 0)
	}
	w.look(0)
}

func slowStartScenes() map[string]func(*world) {
	return map[string]func(*world){
		"init-hangs": func(w *world) {
			w.initializes("Deployment", "web", "booking", "wait-for-db", 2*time.Hour,
				false)
		},
		"init-of-set": func(w *world) { w.initializes("StatefulSet", "db", "shard", "restore", 9*time.Hour, false) },
		"init-begins": func(w *world) {
			w.initializes("Deployment", "web", "booking", "migrate", 90*time.Second,
				false)
		},
		"init-is-sidecar":  func(w *world) { w.initializes("DaemonSet", "mesh", "relay", "proxy", 9*time.Hour, true) },
		"startup-killed":   func(w *world) { w.killed("DaemonSet", "ml", "scorer", "startup", 11) },
		"liveness-killed":  func(w *world) { w.killed("Deployment", "web", "poll", "liveness", 14) },
		"liveness-once":    func(w *world) { w.killed("StatefulSet", "web", "poll", "liveness", 1) },
		"pull-secret-gone": pullSecretGone,
		"pull-without": func(w *world) {
			_, _, pods := w.app("DaemonSet", "web", "open", 3, obj{}, w.readyState)
			for _, p := range pods {
				w.warns(p, "FailedToRetrieveImagePullSecret", "Unable to retrieve some image pull secrets (regcred); attempting "+
					"to "+
					"pull the image may not succeed.", 50, time.Hour)
			}
			w.look(3 * time.Hour)
		},
		"runtime-unknown": func(w *world) {
			d, rs, _ := w.app("Deployment", "web", "sandboxed", 0, obj{}, w.readyState)
			sets(2, "spec", "replicas")(d)
			sets(2, "spec", "replicas")(rs)
			w.short(d, rs, 0, 0)
			w.lacks(rs, "", 20*time.Minute, 403, "Forbidden", `pods "sandboxed-x" is forbidden: pod rejected: RuntimeClass `+
				`"gvisor" not found`)
			w.look(0)
		},
		"preempted-on-end": func(w *world) { w.preempted(6, true) },
		"preempted-once":   func(w *world) { w.preempted(1, false) },
		"daemon-too-large": func(w *world) {
			ds, _, _ := w.app("DaemonSet", "logging", "indexer", 3, obj{}, w.readyState)
			w.updated(controller(ds), ds, "status", sets(4, "status", "desiredNumberScheduled"))
			p := w.pod(controller(ds), ds, "", "")
			w.unplaced(p, "0/4 nodes are available: 1 Insufficient memory. preemption: 0/4 nodes are available: 1 No "+
				"preemption "+
				"victims found for incoming pod, 3 Preemption is not helpful for scheduling.")
			w.look(40 * time.Minute)
		},
		"daemon-misplaced": func(w *world) {
			ds, _, _ := w.app("DaemonSet", "gpu", "exporter", 2, obj{}, w.readyState)
			w.updated(controller(ds), ds, "status", sets(2, "status", "numberMisscheduled"))
			w.look(40 * time.Minute)
		},
	}
}

// pullSecretGone is a CronJob whose Job can't pull its image: the registry wants credentials, and the pull secret is
// gone.
func pullSecretGone(w *world) {
	c := w.made(user("admin", 0), thing("batch/v1", "CronJob", "mail", "archive", obj{"spec": obj{"schedule": "0 * * * *",
		"concurrencyPolicy": "Forbid"}, "status": obj{}}))
	j := w.made(manager("cronjob-controller"), thing("batch/v1", "Job", "mail", "archive-29412000", owned(c),
		obj{"spec": obj{
			"completions": 1}, "status": obj{"active": 1}}))
	p := w.pod(manager("job-controller"), j, "", "node-1", obj{"spec": obj{"imagePullSecrets": []any{obj{"name": "regcred"}},
		"containers": []any{obj{"name": "main", "image": "private.example.com/archive:4"}}}})
	w.waits(p, "main", "ImagePullBackOff", `Back-off pulling image "private.example.com/archive:4": ErrImagePull: `+
		`failed to pull `+
		`and unpack image: failed to authorize: failed to fetch anonymous token: 401 Unauthorized`, false)
	w.wait(50 * time.Minute)
	w.warns(p, "FailedToRetrieveImagePullSecret", "Unable to retrieve some image pull secrets (regcred); attempting to "+
		"pull the "+
		"image may not succeed.", 200, 50*time.Minute)
	w.look(0)
}

// preempted has pods of a low priority give way to others, in vain or once.
func (w *world) preempted(n int, waits bool) {
	low := w.workload("Deployment", "batch", "crunch", 2)
	rs := w.replicaSet(low, 2)
	low["spec"].(obj)["template"].(obj)["spec"].(obj)["priorityClassName"] = "low"
	w.wait(time.Hour)
	w.begin()
	for i := range n {
		p := w.runs(w.pod(controller(rs), rs, "", w.nodes[i%4], obj{"spec": obj{"priority": 5, "containers": []any{obj{
			"name": "main", "image": "crunch:1"}}}}))
		w.wait(20 * time.Second)
		w.event(p, "Normal", "Preempted", fmt.Sprintf("Preempted by pod 7c9a3d00-0000-4000-8000-00000000000%d on node %s", i,
			nodeOf(p)), 1, w.now)
		w.removed(scheduler, p)
	}
	for i := range 2 {
		p := w.pod(controller(rs), rs, "", "", obj{"spec": obj{"priority": 5, "containers": []any{obj{"name": "main",
			"image": "crunch:1"}}}})
		if waits {
			w.unplaced(p, "0/4 nodes are available: 4 Insufficient cpu. preemption: 0/4 nodes are available: 4 No preemption "+
				"victims found for incoming pod.")
		} else {
			sets(w.nodes[i], "spec", "nodeName")(p)
			w.runs(p)
		}
	}
	if waits {
		w.short(low, rs, 2, 0)
		w.wait(25 * time.Minute)
	}
	w.wait(time.Minute)
}
