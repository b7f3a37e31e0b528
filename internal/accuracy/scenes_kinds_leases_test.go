package accuracy

import (
	"fmt"
	"time"
)

// An election is a leader's: replicas that renew a lease, lose it and are started anew.
type election struct {
	kind, namespace, name string
	replicas, lasts       int
	rounds, renewals      int
	pause                 time.Duration // until another takes the lease
	lost                  []string      // what a replica logs when it has lost the lease
	crashes               bool          // each loss ends the process, which is started again with a back-off
	reads                 bool          // replicas read something else all the time
	server                int
}

func klogged(w *world, level, file, message string) string {
	return fmt.Sprintf("%s%s       1 %s] %s", level, w.now.UTC().Format("0102 15:04:05.000000"), file, message)
}

func (e election) play(w *world) {
	top, _, pods := w.serving(e.kind, e.namespace, e.name, e.replicas)
	by := func(i int) who {
		a := account(e.namespace, e.name, e.server)
		a.address = fmt.Sprintf("10.244.1.%d", 20+i)
		return a
	}
	restarts := make([]int, e.replicas)
	holder := func(i int) string {
		return fmt.Sprintf("%s_%08x-0000-4000-8000-00000000000%d", text(meta(pods[i]), "name"), 0x5e000+restarts[i], i)
	}
	w.renews(by(0), e.namespace, e.name, holder(0), e.lasts, 0)
	w.wait(40 * time.Minute)
	w.begin()
	for round := range e.rounds {
		i := round % e.replicas
		w.says(pods[i], "main", klogged(w, "I", "leaderelection.go:271", "successfully acquired lease "+e.namespace+"/"+e.name))
		for range e.renewals {
			w.renews(by(i), e.namespace, e.name, holder(i), e.lasts, 0)
			w.wait(3 * time.Second)
			for j := 0; e.reads && j < 3; j++ {
				w.read(by(i), "get", "v1", "ConfigMap", e.namespace, "/settings", 200)
				w.wait(100 * time.Millisecond)
			}
		}
		for _, line := range e.lost {
			w.says(pods[i], "main", klogged(w, "E", "leaderelection.go:448", line))
		}
		w.wait(e.pause)
		if e.replicas > 1 {
			l := w.objects["coordination.k8s.io/v1/Lease/"+e.namespace+"/"+e.name]
			w.refused(by((i+2)%e.replicas), "update", "", l, 409, "Conflict", `Operation cannot be fulfilled on `+
				`leases.coordination.k8s.io "`+e.name+`": the object has been modified`)
		}
		restarts[i]++
		e.restarted(w, pods[i], restarts[i])
	}
	ready := e.replicas
	if e.crashes {
		ready = 0
	}
	w.counts(top, e.replicas, ready)
	w.wait(20 * time.Second)
}

// restarted is what the kubelet reports of a replica that ended because it lost the lease.
func (e election) restarted(w *world, p obj, n int) {
	ended := obj{"exitCode": 1, "reason": "Error", "startedAt": stamp(w.now.Add(-40 * time.Second)), "finishedAt": stamp(w.now)}
	c := obj{"name": "main", "ready": true, "restartCount": n, "state": obj{"running": obj{"startedAt": stamp(w.now)}},
		"lastState": obj{"terminated": ended}}
	if e.crashes {
		c["ready"], c["restartCount"] = false, 3+n
		c["state"] = obj{"waiting": obj{"reason": "CrashLoopBackOff", "message": "back-off 2m40s restarting failed container=main"}}
	}
	w.status(p, obj{"phase": "Running", "startTime": stamp(w.now.Add(-time.Hour)), "conditions": []any{obj{"type": "Ready",
		"status": "True"}}, "containerStatuses": []any{c}})
}

func leaseKinds() map[string]func(*world) {
	lost := func(space, name, why string) []string {
		return []string{"error retrieving resource lock " + space + "/" + name + ": " + why,
			"failed to renew lease " + space + "/" + name + ": context deadline exceeded", "leader election lost"}
	}
	const limited = "client rate limiter Wait returned an error: context deadline exceeded"
	unanswered := func(space, name string) string {
		return `Get "https://10.96.0.1:443/apis/coordination.k8s.io/v1/namespaces/` + space + "/leases/" + name + `?timeout=5s": ` +
			"context deadline exceeded"
	}
	return map[string]func(*world){
		"lease-of-three": election{kind: "Deployment", namespace: "crawl", name: "walker", replicas: 3, lasts: 8, rounds: 13,
			renewals: 7, pause: 11 * time.Second, lost: lost("crawl", "walker", limited), reads: true, server: 1}.play,
		"lease-crash": election{kind: "Deployment", namespace: "ops", name: "minder", replicas: 1, lasts: 15, rounds: 11,
			renewals: 10, pause: 28 * time.Second, lost: lost("ops", "minder", unanswered("ops", "minder")), crashes: true,
			server: 2}.play,
		"lease-of-set": election{kind: "StatefulSet", namespace: "etl", name: "loader", replicas: 2, lasts: 10, rounds: 9,
			renewals: 9, pause: 17 * time.Second, lost: lost("etl", "loader", unanswered("etl", "loader"))}.play,
		"lease-ends-process": election{kind: "Deployment", namespace: "crawl", name: "harvester", replicas: 3, lasts: 8,
			rounds: 24, renewals: 6, pause: 11 * time.Second, lost: lost("crawl", "harvester", limited), reads: true,
			crashes: true, server: 2}.play,
		"lease-restarts-all": election{kind: "StatefulSet", namespace: "etl", name: "mover", replicas: 2, lasts: 10,
			rounds: 22, renewals: 5, pause: 16 * time.Second, lost: lost("etl", "mover", unanswered("etl", "mover")),
			server: 1}.play,
		"leases-slow-server": leasesSlowServer,
		"lease-two-releases": func(w *world) {
			w.renews(account("web", "router-a", 0), "web", "router", "router-a-0_1", 15, 0)
			w.wait(2 * time.Hour)
			w.begin()
			w.repeat(80, 5*time.Second, func(i int) {
				name := []string{"router-a", "router-b"}[i%2]
				w.renews(account("web", name, i%2), "web", "router", name+"-0_1", 15, 0)
			})
		},
		"lease-deleted": func(w *world) {
			w.renews(account("jobs", "runner", 0), "jobs", "runner", "runner-0_1", 15, 0)
			w.wait(2 * time.Hour)
			w.begin()
			w.repeat(30, 14*time.Second, func(i int) {
				l := w.objects["coordination.k8s.io/v1/Lease/jobs/runner"]
				w.deleted(account("jobs", "sweeper", 2), l)
				w.wait(2 * time.Second)
				for range 4 {
					w.renews(account("jobs", "runner", 0), "jobs", "runner", fmt.Sprintf("runner-%d_1", i%2), 15, 0)
					w.wait(2 * time.Second)
				}
			})
		},
		"lease-in-configmap": func(w *world) {
			cm := w.made(user("admin", 0), thing("v1", "ConfigMap", "ingress", "controller-leader", obj{"annotations": obj{}}))
			w.wait(time.Hour)
			n := 40
			w.loops(150, 3*time.Second, func(i int) {
				if i%9 == 0 {
					n++
				}
				w.updated(account("ingress", "controller", n%2), cm, "", func(o obj) {
					annotate(o, "control-plane.alpha.kubernetes.io/leader", fmt.Sprintf(`{"holderIdentity":"controller-%d",`+
						`"leaseDurationSeconds":15,"acquireTime":%q,"renewTime":%q,"leaderTransitions":%d}`, n%2, stamp(w.now),
						stamp(w.now), n))
				})
			})
		},
		"lease-clock": func(w *world) {
			w.renews(account("edge", "planner", 0), "edge", "planner", "planner-a_1", 15, 0)
			w.wait(2 * time.Hour)
			w.begin()
			l := w.objects["coordination.k8s.io/v1/Lease/edge/planner"]
			w.repeat(120, 3*time.Second, func(i int) {
				holder, shift := "planner-a_1", time.Duration(0)
				if i/4%2 == 1 {
					holder, shift = "planner-b_7", -75*time.Second
				}
				w.renews(account("edge", "planner", i/4%2), "edge", "planner", holder, 15, 0)
				l["spec"].(obj)["renewTime"] = micro(w.now.Add(shift))
			})
		},
	}
}

// leasesSlowServer is of three leaders whose leases are lost within seconds, because etcd does not answer.
func leasesSlowServer(w *world) {
	names := []string{"router", "biller", "sweeper"}
	var pods []obj
	for _, name := range names {
		_, _, p := w.serving("Deployment", "ops", name, 1)
		pods = append(pods, p[0])
		w.renews(account("ops", name, 0), "ops", name, text(meta(p[0]), "name")+"_1", 15, 0)
	}
	w.wait(time.Hour)
	w.begin()
	renew := func(n int) {
		for range n {
			for i, name := range names {
				w.renews(account("ops", name, i), "ops", name, text(meta(pods[i]), "name")+"_1", 15, 0)
			}
			w.wait(2 * time.Second)
		}
	}
	renew(40)
	for range 5 {
		for i, name := range names {
			l := w.objects["coordination.k8s.io/v1/Lease/ops/"+name]
			w.refused(account("ops", name, i), "update", "", l, 500, "InternalError", "etcdserver: request timed out")
			w.says(pods[i], "main", klogged(w, "E", "leaderelection.go:429", "Failed to update lock optimistically: etcdserver: "+
				"request timed out, falling back to slow path"))
			w.now = w.now.Add(900 * time.Millisecond)
		}
	}
	for i, name := range names {
		w.says(pods[i], "main", klogged(w, "I", "leaderelection.go:297", "failed to renew lease ops/"+name+": context deadline "+
			"exceeded"))
		w.says(pods[i], "main", klogged(w, "E", "main.go:91", "leader election lost"))
		w.now = w.now.Add(2 * time.Second)
		election{}.restarted(w, pods[i], 1)
	}
	renew(20)
}

func leaseDays() map[string]func(*world) {
	return map[string]func(*world){
		"lease-as-lock": func(w *world) {
			w.renews(account("etl", "locker", 0), "etl", "nightly-lock", "run-0", 60, 0)
			w.begin()
			l := w.objects["coordination.k8s.io/v1/Lease/etl/nightly-lock"]
			w.repeat(15, 40*time.Second, func(i int) {
				w.renews(account("etl", "locker", 0), "etl", "nightly-lock", fmt.Sprintf("run-%d", i+1), 60, 0)
				w.wait(20 * time.Second)
				w.updated(account("etl", "locker", 0), l, "", sets("", "spec", "holderIdentity"))
			})
		},
		"servers-restart": func(w *world) {
			names := []string{"router", "biller"}
			for _, n := range names {
				w.renews(account("ops", n, 1), "ops", n, n+"-a_1", 15, 0)
			}
			w.wait(time.Hour)
			w.begin()
			for i := range 240 {
				if i == 100 {
					w.now = w.now.Add(26 * time.Second)
				}
				for _, n := range names {
					holder := n + "-a_1"
					if i >= 100 {
						holder = n + "-b_2"
					}
					w.renews(account("ops", n, 1), "ops", n, holder, 15, 0)
				}
				w.wait(2 * time.Second)
			}
		},
		"short-lease": func(w *world) {
			w.renews(account("ops", "quick", 0), "ops", "quick", "quick-0_1", 5, 0)
			w.wait(time.Hour)
			w.begin()
			w.repeat(500, time.Second, func(int) { w.renews(account("ops", "quick", 0), "ops", "quick", "quick-0_1", 5, 0) })
		},
		"standby-asks": func(w *world) {
			w.renews(account("ops", "pair", 0), "ops", "pair", "pair-0_1", 15, 0)
			w.wait(time.Hour)
			w.begin()
			standby := account("ops", "pair", 1)
			standby.address = "10.244.3.3"
			w.repeat(250, 2*time.Second, func(i int) {
				w.renews(account("ops", "pair", 0), "ops", "pair", "pair-0_1", 15, 0)
				w.log(standby, "get", "", w.objects["coordination.k8s.io/v1/Lease/ops/pair"], 200, nil, nil)
			})
		},
		"lease-upgrade": func(w *world) {
			w.serving("Deployment", "ops", "router", 2)
			w.renews(account("ops", "router", 1), "ops", "router", "router-a_1", 15, 0)
			w.wait(5 * time.Hour)
			w.begin()
			for _, holder := range []string{"router-b_1", "router-c_2", "router-d_2", "router-e_3"} {
				for range 60 {
					w.renews(account("ops", "router", 1), "ops", "router", holder, 15, 0)
					w.wait(2 * time.Second)
				}
				w.wait(6 * time.Second)
			}
		},
	}
}
