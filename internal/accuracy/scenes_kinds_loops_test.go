package accuracy

import (
	"fmt"
	"time"
)

// writers change one object in turns, each in its way, with a pause behind each write.
func (w *world) inTurns(n int, every time.Duration, o obj, turns ...func()) {
	w.wait(3 * time.Hour)
	w.begin()
	w.repeat(n, every, func(int) {
		for i, turn := range turns {
			if i > 0 {
				w.wait(every / 2)
			}
			turn()
		}
	})
}

// scaled writes the subresource scale.
func (w *world) scaled(by who, o obj, n int) {
	w.log(by, "update", "scale", o, 200, obj{"kind": "Scale", "apiVersion": "autoscaling/v1", "spec": obj{"replicas": n}},
		obj{"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": meta(o), "spec": obj{"replicas": n}})
	w.version++
	meta(o)["resourceVersion"] = fmt.Sprint(w.version)
	if g, ok := meta(o)["generation"].(int); ok {
		meta(o)["generation"] = g + 1
	}
	sets(n, "spec", "replicas")(o)
	w.show("MODIFIED", o)
}

func loopKinds() map[string]func(*world) {
	hpa := manager("horizontal-pod-autoscaler")
	return map[string]func(*world){
		"hpa-and-gitops": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "search", 2)
			w.inTurns(24, 15*time.Second, d, func() { w.scaled(hpa, d, 6) }, func() {
				w.patched(account("argocd", "application-controller", 2), d, "", sets(2, "spec", "replicas"))
			})
		},
		"hpa-and-operator": func(w *world) {
			c := w.made(user("admin", 0), custom("mem.example.com/v1", "Cache", "mem", "front", obj{"replicas": 3}, obj{}))
			w.inTurns(20, 20*time.Second, c, func() { w.scaled(hpa, c, 8) }, func() {
				w.updated(account("mem", "cache-operator", 1), c, "", sets(3, "spec", "replicas"))
			})
		},
		"scaled-to-none": func(w *world) {
			s, _, _ := w.serving("StatefulSet", "jobs", "runner", 1)
			w.inTurns(16, 40*time.Second, s, func() { w.scaled(account("keda", "keda-operator", 0), s, 0) }, func() {
				w.patched(account("jobs", "runner-operator", 2), s, "", sets(1, "spec", "replicas"))
			})
		},
		"condition-fight": func(w *world) {
			g := w.made(user("admin", 0), custom("edge.example.com/v1", "Gate", "edge", "main", obj{"to": "x"}, obj{}))
			ready := func(s string) func(obj) {
				return func(o obj) {
					o["status"] = obj{"conditions": []any{obj{"type": "Ready", "status": s, "reason": "Checked",
						"lastTransitionTime": stamp(w.now)}}}
				}
			}
			w.inTurns(70, 4*time.Second, g, func() { w.updated(account("edge", "gater", 0), g, "status", ready("True")) },
				func() { w.patched(account("edge", "watcher", 1), g, "status", ready("False")) })
		},
		"applied-in-vain": func(w *world) {
			s, _, _ := w.serving("StatefulSet", "db", "meta", 3)
			w.inTurns(260, 1500*time.Millisecond, s, func() {
				w.updated(account("db", "meta-operator", 1), s, "", func(obj) {})
			})
		},
		"stamped-slowly": func(w *world) {
			ds, _, _ := w.serving("DaemonSet", "infra", "agent", 3)
			w.inTurns(120, 4*time.Second, ds, func() {
				w.patched(account("infra", "agent-operator", 2), ds, "", func(o obj) {
					annotate(o, "agents.example.org/reconciled-at", micro(w.now))
				})
			})
		},
		"owners-fight": func(w *world) {
			a := w.made(user("admin", 0), custom("ci.example.com/v1", "Project", "ci", "alpha", obj{"n": 1}, obj{}))
			b := w.made(user("admin", 0), custom("ci.example.com/v1", "Project", "ci", "beta", obj{"n": 1}, obj{}))
			cm := w.made(user("admin", 0), thing("v1", "ConfigMap", "ci", "tools", owned(a), obj{"data": obj{"a": "b"}}))
			w.inTurns(60, 5*time.Second, cm, func() {
				w.updated(account("ci", "project-operator", 0), cm, "", func(o obj) { adopt(o, b) })
			}, func() { w.updated(account("ci", "tool-operator", 1), cm, "", func(o obj) { adopt(o, a) }) })
		},
		"space-labels": func(w *world) {
			ns := w.made(user("admin", 0), thing("v1", "Namespace", "", "team-a", obj{"labels": obj{"tier": "gold"},
				"status": obj{"phase": "Active"}}))
			tier := func(v string) func(obj) { return sets(v, "metadata", "labels", "tier") }
			w.inTurns(40, 8*time.Second, ns, func() { w.patched(account("ops", "labeler", 0), ns, "", tier("silver")) },
				func() { w.patched(account("flux", "kustomize-controller", 2), ns, "", tier("gold")) })
		},
		"finalizer-fight": func(w *world) {
			b := w.made(user("admin", 0), custom("store.example.com/v1", "Bucket", "store", "logs", obj{"size": 1}, obj{}))
			w.inTurns(80, 3*time.Second, b, func() {
				w.patched(account("store", "bucket-operator", 0), b, "", sets([]any{"store.example.com/keep"}, "metadata",
					"finalizers"))
			}, func() { w.patched(account("store", "tidy", 1), b, "", sets([]any{}, "metadata", "finalizers")) })
		},
	}
}

func loopKinds2() map[string]func(*world) {
	return map[string]func(*world){
		"taint-fight": func(w *world) {
			n := w.objects["v1/Node//node-1"]
			w.inTurns(40, 6*time.Second, n, func() {
				w.patched(account("kube-system", "descheduler", 0), n, "", sets([]any{obj{"key": "busy", "effect": "NoSchedule"}},
					"spec", "taints"))
			}, func() { w.patched(account("ops", "node-janitor", 2), n, "", sets([]any{}, "spec", "taints")) })
		},
		"suspend-fight": func(w *world) {
			c := w.cronJob("mail", "purge", "0 * * * *", "Forbid")
			w.inTurns(26, 14*time.Second, c, func() {
				w.patched(user("night-mode", 1), c, "", sets(true, "spec", "suspend"))
			}, func() { w.updated(account("flux", "kustomize-controller", 2), c, "", sets(false, "spec", "suspend")) })
		},
		"ca-injected": func(w *world) {
			v := w.made(user("admin", 0), thing("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guard",
				obj{"webhooks": []any{obj{"name": "guard.example.com"}}}))
			ca := func(s string) func(obj) {
				return func(o obj) {
					o["webhooks"] = []any{obj{"name": "guard.example.com", "clientConfig": obj{"caBundle": s}}}
				}
			}
			w.inTurns(60, 5*time.Second, v, func() { w.updated(account("certs", "cainjector", 0), v, "", ca("QUFB")) },
				func() { w.updated(account("guard", "guard", 1), v, "", ca("QkJC")) })
		},
		"secret-rewritten": func(w *world) {
			s := w.made(user("admin", 0), thing("v1", "Secret", "auth", "session-keys", obj{"type": "Opaque",
				"data": obj{"k": "YQ=="}}))
			w.inTurns(220, 2*time.Second, s, func() {
				w.updated(account("auth", "rotator", 2), s, "", func(o obj) { o["data"] = obj{"k": w.suffix(16)} })
			})
		},
		"job-remade": func(w *world) {
			by := account("data", "seed-operator", 1)
			seed := w.made(user("admin", 0), custom("data.example.com/v1", "Seed", "data", "main", obj{"n": 1}, obj{}))
			make := func() obj {
				return w.made(by, thing("batch/v1", "Job", "data", "seed", owned(seed), obj{"spec": obj{"completions": 1},
					"status": obj{}}))
			}
			j := make()
			w.inTurns(50, 6*time.Second, j, func() {
				w.deleted(by, j)
				w.wait(400 * time.Millisecond)
				j = make()
			})
		},
		"takeover-half":      func(w *world) { w.takenOver(2) },
		"takeover-no-bodies": func(w *world) { w.takenOver(3) },
		"against-itself": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "theme", 2)
			by := account("web", "themer", 1)
			mode := func(v string) func(obj) { return sets(v, "spec", "strategy", "type") }
			w.inTurns(90, 3*time.Second, d, func() { w.updated(by, d, "", mode("Recreate")) },
				func() { w.updated(by, d, "", mode("RollingUpdate")) })
		},
		"status-of-two": func(w *world) {
			var all []obj
			for i := range 2 {
				all = append(all, w.made(user("admin", 0), custom("iot.example.com/v1", "Sensor", "iot", fmt.Sprintf("s-%d", i),
					obj{"at": "x"}, obj{})))
			}
			w.inTurns(300, 800*time.Millisecond, nil, func() {
				for _, o := range all {
					w.updated(account("iot", "sensor-operator", 0), o, "status", sets(obj{"seen": micro(w.now)}, "status"))
					w.wait(40 * time.Millisecond)
				}
			})
		},
		"endpoints-fight": func(w *world) {
			e := w.made(user("admin", 0), thing("discovery.k8s.io/v1", "EndpointSlice", "web", "front-ext", obj{"labels": obj{
				"kubernetes.io/service-name": "front-ext"}, "addressType": "IPv4", "endpoints": []any{}}))
			to := func(a string) func(obj) {
				return func(o obj) { o["endpoints"] = []any{obj{"addresses": []any{a}}} }
			}
			w.inTurns(60, 4*time.Second, e, func() { w.updated(account("web", "syncer", 0), e, "", to("192.0.2.1")) },
				func() { w.updated(account("dns", "external-sync", 1), e, "", to("192.0.2.2")) })
		},
		"service-remade-slowly": func(w *world) {
			w.comesAndGoes(18, 28*time.Second, account("net", "entry-operator", 0), account("net", "orphan-cleaner", 2),
				func() obj {
					return thing("v1", "Service", "net", "entry", obj{"spec": obj{"clusterIP": "10.96.0.77"}})
				})
		},
		"refused-in-one-log": func(w *world) {
			cm := w.made(user("admin", 0), thing("v1", "ConfigMap", "build", "mark", obj{"data": obj{"a": "b"}}))
			w.inTurns(360, time.Second, cm, func() {
				by := account("build", "marker", w.rng.IntN(3))
				w.refused(by, "create", "", thing("v1", "ConfigMap", "build", "mark"), 409, "AlreadyExists",
					`configmaps "mark" already exists`)
			})
		},
	}
}

// takenOver is an owner that is deleted and made anew through one API server, while its StatefulSet is patched to the
// new owner through another.
func (w *world) takenOver(times int) {
	owner := w.owner("Cluster", "wal", "pg")
	s, _, _ := w.serving("StatefulSet", "pg", "wal", 2, owned(owner))
	w.wait(3 * time.Hour)
	w.begin()
	w.wait(20 * time.Second)
	w.repeat(times, 18*time.Second, func(int) {
		w.deleted(account("pg", "operator", 2), owner)
		w.wait(30 * time.Millisecond)
		owner = w.made(account("pg", "operator", 2), custom("example.org/v1", "Cluster", "pg", "wal", obj{"size": 1}, obj{}))
		w.wait(25 * time.Millisecond)
		w.patched(account("pg", "mover", 0), s, "", func(o obj) {
			adopt(o, owner)
			annotate(o, "pg.example.org/moved", "yes")
		})
	})
	w.wait(time.Minute)
}

func loopDays() map[string]func(*world) {
	many := func(w *world, n int, api, kind, namespace string) []obj {
		var all []obj
		for i := range n {
			all = append(all, w.made(user("admin", 0), thing(api, kind, namespace, fmt.Sprintf("item-%d", i),
				obj{"data": obj{"a": "b"}})))
		}
		return all
	}
	hpa := manager("horizontal-pod-autoscaler")
	return map[string]func(*world){
		"applies-unchanged": func(w *world) {
			all := many(w, 30, "v1", "ConfigMap", "apps")
			w.inTurns(4, 3*time.Minute, nil, func() {
				for _, o := range all {
					w.patched(account("flux", "kustomize-controller", 1), o, "", func(obj) {})
					w.wait(60 * time.Millisecond)
				}
			})
		},
		"secrets-refreshed": func(w *world) {
			all := many(w, 20, "v1", "Secret", "apps")
			w.inTurns(20, 30*time.Second, nil, func() {
				for _, o := range all {
					w.updated(account("es", "external-secrets", 2), o, "", func(obj) {})
				}
			})
		},
		"load-swings": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "search", 4)
			i := 0
			w.inTurns(9, 3*time.Minute, d, func() {
				i++
				w.scaled(hpa, d, []int{4, 7, 10, 8, 6, 4, 6, 9, 5, 4}[i%10])
			})
		},
		"cordoned-in-turn": func(w *world) {
			i := 0
			w.inTurns(8, 50*time.Second, nil, func() {
				n := w.objects["v1/Node//"+w.nodes[i/2]]
				taints := []any{}
				if i%2 == 0 {
					taints = append(taints, obj{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"})
				}
				i++
				w.patched(user("admin", 0), n, "", sets(obj{"unschedulable": i%2 == 1, "taints": taints}, "spec"))
			})
		},
		"ca-renewed": func(w *world) {
			v := w.made(user("admin", 0), thing("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "guard",
				obj{"webhooks": []any{obj{"name": "guard.example.com"}}}))
			w.inTurns(2, 4*time.Minute, v, func() {
				w.updated(account("certs", "cainjector", 0), v, "", func(o obj) {
					o["webhooks"] = []any{obj{"name": "guard.example.com", "clientConfig": obj{"caBundle": w.suffix(8)}}}
				})
			})
		},
		"suspended-at-night": func(w *world) {
			c := w.cronJob("mail", "purge", "0 * * * *", "Forbid")
			w.inTurns(2, 6*time.Minute, c, func() { w.patched(user("night-mode", 1), c, "", sets(true, "spec", "suspend")) },
				func() { w.patched(user("night-mode", 1), c, "", sets(false, "spec", "suspend")) })
		},
		"two-annotators": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "shop", 2)
			n := 0
			w.inTurns(10, 40*time.Second, d, func() {
				n++
				w.patched(account("a", "scanner", 0), d, "", func(o obj) { annotate(o, "a.example.com/score", fmt.Sprint(n/4)) })
			}, func() {
				w.patched(account("b", "coster", 1), d, "", func(o obj) { annotate(o, "b.example.com/cost", fmt.Sprint(n/3)) })
			})
		},
		"daemon-rolls": func(w *world) {
			ds, _, pods := w.serving("DaemonSet", "infra", "agent", 4)
			w.wait(9 * time.Hour)
			w.begin()
			w.updated(user("admin", 0), ds, "", setsImage("registry.example.com/agent:2"))
			for i, p := range pods {
				w.removed(controller(ds), p)
				w.counts(ds, 4, 3)
				q := w.pod(controller(ds), ds, "", w.nodes[i])
				w.wait(15 * time.Second)
				w.runs(q)
				w.counts(ds, 4, 4)
			}
		},
		"work-queue-status": func(w *world) {
			q := w.made(user("admin", 0), custom("work.example.com/v1", "Queue", "work", "main", obj{"n": 1}, obj{}))
			depth := 500
			w.inTurns(60, 10*time.Second, q, func() {
				depth += w.rng.IntN(60) - 35
				w.updated(account("work", "queues", 1), q, "status", sets(obj{"depth": depth}, "status"))
			})
		},
		"takeover-once": func(w *world) {
			owner := w.owner("Cluster", "wal", "pg")
			s, _, _ := w.serving("StatefulSet", "pg", "wal", 2, owned(owner))
			next := w.owner("Cluster", "wal-v2", "pg")
			w.inTurns(1, time.Minute, s, func() {
				w.patched(account("pg", "mover", 0), s, "", func(o obj) { adopt(o, next) })
			})
			w.wait(3 * time.Minute)
		},
		"argocd-selfheals-once": func(w *world) {
			d, _, _ := w.serving("Deployment", "web", "search", 2)
			w.inTurns(2, 90*time.Second, d, func() { w.scaled(user("alice", 0), d, 6) }, func() {
				w.patched(account("argocd", "application-controller", 2), d, "", sets(2, "spec", "replicas"))
			})
		},
	}
}
