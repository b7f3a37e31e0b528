package accuracy

import (
	"fmt"
	"time"
)

// hangs has a workload's pods wait for something from the start, and goes on for a while.
func (w *world) hangs(kind, namespace, name string, age time.Duration, how func(p obj), parts ...obj) {
	top := w.workload(kind, namespace, name, 2)
	if kind == "Job" {
		w.updated(controller(top), top, "status", sets(2, "status", "active"))
	} else {
		w.counts(top, 2, 0)
	}
	var pods []obj
	for i := range 2 {
		p := w.pod(controller(top), top, w.podName(top, i), w.nodes[i], parts...)
		how(p)
		pods = append(pods, p)
	}
	w.wait(age)
	w.begin()
	w.wait(time.Minute)
	for _, p := range pods {
		how(p)
	}
	w.wait(time.Minute)
}

func startScenes() map[string]func(*world) {
	return map[string]func(*world){
		"image-of-init": func(w *world) {
			w.hangs("StatefulSet", "web", "portal", 14*time.Minute, func(p obj) {
				w.waits(p, "init", "ImagePullBackOff", `Back-off pulling image "registry.example.com/portal-init:9.1"`, true)
			}, obj{"spec": obj{"initContainers": []any{obj{"name": "init", "image": "registry.example.com/portal-init:9.1"}},
				"containers": []any{obj{"name": "main", "image": "registry.example.com/portal:9.1"}}}})
		},
		"image-name": func(w *world) {
			w.hangs("DaemonSet", "web", "edge", 20*time.Minute, func(p obj) {
				w.waits(p, "main", "InvalidImageName", `Failed to apply default image tag "registry.example.com/Registry/Edge:": `+
					`couldn't parse image name: invalid reference format: repository name must be lowercase`, false)
			})
		},
		"slow-image": func(w *world) {
			w.hangs("DaemonSet", "web", "big", 3*time.Minute, func(p obj) { w.waits(p, "main", "ContainerCreating", "", false) })
		},
		"secret-missing": func(w *world) {
			w.hangs("DaemonSet", "mesh", "proxy", 20*time.Minute, func(p obj) {
				w.waits(p, "main", "ContainerCreating", "", false)
				w.event(p, "Warning", "FailedMount", `MountVolume.SetUp failed for volume "tls" : secret "proxy-tls" not found`, 9,
					w.now.Add(-15*time.Minute))
			})
		},
		"key-missing-job": func(w *world) {
			w.hangs("Job", "batch", "import", 15*time.Minute, func(p obj) {
				w.waits(p, "main", "CreateContainerConfigError", `couldn't find key bucket in ConfigMap batch/import-settings`, false)
			})
		},
		"gpu-wanted": func(w *world) {
			w.unplacedSet("StatefulSet", "ml", "serve", 15*time.Minute, "0/4 nodes are available: 4 Insufficient nvidia.com/gpu. "+
				"preemption: 0/4 nodes are available: 4 No preemption victims found for incoming pod.")
		},
		"taints-job": func(w *world) {
			w.unplacedSet("Job", "ml", "embed", 25*time.Minute, "0/4 nodes are available: 4 node(s) had untolerated taint "+
				"{dedicated: batch}.")
		},
		"placeholders": func(w *world) {
			w.unplacedSet("StatefulSet", "kube-system", "overprovisioning", 40*time.Minute, "0/4 nodes are available: 4 "+
				"Insufficient cpu.", obj{"spec": obj{"priority": -10, "priorityClassName": "overprovisioning", "containers": []any{
				obj{"name": "pause", "image": "registry.k8s.io/pause:3.10"}}}})
		},
		"node-on-its-way": func(w *world) {
			w.unplacedSet("StatefulSet", "web", "shop", 2*time.Minute, "0/4 nodes are available: 4 Insufficient cpu.")
		},
	}
}

// unplacedSet is a workload whose pods no node takes.
func (w *world) unplacedSet(kind, namespace, name string, age time.Duration, message string, parts ...obj) {
	top := w.workload(kind, namespace, name, 3)
	if kind != "Job" {
		w.counts(top, 3, 0)
	}
	for i := range 3 {
		w.unplaced(w.pod(controller(top), top, w.podName(top, i), "", parts...), message)
	}
	w.wait(age)
	w.begin()
	w.wait(2 * time.Minute)
}

func (w *world) cordon(name string) {
	w.patched(user("drainer", 2), w.objects["v1/Node//"+name], "", func(o obj) {
		o["spec"] = obj{"unschedulable": true, "taints": []any{obj{"key": "node.kubernetes.io/unschedulable",
			"effect": "NoSchedule", "timeAdded": stamp(w.now)}}}
	})
}

func (w *world) budget(namespace, name, app string, healthy, wanted int) obj {
	return w.made(user("admin", 0), thing("policy/v1", "PodDisruptionBudget", namespace, name, obj{"spec": obj{
		"maxUnavailable": healthy - wanted, "selector": obj{"matchLabels": obj{"app": app}}}, "status": obj{
		"currentHealthy": healthy, "desiredHealthy": wanted, "expectedPods": healthy, "disruptionsAllowed": healthy - wanted,
		"observedGeneration": 1}}))
}

// evict asks for the eviction of a pod in vain.
func (w *world) evict(by who, p obj, code int, message, cause string) {
	status := obj{"kind": "Status", "apiVersion": "v1", "metadata": obj{}, "status": "Failure", "reason": "TooManyRequests",
		"message": message, "code": code}
	if cause != "" {
		status["details"] = obj{"causes": []any{obj{"reason": "DisruptionBudget", "message": cause}}}
	}
	w.log(by, "create", "eviction", p, code, obj{"kind": "Eviction"}, status)
}

func nodeScenes() map[string]func(*world) {
	const inVain = "Cannot evict pod as it would violate the pod's disruption budget."
	return map[string]func(*world){
		"drain-operator": func(w *world) {
			_, _, pods := w.serving("StatefulSet", "db", "quorum", 3)
			w.budget("db", "quorum", "quorum", 3, 3)
			w.wait(time.Hour)
			w.begin()
			w.cordon("node-3")
			w.repeat(40, 10*time.Second, func(int) {
				w.evict(account("karpenter", "karpenter", 1), pods[2], 429, inVain,
					"The disruption budget quorum needs 3 healthy pods and has 3 currently")
			})
		},
		"drain-two-budgets": func(w *world) {
			_, _, pods := w.serving("Deployment", "db", "twice", 3)
			w.wait(time.Hour)
			w.begin()
			w.repeat(40, 5*time.Second, func(int) {
				w.evict(user("drainer", 1), pods[2], 500, "This pod has more than one PodDisruptionBudget, which the eviction "+
					"subresource does not support.", "")
			})
		},
		"drain-waits": func(w *world) {
			_, rs, pods := w.serving("Deployment", "web", "shop", 3)
			b := w.budget("web", "shop", "shop", 3, 2)
			w.wait(time.Hour)
			w.begin()
			w.cordon("node-1")
			w.updated(manager("disruption-controller"), b, "status", sets(0, "status", "disruptionsAllowed"))
			w.repeat(14, 5*time.Second, func(int) {
				w.evict(user("drainer", 1), pods[0], 429, inVain, "The disruption budget shop needs 2 healthy pods and has 2 currently")
			})
			w.log(user("drainer", 1), "create", "eviction", pods[0], 201, obj{"kind": "Eviction"}, obj{"kind": "Status", "code": 201})
			w.removed(user("drainer", 1), pods[0])
			w.runs(w.pod(controller(rs), rs, "", "node-2"))
			w.updated(manager("disruption-controller"), b, "status", sets(1, "status", "disruptionsAllowed"))
			w.wait(time.Minute)
		},
		"nodes-lost": func(w *world) {
			w.serving("StatefulSet", "db", "ledger", 8)
			w.wait(time.Hour)
			w.begin()
			w.lost("node-2")
			w.lost("node-3")
			w.wait(4 * time.Minute)
		},
		"network-not-ready": func(w *world) {
			w.serving("DaemonSet", "web", "edge", 4)
			w.wait(time.Hour)
			n := w.objects["v1/Node//node-4"]
			w.patched(kubelet("node-4"), n, "status", func(o obj) {
				o["status"].(obj)["conditions"] = []any{w.ready("False", "KubeletNotReady", "container runtime network not ready: "+
					"NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized")}
			})
			w.wait(20 * time.Minute)
			w.begin()
			w.wait(2 * time.Minute)
		},
		"node-reboots": func(w *world) {
			w.serving("DaemonSet", "web", "edge", 4)
			w.wait(time.Hour)
			w.begin()
			w.lost("node-3")
			w.wait(30 * time.Second)
			w.silent["node-3"] = false
			n := w.objects["v1/Node//node-3"]
			w.patched(kubelet("node-3"), n, "status", func(o obj) {
				o["status"].(obj)["conditions"] = []any{w.ready("True", "KubeletReady", "kubelet is posting ready status")}
			})
			w.updated(manager("node-controller"), n, "", sets(obj{}, "spec"))
			w.wait(3 * time.Minute)
		},
	}
}

func (w *world) hpa(namespace, name, kind, target string, active bool) {
	cond := obj{"type": "ScalingActive", "status": "True", "reason": "ValidMetricFound"}
	if !active {
		cond = obj{"type": "ScalingActive", "status": "False", "reason": "AmbiguousSelector", "message": "pods by selector are " +
			"controlled by multiple HPAs"}
	}
	w.made(user("admin", 0), thing("autoscaling/v2", "HorizontalPodAutoscaler", namespace, name, obj{"spec": obj{
		"scaleTargetRef": obj{"apiVersion": "apps/v1", "kind": kind, "name": target}, "minReplicas": 2, "maxReplicas": 9},
		"status": obj{"currentReplicas": 2, "desiredReplicas": 2, "conditions": []any{cond}}}))
}

func stuckScenes() map[string]func(*world) {
	return map[string]func(*world){
		"hpas-of-statefulset": func(w *world) {
			w.serving("StatefulSet", "video", "encode", 2)
			w.hpa("video", "by-cpu", "StatefulSet", "encode", false)
			w.hpa("video", "by-queue", "StatefulSet", "encode", false)
			w.wait(time.Hour)
			w.begin()
			w.wait(time.Minute)
		},
		"hpas-alike": func(w *world) {
			for _, ns := range []string{"video", "audio"} {
				w.serving("Deployment", ns, "encode", 2)
				w.hpa(ns, "encode", "Deployment", "encode", true)
			}
			w.wait(time.Hour)
			w.begin()
			w.wait(time.Minute)
		},
		"issuer-kept": func(w *world) {
			w.kept(custom("acme.example.com/v1", "ClusterIssuer", "", "staging", obj{}, obj{}), "acme.example.com/account", 2*time.Hour)
		},
		"balancer-kept": func(w *world) {
			w.kept(thing("v1", "Service", "web", "public", obj{"spec": obj{"type": "LoadBalancer", "selector": obj{"app": "x"}}}),
				"service.kubernetes.io/load-balancer-cleanup", 40*time.Minute)
		},
		"deletion-works": func(w *world) {
			o := thing("v1", "Service", "web", "public", obj{"spec": obj{"type": "LoadBalancer"}})
			w.kept(o, "service.kubernetes.io/load-balancer-cleanup", 2*time.Minute)
			w.updated(manager("service-controller"), o, "", func(o obj) { delete(meta(o), "finalizers") })
			w.drop(o)
		},
		"space-without-api": func(w *world) {
			w.space("trial-9", 30*time.Minute, obj{"type": "NamespaceDeletionDiscoveryFailure", "status": "True",
				"reason": "DiscoveryFailed", "message": "Discovery failed for some groups, 1 failing: unable to retrieve the " +
					"complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1"})
		},
		"space-ends": func(w *world) {
			w.space("trial-8", 90*time.Second, obj{"type": "NamespaceContentRemaining", "status": "True",
				"reason": "SomeResourcesRemain", "message": "Some resources are remaining: pods. has 12 resource instances"})
		},
		"service-lost-label": func(w *world) {
			w.service("web", "api", "Deployment", "api", obj{"app": "api", "tier": "web"})
		},
		"service-renamed-set": func(w *world) { w.service("db", "pg", "StatefulSet", "pg-v2", obj{"app": "pg"}) },
		"service-of-canary": func(w *world) {
			w.serving("Deployment", "web", "front", 3)
			w.made(user("admin", 0), thing("v1", "Service", "web", "front", obj{"spec": obj{"selector": obj{"app": "front"}}}))
			w.made(user("admin", 0), thing("v1", "Service", "web", "front-canary", obj{"spec": obj{"selector": obj{"app": "front",
				"track": "canary"}}}))
			w.made(manager("endpointslice-controller"), thing("discovery.k8s.io/v1", "EndpointSlice", "web", "front-canary-x2",
				obj{"labels": obj{"kubernetes.io/service-name": "front-canary"}, "endpoints": []any{}}))
			w.wait(time.Hour)
			w.begin()
			w.wait(time.Minute)
		},
	}
}

// kept is an object that is deleted and that a finalizer keeps.
func (w *world) kept(o obj, finalizer string, age time.Duration) {
	meta(o)["finalizers"] = []any{finalizer}
	w.made(user("admin", 0), o)
	w.wait(time.Hour)
	w.deleted(user("admin", 0), o)
	w.wait(age)
	w.begin()
	w.wait(time.Minute)
}

// space is a namespace that is deleted.
func (w *world) space(name string, age time.Duration, cond obj) {
	ns := w.made(user("admin", 0), thing("v1", "Namespace", "", name, obj{"spec": obj{"finalizers": []any{"kubernetes"}},
		"status": obj{"phase": "Active"}}))
	w.wait(time.Hour)
	w.updated(user("admin", 0), ns, "", func(o obj) {
		meta(o)["deletionTimestamp"] = stamp(w.now)
		cond["lastTransitionTime"] = stamp(w.now)
		o["status"] = obj{"phase": "Terminating", "conditions": []any{cond}}
	})
	w.wait(age)
	w.begin()
	w.wait(time.Minute)
}

// service is one that an Ingress names and whose pods have other labels.
func (w *world) service(namespace, name, kind, workload string, selector obj) {
	w.serving(kind, namespace, workload, 3)
	w.made(user("admin", 0), thing("v1", "Service", namespace, name, obj{"spec": obj{"selector": selector,
		"ports": []any{obj{"port": 80}}}}))
	w.made(manager("endpointslice-controller"), thing("discovery.k8s.io/v1", "EndpointSlice", namespace, name+"-k4v",
		obj{"labels": obj{"kubernetes.io/service-name": name}, "endpoints": []any{}}))
	w.made(user("admin", 0), thing("networking.k8s.io/v1", "Ingress", namespace, name, obj{"spec": obj{"rules": []any{
		obj{"http": obj{"paths": []any{obj{"path": "/", "backend": obj{"service": obj{"name": name,
			"port": obj{"number": 80}}}}}}}}}}))
	w.wait(time.Hour)
	w.begin()
	w.wait(time.Minute)
}

// owner is a custom resource with what it owns.
func (w *world) owner(kind, name string, namespace string) obj {
	return w.made(account(namespace, "operator", 0), custom("example.org/v1", kind, namespace, name, obj{"size": 1}, obj{}))
}

func adopt(o, by obj) { meta(o)["ownerReferences"] = owned(by)["ownerReferences"] }

func raceScenes() map[string]func(*world) {
	return map[string]func(*world){
		"owner-made-anew":      ownerMadeAnew,
		"owner-anew-thrice":    ownerAnewThrice,
		"orphaned-and-adopted": orphanedAndAdopted,
		"foreground-anew": func(w *world) {
			owner := w.owner("Database", "main", "pg")
			s, _, pods := w.serving("StatefulSet", "pg", "main", 1, owned(owner))
			w.wait(time.Hour)
			w.begin()
			w.deleted(account("pg", "operator", 0), owner)
			w.wait(20 * time.Millisecond)
			w.deleted(manager("generic-garbage-collector"), s)
			w.removed(manager("generic-garbage-collector"), pods[0])
			w.wait(3 * time.Second)
			owner = w.owner("Database", "main", "pg")
			s = w.made(account("pg", "operator", 0), thing("apps/v1", "StatefulSet", "pg", "main", owned(owner),
				obj{"spec": obj{"replicas": 1}, "status": obj{"replicas": 1, "readyReplicas": 1}}))
			w.runs(w.pod(controller(s), s, "main-0", "node-1"))
			w.wait(2 * time.Minute)
		},
		"two-clusters-scale": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "shop", 2)
			w.begin()
			w.wait(time.Duration(w.rng.Int64N(int64(20 * time.Second))))
			w.repeat(7, 45*time.Second, func(i int) {
				n := 2 + i + int(w.rng.Int64N(2))
				w.log(manager("horizontal-pod-autoscaler"), "update", "scale", d, 200, obj{"spec": obj{"replicas": n}},
					obj{"kind": "Scale", "metadata": meta(d), "spec": obj{"replicas": n}})
				w.updated(user("deploy-bot", 0), d, "", func(o obj) { annotate(o, "round", fmt.Sprint(n)) })
			})
		},
		"two-clusters-make": func(w *world) {
			w.begin()
			w.repeat(150, 300*time.Millisecond, func(i int) {
				w.made(user("deploy-bot", 0), thing("v1", "ConfigMap", "apps", fmt.Sprintf("tenant-%d", i), obj{"data": obj{}}))
			})
			w.wait(3 * time.Minute)
		},
	}
}

// ownerMadeAnew is a race: the owner is deleted and made anew, and a second client hands its StatefulSet to the new one
// before the garbage collector comes. The claim goes with the old owner, and the next pod waits for it.
func ownerMadeAnew(w *world) {
	owner := w.owner("Database", "main", "pg")
	s, _, pods := w.serving("StatefulSet", "pg", "main", 1, owned(owner))
	claim := w.made(controller(s), thing("v1", "PersistentVolumeClaim", "pg", "data-main-0", obj{"spec": obj{},
		"finalizers": []any{"kubernetes.io/pvc-protection"}, "status": obj{"phase": "Bound"}}))
	w.wait(time.Hour)
	w.begin()
	w.deleted(account("pg", "operator", 0), owner)
	w.deleted(account("pg", "operator", 0), claim)
	w.wait(800 * time.Millisecond)
	owner = w.owner("Database", "main", "pg")
	w.wait(time.Second)
	w.patched(account("pg", "tuner", 1), s, "", func(o obj) {
		adopt(o, owner)
		sets("b", "spec", "template", "metadata", "annotations")(o)
	})
	w.removed(controller(s), pods[0])
	p := w.pod(controller(s), s, "main-0", "", obj{"spec": obj{"volumes": []any{obj{"name": "data",
		"persistentVolumeClaim": obj{"claimName": "data-main-0"}}}}})
	w.unplaced(p, `0/4 nodes are available: persistentvolumeclaim "data-main-0" is being deleted.`)
	w.counts(s, 1, 0)
	w.wait(70 * time.Second)
}

// ownerAnewThrice has a Deployment outlive its owner three times.
func ownerAnewThrice(w *world) {
	owner := w.owner("Pipeline", "runner", "flow")
	d, _, _ := w.serving("Deployment", "flow", "runner", 2, owned(owner))
	w.wait(time.Hour)
	w.begin()
	w.repeat(3, 40*time.Second, func(int) {
		w.deleted(account("flow", "operator", 0), owner)
		w.wait(25 * time.Millisecond)
		owner = w.owner("Pipeline", "runner", "flow")
		w.wait(30 * time.Millisecond)
		w.updated(account("flow", "planner", 2), d, "", func(o obj) { adopt(o, owner) })
	})
	w.wait(time.Minute)
}

// orphanedAndAdopted is how a field that can't be changed is changed: the owner is deleted with --cascade=orphan, the
// garbage collector takes its name out of what it owns, and the new owner adopts it.
func orphanedAndAdopted(w *world) {
	s, _, pods := w.serving("StatefulSet", "pg", "main", 2)
	w.wait(time.Hour)
	w.begin()
	w.updated(user("admin", 0), s, "", func(o obj) { meta(o)["finalizers"] = []any{"orphan"} })
	w.deleted(user("admin", 0), s)
	for _, p := range pods {
		w.patched(manager("generic-garbage-collector"), p, "", func(o obj) { delete(meta(o), "ownerReferences") })
	}
	w.updated(manager("generic-garbage-collector"), s, "", func(o obj) { delete(meta(o), "finalizers") })
	w.drop(s)
	w.wait(5 * time.Second)
	s = w.workload("StatefulSet", "pg", "main", 2)
	for _, p := range pods {
		w.patched(controller(s), p, "", func(o obj) { adopt(o, s) })
	}
	w.wait(2 * time.Minute)
}

func readScenes2() map[string]func(*world) {
	return map[string]func(*world){
		"paged-lists-on-end": func(w *world) {
			w.begin()
			w.repeat(90, 1200*time.Millisecond, func(int) {
				for _, query := range []string{"?limit=500", "?continue=abc&limit=500", "?continue=def&limit=500"} {
					w.read(account("audit", "inventory", 1), "list", "v1", "Pod", "", query, 200)
					w.wait(30 * time.Millisecond)
				}
			})
		},
		"lists-of-custom": func(w *world) {
			w.begin()
			w.repeat(400, 400*time.Millisecond, func(i int) {
				w.read(account("audit", "mapper", 2), "list", "net.example.com/v1", "Route", "", "", 200)
			})
		},
		"kubectl-on-end": func(w *world) {
			w.begin()
			w.repeat(120, 2*time.Second, func(int) {
				w.read(user("alice", 0), "list", "v1", "Pod", "web", "?limit=500", 200)
			})
		},
	}
}
