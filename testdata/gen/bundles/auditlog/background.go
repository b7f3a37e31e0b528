package auditlog

import (
	"strconv"
	"time"

	"example.com/bundles/logs"
)

// A Store numbers writes as etcd does: one revision for the whole cluster.
type Store struct{ revision int64 }

// NewStore begins at a revision.
func NewStore(revision int64) *Store { return &Store{revision} }

// Write is the resource version that a write gets.
func (s *Store) Write() string {
	s.revision++
	return strconv.FormatInt(s.revision, 10)
}

// Now is the newest resource version.
func (s *Store) Now() string { return strconv.FormatInt(s.revision, 10) }

// A routine is what a healthy cluster asks again and again.
type routine struct {
	every  time.Duration
	steady bool
	next   time.Time
	make   func(at time.Time) Event
}

// A Background is a healthy cluster's traffic, in order of time.
type Background struct {
	r        *logs.Rand
	store    *Store
	routines []*routine
}

// NewBackground sets up the traffic of a cluster with these nodes. Heartbeats are there, which write one object again and
// again, each with the resource version of the write before: what they do is their purpose.
func NewBackground(seed string, start time.Time, nodes []string, store *Store, pace float64) *Background {
	b := &Background{r: logs.NewRand(seed), store: store}
	for _, n := range nodes {
		b.node(n)
	}
	for _, l := range []string{"kube-controller-manager", "kube-scheduler"} {
		u := User{Name: "system:" + l, Groups: []string{"system:authenticated"}, Agent: l + "/v1.31.4 (linux/amd64) kubernetes/a78aa47/leader-election", IP: "192.168.40.11"}
		b.lease("kube-system", l, u, 2*time.Second)
	}
	for _, leader := range [][2]string{{"cert-manager", "cert-manager-controller"}, {"gitops", "gitops-controller-leader"}, {"storage", "block-example-net"}} {
		ns, l := leader[0], leader[1]
		b.lease(ns, l, ServiceAccount(ns, l, l+"/v0.0.0 (linux/amd64) kubernetes/$Format/leader-election"), 5*time.Second)
	}
	b.controllers()
	b.clients()
	for _, t := range b.routines {
		t.every = time.Duration(float64(t.every) / pace)
	}
	for _, t := range b.routines {
		t.next = start.Add(time.Duration(b.r.Float64() * float64(t.every)))
	}
	return b
}

// Next is the next request of the traffic.
func (b *Background) Next() Event {
	t := b.routines[0]
	for _, o := range b.routines[1:] {
		if o.next.Before(t.next) {
			t = o
		}
	}
	e := t.make(t.next)
	e.ID = b.r.UUID()
	e.At = t.next
	if e.Level == "" {
		e.Level = "Metadata"
	}
	if e.Took == 0 {
		e.Took = time.Duration(b.r.Between(900, 14_000)) * time.Microsecond
	}
	if e.Verb == "watch" { // logged when it ends
		e.At = e.At.Add(-e.Took)
	}
	if t.steady {
		t.next = t.next.Add(b.r.Jitter(t.every, 0.04))
	} else {
		t.next = t.next.Add(b.r.Gap(t.every))
	}
	return e
}

// Peek is when the next request comes.
func (b *Background) Peek() time.Time {
	at := b.routines[0].next
	for _, o := range b.routines[1:] {
		if o.next.Before(at) {
			at = o.next
		}
	}
	return at
}

func (b *Background) add(every time.Duration, steady bool, make func(at time.Time) Event) {
	b.routines = append(b.routines, &routine{every: every, steady: steady, make: make})
}

// lease is a leader's heartbeat: an update each period with the version of its last.
func (b *Background) lease(namespace, name string, u User, every time.Duration) {
	uid, rv := b.r.UUID(), b.store.Write()
	b.add(every, true, func(time.Time) Event {
		e := Event{Verb: "update", User: u, Code: 200, Object: Ref{Resource: "leases", Namespace: namespace, Name: name, UID: uid, Group: "coordination.k8s.io", Version: "v1", RV: rv}}
		rv = b.store.Write()
		return e
	})
	b.add(every, true, func(time.Time) Event {
		return Event{Verb: "get", User: u, Code: 200, Object: Ref{Resource: "leases", Namespace: namespace, Name: name, Group: "coordination.k8s.io", Version: "v1"}}
	})
}

func (b *Background) node(node string) {
	u := Kubelet(node)
	b.lease("kube-node-lease", node, u, 10*time.Second)
	b.add(10*time.Second, true, func(time.Time) Event {
		return Event{Verb: "get", User: u, Code: 200, Query: "?resourceVersion=0&timeout=10s", Object: Ref{Resource: "nodes", Name: node, Version: "v1"}}
	})
	b.add(5*time.Minute, true, func(time.Time) Event {
		b.store.Write()
		return Event{Verb: "patch", User: u, Code: 200, Query: "?timeout=10s", Object: Ref{Resource: "nodes", Name: node, Version: "v1", Sub: "status"}}
	})
	b.add(20*time.Second, false, func(time.Time) Event {
		ns, pod := b.pod()
		b.store.Write()
		return Event{Verb: "patch", User: u, Code: 200, Object: Ref{Resource: "pods", Namespace: ns, Name: pod, Version: "v1", Sub: "status"}}
	})
	for _, res := range []string{"configmaps", "secrets", "pods", "services"} {
		b.add(7*time.Minute, false, func(time.Time) Event {
			return Event{Verb: "watch", User: u, Code: 200, Query: "?allowWatchBookmarks=true&resourceVersion=" + b.store.Now() + "&timeoutSeconds=421&watch=true", Took: 421 * time.Second, Object: Ref{Resource: res, Version: "v1"}}
		})
	}
}

func (b *Background) pod() (namespace, name string) {
	apps := [][2]string{{"orders", "orders-api"}, {"catalog", "catalog-web"}, {"payments", "payments-worker"}, {"media", "thumbnailer"}, {"search", "search-index"}, {"ledger", "ledger-sync"}}
	a := apps[b.r.IntN(len(apps))]
	return a[0], a[1] + "-7c9d5b6f4d-" + b.r.Suffix(5)
}

func (b *Background) controllers() {
	rs := Controller("replicaset-controller")
	b.add(25*time.Second, false, func(time.Time) Event {
		ns, pod := b.pod()
		b.store.Write()
		return Event{Verb: "update", User: rs, Code: 200, Object: Ref{Resource: "replicasets", Namespace: ns, Name: pod[:len(pod)-6], UID: b.r.UUID(), Group: "apps", Version: "v1", RV: b.store.Now(), Sub: "status"}}
	})
	b.add(70*time.Second, false, func(time.Time) Event {
		ns, _ := b.pod()
		b.store.Write()
		return Event{Verb: "create", User: rs, Code: 201, Object: Ref{Resource: "pods", Namespace: ns, Version: "v1"}}
	})
	b.add(70*time.Second, false, func(time.Time) Event {
		ns, pod := b.pod()
		b.store.Write()
		return Event{Verb: "create", User: Scheduler(), Code: 201, Object: Ref{Resource: "pods", Namespace: ns, Name: pod, Version: "v1", Sub: "binding"}}
	})
	slices := Controller("endpointslice-controller")
	b.add(40*time.Second, false, func(time.Time) Event {
		ns, pod := b.pod()
		b.store.Write()
		return Event{Verb: "update", User: slices, Code: 200, Object: Ref{Resource: "endpointslices", Namespace: ns, Name: pod[:len(pod)-17] + "-x7f2k", UID: b.r.UUID(), Group: "discovery.k8s.io", Version: "v1", RV: b.store.Now()}}
	})
	d := Controller("deployment-controller")
	b.add(35*time.Minute, false, func(time.Time) Event {
		ns, pod := b.pod()
		name := pod[:len(pod)-17]
		return Event{Verb: "update", User: d, Code: 409, Reason: "Conflict", Object: Ref{Resource: "deployments", Namespace: ns, Name: name, UID: b.r.UUID(), Group: "apps", Version: "v1", RV: b.store.Now(), Sub: "status"},
			Message: `Operation cannot be fulfilled on deployments.apps "` + name + `": the object has been modified; please apply your changes to the latest version and try again`}
	})
	hpa := Controller("horizontal-pod-autoscaler")
	b.add(15*time.Second, true, func(time.Time) Event {
		return Event{Verb: "list", User: hpa, Code: 200, Query: "?labelSelector=app%3Dorders-api", Object: Ref{Resource: "pods", Namespace: "orders", Group: "metrics.k8s.io", Version: "v1beta1"}}
	})
	gc := Controller("generic-garbage-collector")
	b.add(30*time.Second, true, func(time.Time) Event {
		return Event{Verb: "get", User: gc, Code: 200, URI: "/apis/metrics.k8s.io/v1beta1"}
	})
}

func (b *Background) clients() {
	ksm := ServiceAccount("monitoring", "kube-state-metrics", "kube-state-metrics/v2.13.0 (linux/amd64) kube-state-metrics/0d2bd6f")
	for _, res := range []string{"pods", "configmaps", "endpoints", "services"} {
		b.add(6*time.Minute, false, func(time.Time) Event {
			return Event{Verb: "watch", User: ksm, Code: 200, Query: "?allowWatchBookmarks=true&resourceVersion=" + b.store.Now() + "&watch=true", Took: 6 * time.Minute, Object: Ref{Resource: res, Version: "v1"}}
		})
	}
	git := ServiceAccount("gitops", "gitops-controller", "gitops-controller/v1.4.0 (linux/amd64)")
	b.add(12*time.Second, false, func(time.Time) Event {
		ns, pod := b.pod()
		return Event{Verb: "patch", User: git, Code: 200, Query: "?dryRun=All&fieldManager=gitops-controller&force=true", Object: Ref{Resource: "deployments", Namespace: ns, Name: pod[:len(pod)-17], Group: "apps", Version: "v1"}}
	})
	ops := ServiceAccount("network-operator", "network-operator", "network-operator/v0.0.0 (linux/amd64) kubernetes/$Format")
	b.add(4*time.Second, false, func(time.Time) Event {
		ns, _ := b.pod()
		return Event{Verb: "get", User: ops, Code: 200, Object: Ref{Resource: "configmaps", Namespace: ns, Name: "settings", Version: "v1"}}
	})
	b.add(20*time.Minute, false, func(time.Time) Event {
		return Event{Verb: "get", User: ops, Code: 404, Reason: "NotFound", Message: `configmaps "applied-cluster" not found`, Object: Ref{Resource: "configmaps", Namespace: "network-operator", Name: "applied-cluster", Version: "v1"}}
	})
	prom := ServiceAccount("monitoring", "prometheus", "prometheus/2.55.1")
	b.add(30*time.Second, true, func(time.Time) Event {
		return Event{Verb: "get", User: prom, Code: 200, URI: "/metrics"}
	})
	b.add(9*time.Minute, false, func(time.Time) Event {
		return Event{Verb: "list", User: Admin(), Code: 200, Query: "?limit=500", Object: Ref{Resource: "pods", Namespace: "orders", Version: "v1"}}
	})
}
