package accuracy

import (
	"fmt"
	"strings"
	"time"
)

func moreScenes() map[string]func(*world) {
	return map[string]func(*world){
		"cronjob-refused": func(w *world) {
			c := w.made(user("admin", 0), thing("batch/v1", "CronJob", "mail", "report", obj{"spec": obj{"schedule": "* * * * *",
				"concurrencyPolicy": "Allow"}, "status": obj{}}))
			w.wait(time.Hour)
			w.begin()
			first := w.now
			w.repeat(6, time.Minute, func(int) {
				w.refused(manager("cronjob-controller"), "create", "", thing("batch/v1", "Job", "mail", "report-29412001"), 403,
					"Forbidden", `jobs.batch "report-29412001" is forbidden: exceeded quota: jobs, requested: count/jobs.batch=1, `+
						`used: count/jobs.batch=10, limited: count/jobs.batch=10`)
			})
			w.event(c, "Warning", "FailedCreate", `Error creating job: jobs.batch "report-29412001" is forbidden: exceeded quota: `+
				`jobs, requested: count/jobs.batch=1, used: count/jobs.batch=10, limited: count/jobs.batch=10`, 6, first)
		},
		"replicaset-refused": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "shop", 2)
			w.wait(time.Hour)
			w.begin()
			w.updated(user("admin", 0), d, "", setsImage("registry.example.com/shop:2"))
			w.updated(manager("deployment-controller"), d, "status", sets([]any{obj{"type": "Progressing", "status": "False",
				"reason": "ReplicaSetCreateError", "lastTransitionTime": stamp(w.now), "message": `Failed to create new replica set ` +
					`"shop-x": Internal error occurred: failed calling webhook "policy.example.com": failed to call webhook: Post ` +
					`"https://checker.policy.svc:443/v": dial tcp 10.96.1.2:443: connect: connection refused`}}, "status", "conditions"))
			w.wait(5 * time.Minute)
		},
		"custom-pile": func(w *world) {
			w.begin()
			w.repeat(420, 300*time.Millisecond, func(int) {
				w.made(account("store", "snapper", 1), thing("store.example.com/v1", "Snapshot", "store", "", obj{
					"generateName": "auto-", "spec": obj{"of": "x"}}))
			})
		},
		"annotated-with-nonce": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "shop", 2)
			w.wait(time.Hour)
			w.loops(300, time.Second, func(int) {
				w.updated(account("web", "configurer", 1), d, "", func(o obj) { annotate(o, "web.example.org/nonce", w.suffix(12)) })
			})
		},
		"configmap-remade-slowly": func(w *world) {
			w.comesAndGoes(20, 25*time.Second, account("build", "locker", 0), user("cleaner", 2), func() obj {
				return thing("v1", "ConfigMap", "build", "lock-file", obj{"data": obj{"a": "b"}})
			})
		},
		"evictions-by-machine": func(w *world) {
			_, _, pods := w.serving("StatefulSet", "db", "quorum", 3)
			w.wait(time.Hour)
			w.begin()
			w.repeat(8, 25*time.Second, func(int) {
				w.evict(account("capi-system", "machine-manager", 1), pods[1], 429, "Cannot evict pod as it would violate the "+
					"pod's disruption budget.", "The disruption budget quorum needs 3 healthy pods and has 3 currently")
			})
		},
		"short-pods": func(w *world) {
			by := account("checks", "prober", 0)
			w.begin()
			w.repeat(700, 180*time.Millisecond, func(int) {
				p := w.made(by, thing("v1", "Pod", "checks", "probe-"+w.suffix(6), obj{"spec": obj{"nodeName": "node-1",
					"containers": []any{}}, "status": obj{"phase": "Pending"}}))
				w.wait(50 * time.Millisecond)
				w.deleted(by, p)
				w.drop(p)
			})
		},
		"autoscaler-status": func(w *world) {
			cm := w.made(user("admin", 0), thing("v1", "ConfigMap", "kube-system", "cluster-autoscaler-status", obj{"data": obj{}}))
			w.wait(time.Hour)
			w.loops(260, 10*time.Second, func(int) {
				w.updated(account("kube-system", "cluster-autoscaler", 1), cm, "", func(o obj) {
					annotate(o, "cluster-autoscaler.kubernetes.io/last-updated", w.now.Format("2006-01-02 15:04:05 -0700 MST"))
					o["data"] = obj{"status": "Cluster-autoscaler status at " + w.now.String() + ": healthy"}
				})
			})
		},
		"owned-reports": func(w *world) {
			_, rs, _ := w.serving("Deployment", "web", "shop", 2)
			w.begin()
			w.repeat(300, 250*time.Millisecond, func(i int) {
				w.made(account("scan", "scanner", 1), thing("scan.example.com/v1", "Report", "web", "replicaset-shop-"+w.suffix(10),
					owned(rs), obj{"report": obj{"n": i}}))
			})
		},
		"drain-waits-slowly": func(w *world) {
			_, _, pods := w.serving("StatefulSet", "db", "quorum", 3)
			w.wait(time.Hour)
			w.begin()
			w.repeat(5, 25*time.Second, func(int) {
				w.evict(account("capi-system", "machine-manager", 1), pods[1], 429, "Cannot evict pod as it would violate the "+
					"pod's disruption budget.", "The disruption budget quorum needs 2 healthy pods and has 2 currently")
			})
			w.log(account("capi-system", "machine-manager", 1), "create", "eviction", pods[1], 201, obj{"kind": "Eviction"},
				obj{"kind": "Status", "code": 201})
			w.removed(account("capi-system", "machine-manager", 1), pods[1])
			w.wait(2 * time.Minute)
		},
		"agents-of-builds": agentsOfBuilds,
	}
}

// agentsOfBuilds are pods without an owner that a build server makes, one for each build.
func agentsOfBuilds(w *world) {
	by := account("jenkins", "jenkins", 2)
	w.begin()
	w.repeat(60, 2*time.Second, func(i int) {
		p := w.made(by, thing("v1", "Pod", "jenkins", fmt.Sprintf("agent-%s", strings.ToLower(w.suffix(5))), obj{"spec": obj{
			"containers": []any{obj{"name": "main", "image": "agent:1"}}, "nodeName": w.nodes[i%4]}, "status": obj{"phase": "Pending"}}))
		w.runs(p)
		began := w.now
		w.wait(6 * time.Second)
		w.ended(p, i%7/6, began)
		w.removed(by, p)
	})
}
