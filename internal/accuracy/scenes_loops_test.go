package accuracy

import (
	"fmt"
	"maps"
	"time"
)

// scenesToPlay are the plays by their names in testdata/scenes.tsv.
func scenesToPlay() map[string]func(*world) {
	all := map[string]func(*world){}
	for _, some := range []map[string]func(*world){loopScenes(), flipScenes(), pileScenes(), refusedScenes(), podScenes(),
		startScenes(), nodeScenes(), stuckScenes(), raceScenes(), readScenes2(), moreScenes(), stillScenes(), kindScenes(),
		turnLeases(), turnDays(), writtenAgain(), writtenAtTimes()} {
		maps.Copy(all, some)
	}
	return all
}

// repeat does something again and again, at a pace that is not quite even.
func (w *world) repeat(n int, every time.Duration, do func(i int)) {
	for i := range n {
		do(i)
		w.wait(every*9/10 + time.Duration(w.rng.Int64N(int64(every/5)+1)))
	}
}

// loops is a repetition that has begun before it is observed.
func (w *world) loops(n int, every time.Duration, do func(i int)) {
	do(0)
	w.wait(every / 2)
	w.begin()
	w.repeat(n, every, do)
}

func annotate(o obj, name, value string) {
	a, _ := meta(o)["annotations"].(obj)
	if a == nil {
		a = obj{}
	}
	a[name] = value
	meta(o)["annotations"] = a
}

// custom is a custom resource with a status.
func custom(api, kind, namespace, name string, spec, status obj) obj {
	return thing(api, kind, namespace, name, obj{"spec": spec, "status": status})
}

func loopScenes() map[string]func(*world) {
	return map[string]func(*world){
		"annotated-daemonset": func(w *world) {
			ds, _, _ := w.serving("DaemonSet", "logging", "agent", 3)
			w.wait(time.Hour)
			w.loops(130, 2500*time.Millisecond, func(int) {
				w.patched(user("patrol", 2), ds, "", func(o obj) { annotate(o, "patrol.example.org/seen", micro(w.now)) })
			})
		},
		"configmap-stamped": func(w *world) {
			cm := w.made(user("admin", 0), thing("v1", "ConfigMap", "edge", "routes", obj{"data": obj{"routes": "a b"}}))
			w.wait(time.Hour)
			w.loops(160, 1500*time.Millisecond, func(int) {
				w.updated(account("edge", "router", 1), cm, "", func(o obj) {
					o["data"] = obj{"routes": "a b", "generatedAt": stamp(w.now)}
				})
			})
		},
		"condition-moves": func(w *world) {
			var all []obj
			for i := range 12 {
				all = append(all, w.made(user("admin", 0), custom("net.example.com/v1", "Probe", "net",
					fmt.Sprintf("probe-%d", i), obj{"target": "x"}, obj{})))
			}
			w.wait(time.Hour)
			w.loops(150, time.Second, func(int) {
				for _, p := range all {
					w.wait(20 * time.Millisecond)
					w.patched(account("net", "prober", 2), p, "status", func(o obj) {
						o["status"] = obj{"conditions": []any{obj{"type": "Ready", "status": "True", "reason": "Reached",
							"lastTransitionTime": stamp(w.now)}}}
					})
				}
			})
		},
		"status-counter": func(w *world) {
			p := w.made(user("admin", 0), custom("net.example.com/v1", "Tunnel", "net", "a", obj{"to": "b"}, obj{}))
			w.wait(time.Hour)
			w.loops(700, 300*time.Millisecond, func(i int) {
				w.updated(account("net", "tunneler", 1), p, "status", func(o obj) {
					o["status"] = obj{"phase": "Up", "reconcileCount": 1200 + i}
				})
			})
		},
		"timer-status": func(w *world) {
			var all []obj
			for i := range 12 {
				all = append(all, w.made(user("admin", 0), custom("sync.example.com/v1", "Mirror", "sync",
					fmt.Sprintf("mirror-%d", i), obj{"from": "x"}, obj{})))
			}
			w.wait(time.Hour)
			w.loops(30, 15*time.Second, func(int) {
				for _, p := range all {
					w.patched(account("sync", "mirrors", 0), p, "status", func(o obj) {
						o["status"] = obj{"phase": "Synced", "lastSyncTime": stamp(w.now)}
					})
				}
			})
		},
		"backup-progress": func(w *world) {
			p := w.made(user("admin", 0), custom("backup.example.com/v1", "Backup", "backup", "nightly", obj{"of": "x"}, obj{}))
			w.begin()
			w.repeat(150, time.Second, func(i int) {
				w.patched(account("backup", "backups", 1), p, "status", func(o obj) {
					o["status"] = obj{"phase": "InProgress", "itemsBackedUp": i * 17, "totalItems": 2600}
				})
			})
		},
		"gitops-sync":      gitopsSync,
		"leader-configmap": leaderConfigMap,
	}
}

func gitopsSync(w *world) {
	var all []obj
	for i := range 60 {
		all = append(all, w.made(user("admin", 0), thing("v1", "ConfigMap", "apps", fmt.Sprintf("settings-%d", i),
			obj{"data": obj{"a": "1"}, "labels": obj{"app.kubernetes.io/managed-by": "argocd"}})))
	}
	w.wait(time.Hour)
	w.begin()
	for round := range 3 {
		for _, o := range all {
			w.wait(200 * time.Millisecond)
			w.patched(account("argocd", "application-controller", 1), o, "", func(o obj) {
				o["data"] = obj{"a": fmt.Sprint(round)}
			})
		}
		w.wait(50 * time.Second)
	}
}

func leaderConfigMap(w *world) {
	cm := w.made(user("admin", 0), thing("v1", "ConfigMap", "ingress", "ingress-leader", obj{"annotations": obj{}}))
	w.wait(time.Hour)
	w.loops(150, 2*time.Second, func(int) {
		w.updated(account("ingress", "controller", 1), cm, "", func(o obj) {
			annotate(o, "control-plane.alpha.kubernetes.io/leader", fmt.Sprintf(
				`{"holderIdentity":"c-0","leaseDurationSeconds":30,"renewTime":%q}`, stamp(w.now)))
		})
	})
}

// sets is a change of one field at a path.
func sets(value any, path ...string) func(obj) {
	return func(o obj) {
		for _, p := range path[:len(path)-1] {
			next := obj{}
			if m, ok := o[p].(obj); ok {
				for k, v := range m {
					next[k] = v
				}
			}
			o[p] = next
			o = next
		}
		o[path[len(path)-1]] = value
	}
}

func setsImage(image string) func(obj) {
	return sets([]any{obj{"name": "player", "image": image}}, "spec", "template", "spec", "containers")
}

func flipScenes() map[string]func(*world) {
	return map[string]func(*world){
		"image-flip": func(w *world) {
			d, _, _ := w.serving("Deployment", "media", "player", 2)
			w.wait(time.Hour)
			w.begin()
			w.repeat(45, 3*time.Second, func(int) {
				w.updated(account("media", "releaser", 0), d, "", setsImage("registry.example.com/player:7"))
				w.wait(3 * time.Second)
				w.patched(account("flux", "image-automation", 2), d, "", setsImage("registry.example.com/player:6"))
			})
		},
		"mode-flip": func(w *world) {
			cm := w.made(user("admin", 0), thing("v1", "ConfigMap", "edge", "limits", obj{"data": obj{"mode": "soft"}}))
			w.wait(time.Hour)
			w.begin()
			w.repeat(18, 20*time.Second, func(int) {
				w.patched(account("edge", "limiter", 0), cm, "", sets("hard", "data", "mode"))
				w.wait(20 * time.Second)
				w.updated(user("deploy-bot", 1), cm, "", sets("soft", "data", "mode"))
			})
		},
		"node-label-flip": func(w *world) {
			n := w.objects["v1/Node//node-2"]
			w.wait(time.Hour)
			w.begin()
			pool := func(v string) func(obj) { return sets(v, "metadata", "labels", "pool") }
			w.repeat(40, 2500*time.Millisecond, func(int) {
				w.patched(account("ops", "pooler", 0), n, "", pool("general"))
				w.wait(2500 * time.Millisecond)
				w.patched(account("ops", "cost-saver", 1), n, "", pool("spot"))
			})
		},
		"canary-weights": func(w *world) {
			r := w.made(user("admin", 0), custom("networking.example.com/v1", "TrafficSplit", "web", "front",
				obj{"weight": 0}, obj{}))
			w.wait(time.Hour)
			w.begin()
			for range 2 {
				w.repeat(12, 20*time.Second, func(i int) {
					w.patched(account("rollouts", "rollouts", 1), r, "", sets((5+i*9)%101, "spec", "weight"))
				})
			}
		},
		"autoscaler-day": autoscalerDay,
		"blue-green": func(w *world) {
			s := w.made(user("admin", 0), thing("v1", "Service", "web", "front", obj{"spec": obj{"selector": obj{"app": "front",
				"color": "blue"}}}))
			for _, color := range []string{"blue", "green"} {
				w.serving("StatefulSet", "web", "front-"+color, 2, obj{"labels": obj{"app": "front", "color": color}})
			}
			w.wait(time.Hour)
			w.begin()
			for _, color := range []string{"green", "blue", "green"} {
				w.updated(account("ci", "switcher", 2), s, "", sets(color, "spec", "selector", "color"))
				w.wait(90 * time.Second)
			}
		},
	}
}

// autoscalerDay scales a Deployment as an autoscaler does.
func autoscalerDay(w *world) {
	d, rs, pods := w.serving("Deployment", "web", "shop", 3)
	w.wait(time.Hour)
	w.begin()
	for _, n := range []int{5, 9, 7, 4, 3} {
		w.wait(2 * time.Minute)
		w.log(manager("horizontal-pod-autoscaler"), "update", "scale", d, 200, obj{"spec": obj{"replicas": n}},
			obj{"kind": "Scale", "metadata": meta(d), "spec": obj{"replicas": n}})
		sets(n, "spec", "replicas")(d)
		w.updated(manager("deployment-controller"), d, "status", func(o obj) { meta(o)["generation"] = meta(o)["generation"].(int) + 1 })
		w.updated(manager("deployment-controller"), rs, "", sets(n, "spec", "replicas"))
		for len(pods) < n {
			pods = append(pods, w.runs(w.pod(controller(rs), rs, "", w.nodes[len(pods)%4])))
			w.wait(time.Second)
		}
		for len(pods) > n {
			w.removed(controller(rs), pods[len(pods)-1])
			pods = pods[:len(pods)-1]
		}
		w.counts(rs, n, n)
		w.counts(d, n, n)
	}
}

// comesAndGoes has one client make what another deletes.
func (w *world) comesAndGoes(n int, every time.Duration, maker, pruner who, what func() obj) {
	w.wait(time.Hour)
	w.begin()
	w.repeat(n, every/2, func(int) {
		o := w.made(maker, what())
		w.wait(every / 2)
		w.deleted(pruner, o)
	})
}

func pileScenes() map[string]func(*world) {
	return map[string]func(*world){
		"configmap-comes-and-goes": func(w *world) {
			w.comesAndGoes(55, 9*time.Second, account("build", "indexer", 0), account("build", "pruner", 2), func() obj {
				return thing("v1", "ConfigMap", "build", "cache-index", obj{"data": obj{"a": "b"}})
			})
		},
		"clusterrole-comes-and-goes": func(w *world) {
			w.comesAndGoes(70, 5*time.Second, account("tenants", "roles", 1), user("policy-bot", 2), func() obj {
				return thing("rbac.authorization.k8s.io/v1", "ClusterRole", "", "tenant-viewer", obj{"rules": []any{}})
			})
		},
		"hook-job": func(w *world) {
			w.begin()
			w.repeat(10, 20*time.Second, func(int) {
				j := w.made(user("helm", 0), thing("batch/v1", "Job", "apps", "migrate", obj{"spec": obj{"completions": 1},
					"status": obj{}, "annotations": obj{"helm.sh/hook": "pre-upgrade"}}))
				began := w.now
				p := w.runs(w.pod(manager("job-controller"), j, "", "node-1"))
				w.wait(40 * time.Second)
				w.ended(p, 0, began)
				w.removed(manager("generic-garbage-collector"), p)
				w.deleted(user("helm", 0), j)
			})
		},
		"slow-pile": func(w *world) {
			w.begin()
			w.repeat(420, 2400*time.Millisecond, func(int) {
				w.made(account("reports", "summary", 1), thing("v1", "ConfigMap", "reports", "", obj{"generateName": "summary-",
					"data": obj{"total": "1"}}))
			})
		},
		"claim-pile": func(w *world) {
			w.begin()
			w.repeat(280, 400*time.Millisecond, func(int) {
				w.made(account("spaces", "maker", 2), thing("v1", "PersistentVolumeClaim", "spaces", "home-"+w.suffix(8),
					obj{"spec": obj{"storageClassName": "fast"}, "status": obj{"phase": "Bound"}}))
			})
		},
		"restored-backup": func(w *world) {
			w.begin()
			w.repeat(280, 300*time.Millisecond, func(i int) {
				w.made(account("velero", "velero", 0), thing("v1", "ConfigMap", "shop", fmt.Sprintf("%s-config",
					[]string{"cart", "user", "order", "stock", "mail"}[i%5]+w.suffix(4)), obj{"data": obj{"a": "b"},
					"labels": obj{"velero.io/backup-name": "nightly", "velero.io/restore-name": "r1"}}))
			})
			w.wait(2 * time.Minute)
		},
		"helm-releases": func(w *world) {
			w.begin()
			w.repeat(120, 5*time.Second, func(i int) {
				w.made(user("helm", 0), thing("v1", "Secret", "apps", fmt.Sprintf("sh.helm.release.v1.app-%d.v%d", i%20, i/20+1),
					obj{"type": "helm.sh/release.v1", "labels": obj{"owner": "helm"}}))
			})
		},
		"short-secrets": func(w *world) {
			w.shortLived(600, user("token-tester", 1), func() obj {
				return thing("v1", "Secret", "vaults", "probe-"+w.suffix(6), obj{"type": "Opaque"})
			})
		},
		"short-by-uuid": func(w *world) {
			w.shortLived(500, account("checks", "canary", 2), func() obj {
				return thing("v1", "ConfigMap", "checks", w.newID(), obj{"data": obj{"a": "b"}})
			})
		},
		"ci-namespaces": ciNamespaces,
	}
}

func (w *world) shortLived(n int, by who, what func() obj) {
	w.begin()
	w.repeat(n, 200*time.Millisecond, func(int) {
		o := w.made(by, what())
		w.wait(80 * time.Millisecond)
		w.deleted(by, o)
	})
}

// ciNamespaces is what a pipeline does: a namespace for each run, which is deleted with all that is in it.
func ciNamespaces(w *world) {
	w.begin()
	w.repeat(25, 12*time.Second, func(i int) {
		name := "ci-" + w.suffix(6)
		ns := w.made(user("ci", 0), thing("v1", "Namespace", "", name, obj{"status": obj{"phase": "Active"}}))
		var all []obj
		for j := range 5 {
			all = append(all, w.made(user("ci", 0), thing("v1", "ConfigMap", name, fmt.Sprintf("settings-%d", j), obj{"data": obj{}})))
		}
		w.wait(10 * time.Second)
		for _, o := range all {
			w.deleted(manager("namespace-controller"), o)
		}
		w.deleted(user("ci", 0), ns)
	})
}
