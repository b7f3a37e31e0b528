package accuracy

import (
	"fmt"
	"strings"
	"time"
)

// backoff has a controller try in vain as client-go's queues let it: after 5 ms, twice as long each time, 1,000 s at
// most.
func (w *world) backoff(lasts time.Duration, try func()) {
	pause := 5 * time.Millisecond
	for end := w.now.Add(lasts); w.now.Before(end); {
		try()
		w.wait(pause)
		pause = min(2*pause, 1000*time.Second)
	}
}

// lacks has a workload's controller ask for a pod that is refused, and say so.
func (w *world) lacks(owner obj, name string, lasts time.Duration, code int, reason, message string, parts ...obj) {
	by, first, n := controller(owner), w.now, 0
	m := meta(owner)
	pod := thing("v1", "Pod", text(m, "namespace"), name, append([]obj{owned(owner), {"spec": obj{}}}, parts...)...)
	if name == "" {
		meta(pod)["generateName"] = text(m, "name") + "-"
		name = text(m, "name") + "-" + w.suffix(5)
	}
	message = strings.ReplaceAll(message, "shop-6d4b8c5c9d", text(m, "name"))
	w.backoff(lasts, func() {
		n++
		w.refused(by, "create", "", pod, code, reason, message)
	})
	told := "Error creating: " + message
	if text(owner, "kind") == "StatefulSet" {
		told = "create Pod " + name + " in StatefulSet " + text(m, "name") + " failed error: " + message
	}
	w.event(owner, "Warning", "FailedCreate", told, n, first)
	if text(owner, "kind") == "ReplicaSet" {
		w.updated(by, owner, "status", sets([]any{obj{"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate",
			"message": message, "lastTransitionTime": stamp(first)}}, "status", "conditions"))
	}
}

func refusedScenes() map[string]func(*world) {
	return map[string]func(*world){
		"webhook-url": func(w *world) {
			s, _, pods := w.serving("StatefulSet", "shop", "cart", 3)
			w.made(user("admin", 0), thing("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "", "injector",
				obj{"webhooks": []any{obj{"name": "inject.mesh.example.com", "failurePolicy": "Fail",
					"clientConfig": obj{"url": "https://injector.example.com/inject"}}}}))
			w.wait(time.Hour)
			w.begin()
			w.removed(user("admin", 1), pods[2])
			w.counts(s, 2, 2)
			w.lacks(s, "cart-2", 4*time.Minute, 500, "InternalError", `Internal error occurred: failed calling webhook `+
				`"inject.mesh.example.com": failed to call webhook: Post "https://injector.example.com/inject?timeout=10s": `+
				`context deadline exceeded`)
		},
		"webhook-certificate": func(w *world) {
			var all []obj
			for _, name := range []string{"front", "cart", "mail"} {
				d, _, _ := w.serving("Deployment", "shop", name, 1)
				all = append(all, d)
			}
			w.wait(time.Hour)
			w.begin()
			w.repeat(40, 5*time.Second, func(i int) {
				w.refused(account("argocd", "application-controller", 0), "patch", "", all[i%3], 500, "InternalError",
					`Internal error occurred: failed calling webhook "policy.example.com": failed to call webhook: Post `+
						`"https://checker.policy.svc:443/validate?timeout=10s": tls: failed to verify certificate: x509: `+
						`certificate has expired or is not yet valid`)
			})
		},
		"quota-cpu": func(w *world) {
			s, _, _ := w.serving("StatefulSet", "calc", "worker", 2)
			w.made(user("admin", 0), thing("v1", "ResourceQuota", "calc", "compute", obj{"spec": obj{"hard": obj{"requests.cpu": "4"}},
				"status": obj{"hard": obj{"requests.cpu": "4"}, "used": obj{"requests.cpu": "4"}}}))
			w.wait(time.Hour)
			w.begin()
			w.updated(user("admin", 1), s, "", sets(4, "spec", "replicas"))
			w.counts(s, 2, 2)
			w.lacks(s, "worker-2", 5*time.Minute, 403, "Forbidden", `pods "worker-2" is forbidden: exceeded quota: compute, `+
				`requested: requests.cpu=2, used: requests.cpu=4, limited: requests.cpu=4`)
		},
		"pod-security": func(w *world) {
			ds := w.workload("DaemonSet", "probes", "raw-socket", 4)
			w.counts(ds, 0, 0)
			w.begin()
			w.lacks(ds, "", 6*time.Minute, 403, "Forbidden", `pods "raw-socket-x7k2p" is forbidden: violates PodSecurity `+
				`"restricted:latest": allowPrivilegeEscalation != false (container "main" must set `+
				`securityContext.allowPrivilegeEscalation=false)`)
		},
		"limit-range": func(w *world) {
			j := w.workload("Job", "calc", "convert", 3)
			w.updated(manager("job-controller"), j, "", sets(obj{}, "status"))
			w.begin()
			w.lacks(j, "", 5*time.Minute, 403, "Forbidden", `pods "convert-b8z4k" is forbidden: maximum cpu usage per Container `+
				`is 1, but limit is 2`)
		},
		"quota-of-runs": func(w *world) {
			w.begin()
			w.repeat(60, 3*time.Second, func(i int) {
				w.refused(account("ci", "trigger", 1), "create", "", custom("tekton.dev/v1", "PipelineRun", "ci",
					fmt.Sprintf("run-%d", i), obj{}, obj{}), 403, "Forbidden", fmt.Sprintf(`pipelineruns.tekton.dev "run-%d" is `+
					`forbidden: exceeded quota: runs, requested: count/pipelineruns.tekton.dev=1, used: `+
					`count/pipelineruns.tekton.dev=50, limited: count/pipelineruns.tekton.dev=50`, i))
			})
		},
		"surge-waits": surgeWaits, "webhook-blip": webhookBlip,
		"exists-again": func(w *world) {
			cm := thing("v1", "ConfigMap", "boot", "marker", obj{"data": obj{"a": "b"}})
			w.begin()
			w.repeat(480, 250*time.Millisecond, func(int) {
				w.refused(account("boot", "starter", 1), "create", "", cm, 409, "AlreadyExists", `configmaps "marker" already exists`)
			})
		},
		"missing-again": func(w *world) {
			m := custom("fleet.example.com/v1", "Machine", "fleet", "m-7", obj{}, obj{"phase": "Running"})
			w.begin()
			w.repeat(600, 200*time.Millisecond, func(int) {
				w.refused(account("fleet", "operator", 2), "patch", "status", m, 404, "NotFound",
					`machines.fleet.example.com "m-7" not found`)
			})
		},
		"forbidden-status": func(w *world) {
			c := custom("net.example.com/v1", "Cache", "net", "edge", obj{}, obj{"phase": "Warm"})
			w.begin()
			w.repeat(300, 330*time.Millisecond, func(int) {
				w.refused(account("net", "cacher", 0), "patch", "status", c, 403, "Forbidden", `caches.net.example.com "edge" is `+
					`forbidden: User "system:serviceaccount:net:cacher" cannot patch resource "caches/status"`)
			})
		},
		"role-comes-late": func(w *world) {
			w.begin()
			w.repeat(10, 30*time.Second, func(int) {
				for _, kind := range []string{"ConfigMap", "Secret", "Pod", "Service"} {
					w.read(account("apps", "newcomer", 1), "list", "v1", kind, "", "?limit=500&resourceVersion=0", 403)
				}
			})
			w.repeat(3, time.Minute, func(int) {
				w.read(account("apps", "newcomer", 1), "list", "v1", "Pod", "", "?limit=500&resourceVersion=0", 200)
			})
		},
		"checks-for-absence": func(w *world) {
			w.begin()
			w.repeat(400, 500*time.Millisecond, func(int) {
				w.log(account("apps", "waiter", 1), "get", "", thing("v1", "Secret", "apps", "later"), 404, nil, nil)
			})
		},
		"stale-status": func(w *world) {
			s, _, _ := w.serving("StatefulSet", "store", "db", 3)
			w.wait(time.Hour)
			w.begin()
			w.repeat(400, 200*time.Millisecond, func(i int) {
				w.refused(account("store", "reporter", 2), "update", "status", s, 409, "Conflict", `Operation cannot be fulfilled `+
					`on statefulsets.apps "db": the object has been modified; please apply your changes to the latest version`)
				if i%5 == 0 {
					w.updated(account("store", "tuner", 0), s, "", func(o obj) { annotate(o, "tuned", fmt.Sprint(i)) })
				}
			})
		},
		"few-conflicts": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "front", 2)
			w.wait(time.Hour)
			w.begin()
			w.repeat(200, 2*time.Second, func(i int) {
				if i%20 == 0 {
					w.refused(account("web", "scaler", 0), "update", "", d, 409, "Conflict", `Operation cannot be fulfilled on `+
						`deployments.apps "front": the object has been modified`)
				}
				if i%10 == 0 {
					w.patched(account("web", "scaler", 0), d, "", func(o obj) { annotate(o, "round", fmt.Sprint(i/50)) })
				}
			})
		},
	}
}

// surgeWaits is a rollout whose surge the quota refuses until an old pod has gone.
func surgeWaits(w *world) {
	d, old, pods := w.serving("Deployment", "web", "shop", 3)
	w.wait(time.Hour)
	w.begin()
	w.updated(user("admin", 0), d, "", setsImage("registry.example.com/shop:2"))
	rs := w.replicaSet(d, 1)
	w.counts(rs, 0, 0)
	w.lacks(rs, "", 9*time.Second, 403, "Forbidden", `pods "shop-6d4b8c5c9d-x7k2p" is forbidden: exceeded quota: pods, requested: pods=1, `+
		`used: pods=3, limited: pods=3`)
	for i, p := range pods {
		w.updated(manager("deployment-controller"), old, "", sets(2-i, "spec", "replicas"))
		w.removed(controller(old), p)
		w.counts(old, 2-i, 2-i)
		w.updated(manager("deployment-controller"), rs, "", sets(i+1, "spec", "replicas"))
		w.runs(w.pod(controller(rs), rs, "", "node-1"))
		w.updated(controller(rs), rs, "status", sets([]any{}, "status", "conditions"))
		w.counts(rs, i+1, i+1)
		w.wait(5 * time.Second)
	}
	w.wait(time.Minute)
}

// webhookBlip is a webhook whose pod is replaced.
func webhookBlip(w *world) {
	_, rs, _ := w.serving("Deployment", "web", "shop", 3)
	w.wait(time.Hour)
	w.begin()
	w.counts(rs, 2, 2)
	w.lacks(rs, "", 7*time.Second, 500, "InternalError", `Internal error occurred: failed calling webhook "v.example.com": failed `+
		`to call webhook: Post "https://guard.policy.svc:443/v?timeout=10s": dial tcp 10.96.3.4:443: connect: connection refused`)
	w.runs(w.pod(controller(rs), rs, "", "node-2"))
	w.event(rs, "Normal", "SuccessfulCreate", "Created pod: shop-z", 1, w.now)
	w.updated(controller(rs), rs, "status", sets([]any{}, "status", "conditions"))
	w.counts(rs, 3, 3)
	w.wait(2 * time.Minute)
}
