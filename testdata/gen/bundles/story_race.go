package main

import (
	"fmt"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

// The race: somebody deletes a custom resource and its claims, and makes it anew with the same name. Its operator patches the
// StatefulSet that the old one owned to belong to the new one, before the garbage collector has deleted it. So the
// StatefulSet lives on, its claim, already marked as deleted, vanishes once its pod is replaced, and the new pod waits for ever.
const (
	raceNS    = "books"
	raceCR    = "main-ledger"
	raceSet   = "main-ledger-node"
	raceClaim = "data-main-ledger-node-1"
	racePod   = "main-ledger-node-1"
)

var (
	raceAt       = noon.Add(-10 * time.Minute)
	raceOperator = auditlog.ServiceAccount("ledger-system", "ledger-operator", "ledger-operator/v0.8.1 (linux/amd64) kubernetes/$Format")
	// raceScript is CI's deployer.
	raceDeployer = auditlog.User{Name: "ci-deployer", UID: "8a2f6f2e-13c3-4be5-a5a1-7d0b1c7a3f10", Groups: []string{"deployers", "system:authenticated"}, Agent: "ledgerctl/v0.8.1 (linux/amd64)", IP: "192.168.40.77"}
)

// race is the script's maker: it remembers uids and versions.
type race struct {
	level    string
	script   []scripted
	r        *logs.Rand
	oldUID   string
	newUID   string
	setUID   string
	claimUID string
	setRV    string
	claimRV  string
}

func (s *race) add(after time.Duration, make func(*auditlog.Store) auditlog.Event) {
	s.script = append(s.script, scripted{raceAt.Add(after), func(st *auditlog.Store) auditlog.Event {
		e := make(st)
		e.Level = s.level
		return e
	}})
}

func ledgerRef(uid string) auditlog.Ref {
	return auditlog.Ref{Resource: "ledgerclusters", Namespace: raceNS, Name: raceCR, UID: uid, Group: "books.example.net", Version: "v1beta1"}
}

func setRef() auditlog.Ref {
	return auditlog.Ref{Resource: "statefulsets", Namespace: raceNS, Name: raceSet, Group: "apps", Version: "v1"}
}

func claimRef(i int) auditlog.Ref {
	return auditlog.Ref{Resource: "persistentvolumeclaims", Namespace: raceNS, Name: fmt.Sprint("data-main-ledger-node-", i), Version: "v1"}
}

func podRef(i int) auditlog.Ref {
	return auditlog.Ref{Resource: "pods", Namespace: raceNS, Name: fmt.Sprint("main-ledger-node-", i), Version: "v1"}
}

func (s *race) ledger(uid, rv string, deleted bool) []byte {
	del := ""
	if deleted {
		del = `,"deletionTimestamp":"` + stamp(raceAt) + `"`
	}
	return []byte(`{"kind":"LedgerCluster","apiVersion":"books.example.net/v1beta1","metadata":{"name":"` + raceCR + `","namespace":"` + raceNS + `","uid":"` + uid + `","resourceVersion":"` + rv + `","generation":1,"creationTimestamp":"` + stamp(raceAt) + `"` + del + `},"spec":{"replicas":2}}`)
}

func (s *race) set(rv, owner string) []byte {
	return []byte(`{"kind":"StatefulSet","apiVersion":"apps/v1","metadata":{"name":"` + raceSet + `","namespace":"` + raceNS + `","uid":"` + s.setUID + `","resourceVersion":"` + rv + `","generation":2,"creationTimestamp":"` + stamp(noon.Add(-90*time.Hour)) +
		`","ownerReferences":[{"apiVersion":"books.example.net/v1beta1","kind":"LedgerCluster","name":"` + raceCR + `","uid":"` + owner + `","controller":true,"blockOwnerDeletion":true}]},"spec":{"replicas":2,"serviceName":"main-ledger"},"status":{"replicas":2}}`)
}

func (s *race) claim(i int, rv, extra string) []byte {
	return []byte(`{"kind":"PersistentVolumeClaim","apiVersion":"v1","metadata":{"name":"` + claimRef(i).Name + `","namespace":"` + raceNS + `","uid":"` + s.claimUID + `","resourceVersion":"` + rv + `","creationTimestamp":"` + stamp(noon.Add(-90*time.Hour)) + `"` + extra +
		`},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"8Gi"}},"storageClassName":"block","volumeName":"pvc-ledger-` + fmt.Sprint(i) + `"},"status":{"phase":"Bound"}}`)
}

func newRace(level string) *race {
	r := logs.NewRand("race")
	return &race{level: level, r: r, oldUID: r.UUID(), newUID: r.UUID(), setUID: r.UUID(), claimUID: r.UUID(), setRV: "47999120", claimRV: "47999121"}
}

func (s *race) deleteAndCreate() {
	s.add(0, func(*auditlog.Store) auditlog.Event {
		return auditlog.Event{Verb: "delete", User: raceDeployer, Code: 200, Object: ledgerRef(""), Request: []byte(`{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/__internal","propagationPolicy":"Background"}`),
			Response: []byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"` + raceCR + `","group":"books.example.net","kind":"ledgerclusters","uid":"` + s.oldUID + `"}}`)}
	})
	for i := range 2 {
		s.add(time.Duration(8+9*i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			rv := st.Write()
			if i == 1 {
				s.claimRV = rv
			}
			return auditlog.Event{Verb: "delete", User: raceDeployer, Code: 200, Object: claimRef(i), Request: []byte(`{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/__internal","propagationPolicy":"Background"}`),
				Response: s.claim(i, rv, `,"deletionTimestamp":"`+stamp(raceAt)+`","deletionGracePeriodSeconds":0,"finalizers":["kubernetes.io/pvc-protection"]`)}
		})
	}
	s.add(24*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		return auditlog.Event{Verb: "create", User: raceDeployer, Code: 201, Object: ledgerRef(""), Request: []byte(`{"apiVersion":"books.example.net/v1beta1","kind":"LedgerCluster","metadata":{"name":"` + raceCR + `"},"spec":{"replicas":2}}`), Response: s.ledger(s.newUID, st.Write(), false)}
	})
}

// lost is the order in which the operator's patch comes first.
func (s *race) lost() []scripted {
	s.deleteAndCreate()
	set := auditlog.Controller("statefulset-controller")
	gc := auditlog.Controller("generic-garbage-collector")
	s.add(31*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		s.setRV = st.Write()
		return auditlog.Event{Verb: "patch", User: raceOperator, Code: 200, Object: setRef(), Response: s.set(s.setRV, s.newUID),
			Request: []byte(`{"metadata":{"name":"` + raceSet + `","namespace":"` + raceNS + `","ownerReferences":[{"apiVersion":"books.example.net/v1beta1","kind":"LedgerCluster","name":"` + raceCR + `","uid":"` + s.newUID + `","controller":true,"blockOwnerDeletion":true}]},"spec":{"template":{"metadata":{"annotations":{"books.example.net/run":"2"}}}}}`)}
	})
	s.add(46*time.Millisecond, func(st *auditlog.Store) auditlog.Event { // the owner is there again: nothing to collect
		return auditlog.Event{Verb: "get", User: gc, Code: 200, Object: ledgerRef(""), Response: s.ledger(s.newUID, st.Now(), false)}
	})
	s.add(47*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		return auditlog.Event{Verb: "delete", User: set, Code: 200, Object: podRef(1), Request: []byte(`{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/__internal","preconditions":{"uid":"` + s.r.UUID() + `"}}`)}
	})
	s.add(53*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		ref := setRef()
		ref.UID, ref.RV, ref.Sub = s.setUID, s.setRV, "status"
		s.setRV = st.Write()
		return auditlog.Event{Verb: "update", User: set, Code: 200, Object: ref, Request: s.set(ref.RV, s.newUID), Response: s.set(s.setRV, s.newUID)}
	})
	s.add(3051*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		st.Write()
		return auditlog.Event{Verb: "delete", User: auditlog.Kubelet("node-a2"), Code: 200, Object: podRef(1), Request: []byte(`{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/__internal","gracePeriodSeconds":0}`)}
	})
	s.add(3067*time.Millisecond, func(st *auditlog.Store) auditlog.Event { // the finalizer goes, and with it the claim
		ref := claimRef(1)
		ref.UID, ref.RV = s.claimUID, s.claimRV
		return auditlog.Event{Verb: "update", User: auditlog.Controller("pvc-protection-controller"), Code: 200, Object: ref, Request: s.claim(1, s.claimRV, `,"deletionTimestamp":"`+stamp(raceAt)+`"`), Response: s.claim(1, s.claimRV, `,"deletionTimestamp":"`+stamp(raceAt)+`"`)}
	})
	s.add(3072*time.Millisecond, func(*auditlog.Store) auditlog.Event {
		return auditlog.Event{Verb: "get", User: auditlog.Controller("persistent-volume-binder"), Code: 404, Reason: "NotFound", Message: `persistentvolumeclaims "` + raceClaim + `" not found`, Object: claimRef(1)}
	})
	s.add(3079*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		st.Write()
		return auditlog.Event{Verb: "create", User: set, Code: 201, Object: podRef(1), Request: []byte(`{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + racePod + `","generateName":"` + raceSet + `-","ownerReferences":[{"apiVersion":"apps/v1","kind":"StatefulSet","name":"` + raceSet + `","uid":"` + s.setUID + `","controller":true}]},"spec":{"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"` + raceClaim + `"}}]}}`)}
	})
	scheduler := auditlog.Scheduler()
	s.add(3100*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		st.Write()
		ref := podRef(1)
		ref.Sub = "status"
		return auditlog.Event{Verb: "patch", User: scheduler, Code: 200, Object: ref, Request: []byte(`{"status":{"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/3 nodes are available: persistentvolumeclaim \"` + raceClaim + `\" not found."}]}}`)}
	})
	return s.script
}

// won is the order in which the garbage collector comes first: the operator finds nothing, and makes a StatefulSet anew.
func (s *race) won() []scripted {
	s.deleteAndCreate()
	set := auditlog.Controller("statefulset-controller")
	gc := auditlog.Controller("generic-garbage-collector")
	s.add(27*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		return auditlog.Event{Verb: "get", User: gc, Code: 200, Object: setRef(), Response: s.set(s.setRV, s.oldUID)}
	})
	s.add(29*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
		st.Write()
		return auditlog.Event{Verb: "delete", User: gc, Code: 200, Object: setRef(), Request: []byte(`{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/__internal","preconditions":{"uid":"` + s.setUID + `"},"propagationPolicy":"Background"}`), Response: []byte(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"` + raceSet + `","group":"apps","kind":"statefulsets","uid":"` + s.setUID + `"}}`)}
	})
	s.add(41*time.Millisecond, func(*auditlog.Store) auditlog.Event {
		return auditlog.Event{Verb: "patch", User: raceOperator, Code: 404, Reason: "NotFound", Message: `statefulsets.apps "` + raceSet + `" not found`, Object: setRef()}
	})
	for i := range 2 {
		s.add(time.Duration(60+i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			st.Write()
			return auditlog.Event{Verb: "delete", User: gc, Code: 200, Object: podRef(i)}
		})
		s.add(time.Duration(3060+i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			st.Write()
			return auditlog.Event{Verb: "delete", User: auditlog.Kubelet("node-a2"), Code: 200, Object: podRef(i)}
		})
		s.add(time.Duration(3080+i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			ref := claimRef(i)
			ref.UID, ref.RV = s.claimUID, s.claimRV
			return auditlog.Event{Verb: "update", User: auditlog.Controller("pvc-protection-controller"), Code: 200, Object: ref}
		})
	}
	s.setUID = s.r.UUID()
	s.add(8*time.Second, func(st *auditlog.Store) auditlog.Event {
		rv := st.Write()
		return auditlog.Event{Verb: "create", User: raceOperator, Code: 201, Object: setRef(), Request: s.set(rv, s.newUID), Response: s.set(rv, s.newUID)}
	})
	for i := range 2 {
		s.add(time.Duration(8020+400*i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			rv := st.Write()
			return auditlog.Event{Verb: "create", User: set, Code: 201, Object: claimRef(i), Response: s.claim(i, rv, "")}
		})
		s.add(time.Duration(8030+400*i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			st.Write()
			return auditlog.Event{Verb: "create", User: set, Code: 201, Object: podRef(i)}
		})
		s.add(time.Duration(8110+400*i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			st.Write()
			ref := podRef(i)
			ref.Sub = "binding"
			return auditlog.Event{Verb: "create", User: auditlog.Scheduler(), Code: 201, Object: ref}
		})
		s.add(time.Duration(8140+400*i)*time.Millisecond, func(st *auditlog.Store) auditlog.Event {
			st.Write()
			ref := podRef(i)
			ref.Sub = "status"
			return auditlog.Event{Verb: "patch", User: auditlog.Kubelet("node-a2"), Code: 200, Object: ref, Request: []byte(`{"status":{"phase":"Running"}}`)}
		})
	}
	return s.script
}

// raceObjects are the StatefulSet's pods and claims when the bundle was taken.
func (c *cluster) raceObjects(hanging bool) {
	w := c.workload("StatefulSet", raceNS, raceSet, noon.Add(-90*time.Hour))
	w.template["volumes"] = list{obj{"name": "data", "persistentVolumeClaim": obj{"claimName": raceClaim}}}
	for i := range 2 {
		p := c.pod(w, i)
		p.name = podRef(i).Name
		if i == 1 && hanging {
			p.created = raceAt.Add(3079 * time.Millisecond)
			p.node = ""
			p.status = obj{"phase": "Pending", "qosClass": "Burstable", "conditions": list{obj{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "lastTransitionTime": stamp(p.created), "message": `0/3 nodes are available: persistentvolumeclaim "` + raceClaim + `" not found. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.`}}}
			c.event(raceNS, "Pod", p.name, p.uid, "FailedScheduling", `0/3 nodes are available: persistentvolumeclaim "`+raceClaim+`" not found.`, "default-scheduler", noon.Add(-20*time.Second), 3)
			continue
		}
		p.container(raceSet).instances = []instance{{lines: []line{{at: p.created, text: `{"level":"info","ts":"2026-03-02T18:00:00.100Z","msg":"ledger open"}`}}}}
		m := c.meta(raceNS, claimRef(i).Name, noon.Add(-90*time.Hour))
		m["finalizers"] = list{"kubernetes.io/pvc-protection"}
		if hanging {
			m["deletionTimestamp"] = stamp(raceAt)
		}
		c.objects = append(c.objects, obj{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": m, "spec": obj{"accessModes": list{"ReadWriteOnce"}, "storageClassName": "block", "volumeName": fmt.Sprint("pvc-ledger-", i)}, "status": obj{"phase": "Bound"}})
	}
}

func raceStories() []story {
	base := story{verdict: "guilty", category: "race", objects: []string{raceSet, raceCR, raceClaim, racePod}, actors: []string{raceOperator.Name, raceDeployer.Name}, rule: "race|takeover|delete|recreated"}
	make := func(name, layout, level, why string, servers int, won bool, files func(*cluster) []archive.File, pack func([]archive.File) ([]byte, error)) story {
		c := healthy(name, noon, time.Hour, tiny()[:6], short)
		c.raceObjects(!won)
		script := newRace(level).lost
		s := base
		if won {
			script = newRace(level).won
			s = story{verdict: "healthy"}
		}
		c.traffic(servers, raceAt.Add(-90*time.Second), raceAt.Add(5*time.Minute), 1, nil, script())
		s.name, s.layout, s.why, s.files, s.pack = name, layout, why, files(c), pack
		return s
	}
	return []story{
		make("race-bodies.tar.gz", "must-gather", "RequestResponse", "the operator patches the StatefulSet 31 ms after its owner's delete; the pod waits for a claim that is gone", 3, false, mustGather, asTarGz),
		make("race-metadata.zip", "kit", "Metadata", "the same at Metadata level on three servers, in the nodes' zips", 3, false, kit, asZip),
		make("near-race-gc-wins.tar.gz", "must-gather", "RequestResponse", "the same script, but the garbage collector comes first: all is made anew and well", 3, true, mustGather, asTarGz),
	}
}
