package accuracy

import (
	"fmt"
	"maps"
	"time"
)

func deadlineScenes() map[string]func(*world) {
	return map[string]func(*world){
		"deadline-passed": deadlinePassed,
		"rollout-paused": func(w *world) {
			d, _, _ := w.app("Deployment", "web", "checkout", 4, obj{}, w.readyState)
			d["spec"].(obj)["paused"] = true
			s := d["status"].(obj)
			s["updatedReplicas"] = 1
			s["conditions"] = []any{obj{"type": "Progressing", "status": "Unknown", "reason": "DeploymentPaused",
				"message": "Deployment is paused", "lastTransitionTime": stamp(w.now)}}
			w.replicaSet(d, 1)
			w.look(7 * time.Hour)
		},
		"rollout-of-many": rolloutOfMany,
		"update-behind-one": func(w *world) {
			s, _, pods := w.app("StatefulSet", "queue", "node", 4, probe("/ready", 8080), w.readyState)
			w.wait(time.Hour)
			w.unready(pods[3])
			st := s["status"].(obj)
			maps.Copy(st, obj{"currentRevision": "node-6b7", "updateRevision": "node-7c8", "updatedReplicas": 1,
				"readyReplicas":   3,
				"currentReplicas": 3})
			w.wait(50 * time.Minute)
			w.warns(pods[3], "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 500", 300, 50*time.Minute)
			w.look(0)
		},
		"quota-of-memory": func(w *world) {
			d, rs, _ := w.app("Deployment", "calc", "solver", 2, obj{}, w.readyState)
			w.made(user("admin", 0), thing("v1", "ResourceQuota", "calc", "team", obj{"spec": obj{"hard": obj{
				"limits.memory": "8Gi"}}, "status": obj{"hard": obj{"limits.memory": "8Gi"}, "used": obj{"limits.memory": "8Gi"}}}))
			w.wait(time.Hour)
			sets(5, "spec", "replicas")(d)
			sets(5, "spec", "replicas")(rs)
			w.short(d, rs, 2, 2)
			w.lacks(rs, "", 30*time.Minute, 403, "Forbidden", `pods "solver-x" is forbidden: exceeded quota: team, requested: `+
				`limits.memory=4Gi, used: limits.memory=8Gi, limited: limits.memory=8Gi`)
			w.look(0)
		},
		"quota-just-full": func(w *world) {
			w.app("Deployment", "calc", "solver", 2, obj{}, w.readyState)
			w.made(user("admin", 0), thing("v1", "ResourceQuota", "calc", "team", obj{"spec": obj{"hard": obj{"pods": "2"}},
				"status": obj{"hard": obj{"pods": "2"}, "used": obj{"pods": "2"}}}))
			w.look(30 * time.Hour)
		},
		"drain-behind-crash": drainBehindCrash,
		"cordoned-for-later": func(w *world) {
			w.app("StatefulSet", "db", "wal", 3, obj{}, w.readyState)
			w.budget("db", "wal", "wal", 3, 2)
			w.cordon("node-2")
			w.look(30 * time.Hour)
		},
		"evicted-on-end":    func(w *world) { w.evicted(34, 40*time.Second, 0) },
		"evicted-last-week": func(w *world) { w.evicted(6, time.Minute, 170*time.Hour) },
	}
}

// deadlinePassed is a rollout whose new pods answer their probe with 500.
func deadlinePassed(w *world) {
	d, old, _ := w.app("Deployment", "web", "prices", 3, probe("/ready", 8080), w.readyState)
	w.wait(5 * time.Hour)
	setsImage("registry.example.com/prices:2")(d)
	rs := w.replicaSet(d, 1)
	w.counts(rs, 1, 0)
	p := w.pod(controller(rs), rs, "", "node-4")
	w.unready(p)
	s := d["status"].(obj)
	maps.Copy(s, obj{"replicas": 4, "updatedReplicas": 1, "readyReplicas": 3, "availableReplicas": 3,
		"unavailableReplicas": 1})
	w.wait(25 * time.Minute)
	s["conditions"] = []any{obj{"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"}, obj{
		"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "lastTransitionTime": stamp(w.now),
		"message": `ReplicaSet "` + text(meta(rs), "name") + `" has timed out progressing.`}}
	w.warns(p, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 500", 150, 25*time.Minute)
	w.counts(old, 3, 3)
	w.look(10 * time.Minute)
}

// rolloutOfMany is a DaemonSet's rollout, one node after the other.
func rolloutOfMany(w *world) {
	ds, _, pods := w.app("DaemonSet", "logging", "tail", 4, obj{}, w.readyState)
	w.wait(time.Hour)
	w.begin()
	w.updated(user("admin", 0), ds, "", setsImage("registry.example.com/tail:2"))
	for i, old := range pods[:3] {
		w.removed(controller(ds), old)
		p := w.pod(controller(ds), ds, "", w.nodes[i])
		w.unready(p)
		w.counts(ds, 4, 3)
		w.wait(25 * time.Second)
		if i < 2 {
			w.runs(p)
		}
	}
}

// drainBehindCrash is a drain that waits, because a pod of the budget crashes and no other may go.
func drainBehindCrash(w *world) {
	top, owner, pods := w.app("Deployment", "db", "proxy", 3, obj{}, w.readyState)
	w.wait(time.Hour)
	w.status(pods[0], obj{"phase": "Running", "startTime": stamp(w.now.Add(-time.Hour)),
		"conditions": []any{obj{"type": "Ready",
			"status": "False"}}, "containerStatuses": []any{obj{"name": "main", "ready": false, "restartCount": 17, "state": obj{
			"waiting": obj{"reason": "CrashLoopBackOff"}}, "lastState": obj{"terminated": obj{"exitCode": 1, "reason": "Error",
			"startedAt": stamp(w.now.Add(-10 * time.Second)), "finishedAt": stamp(w.now)}}}}})
	w.short(top, owner, 3, 2)
	b := w.budget("db", "proxy", "proxy", 3, 2)
	maps.Copy(b["status"].(obj), obj{"currentHealthy": 2, "disruptionsAllowed": 0})
	w.cordon("node-2")
	w.look(3 * time.Minute)
}

// evicted pods lie around: a node without disk evicts each that comes, or did so long ago.
func (w *world) evicted(n int, every, ago time.Duration) {
	d, rs, _ := w.app("Deployment", "web", "thumbs", 2, obj{}, w.readyState)
	for range n {
		p := w.pod(controller(rs), rs, "", "node-3")
		w.wait(every)
		w.status(p, obj{"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: " +
			"ephemeral-storage. " +
			"Threshold quantity: 10Gi, available: 8Gi.", "startTime": stamp(w.now)})
	}
	w.short(d, rs, 2, 2)
	w.look(ago)
}

// run is a Job of a CronJob: at work, complete or failed.
func (w *world) run(c obj, name, state string, age time.Duration) obj {
	at := w.now
	status := obj{"active": 1, "startTime": stamp(at)}
	switch state {
	case "Complete":
		status = obj{"succeeded": 1, "startTime": stamp(at), "conditions": []any{obj{"type": "Complete", "status": "True",
			"lastTransitionTime": stamp(at.Add(age))}}}
	case "Failed":
		status = obj{"failed": 7, "startTime": stamp(at), "conditions": []any{obj{"type": "Failed", "status": "True",
			"reason": "BackoffLimitExceeded", "message": "Job has reached the specified backoff limit",
			"lastTransitionTime": stamp(at.Add(age))}}}
	}
	parts := []obj{{"spec": obj{"completions": 1, "parallelism": 1, "backoffLimit": 6}, "status": status}}
	namespace := "batch"
	if c != nil {
		parts, namespace = append(parts, owned(c)), text(meta(c), "namespace")
	}
	j := w.made(manager("cronjob-controller"), thing("batch/v1", "Job", namespace, name, parts...))
	p := w.pod(manager("job-controller"), j, "", "node-1", obj{"spec": obj{"restartPolicy": "Never",
		"containers": []any{obj{
			"name": "main", "image": "registry.example.com/job:1"}}}})
	w.runs(p)
	if state != "" {
		w.ended(p, map[string]int{"Complete": 0, "Failed": 1}[state], at)
	}
	w.wait(age)
	return j
}

func (w *world) cronJob(namespace, name, schedule, policy string) obj {
	return w.made(user("admin", 0), thing("batch/v1", "CronJob", namespace, name, obj{"spec": obj{"schedule": schedule,
		"concurrencyPolicy": policy, "failedJobsHistoryLimit": 5}, "status": obj{}}))
}

func batchScenes() map[string]func(*world) {
	active := func(c, j obj) {
		c["status"] = obj{"active": []any{obj{"kind": "Job", "namespace": meta(j)["namespace"], "name": meta(j)["name"],
			"uid": meta(j)["uid"]}}, "lastScheduleTime": meta(j)["creationTimestamp"]}
	}
	return map[string]func(*world){
		"cron-held-by-run": func(w *world) {
			c := w.cronJob("mail", "purge", "*/10 * * * *", "Forbid")
			j := w.run(c, "purge-29411000", "", 9*time.Hour)
			active(c, j)
			w.event(c, "Normal", "JobAlreadyActive", "Not starting job because prior execution is running and concurrency "+
				"policy "+
				"is Forbid", 54, w.now.Add(-9*time.Hour))
			w.look(0)
		},
		"cron-long-run": func(w *world) {
			c := w.cronJob("mail", "rollup", "0 * * * *", "Forbid")
			w.run(c, "rollup-29411000", "Complete", 50*time.Minute)
			active(c, w.run(c, "rollup-29411060", "", 75*time.Minute))
			w.event(c, "Normal", "JobAlreadyActive", "Not starting job because prior execution is running and concurrency "+
				"policy "+
				"is Forbid", 1, w.now)
			w.look(0)
		},
		"cron-all-fail": func(w *world) {
			c := w.cronJob("billing", "invoice", "*/15 * * * *", "Forbid")
			for i := range 5 {
				w.run(c, fmt.Sprintf("invoice-294110%02d", 15*i), "Failed", 15*time.Minute)
			}
			c["status"] = obj{"lastScheduleTime": stamp(w.now)}
			w.look(0)
		},
		"cron-failed-once": func(w *world) {
			c := w.cronJob("billing", "invoice", "*/15 * * * *", "Forbid")
			for i, state := range []string{"Complete", "Failed", "Complete", "Complete"} {
				w.run(c, fmt.Sprintf("invoice-294110%02d", 15*i), state, 15*time.Minute)
			}
			c["status"] = obj{"lastScheduleTime": stamp(w.now), "lastSuccessfulTime": stamp(w.now)}
			w.look(0)
		},
		"job-gave-up":  func(w *world) { w.run(nil, "migrate-schema", "Failed", 10*time.Minute); w.look(0) },
		"job-was-done": func(w *world) { w.run(nil, "migrate-schema", "Complete", 10*time.Minute); w.look(0) },
		"cron-unbounded": func(w *world) {
			c := w.cronJob("mail", "spool", "*/5 * * * *", "Allow")
			var all []any
			for i := range 11 {
				j := w.run(c, fmt.Sprintf("spool-294110%02d", 5*i), "", 5*time.Minute)
				all = append(all, obj{"kind": "Job", "namespace": "mail", "name": meta(j)["name"], "uid": meta(j)["uid"]})
			}
			c["status"] = obj{"active": all, "lastScheduleTime": stamp(w.now)}
			w.look(0)
		},
	}
}

// hook is an admission webhook's configuration, which points to a Service.
func (w *world) hook(name, namespace, service string) {
	w.made(user("admin", 0), thing("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", service, obj{
		"webhooks": []any{obj{"name": name, "failurePolicy": "Fail", "clientConfig": obj{"caBundle": "LS0t", "service": obj{
			"namespace": namespace, "name": service, "path": "/validate"}}}}}))
}

func certificateScenes() map[string]func(*world) {
	signing := func(w *world, name string, age time.Duration, conditions []any) {
		w.made(kubelet("node-3"), thing("certificates.k8s.io/v1", "CertificateSigningRequest", "", name, obj{"spec": obj{
			"signerName": "kubernetes.io/kubelet-serving", "username": "system:node:node-3", "request": "LS0t"},
			"status": obj{"conditions": conditions}}))
		w.look(age)
	}
	return map[string]func(*world){
		"webhook-ca-old": func(w *world) {
			d, rs, _ := w.app("Deployment", "shop", "wish", 2, obj{}, w.readyState)
			w.app("Deployment", "policy", "gate", 2, obj{}, w.readyState)
			w.svc("policy", "gate", obj{"app": "gate"}, 443, 8443)
			w.endpoints("policy", "gate", 2, true, 8443)
			w.hook("validate.gate.example.com", "policy", "gate")
			w.wait(time.Hour)
			sets(4, "spec", "replicas")(d)
			sets(4, "spec", "replicas")(rs)
			w.short(d, rs, 2, 2)
			w.lacks(rs, "", 20*time.Minute, 500, "InternalError", `Internal error occurred: failed calling webhook `+
				`"validate.gate.example.com": failed to call webhook: Post "https://gate.policy.svc:443/validate?timeout=10s": `+
				`tls: `+
				`failed to verify certificate: x509: certificate has expired or is not yet valid: current time `+
				`2026-09-14T09:00:00Z is after 2026-09-13T00:00:00Z`)
			w.look(0)
		},
		"webhook-crashes": func(w *world) {
			s, _, _ := w.app("StatefulSet", "shop", "stock", 2, obj{}, w.readyState)
			w.hook("validate.guard.example.com", "policy", "guard")
			w.svc("policy", "guard", obj{"app": "guard"}, 443, 8443)
			w.endpoints("policy", "guard", 2, false, 8443)
			w.app("Deployment", "policy", "guard", 2, obj{}, func(p obj) {
				w.status(p, obj{"phase": "Running", "startTime": stamp(w.now), "conditions": []any{obj{"type": "Ready",
					"status": "False"}}, "containerStatuses": []any{obj{"name": "main", "ready": false, "restartCount": 21,
					"state": obj{"waiting": obj{"reason": "CrashLoopBackOff"}}, "lastState": obj{"terminated": obj{"exitCode": 2,
						"reason": "Error", "startedAt": stamp(w.now.Add(-9 * time.Second)), "finishedAt": stamp(w.now)}}}}})
			})
			w.begin()
			w.updated(user("admin", 1), s, "", sets(4, "spec", "replicas"))
			w.counts(s, 2, 2)
			w.lacks(s, "stock-2", 4*time.Minute, 500, "InternalError", `Internal error occurred: failed calling webhook `+
				`"validate.guard.example.com": failed to call webhook: Post `+
				`"https://guard.policy.svc:443/validate?timeout=10s": no `+
				`endpoints available for service "guard"`)
		},
		"csr-unanswered": func(w *world) { signing(w, "csr-7kq2p", 3*time.Hour, []any{}) },
		"csr-answered": func(w *world) {
			signing(w, "csr-9xv4b", 3*time.Hour, []any{obj{"type": "Approved", "status": "True", "reason": "AutoApproved",
				"lastUpdateTime": stamp(w.now)}})
		},
	}
}
