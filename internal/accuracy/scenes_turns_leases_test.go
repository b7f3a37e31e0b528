package accuracy

import (
	"fmt"
	"slices"
	"time"
)

// A team is replicas that take a lease in turns.
type team struct {
	namespace, name string
	lasts           int
	top             obj
	pods            []obj
	starts          []int // of each replica
	server          int
	unnamed         bool // neither tokens nor addresses distinguish the replicas
}

func (w *world) team(namespace, name string, n, lasts int) *team {
	e := &team{namespace: namespace, name: name, lasts: lasts, starts: make([]int, n), server: 1}
	e.top, _, e.pods = w.serving("Deployment", namespace, name, n)
	return e
}

func (e *team) by(i int) who {
	by := account(e.namespace, e.name, e.server)
	by.address = "127.0.0.1"
	if !e.unnamed {
		by.pod = text(meta(e.pods[i]), "name")
	}
	return by
}

// holder is client-go's identity: the host's name and a UUID that is new at each start.
func (e *team) holder(i int) string {
	return fmt.Sprintf("%s_%08x-7a11-4c0d-9e5f-0242ac1200%02x", text(meta(e.pods[i]), "name"), 0x6a3f00+e.starts[i]*977, i)
}

func (e *team) renews(w *world, i int) {
	w.renews(e.by(i), e.namespace, e.name, e.holder(i), e.lasts, 0)
}

func (e *team) lease(w *world) obj {
	return w.objects["coordination.k8s.io/v1/Lease/"+e.namespace+"/"+e.name]
}

// releases gives the lease up, as client-go does with ReleaseOnCancel.
func (e *team) releases(w *world, i int) {
	w.updated(e.by(i), e.lease(w), "", func(o obj) {
		s := o["spec"].(obj)
		s["holderIdentity"], s["leaseDurationSeconds"] = "", 1
		s["renewTime"], s["acquireTime"] = micro(w.now), micro(w.now)
	})
}

func (e *team) takes(w *world, i int) {
	e.renews(w, i)
	e.lease(w)["spec"].(obj)["leaseDurationSeconds"] = e.lasts
	w.now = w.now.Add(6 * time.Millisecond)
	e.renews(w, i)
}

// starved is a leader that renews its lease once and then not in time, because its own client holds it back.
func (e *team) starved(w *world, rounds int) {
	w.wait(6 * time.Minute)
	w.begin()
	for round := range rounds {
		i := round % len(e.pods)
		w.says(e.pods[i], "main", klogged(w, "I", "leaderelection.go:271", "successfully acquired lease "+e.namespace+"/"+
			e.name))
		e.takes(w, i)
		for range 4 {
			w.read(e.by(i), "get", "v1", "ConfigMap", e.namespace, "/settings", 200)
			w.wait(900 * time.Millisecond)
		}
		w.wait(time.Duration(2+w.rng.IntN(3)) * time.Second)
		for _, line := range []string{"error retrieving resource lock " + e.namespace + "/" + e.name +
			": client rate limiter Wait returned an error: context deadline exceeded", "failed to renew lease " + e.namespace +
			"/" + e.name + ": context deadline exceeded", "leader election lost"} {
			w.says(e.pods[i], "main", klogged(w, "E", "leaderelection.go:441", line))
		}
		e.starts[i]++
		election{}.restarted(w, e.pods[i], e.starts[i])
		w.wait(4 * time.Second)
		w.refused(e.by((i+2)%len(e.pods)), "update", "", e.lease(w), 409, "Conflict", `Operation cannot be fulfilled on `+
			`leases.coordination.k8s.io "`+e.name+`": the object has been modified`)
		if round == rounds/2 {
			w.snap()
		}
	}
	w.counts(e.top, len(e.pods), 0)
}

func turnLeases() map[string]func(*world) {
	return map[string]func(*world){
		"starved-pair": func(w *world) { w.team("pay", "settle", 2, 8).starved(w, 18) },
		"starved-unnamed": func(w *world) {
			e := w.team("geo", "tracker", 3, 8)
			e.unnamed = true
			e.starved(w, 20)
		},
		"young-lease-flaps": func(w *world) {
			e := w.team("mail", "sender", 2, 15)
			e.renews(w, 0)
			for range 31 {
				w.wait(45 * time.Second)
				e.starts[0]++
				e.renews(w, e.starts[0]%2)
			}
			for i, p := range e.pods {
				election{}.restarted(w, p, 15+i)
			}
			w.begin()
			for range 4 {
				w.wait(2 * time.Second)
				e.renews(w, 1)
			}
		},
		"old-lease-flaps": func(w *world) {
			e := w.team("mesh", "pilot", 2, 15)
			w.renews(e.by(0), e.namespace, e.name, e.holder(0), 15, 4120)
			w.wait(4800 * time.Hour)
			e.renews(w, 0)
			w.begin()
			for round := range 5 {
				e.starts[round%2]++
				w.wait(17 * time.Second)
				election{}.restarted(w, e.pods[round%2], 2000+e.starts[round%2])
				for range 3 {
					e.renews(w, (round+1)%2)
					w.wait(2 * time.Second)
				}
			}
		},
		"three-lists-turns": func(w *world) {
			e := w.team("ci", "runner", 2, 15)
			w.renews(e.by(0), e.namespace, e.name, e.holder(0), 15, 311)
			w.wait(900 * time.Hour)
			e.renews(w, 0)
			w.begin()
			for round := range 4 {
				i := (round + 1) % 2
				e.starts[1-i]++
				w.wait(19 * time.Second)
				election{}.restarted(w, e.pods[1-i], 150+e.starts[1-i])
				e.renews(w, i)
				w.wait(2 * time.Second)
				e.renews(w, i)
				if round == 1 {
					w.snap()
				}
			}
		},
		"json-logs-lost": func(w *world) {
			e := w.team("iot", "hub", 2, 15)
			w.wait(time.Hour)
			w.begin()
			for round := range 9 {
				i := round % 2
				say := func(level, message, more string) {
					w.says(e.pods[i], "manager", fmt.Sprintf(`{"level":%q,"ts":%q,"logger":"setup","msg":%q%s}`, level, micro(w.now),
						message, more))
				}
				w.says(e.pods[i], "manager", klogged(w, "I", "leaderelection.go:257",
					"attempting to acquire leader lease iot/hub..."))
				w.says(e.pods[i], "manager", klogged(w, "I", "leaderelection.go:271", "successfully acquired lease iot/hub"))
				say("info", "Starting workers", `,"controller":"device","worker count":2`)
				w.wait(50 * time.Second)
				w.says(e.pods[i], "manager", klogged(w, "E", "leaderelection.go:429", "Failed to update lock optimistically: "+
					"etcdserver: request timed out, falling back to slow path"))
				w.says(e.pods[i], "manager", klogged(w, "I", "leaderelection.go:297", "failed to renew lease iot/hub: context "+
					"deadline exceeded"))
				say("error", "problem running manager", `,"error":"leader election lost"`)
				w.wait(16 * time.Second)
			}
		},
		"bystander-sees": func(w *world) { w.bystander("pay", "clear", 14, 25*time.Second) },
		"events-turns": func(w *world) {
			e := w.team("dns", "zones", 2, 15)
			e.renews(w, 0)
			w.wait(20 * time.Hour)
			w.begin()
			for round := range 24 {
				i := round % 2
				e.starts[i]++
				e.renews(w, i)
				w.event(e.lease(w), "Normal", "LeaderElection", e.holder(i)+" became leader", 1, w.now)
				w.wait(26 * time.Second)
				w.event(e.lease(w), "Normal", "LeaderElection", e.holder(i)+" stopped leading", 1, w.now)
				w.wait(15 * time.Second)
			}
		},
		"server-slow-leases": func(w *world) {
			var teams []*team
			for _, name := range []string{"router", "biller", "sweeper"} {
				e := w.team("ops", name, 2, 15)
				w.renews(e.by(0), "ops", name, e.holder(0), 15, 12)
				teams = append(teams, e)
			}
			w.wait(700 * time.Hour)
			for _, e := range teams {
				e.renews(w, 0)
			}
			w.begin()
			for round := range 4 {
				for _, e := range teams {
					e.starts[round%2]++
					election{}.restarted(w, e.pods[round%2], e.starts[round%2])
				}
				w.wait(21 * time.Second)
				for range 5 {
					for _, e := range teams {
						e.renews(w, (round+1)%2)
					}
					w.wait(2 * time.Second)
				}
			}
		},
	}
}

// bystander is the log of a replica that never leads: it sees others do so in turns.
func (w *world) bystander(namespace, name string, times int, each time.Duration) {
	e := w.team(namespace, name, 3, 15)
	w.wait(time.Hour)
	w.begin()
	w.says(e.pods[2], "main", klogged(w, "I", "leaderelection.go:257",
		"attempting to acquire leader lease "+namespace+"/"+name+"..."))
	for round := range times {
		i := round % 2
		e.starts[i]++
		w.says(e.pods[2], "main", klogged(w, "I", "main.go:88", "new leader elected: "+e.holder(i)))
		w.now = w.now.Add(each)
	}
}

// locked is a Lease that programs use as a lock: each takes it, works and gives it up.
func (w *world) locked(e *team, rounds int, hold, idle, renewed time.Duration, who func(round int) int) {
	e.renews(w, 0)
	e.releases(w, 0)
	w.wait(3 * time.Hour)
	w.begin()
	for round := range rounds {
		i := who(round)
		e.renews(w, i)
		e.lease(w)["spec"].(obj)["leaseDurationSeconds"] = e.lasts
		for t := time.Duration(0); renewed > 0 && t+renewed < hold; t += renewed {
			w.wait(renewed)
			e.renews(w, i)
		}
		w.wait(hold/4 + time.Duration(w.rng.Int64N(int64(hold/4))))
		e.releases(w, i)
		w.wait(idle/2 + time.Duration(w.rng.Int64N(int64(idle))))
		if round == rounds/2 {
			w.snap()
		}
	}
}

func turnDays() map[string]func(*world) {
	return map[string]func(*world){
		"lock-two-workers": func(w *world) {
			w.locked(w.team("etl", "merge", 2, 30), 40, 6*time.Second, 3*time.Second, 0, func(i int) int { return i % 2 })
		},
		"lock-renewed": func(w *world) {
			w.locked(w.team("media", "encode", 3, 20), 16, 34*time.Second, 5*time.Second, 5*time.Second,
				func(i int) int { return w.rng.IntN(3) })
		},
		"lock-held-last": func(w *world) {
			w.renews(account("etl", "report", 0), "etl", "report-lock", "run-0", 60, 0)
			w.begin()
			l := w.objects["coordination.k8s.io/v1/Lease/etl/report-lock"]
			for i := range 18 {
				w.renews(account("etl", "report", 0), "etl", "report-lock", fmt.Sprintf("run-%d", i+1), 60, 0)
				w.wait(17 * time.Second)
				if i < 17 {
					w.updated(account("etl", "report", 0), l, "", sets("", "spec", "holderIdentity"))
					w.wait(20 * time.Second)
				}
			}
		},
		"old-lease-many": func(w *world) {
			e := w.team("ops", "keeper", 2, 15)
			w.renews(e.by(0), e.namespace, e.name, e.holder(0), 15, 912)
			w.wait(4800 * time.Hour)
			e.renews(w, 0)
			w.begin()
			for range 40 {
				w.wait(2 * time.Second)
				e.renews(w, 0)
			}
		},
		"lock-of-jobs": func(w *world) {
			c := w.cronJob("data", "compact", "* * * * *", "Allow")
			w.begin()
			for i := range 20 {
				j := w.made(manager("cronjob-controller"), thing("batch/v1", "Job", "data",
					fmt.Sprintf("compact-%d", 29411000+i), owned(c), obj{"spec": obj{"completions": 1}, "status": obj{}}))
				began := w.now
				p := w.runs(w.pod(manager("job-controller"), j, "", w.nodes[i%4]))
				by := account("data", "compact", 2)
				by.pod = text(meta(p), "name")
				for range 4 {
					w.renews(by, "data", "compact-lock", by.pod, 30, 0)
					w.wait(5 * time.Second)
				}
				if i < 19 {
					l := w.objects["coordination.k8s.io/v1/Lease/data/compact-lock"]
					w.updated(by, l, "", sets("", "spec", "holderIdentity"))
					w.ended(p, 0, began)
					w.updated(manager("job-controller"), j, "status", sets(obj{"succeeded": 1, "completionTime": stamp(w.now),
						"conditions": []any{obj{"type": "Complete", "status": "True"}}}, "status"))
					w.wait(40 * time.Second)
				}
				if i > 3 {
					w.tidied("data", 3)
				}
			}
		},
		"lock-by-elector": func(w *world) {
			e := w.team("etl", "rebuild", 2, 15)
			e.renews(w, 0)
			e.releases(w, 0)
			w.wait(time.Hour)
			w.begin()
			for round := range 24 {
				i := round % 2
				say := func(line string) { w.says(e.pods[i], "main", klogged(w, "I", "leaderelection.go:257", line)) }
				say("attempting to acquire leader lease etl/rebuild...")
				e.takes(w, i)
				say("successfully acquired lease etl/rebuild")
				for range 5 {
					w.wait(2 * time.Second)
					e.renews(w, i)
				}
				say("failed to renew lease etl/rebuild: context canceled")
				e.releases(w, i)
				w.wait(5 * time.Second)
			}
		},
		"masters-renewed": func(w *world) {
			by := manager("kube-controller-manager")
			hold := func(holder string, d time.Duration) {
				for end := w.now.Add(d); w.now.Before(end); {
					w.renews(by, "kube-system", "cloud-controller-manager", holder, 15, 0)
					w.wait(2 * time.Second)
				}
			}
			w.renews(by, "kube-system", "cloud-controller-manager", "cp-1_11111111-7a11-4c0d-9e5f-0242ac120001", 15, 9)
			w.wait(500 * time.Hour)
			w.begin()
			for _, h := range []string{"cp-1_11111111-7a11-4c0d-9e5f-0242ac120001", "cp-2_22222222-7a11-4c0d-9e5f-0242ac120001",
				"cp-3_33333333-7a11-4c0d-9e5f-0242ac120001", "cp-1_44444444-7a11-4c0d-9e5f-0242ac120001"} {
				hold(h, 4*time.Minute)
				w.wait(9 * time.Second)
			}
		},
		"three-lists-rollout": func(w *world) {
			e := w.team("ci", "agentd", 4, 15)
			w.renews(e.by(0), e.namespace, e.name, e.holder(0), 15, 311)
			w.wait(900 * time.Hour)
			e.renews(w, 0)
			w.begin()
			for i := 1; i < 4; i++ {
				w.wait(40 * time.Second)
				e.renews(w, i)
				if i == 1 {
					w.snap()
				}
			}
		},
		"json-logs-rollout": func(w *world) {
			e := w.team("iot", "gateway", 6, 15)
			w.wait(time.Hour)
			w.begin()
			for _, p := range e.pods {
				w.says(p, "manager", klogged(w, "I", "leaderelection.go:257", "attempting to acquire leader lease iot/gateway..."))
				w.says(p, "manager", klogged(w, "I", "leaderelection.go:271", "successfully acquired lease iot/gateway"))
				w.now = w.now.Add(12 * time.Hour)
				w.says(p, "manager", fmt.Sprintf(`{"level":"info","ts":%q,"msg":"Stopping and waiting for leader election `+
					`runnables"}`, micro(w.now)))
				w.says(p, "manager", fmt.Sprintf(`{"level":"error","ts":%q,"msg":"error received after stop sequence was `+
					`engaged","error":"leader election lost"}`, micro(w.now)))
			}
		},
		"bystander-week": func(w *world) { w.bystander("pay", "audit", 3, 20*time.Hour) },
		"events-rollout": func(w *world) {
			e := w.team("dns", "records", 3, 15)
			e.renews(w, 0)
			w.wait(20 * time.Hour)
			w.begin()
			for i := range 3 {
				e.renews(w, i)
				w.event(e.lease(w), "Normal", "LeaderElection", e.holder(i)+" became leader", 1, w.now)
				w.wait(8 * time.Minute)
			}
		},
		"handed-over": func(w *world) {
			e := w.team("shop", "pricer", 3, 15)
			e.renews(w, 0)
			w.wait(200 * time.Hour)
			w.begin()
			for i := range 3 {
				for range 30 {
					e.renews(w, i)
					w.wait(2 * time.Second)
				}
				e.releases(w, i)
				w.wait(1500 * time.Millisecond)
				e.takes(w, (i+1)%3)
			}
		},
	}
}

// tidied deletes the oldest Jobs beyond those that are kept, with their pods.
func (w *world) tidied(namespace string, keep int) {
	var jobs []obj
	w.each("Job", func(o obj) {
		if text(meta(o), "namespace") == namespace {
			jobs = append(jobs, o)
		}
	})
	for _, j := range jobs[:max(0, len(jobs)-keep)] {
		var pods []obj
		w.each("Pod", func(p obj) {
			if owners, _ := meta(p)["ownerReferences"].([]any); slices.ContainsFunc(owners, func(o any) bool {
				return o.(obj)["uid"] == meta(j)["uid"]
			}) {
				pods = append(pods, p)
			}
		})
		w.deleted(manager("cronjob-controller"), j)
		for _, p := range pods {
			w.removed(manager("generic-garbage-collector"), p)
		}
	}
}
