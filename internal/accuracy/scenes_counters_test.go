package accuracy

import (
	"fmt"
	"time"
)

func nodeAgainScenes() map[string]func(*world) {
	return map[string]func(*world){
		"node-lost-with-set": func(w *world) {
			_, _, pods := w.app("StatefulSet", "db", "raft", 3, obj{}, w.readyState)
			w.wait(time.Hour)
			w.lost("node-2")
			w.wait(5 * time.Minute)
			p := pods[1]
			meta(p)["deletionTimestamp"], meta(p)["deletionGracePeriodSeconds"] = stamp(w.now.Add(30*time.Second)), 30
			w.look(12 * time.Minute)
		},
		"node-in-service": func(w *world) {
			w.app("DaemonSet", "logging", "agent", 4, obj{}, w.readyState)
			w.app("Deployment", "web", "shop", 2, obj{}, w.readyState)
			w.wait(time.Hour)
			w.cordon("node-4")
			w.wait(12 * time.Minute)
			w.notReady("node-4")
			w.look(3 * time.Minute)
		},
		"node-sick": func(w *world) {
			w.app("DaemonSet", "logging", "agent", 4, obj{}, w.readyState)
			w.wait(time.Hour)
			w.notReady("node-1")
			w.look(25 * time.Minute)
		},
		"node-taint-none": func(w *world) {
			w.unplacedSet("StatefulSet", "gpu", "train", 50*time.Minute,
				"0/4 nodes are available: 1 Insufficient nvidia.com/gpu, "+
					"3 node(s) had untolerated taint {nvidia.com/gpu: present}. preemption: 0/4 nodes are available: 4 Preemption "+
					"is not "+
					"helpful for scheduling.")
		},
	}
}

// notReady has a kubelet report that its runtime is down.
func (w *world) notReady(name string) {
	w.patched(kubelet(name), w.objects["v1/Node//"+name], "status", func(o obj) {
		o["status"].(obj)["conditions"] = []any{w.ready("False", "KubeletNotReady",
			"[container runtime is down, PLEG is not "+
				"healthy: pleg was last seen active 3m2s ago; threshold is 3m0s]")}
	})
}

// lease is an election's Lease that is old.
func (w *world) lease(namespace, name, holder string, transitions int) obj {
	w.renews(account(namespace, name, 1), namespace, name, holder, 15, transitions)
	return w.objects["coordination.k8s.io/v1/Lease/"+namespace+"/"+name]
}

// taken has a lease change hands, without being watched in between.
func (w *world) taken(l obj, holder string, times int) {
	w.updated(user("leader", 1), l, "", func(o obj) {
		s := o["spec"].(obj)
		if s["renewTime"] = micro(w.now); times > 0 {
			s["holderIdentity"], s["acquireTime"] = holder, micro(w.now)
		}
		s["leaseTransitions"] = s["leaseTransitions"].(int) + times
	})
}

func counterScenes() map[string]func(*world) {
	return map[string]func(*world){
		"lease-jumps": func(w *world) {
			l := w.lease("ops", "router", "router-5d9_77aa", 40)
			w.wait(2000 * time.Hour)
			w.taken(l, "router-5d9_77aa", 0)
			w.begin()
			w.wait(9 * time.Minute)
			w.taken(l, "router-5d9_77aa", 4)
			w.wait(3 * time.Second)
		},
		"lease-jumps-far": func(w *world) {
			l := w.lease("billing", "ledger-controller", "ledger-0_a1", 210)
			w.wait(900 * time.Hour)
			w.taken(l, "ledger-0_a1", 0)
			w.begin()
			w.wait(14 * time.Minute)
			w.taken(l, "ledger-1_b2", 11)
			w.wait(3 * time.Second)
		},
		"lease-of-rollout": func(w *world) {
			l := w.lease("ops", "router", "router-5d9_77aa", 40)
			w.wait(2000 * time.Hour)
			w.taken(l, "router-5d9_77aa", 0)
			w.begin()
			w.wait(9 * time.Minute)
			w.taken(l, "router-84c_e3d1", 2)
			w.wait(3 * time.Second)
		},
		"generation-climbs": func(w *world) {
			r := w.made(user("admin", 0), custom("net.example.com/v1", "Route", "edge", "main", obj{"weight": 1},
				obj{"phase": "Ready"}))
			w.wait(80 * time.Hour)
			w.loops(260, 2*time.Second, func(i int) {
				w.updated(account("edge", "weigher", 1), r, "", sets(i*7%11, "spec", "weight"))
			})
		},
		"generation-young": func(w *world) {
			d, _, _ := w.app("StatefulSet", "edge", "cache", 2, obj{}, w.readyState)
			w.wait(25 * time.Minute)
			meta(d)["generation"] = 1240
			d["status"].(obj)["observedGeneration"] = 1240
			w.look(0)
		},
		"generation-of-years": func(w *world) {
			d, _, _ := w.app("Deployment", "edge", "cache", 2, obj{}, w.readyState)
			w.wait(9000 * time.Hour)
			meta(d)["generation"] = 4100
			d["status"].(obj)["observedGeneration"] = 4100
			w.look(0)
		},
		"role-remade": func(w *world) {
			t := w.made(user("admin", 0), custom("tenants.example.com/v1", "Tenant", "", "blue", obj{"size": 1}, obj{}))
			w.comesAndGoes(40, 4*time.Second, account("tenants", "tenant-operator", 0), account("tenants", "janitor", 2),
				func() obj {
					return thing("rbac.authorization.k8s.io/v1", "Role", "blue", "member", owned(t), obj{"rules": []any{}})
				})
		},
		"lock-each-12s": func(w *world) {
			w.comesAndGoes(30, 12*time.Second, account("build", "locker", 1), account("build", "unlocker", 0), func() obj {
				return thing("v1", "ConfigMap", "build", "mutex", obj{"data": obj{"owner": "x"}})
			})
		},
		"hook-configmap":  hookConfigMap,
		"children-remade": childrenRemade,
		"message-attempt": func(w *world) {
			p := w.made(user("admin", 0), custom("net.example.com/v1", "Peer", "net", "west", obj{"to": "x"}, obj{}))
			w.wait(5 * time.Hour)
			w.loops(420, 500*time.Millisecond, func(i int) {
				w.updated(account("net", "peerer", 2), p, "status", sets(obj{"phase": "Connecting",
					"message": fmt.Sprintf("attempt "+
						"%d: no answer", 900+i)}, "status"))
			})
		},
		"message-progress": func(w *world) {
			p := w.made(user("admin", 0), custom("etl.example.com/v1", "Import", "etl", "nightly", obj{"of": "x"}, obj{}))
			w.begin()
			w.repeat(100, 2*time.Second, func(i int) {
				w.updated(account("etl", "importer", 2), p, "status", sets(obj{"phase": "Running",
					"message": fmt.Sprintf("%d%% done",
						i)}, "status"))
			})
		},
	}
}

// hookConfigMap is Helm's hook, deleted before it is made anew by each of two upgrades.
func hookConfigMap(w *world) {
	by := user("deploy-bot", 0)
	cm := w.made(by, thing("v1", "ConfigMap", "web", "pre-upgrade", obj{"data": obj{"a": "b"}}))
	w.wait(time.Hour)
	w.begin()
	w.repeat(2, 4*time.Minute, func(i int) {
		w.deleted(by, cm)
		w.wait(300 * time.Millisecond)
		cm = w.made(by, thing("v1", "ConfigMap", "web", "pre-upgrade", obj{"data": obj{"a": fmt.Sprint(i)}}))
	})
}

// childrenRemade are what a custom resource's controller deletes and makes anew in each of its rounds.
func childrenRemade(w *world) {
	by := account("tenants", "tenant-operator", 0)
	t := w.made(user("admin", 0), custom("tenants.example.com/v1", "Tenant", "", "green", obj{"size": 1}, obj{}))
	var all []obj
	round := func() {
		for _, o := range all {
			w.deleted(by, o)
		}
		all = nil
		for i := range 8 {
			all = append(all, w.made(by, thing("v1", "ServiceAccount", "green", fmt.Sprintf("robot-%c", 'a'+i), owned(t))))
		}
	}
	w.wait(40 * time.Hour)
	round()
	w.wait(4 * time.Second)
	w.begin()
	w.repeat(60, 6*time.Second, func(int) { round() })
}
