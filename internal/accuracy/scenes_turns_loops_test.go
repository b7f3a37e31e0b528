package accuracy

import (
	"fmt"
	"time"
)

// underWay does something again and again, for more than a minute before the first of three lists and until after the
// last, which lie some seconds apart as people take them.
func (w *world) underWay(apart, every time.Duration, do func(i int)) {
	i := 0
	for range 40 {
		do(i)
		i++
		w.now = w.now.Add(every)
	}
	w.begin()
	w.lists = nil
	for _, d := range []time.Duration{100 * time.Second, apart, apart} {
		for end := w.now.Add(d); w.now.Before(end); {
			w.wait(every*9/10 + time.Duration(w.rng.Int64N(int64(every/5)+1)))
			do(i)
			i++
		}
		w.wait(every / 3)
		w.snap()
	}
	w.lists = w.lists[:2] // the third is taken at the end
}

// quietly waits before the first list, and does something at times given from then on; a list is taken after each.
func (w *world) quietly(age time.Duration, between time.Duration, steps ...func()) {
	w.wait(age)
	w.begin()
	for _, step := range steps {
		w.wait(between)
		step()
		w.wait(700 * time.Millisecond)
		w.snap()
	}
}

func (w *world) customs(n int, api, kind, namespace, name string, spec, status obj) []obj {
	var all []obj
	for i := range n {
		all = append(all, w.made(user("admin", 0), custom(api, kind, namespace, fmt.Sprintf("%s-%d", name, i), spec, status)))
	}
	return all
}

func (w *world) configMap(namespace, name string, data obj, parts ...obj) obj {
	return w.made(user("admin", 0), thing("v1", "ConfigMap", namespace, name, append(parts, obj{"data": data})...))
}

func writtenAgain() map[string]func(*world) {
	return map[string]func(*world){
		"check-pair": func(w *world) {
			all := w.customs(2, "uptime.example.com/v1", "Check", "uptime", "site", obj{"url": "x"}, obj{})
			w.wait(30 * time.Second)
			w.underWay(9*time.Second, 120*time.Millisecond, func(i int) {
				w.updated(account("uptime", "checker", 1), all[i%2], "status", sets(obj{"phase": "Up", "observedAt": micro(w.now)},
					"status"))
			})
		},
		"table-counter": func(w *world) {
			cm := w.configMap("routes", "table", obj{"revision": "1", "rows": "a"})
			w.wait(50 * time.Second)
			w.underWay(8*time.Second, 110*time.Millisecond, func(i int) {
				w.updated(account("routes", "tabler", 2), cm, "", sets(obj{"revision": fmt.Sprint(812 + i), "rows": "a"}, "data"))
			})
		},
		"secret-fast": func(w *world) {
			s := w.made(user("admin", 0), thing("v1", "Secret", "auth", "tokens",
				obj{"type": "Opaque", "data": obj{"k": "YQ=="}}))
			w.wait(2 * time.Hour)
			w.underWay(25*time.Second, 200*time.Millisecond, func(int) {
				w.updated(account("auth", "minter", 0), s, "", sets(obj{"k": w.suffix(24)}, "data"))
			})
		},
		"hash-notes": func(w *world) {
			d, _, _ := w.serving("Deployment", "shop", "front", 3)
			w.wait(2 * time.Hour)
			w.underWay(12*time.Second, 250*time.Millisecond, func(i int) {
				by := []who{account("shop", "sealer", 0), account("shop", "stamper", 2)}[i%2]
				w.patched(by, d, "", func(o obj) { annotate(o, "config.example.com/hash", []string{"9f31c2", "77ab04"}[i%2]) })
			})
		},
		"phase-two-writers": func(w *world) {
			t := w.made(user("admin", 0), custom("net.example.com/v1", "Tunnel", "net", "west", obj{"to": "x"}, obj{}))
			w.wait(4 * time.Hour)
			w.underWay(20*time.Second, 300*time.Millisecond, func(i int) {
				by := []who{account("net", "dialer", 0), account("net", "watcher", 1)}[i%2]
				w.updated(by, t, "status", sets(obj{"phase": []string{"Ready", "Degraded"}[i%2]}, "status"))
			})
		},
		"owner-swap": func(w *world) {
			a, b := w.owner("Project", "alpha", "ci"), w.owner("Project", "beta", "ci")
			cm := w.configMap("ci", "shared", obj{"a": "b"}, owned(a))
			w.wait(4 * time.Hour)
			w.underWay(15*time.Second, 260*time.Millisecond, func(i int) {
				w.updated(account("ci", "project-operator", 1), cm, "", func(o obj) { adopt(o, []obj{b, a}[i%2]) })
			})
		},
		"config-remade": func(w *world) {
			var cm obj
			make := func() {
				cm = w.made(account("edge", "indexer", 0), thing("v1", "ConfigMap", "edge", "index", obj{"data": obj{"a": "b"}}))
			}
			make()
			w.wait(time.Hour)
			w.underWay(15*time.Second, 400*time.Millisecond, func(int) {
				w.deleted(account("edge", "cleaner", 2), cm)
				w.now = w.now.Add(30 * time.Millisecond)
				make()
			})
		},
		"replicas-fast": func(w *world) {
			d, rs, _ := w.serving("Deployment", "shop", "cart", 2)
			w.wait(time.Hour)
			w.underWay(9*time.Second, 220*time.Millisecond, func(i int) {
				by := []who{account("shop", "scaler", 0), account("shop", "syncer", 2)}[i%2]
				n := []int{5, 2}[i%2]
				w.updated(by, d, "", sets(n, "spec", "replicas"))
				w.now = w.now.Add(15 * time.Millisecond)
				w.updated(manager("deployment-controller"), rs, "", sets(n, "spec", "replicas"))
			})
		},
		"space-note": func(w *world) {
			ns := w.made(user("admin", 0), thing("v1", "Namespace", "", "team-b", obj{"labels": obj{"tier": "gold"},
				"status": obj{"phase": "Active"}}))
			w.wait(50 * time.Hour)
			w.underWay(10*time.Second, 160*time.Millisecond, func(int) {
				w.patched(account("ops", "noter", 1), ns, "", func(o obj) { annotate(o, "ops.example.com/seen-at", micro(w.now)) })
			})
		},
		"order-moves": func(w *world) {
			p := w.made(user("admin", 0), custom("net.example.com/v1", "Pool", "net", "main", obj{"members": []any{}}, obj{}))
			w.wait(3 * time.Hour)
			w.underWay(14*time.Second, 240*time.Millisecond, func(i int) {
				members := []any{"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"}
				w.rng.Shuffle(4, func(i, j int) { members[i], members[j] = members[j], members[i] })
				w.updated(account("net", "pooler", 1), p, "", sets(members, "spec", "members"))
			})
		},
		"bundle-flips": func(w *world) {
			h := w.made(user("admin", 0), thing("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "", "inject",
				obj{"webhooks": []any{obj{"name": "inject.example.com"}}}))
			w.wait(30 * time.Hour)
			w.underWay(16*time.Second, 300*time.Millisecond, func(i int) {
				ca := []string{"QUFB", "QkJC"}[i%2]
				w.updated(account("certs", "injector", i%2), h, "", func(o obj) {
					o["webhooks"] = []any{obj{"name": "inject.example.com", "clientConfig": obj{"caBundle": ca}}}
				})
			})
		},
	}
}

func writtenAtTimes() map[string]func(*world) {
	return map[string]func(*world){
		"check-timer": func(w *world) {
			all := w.customs(40, "uptime.example.com/v1", "Check", "uptime", "page", obj{"url": "x"}, obj{})
			w.wait(2 * time.Hour)
			w.underWay(60*time.Second, 250*time.Millisecond, func(i int) {
				w.updated(account("uptime", "checker", 1), all[i%40], "status", sets(obj{"phase": "Up", "observedAt": micro(w.now)},
					"status"))
			})
		},
		"import-progress": func(w *world) {
			p := w.made(user("admin", 0), custom("etl.example.com/v1", "Import", "etl", "orders", obj{"of": "x"}, obj{}))
			w.underWay(20*time.Second, time.Second, func(i int) {
				w.updated(account("etl", "importer", 0), p, "status", sets(obj{"phase": "Running", "rows": 37 * i}, "status"))
			})
		},
		"secret-each-minute": func(w *world) {
			s := w.made(user("admin", 0), thing("v1", "Secret", "auth", "session",
				obj{"type": "Opaque", "data": obj{"k": "YQ=="}}))
			renew := func() {
				w.updated(account("auth", "rotator", 0), s, "", sets(obj{"k": w.suffix(24)}, "data"))
			}
			w.quietly(2*time.Hour, time.Minute, renew, renew, renew)
		},
		"hash-deploys": func(w *world) {
			d, _, _ := w.serving("Deployment", "shop", "front", 3)
			to := func(hash string) func() {
				return func() {
					w.patched(user("deploy-bot", 0), d, "", func(o obj) { annotate(o, "config.example.com/hash", hash) })
				}
			}
			w.quietly(2*time.Hour, 80*time.Second, to("9f31c2"), to("77ab04"))
		},
		"phase-deploys": func(w *world) {
			t := w.made(user("admin", 0), custom("net.example.com/v1", "Tunnel", "net", "east", obj{"to": "x"},
				obj{"phase": "Ready"}))
			to := 0
			deploy := func() {
				to++
				w.updated(user("deploy-bot", 0), t, "", sets(fmt.Sprint("host-", to), "spec", "to"))
				w.wait(800 * time.Millisecond)
				w.updated(account("net", "dialer", 1), t, "status", sets(obj{"phase": "Updating", "observedGeneration": to + 1},
					"status"))
				w.wait(4 * time.Second)
				w.updated(account("net", "dialer", 1), t, "status", sets(obj{"phase": "Ready", "observedGeneration": to + 1},
					"status"))
			}
			w.quietly(2*time.Hour, 40*time.Second, deploy, deploy, deploy)
		},
		"owner-swap-once": func(w *world) {
			a, b := w.owner("Project", "gamma", "ci"), w.owner("Project", "delta", "ci")
			cm := w.configMap("ci", "moved", obj{"a": "b"}, owned(a))
			w.quietly(4*time.Hour, 30*time.Second, func() {
				w.updated(account("ci", "project-operator", 1), cm, "", func(o obj) { adopt(o, b) })
			}, func() {})
		},
		"config-per-upgrade": func(w *world) {
			make := func() obj {
				return w.made(user("helm", 0), thing("v1", "ConfigMap", "edge", "hook", obj{"data": obj{"a": "b"}}))
			}
			cm := make()
			upgrade := func() {
				w.deleted(user("helm", 0), cm)
				w.wait(300 * time.Millisecond)
				cm = make()
			}
			w.quietly(2*time.Hour, time.Minute, upgrade, upgrade, upgrade)
		},
		"scaled-thrice": func(w *world) {
			d, _, _ := w.serving("Deployment", "shop", "cart", 2)
			to := func(n int) func() { return func() { w.scaled(user("alice", 0), d, n) } }
			w.quietly(2*time.Hour, 50*time.Second, to(4), to(6), to(4))
		},
		"unlisted-writer": func(w *world) {
			all := w.customs(12, "sync.example.com/v1", "Mirror", "sync", "copy", obj{"from": "x"}, obj{})
			w.wait(2 * time.Hour)
			w.underWay(30*time.Second, 850*time.Millisecond, func(i int) {
				w.version += 25 // of a kind that nobody listed
				w.updated(account("sync", "mirrors", 0), all[i%12], "status", sets(obj{"phase": "Synced",
					"syncedAt": micro(w.now)}, "status"))
			})
		},
		"big-install": func(w *world) {
			w.wait(time.Hour)
			w.begin()
			for i := range 200 {
				o := w.made(user("helm", 0), custom("apps.example.com/v1", "Part", "suite", fmt.Sprintf("part-%d", i), obj{"n": i},
					obj{}))
				w.now = w.now.Add(20 * time.Millisecond)
				for _, phase := range []string{"Pending", "Ready"} {
					w.updated(account("suite", "parts", 1), o, "status", sets(obj{"phase": phase, "at": stamp(w.now)}, "status"))
					w.now = w.now.Add(15 * time.Millisecond)
				}
				if i == 100 {
					w.snap()
				}
			}
		},
		"node-agents": func(w *world) {
			w.wait(50 * time.Hour)
			w.underWay(30*time.Second, 3750*time.Millisecond, func(i int) {
				n := w.objects["v1/Node//"+w.nodes[i%4]]
				w.patched(account("infra", "node-agent", 1), n, "", func(o obj) {
					annotate(o, "infra.example.com/reported-at", stamp(w.now))
				})
			})
		},
		"gauge-status": func(w *world) {
			all := w.customs(20, "mq.example.com/v1", "Queue", "mq", "jobs", obj{"n": 1}, obj{})
			w.wait(50 * time.Hour)
			w.underWay(30*time.Second, 250*time.Millisecond, func(i int) {
				w.updated(account("mq", "queues", 1), all[i%20], "status", sets(obj{"depth": 100 + w.rng.IntN(400)}, "status"))
			})
		},
		"busy-rollout": func(w *world) {
			d, old, pods := w.serving("Deployment", "shop", "api", 30)
			for i := range 30 {
				w.renews(account("ops", fmt.Sprint("op-", i), 1), "ops", fmt.Sprint("op-", i), "a_1", 15, 0)
			}
			w.wait(2 * time.Hour)
			w.begin()
			rs := w.replicaSet(d, 0)
			for i, p := range pods {
				q := w.pod(controller(rs), rs, "", w.nodes[i%4])
				w.wait(600 * time.Millisecond)
				w.runs(q)
				w.counts(rs, i+1, i+1)
				w.removed(controller(old), p)
				w.counts(old, 29-i, 29-i)
				w.counts(d, 31, 30)
				for j := range 30 {
					w.renews(account("ops", fmt.Sprint("op-", j), 1), "ops", fmt.Sprint("op-", j), "a_1", 15, 0)
				}
				if i == 12 {
					w.snap()
				}
			}
		},
	}
}
