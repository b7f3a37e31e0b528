package accuracy

import (
	"fmt"
	"time"
)

func podScenes() map[string]func(*world) {
	return map[string]func(*world){
		"three-leaders": func(w *world) {
			w.elections("ops", "router", 15, []string{"router-a_1", "router-b_2", "router-c_3"}, 14, 10, 18*time.Second)
		},
		"slow-leaders": func(w *world) {
			w.elections("ops", "biller", 30, []string{"biller-a_1", "biller-b_2"}, 8, 25, 40*time.Second)
		},
		"lease-log-missing": leaseLogMissing,
		"masters-upgraded": func(w *world) {
			w.elections("kube-system", "cloud-controller", 15, []string{"m1_1"}, 1, 60, 0)
			for _, m := range []string{"m2_4", "m3_9", "m1_7"} {
				w.wait(25 * time.Second)
				w.elections("kube-system", "cloud-controller", 15, []string{m}, 1, 90, 0)
			}
		},
		"cron-pile":    func(w *world) { w.cron("mail", "digest", 14, false) },
		"cron-history": func(w *world) { w.cron("mail", "sweep", 20, true) },
		"daemonset-rejected": func(w *world) {
			ds, _, _ := w.serving("DaemonSet", "gpu", "driver", 3)
			w.wait(time.Hour)
			w.begin()
			w.repeat(70, 2*time.Second, func(int) {
				p := w.pod(controller(ds), ds, "", "node-4")
				w.wait(100 * time.Millisecond)
				w.rejected(p, "UnexpectedAdmissionError", "Allocate failed due to no healthy devices present")
				w.event(ds, "Warning", "FailedDaemonPod", fmt.Sprintf("Found failed daemon pod gpu/%s on node node-4, will try to "+
					"kill it", meta(p)["name"]), 1, w.now)
				w.removed(controller(ds), p)
			})
		},
		"statefulset-remade": func(w *world) {
			s, _, pods := w.serving("StatefulSet", "db", "ledger", 1)
			w.wait(time.Hour)
			w.begin()
			w.removed(manager("taint-eviction-controller"), pods[0])
			w.repeat(60, 3*time.Second, func(int) {
				p := w.pod(controller(s), s, "ledger-0", "node-1")
				w.wait(200 * time.Millisecond)
				w.rejected(p, "UnexpectedAdmissionError", "Allocate failed due to requested number of devices unavailable")
				w.wait(200 * time.Millisecond)
				w.removed(controller(s), p)
			})
		},
		"spot-nodes": spotNodes,
		"statefulset-rolls": func(w *world) {
			s, _, pods := w.serving("StatefulSet", "db", "ledger", 12)
			w.wait(time.Hour)
			w.begin()
			w.updated(user("admin", 0), s, "", setsImage("registry.example.com/ledger:2"))
			for i := len(pods) - 1; i >= 0; i-- {
				w.removed(controller(s), pods[i])
				p := w.pod(controller(s), s, w.podName(s, i), "node-2")
				w.wait(4 * time.Second)
				w.runs(p)
			}
		},
		"runners-fail": func(w *world) { w.runners(1, 1500*time.Millisecond) },
		"runners-work": func(w *world) { w.runners(0, 9*time.Second) },
	}
}

// elections have leaders renew a lease some times each, in turns, with a pause before the next one takes it.
func (w *world) elections(namespace, name string, lasts int, holders []string, rounds, renewals int, pause time.Duration) {
	by := account(namespace, name, 1)
	w.renews(by, namespace, name, holders[0], lasts, 0)
	if !w.begun {
		w.wait(2 * time.Hour)
		w.begin()
	}
	for i := range rounds {
		for range renewals {
			w.renews(by, namespace, name, holders[i%len(holders)], lasts, 0)
			w.wait(2 * time.Second)
		}
		w.wait(pause)
	}
}

// leaseLogMissing is of a leader whose renewals go to two API servers, of which the log of one is missing.
func leaseLogMissing(w *world) {
	w.begin()
	for i := range 300 {
		for j, name := range []string{"a", "b", "c"} {
			w.renews(account("ops", name, (i/(20+7*j)+j)%2), "ops", name, name+"-0_1", 15, 0)
		}
		w.wait(2 * time.Second)
	}
	w.logs[1] = nil
}

// cron has a CronJob make its Jobs, one in a minute, which end or don't.
func (w *world) cron(namespace, name string, n int, end bool) {
	c := w.made(user("admin", 0), thing("batch/v1", "CronJob", namespace, name, obj{"spec": obj{"schedule": "* * * * *",
		"concurrencyPolicy": "Allow"}, "status": obj{}}))
	w.begin()
	var active []any
	for i := range n {
		w.wait(time.Minute)
		j := w.made(manager("cronjob-controller"), thing("batch/v1", "Job", namespace, fmt.Sprintf("%s-%d", name,
			w.now.Unix()/60), owned(c), obj{"spec": obj{"completions": 1}, "status": obj{"active": 1}}))
		began := w.now
		p := w.runs(w.pod(manager("job-controller"), j, "", w.nodes[i%4]))
		active = append(active, obj{"kind": "Job", "namespace": namespace, "name": meta(j)["name"], "uid": meta(j)["uid"]})
		w.updated(manager("cronjob-controller"), c, "status", sets(obj{"active": active, "lastScheduleTime": stamp(w.now)}, "status"))
		if end {
			w.wait(20 * time.Second)
			w.ended(p, 0, began)
			w.updated(manager("job-controller"), j, "status", sets(obj{"succeeded": 1, "completionTime": stamp(w.now),
				"conditions": []any{obj{"type": "Complete", "status": "True", "lastTransitionTime": stamp(w.now)}}}, "status"))
			active = nil
			w.updated(manager("cronjob-controller"), c, "status", sets(obj{"lastScheduleTime": stamp(began),
				"lastSuccessfulTime": stamp(w.now)}, "status"))
		}
	}
}

// spotNodes come and go, each with the pods of two DaemonSets and some of a Deployment, which go elsewhere.
func spotNodes(w *world) {
	a, _, _ := w.serving("DaemonSet", "kube-system", "proxy", 4)
	b, _, _ := w.serving("DaemonSet", "logging", "agent", 4)
	_, rs, _ := w.serving("Deployment", "web", "shop", 6)
	w.wait(time.Hour)
	w.begin()
	w.repeat(32, 14*time.Second, func(i int) {
		name := fmt.Sprintf("spot-%d", i)
		n := w.node(name)
		pods := []obj{w.runs(w.pod(controller(a), a, "", name)), w.runs(w.pod(controller(b), b, "", name))}
		for range 3 {
			pods = append(pods, w.runs(w.pod(controller(rs), rs, "", name)))
		}
		w.wait(40 * time.Second)
		w.silent[name] = true
		for j, p := range pods {
			by := manager("pod-garbage-collector")
			if j > 1 {
				by = manager("taint-eviction-controller")
			}
			w.removed(by, p)
		}
		w.deleted(account("kube-system", "cloud-node-manager", 2), n)
	})
}

// runners are pods of a custom resource's own controller, each for one run.
func (w *world) runners(exit int, takes time.Duration) {
	set := w.made(user("admin", 0), custom("actions.example.com/v1", "RunnerSet", "ci", "linux", obj{"replicas": 3}, obj{}))
	w.begin()
	w.repeat(90, 1200*time.Millisecond, func(i int) {
		p := w.pod(account("ci", "runner-controller", 1), set, "linux-"+w.suffix(5), w.nodes[i%4])
		w.runs(p)
		began := w.now
		w.wait(takes)
		w.ended(p, exit, began)
		if i%2 == 0 || exit == 0 {
			w.removed(account("ci", "runner-controller", 1), p)
		}
	})
}
