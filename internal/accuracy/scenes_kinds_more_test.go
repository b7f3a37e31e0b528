package accuracy

import (
	"fmt"
	"maps"
	"strings"
	"time"
)

// kindScenes are pods that do not start or do not stay, leases and loops: other controllers, levels and forms.
func kindScenes() map[string]func(*world) {
	all := map[string]func(*world){}
	for _, some := range []map[string]outage{outages(), crashes(), placings()} {
		for name, f := range some {
			all[name] = f.play
		}
	}
	for _, some := range []map[string]func(*world){podFaults(), podDays(), leaseKinds(), leaseDays(), loopKinds(),
		loopKinds2(), loopDays()} {
		maps.Copy(all, some)
	}
	return all
}

func podFaults() map[string]func(*world) {
	return map[string]func(*world){
		"liveness-set":  func(w *world) { w.killed("StatefulSet", "kv", "store", "liveness", 9) },
		"startup-never": func(w *world) { w.killed("Deployment", "ml", "ranker", "startup", 8) },
		"job-fails":     jobFails,
		"evicted-memory": func(w *world) {
			w.begin()
			d, rs, _ := w.app("Deployment", "web", "thumbs", 2, obj{}, w.readyState)
			w.repeat(26, 25*time.Second, func(int) {
				p := w.pod(controller(rs), rs, "", "node-2")
				w.wait(3 * time.Second)
				const why = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 81Mi. " +
					"Container main was using 900Mi, request is 0, has larger consumption of memory. "
				w.rejected(p, "Evicted", why)
				w.event(p, "Warning", "Evicted", why, 1, w.now)
			})
			w.short(d, rs, 2, 2)
		},
		"quota-of-set": func(w *world) {
			s, _, _ := w.app("StatefulSet", "calc", "grid", 2, obj{}, w.readyState)
			sets(4, "spec", "replicas")(s)
			w.made(user("admin", 0), thing("v1", "ResourceQuota", "calc", "team", obj{"spec": obj{"hard": obj{
				"requests.cpu": "4"}}, "status": obj{"hard": obj{"requests.cpu": "4"}, "used": obj{"requests.cpu": "4"}}}))
			w.wait(time.Hour)
			w.begin()
			w.lacks(s, "grid-2", 15*time.Minute, 403, "Forbidden", `pods "grid-2" is forbidden: exceeded quota: team, requested: `+
				`requests.cpu=2, used: requests.cpu=4, limited: requests.cpu=4`)
		},
		"policy-of-daemon": func(w *world) {
			ds, _, _ := w.app("DaemonSet", "infra", "agent", 1, obj{}, w.readyState)
			w.updated(controller(ds), ds, "status", sets(4, "status", "desiredNumberScheduled"))
			w.wait(time.Hour)
			w.begin()
			w.lacks(ds, "", 15*time.Minute, 422, "Invalid", `pods "agent-x" is forbidden: ValidatingAdmissionPolicy `+
				`'no-host-path' with binding 'all' denied request: hostPath volumes are not allowed`)
		},
		"account-missing": func(w *world) {
			j := w.workload("Job", "batch", "sync", 2)
			w.updated(controller(j), j, "status", sets(0, "status", "active"))
			w.wait(time.Hour)
			w.begin()
			w.lacks(j, "", 15*time.Minute, 403, "Forbidden", `pods "sync-" is forbidden: error looking up service account `+
				`batch/syncer: serviceaccount "syncer" not found`)
		},
		"budget-of-crashing": func(w *world) {
			_, _, pods := w.serving("StatefulSet", "kv", "ring", 3)
			w.wait(time.Hour)
			w.begin()
			w.cordon("node-3")
			w.repeat(60, 5*time.Second, func(int) {
				w.evict(user("drainer", 2), pods[2], 429, "Cannot evict pod as it would violate the pod's disruption budget.",
					"The disruption budget ring needs 2 healthy pods and has 1 currently")
			})
		},
		"node-lost-daemon": func(w *world) {
			w.serving("DaemonSet", "infra", "agent", 4)
			w.serving("Job", "batch", "scan", 4)
			w.wait(3 * time.Hour)
			w.begin()
			w.lost("node-3")
			w.each("Pod", func(p obj) {
				if nodeOf(p) == "node-3" {
					w.event(p, "Warning", "NodeNotReady", "Node is not ready", 1, w.now)
				}
			})
			w.wait(4 * time.Minute)
		},
		"operator-replaces": func(w *world) {
			set := w.made(user("admin", 0), custom("ci.example.com/v1", "Workers", "ci", "pool", obj{"replicas": 2}, obj{}))
			w.begin()
			w.repeat(64, 4*time.Second, func(i int) {
				p := w.pod(account("ci", "pool-operator", 1), set, "pool-"+w.suffix(5), "node-2")
				w.wait(300 * time.Millisecond)
				w.rejected(p, "OutOfmemory", "Pod was rejected: Node didn't have enough resource: memory")
				if i%3 == 0 {
					w.removed(account("ci", "pool-operator", 1), p)
				}
			})
		},
	}
}

// jobFails is a Job whose pods end with an error, one after the other.
func jobFails(w *world) {
	j := w.workload("Job", "batch", "import", 1)
	sets(20, "spec", "backoffLimit")(j)
	for i := range 9 {
		p := w.pod(manager("job-controller"), j, "", w.nodes[i%4], obj{"spec": obj{"restartPolicy": "Never",
			"containers": []any{obj{"name": "main", "image": "registry.example.com/import:1"}}}})
		began := w.now
		w.wait(8 * time.Second)
		w.ended(p, 4, began)
		w.updated(manager("job-controller"), j, "status", sets(i+1, "status", "failed"))
		w.wait(time.Duration(20<<min(i, 4)) * time.Second)
	}
	w.look(time.Minute)
}

// podDays are healthy clusters with what looks like the faults above.
func podDays() map[string]func(*world) {
	pulled := func(message string, age time.Duration) func(*world) {
		return func(w *world) {
			_, _, pods := w.app("DaemonSet", "web", "gate", 3, obj{}, func(p obj) {
				w.waits(p, "main", "ContainerCreating", "", false)
			})
			w.begin()
			for _, p := range pods {
				w.event(p, "Warning", "Failed", message, 2, w.now)
				w.wait(age)
				w.event(p, "Normal", "Pulled", "Successfully pulled image in "+age.String(), 1, w.now)
				w.runs(p)
			}
			w.wait(2 * time.Minute)
		}
	}
	return map[string]func(*world){
		"pull-was-slow":    pulled(`Failed to pull image "gate:2": context deadline exceeded`, 3*time.Minute),
		"pull-once-failed": pulled(`Failed to pull image "gate:2": connection reset by peer`, 25*time.Second),
		"oom-last-week": func(w *world) {
			_, _, pods := w.app("StatefulSet", "db", "cache", 3, obj{}, w.readyState)
			at := w.now
			w.status(pods[1], obj{"phase": "Running", "startTime": stamp(at), "conditions": []any{obj{"type": "Ready",
				"status": "True"}}, "containerStatuses": []any{obj{"name": "main", "ready": true, "restartCount": 1,
				"state": obj{"running": obj{"startedAt": stamp(at)}}, "lastState": obj{"terminated": obj{"exitCode": 137,
					"reason": "OOMKilled", "startedAt": stamp(at.Add(-time.Hour)), "finishedAt": stamp(at)}}}}})
			w.look(7 * 24 * time.Hour)
		},
		"job-few-failed": jobFewFailed,
		"cron-one-error": cronOneError,
		"gated-pods":     gatedPods,
		"scale-up-waits": func(w *world) { w.pendingFor(3*time.Minute, "0/4 nodes are available: 4 Insufficient cpu.") },
		"set-starts-in-order": func(w *world) {
			s := w.workload("StatefulSet", "db", "shard", 3)
			w.counts(s, 0, 0)
			w.begin()
			for i := range 3 {
				p := w.pod(controller(s), s, fmt.Sprintf("shard-%d", i), w.nodes[i])
				w.waits(p, "main", "ContainerCreating", "", false)
				w.wait(50 * time.Second)
				w.unready(p)
				w.warns(p, "Unhealthy", "Readiness probe failed: dial tcp 10.244.1.4:5432: connect: connection refused", 3,
					20*time.Second)
				w.wait(20 * time.Second)
				w.runs(p)
				w.counts(s, i+1, i+1)
			}
		},
		"evicted-yesterday": func(w *world) {
			w.evicted(4, 20*time.Second, 26*time.Hour)
		},
		"probe-at-start": func(w *world) {
			_, _, pods := w.app("Deployment", "web", "blog", 3, obj{}, w.readyState)
			for _, p := range pods {
				w.warns(p, "Unhealthy", "Startup probe failed: HTTP probe failed with statuscode: 503", 4, 40*time.Second)
			}
			w.look(9 * time.Minute)
		},
		"sidecar-ended":      sidecarEnded,
		"init-waits-briefly": func(w *world) { w.initializes("StatefulSet", "web", "booking", "wait-for-db", 40*time.Second, false) },
		"person-refused": func(w *world) {
			w.serving("Deployment", "web", "shop", 3)
			w.wait(time.Hour)
			w.begin()
			w.repeat(4, 40*time.Second, func(int) {
				w.refused(user("alice", 0), "create", "", thing("apps/v1", "Deployment", "web", "shop2"), 403, "Forbidden",
					`deployments.apps "shop2" is forbidden: exceeded quota: team, requested: count/deployments.apps=1`)
			})
			w.wait(4 * time.Minute)
		},
		"nodes-upgraded": nodesUpgraded,
	}
}

func jobFewFailed(w *world) {
	j := w.workload("Job", "batch", "convert", 4)
	sets(60, "spec", "completions")(j)
	w.begin()
	failed := 0
	w.repeat(40, 9*time.Second, func(i int) {
		p := w.runs(w.pod(manager("job-controller"), j, "", w.nodes[i%4]))
		began, exit := w.now, 0
		if i%13 == 5 {
			exit, failed = 1, failed+1
		}
		w.wait(7 * time.Second)
		w.ended(p, exit, began)
		w.updated(manager("job-controller"), j, "status", sets(obj{"active": 1, "failed": failed, "succeeded": i + 1 - failed,
			"startTime": stamp(began)}, "status"))
	})
}

func cronOneError(w *world) {
	c := w.cronJob("mail", "sweep", "*/10 * * * *", "Forbid")
	w.wait(time.Hour)
	w.begin()
	for i := range 6 {
		name := fmt.Sprintf("sweep-%d", w.now.Unix()/60)
		state := "Complete"
		if i == 3 {
			state = "Failed"
		}
		w.run(c, name, state, 20*time.Second)
		w.wait(10 * time.Minute)
	}
}

func gatedPods(w *world) {
	j := w.workload("Job", "queue", "train", 4)
	for range 4 {
		p := w.pod(manager("job-controller"), j, "", "", obj{"spec": obj{"schedulingGates": []any{obj{
			"name": "kueue.x-k8s.io/admission"}}, "containers": []any{obj{"name": "main", "image": "train:1"}}}})
		w.patched(manager("job-controller"), p, "status", sets(obj{"phase": "Pending", "conditions": []any{obj{
			"type": "PodScheduled", "status": "False", "reason": "SchedulingGated",
			"message": "Scheduling is blocked due to non-empty scheduling gates"}}}, "status"))
	}
	w.look(3 * time.Hour)
}

// pendingFor has a scale-up wait for a node that is then there.
func (w *world) pendingFor(d time.Duration, message string) {
	top, rs, _ := w.serving("Deployment", "web", "shop", 4)
	w.wait(time.Hour)
	w.begin()
	var late []obj
	for range 3 {
		p := w.pod(controller(rs), rs, "", "")
		w.unplaced(p, message)
		w.event(p, "Warning", "FailedScheduling", message, 4, w.now)
		late = append(late, p)
	}
	w.counts(top, 7, 4)
	w.wait(d)
	w.node("node-5")
	for _, p := range late {
		sets("node-5", "spec", "nodeName")(p)
		w.runs(p)
	}
	w.counts(top, 7, 7)
	w.wait(20 * time.Second)
}

func sidecarEnded(w *world) {
	j := w.workload("Job", "batch", "backup", 1)
	p := w.pod(manager("job-controller"), j, "", "node-1", obj{"spec": two("proxy", "registry.example.com/proxy:1")})
	began := w.now
	w.wait(3 * time.Minute)
	done := func(exit int, reason string) obj {
		return obj{"terminated": obj{"exitCode": exit, "reason": reason, "startedAt": stamp(began), "finishedAt": stamp(w.now)}}
	}
	w.status(p, obj{"phase": "Succeeded", "startTime": stamp(began), "containerStatuses": []any{
		obj{"name": "main", "ready": false, "restartCount": 0, "state": done(0, "Completed")},
		obj{"name": "proxy", "ready": false, "restartCount": 0, "state": done(0, "Completed")}}})
	w.updated(manager("job-controller"), j, "status", sets(obj{"succeeded": 1, "completionTime": stamp(w.now),
		"conditions": []any{obj{"type": "Complete", "status": "True", "lastTransitionTime": stamp(w.now)}}}, "status"))
	w.look(30 * time.Minute)
}

// nodesUpgraded drains one node after the other; what a budget refuses is evicted a little later.
func nodesUpgraded(w *world) {
	_, rs, pods := w.serving("Deployment", "web", "shop", 4)
	ds, _, agents := w.serving("DaemonSet", "infra", "agent", 4)
	w.wait(5 * time.Hour)
	w.begin()
	for i, node := range strings.Fields("node-1 node-2 node-3 node-4") {
		w.cordon(node)
		by := account("capi-system", "machine-manager", 2)
		for range 2 {
			w.evict(by, pods[i], 429, "Cannot evict pod as it would violate the pod's disruption budget.",
				"The disruption budget shop needs 3 healthy pods and has 3 currently")
			w.wait(5 * time.Second)
		}
		w.log(by, "create", "eviction", pods[i], 201, obj{"kind": "Eviction"}, obj{"kind": "Status", "code": 201})
		w.removed(by, pods[i])
		w.runs(w.pod(controller(rs), rs, "", w.nodes[(i+1)%4]))
		w.removed(controller(ds), agents[i])
		w.wait(2 * time.Minute)
		w.runs(w.pod(controller(ds), ds, "", node))
		w.patched(by, w.objects["v1/Node//"+node], "", sets(obj{}, "spec"))
		w.wait(30 * time.Second)
	}
}
