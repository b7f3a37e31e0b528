package main

import (
	"fmt"
	"time"

	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

// nearStories are programs that do one thing again and again because that is what they are for.
func nearStories() []story {
	c := healthy("near-tickers", noon, 6*time.Hour, tiny(), short)
	c.tickers()
	all := []story{{name: "near-tickers.zip", layout: "kit", verdict: "healthy", why: "logs of pollers, heartbeats, renewed leases, probes and a load test, each with one or two lines at a steady rate for half an hour", files: kit(c), pack: asZip}}
	for _, level := range []string{"Metadata", "RequestResponse"} {
		name := map[string]string{"Metadata": "near-writers-metadata.tar.gz", "RequestResponse": "near-writers-bodies.tar.gz"}[level]
		c = healthy(name, noon, time.Hour, tiny()[:4], short)
		from := noon.Add(-6 * time.Minute)
		c.traffic(2, from.Add(-time.Minute), noon, 0.5, nil, busyWriters(level, from, noon))
		all = append(all, story{name: name, layout: "must-gather", verdict: "healthy", why: "writers that write one object often: leader election over a ConfigMap, heartbeats of a storage system, a Job of 160 pods, a rollout", files: mustGather(c), pack: asTarGz})
	}
	return all
}

func (c *cluster) tickers() {
	span := 25 * time.Minute
	c.talking("support", "mailbox-poller", logs.Slog, span,
		logs.Every(2*time.Second, true, 'I', "", `"msg":"checked mailbox","mailbox":"support@example.org","new":0`))
	c.talking("telemetry", "uplink", logs.Logrus, span,
		logs.Every(time.Second, true, 'I', "", `"heartbeat sent" session={{n:1-3}} seq={{rv}}`))
	c.talking("locks", "lock-keeper", logs.Klog, span,
		logs.Every(2*time.Second, true, 'I', "leaderelection.go:280", "successfully renewed lease locks/lock-keeper"))
	c.talking("queues", "queue-reader", logs.Zap, span,
		logs.Every(1500*time.Millisecond, true, 'I', "sqs", `"msg":"Polling queue","queue":"orders-incoming","received":0`),
		logs.Every(40*time.Second, false, 'I', "sqs", `"msg":"Message handled","queue":"orders-incoming","id":"{{uuid}}"`))
	c.talking("probes", "blackbox", logs.Logfmt, span,
		logs.Every(5*time.Second, true, 'I', "main.go:181", `module=http_2xx target=https://shop.example.org/health msg="Probe succeeded" duration_seconds=0.{{z:1-999}}`))
	c.talking("bench", "load-test", logs.GoLog, 8*time.Minute,
		logs.Every(250*time.Millisecond, true, 'I', "", `run shop-baseline: {{n:950-1050}} requests/s, p99 {{n:40-90}} ms`))
	c.talking("sync", "clock-sync", logs.Bare, span,
		logs.Every(16*time.Second, true, 'I', "", `{{rfc}} chronyd[1]: Selected source 192.0.2.{{n:1-3}} (time.example.org)`))
	c.talking("web", "shop-front", logs.Access, 8*time.Minute,
		logs.Every(300*time.Millisecond, false, 'I', "", `"GET /v1/cart/shop-front HTTP/1.1" 200 {{n:120-900}} "-" "kube-probe/1.31"`))
	c.talking("flow", "pipeline-runner", logs.Zap, span, // a controller whose objects are due every ten seconds
		logs.Every(10*time.Second, true, 'I', "", `"msg":"Reconciling schedule","controller":"schedule","controllerGroup":"flow.example.net","controllerKind":"Schedule","Schedule":{"name":"every-ten-seconds","namespace":"flow"},"namespace":"flow","name":"every-ten-seconds","reconcileID":"{{uuid}}"`),
		logs.Every(10*time.Second, true, 'I', "", `"msg":"Started run","controller":"schedule","namespace":"flow","name":"every-ten-seconds","run":"every-ten-seconds-{{n:1000-9999}}"`))
}

// chain is one writer that updates one object again and again, each time with the version that the last write returned.
type chain struct {
	level string
	user  auditlog.User
	ref   auditlog.Ref
	meta  func(at time.Time) string        // more of its metadata, where not nil
	body  func(n int, at time.Time) string // the object's part behind its metadata
}

func (w chain) every(from, to time.Time, gap time.Duration, jitter float64) []scripted {
	r := logs.NewRand(w.ref.Name)
	w.ref.UID = r.UUID()
	rv := "47000001"
	var out []scripted
	for n, at := 0, from; at.Before(to); n, at = n+1, at.Add(r.Jitter(gap, jitter)) {
		text := func(rv string) []byte {
			meta := ""
			if w.meta != nil {
				meta = "," + w.meta(at)
			}
			api := w.ref.Version
			if w.ref.Group != "" {
				api = w.ref.Group + "/" + api
			}
			return []byte(`{"apiVersion":"` + api + `","metadata":{"name":"` + w.ref.Name + `","namespace":"` + w.ref.Namespace + `","uid":"` + w.ref.UID + `","resourceVersion":"` + rv + `"` + meta + `},` + w.body(n, at) + `}`)
		}
		out = append(out, scripted{at, func(st *auditlog.Store) auditlog.Event {
			e := auditlog.Event{Level: w.level, Verb: "update", User: w.user, Code: 200, Object: w.ref, Request: text(rv)}
			e.Object.RV = rv
			rv = st.Write()
			e.Response = text(rv)
			return e
		}})
	}
	return out
}

// busyWriters are writers that nothing is wrong with.
func busyWriters(level string, from, to time.Time) []scripted {
	var out []scripted
	// Leader election as it was before leases: an annotation of a ConfigMap.
	elector := auditlog.ServiceAccount("storage", "snapshot-controller", "snapshot-controller/v6.1.0 (linux/amd64) kubernetes/$Format/leader-election")
	out = append(out, chain{level, elector, auditlog.Ref{Resource: "configmaps", Namespace: "storage", Name: "snapshot-controller-leader", Version: "v1"}, func(at time.Time) string {
		return `"annotations":{"control-plane.alpha.kubernetes.io/leader":"{\"holderIdentity\":\"node-a1\",\"leaseDurationSeconds\":15,\"renewTime\":\"` + stamp(at) + `\",\"leaderTransitions\":2}"}`
	}, func(int, time.Time) string { return `"kind":"ConfigMap"` }}.every(from, to, 2*time.Second, 0.02)...)
	// A storage system's nodes tell every ten seconds that they are there.
	for i := range 3 {
		node := fmt.Sprint("node-a", i+1)
		agent := auditlog.ServiceAccount("storage", "volume-manager", "volume-manager/v1.8.0 (linux/amd64)")
		agent.IP = fmt.Sprint("10.42.", i, ".9")
		out = append(out, chain{level, agent, auditlog.Ref{Resource: "storagenodes", Namespace: "storage", Name: node, Group: "volumes.example.net", Version: "v1", Sub: "status"}, nil, func(n int, at time.Time) string {
			return `"kind":"StorageNode","status":{"lastHeartbeatTime":"` + stamp(at) + `","freeBytes":` + fmt.Sprint(80_000_000_000-int64(n)*4096) + `}`
		}}.every(from, to, 10*time.Second, 0.05)...)
	}
	// A Job's counters, while its pods come and go.
	job := auditlog.Controller("job-controller")
	jobEnd := from.Add(4 * time.Minute)
	out = append(out, chain{level, job, auditlog.Ref{Resource: "jobs", Namespace: "reports", Name: "year-end", Group: "batch", Version: "v1", Sub: "status"}, nil, func(n int, at time.Time) string {
		return `"kind":"Job","status":{"active":8,"succeeded":` + fmt.Sprint(n) + `,"ready":` + fmt.Sprint(n%8) + `}`
	}}.every(from, jobEnd, 1500*time.Millisecond, 0.6)...)
	r := logs.NewRand("job pods")
	for at := from; at.Before(jobEnd); at = at.Add(r.Jitter(1500*time.Millisecond, 0.6)) {
		name := "year-end-" + r.Suffix(5)
		out = append(out, scripted{at.Add(40 * time.Millisecond), func(st *auditlog.Store) auditlog.Event {
			st.Write()
			e := auditlog.Event{Level: level, Verb: "create", User: job, Code: 201, Object: auditlog.Ref{Resource: "pods", Namespace: "reports", Version: "v1"}}
			e.Request = []byte(`{"kind":"Pod","apiVersion":"v1","metadata":{"generateName":"year-end-","namespace":"reports","ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"year-end","uid":"3d1f0e5a-55d1-4b43-8d1a-3fd2c2a9f001","controller":true}]},"spec":{"restartPolicy":"Never"}}`)
			return e
		}}, scripted{at.Add(90 * time.Millisecond), func(st *auditlog.Store) auditlog.Event {
			st.Write()
			return auditlog.Event{Level: level, Verb: "create", User: auditlog.Scheduler(), Code: 201, Object: auditlog.Ref{Resource: "pods", Namespace: "reports", Name: name, Version: "v1", Sub: "binding"}}
		}}, scripted{at.Add(12 * time.Second), func(st *auditlog.Store) auditlog.Event {
			st.Write()
			return auditlog.Event{Level: level, Verb: "patch", User: auditlog.Kubelet("node-a2"), Code: 200, Object: auditlog.Ref{Resource: "pods", Namespace: "reports", Name: name, Version: "v1", Sub: "status"}, Request: []byte(`{"status":{"phase":"Succeeded"}}`)}
		}})
	}
	// A rollout: forty writes of a ReplicaSet's status in twenty seconds.
	rollout := auditlog.Controller("replicaset-controller")
	out = append(out, chain{level, rollout, auditlog.Ref{Resource: "replicasets", Namespace: "orders", Name: "orders-api-6b7f9c8d5", Group: "apps", Version: "v1", Sub: "status"}, nil, func(n int, _ time.Time) string {
		return `"kind":"ReplicaSet","status":{"replicas":40,"readyReplicas":` + fmt.Sprint(n) + `,"availableReplicas":` + fmt.Sprint(n/2) + `}`
	}}.every(from.Add(30*time.Second), from.Add(50*time.Second), 500*time.Millisecond, 0.5)...)
	return out
}
