package main

import (
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/logs"
)

// talking is a pod whose log tells what is wrong.
func (c *cluster) talking(namespace, name string, f logs.Format, span time.Duration, says ...logs.Saying) *pod {
	p := c.pod(c.workload("Deployment", namespace, name, c.from.Add(-20*24*time.Hour)), 0)
	p.container(name).instances = []instance{{lines: texts(f, name, c.taken.Add(-span), c.taken, says...)}}
	return p
}

func talkStories() []story {
	var all []story
	add := func(s story, build func(*cluster), layout func(*cluster) []archive.File, pack func([]archive.File) ([]byte, error)) {
		c := healthy(s.name, noon, 3*time.Hour, tiny(), short)
		build(c)
		s.verdict, s.files, s.pack = "guilty", layout(c), pack
		all = append(all, s)
	}
	add(story{name: "talk-reconcile-loop.tar.gz", layout: "must-gather", category: "hot-loop", objects: []string{"mail-gateway"}, rule: "loop|reconcile|repeat",
		why: "one object is reconciled every half second for twenty-five minutes, and nothing changes"}, func(c *cluster) {
		c.talking("gateways", "gateway-controller", logs.Zap, 25*time.Minute,
			logs.Every(500*time.Millisecond, true, 'I', "gateway", `"msg":"Reconciling gateway","controller":"gateway","controllerGroup":"net.example.net","controllerKind":"Gateway","Gateway":{"name":"mail-gateway","namespace":"gateways"},"namespace":"gateways","name":"mail-gateway","reconcileID":"{{uuid}}"`),
			logs.Every(40*time.Second, false, 'I', "gateway", `"msg":"Reconciling gateway","controller":"gateway","controllerGroup":"net.example.net","controllerKind":"Gateway","Gateway":{"name":"{{app}}","namespace":"{{ns}}"},"namespace":"{{ns}}","name":"{{app}}","reconcileID":"{{uuid}}"`))
	}, mustGather, asTarGz)

	add(story{name: "talk-errors-no-backoff.zip", layout: "kit", category: "hot-loop", objects: []string{"night-export"}, rule: "error|retry|backoff",
		why: "the same error five times in two seconds for eighteen minutes: no backoff"}, func(c *cluster) {
		c.talking("exports", "export-operator", logs.Zap, 18*time.Minute,
			logs.Every(400*time.Millisecond, true, 'E', "controller-runtime", `"msg":"Reconciler error","controller":"export","controllerGroup":"data.example.net","controllerKind":"Export","Export":{"name":"night-export","namespace":"exports"},"namespace":"exports","name":"night-export","reconcileID":"{{uuid}}","error":"secret \"exports/bucket-key\" not found"`),
			logs.Every(20*time.Second, false, 'I', "export", `"msg":"exported","controller":"export","namespace":"{{ns}}","name":"{{app}}","rows":{{n:10-9000}}`))
	}, kit, asZip)

	add(story{name: "talk-throttled.tar.gz", layout: "inspect", severity: "low", category: "contention|hot-loop", rule: "throttl",
		why: "the client throttles itself: requests wait seconds, all the time, in the old and the new wording"}, func(c *cluster) {
		c.talking("fleet", "fleet-scanner", logs.Klog, 30*time.Minute,
			logs.Every(2*time.Second, false, 'I', "request.go:752", `"Waited before sending request" delay="{{n:1-9}}.{{z:1-999}}s" reason="client-side throttling, not priority and fairness" verb="GET" URL="https://10.43.0.1:443/api/v1/namespaces/{{ns}}/configmaps/{{app}}"`),
			logs.Every(9*time.Second, false, 'I', "scan.go:55", `"Scanned" namespace="{{ns}}" objects={{n:10-900}}`))
		c.talking("fleet", "fleet-reporter", logs.Klog, 30*time.Minute,
			logs.Every(3*time.Second, false, 'I', "request.go:665", `Waited for {{n:1-9}}.{{z:1-999}}s due to client-side throttling, not priority and fairness, request: GET:https://10.43.0.1:443/apis/apps/v1?timeout=32s`))
	}, inspect, asTarGz)

	add(story{name: "talk-etcd-slow.tar.gz", layout: "rke2-collector", category: "contention|hot-loop", rule: "etcd",
		why: "etcd applies three requests a second too slowly, with fsyncs over a second, for twenty minutes"}, func(c *cluster) {
		p := c.find("kube-system", "etcd")
		p.containers[0].instances[0].lines = merge(p.containers[0].instances[0].lines, texts(logs.EtcdZap, "etcd-slow", noon.Add(-20*time.Minute), noon,
			logs.Every(330*time.Millisecond, false, 'W', "txn/util.go:93", `"msg":"apply request took too long","took":"{{n:300-2900}}.{{z:1-999}}ms","expected-duration":"100ms","prefix":"read-only range ","request":"key:\"/registry/{{res}}/{{ns}}/{{app}}\" ","response":"range_response_count:1 size:{{n:900-9000}}"`),
			logs.Every(15*time.Second, false, 'W', "wal/wal.go:805", `"msg":"slow fdatasync","took":"{{n:1-4}}.{{z:1-999}}s","expected-duration":"1s"`),
			logs.Every(25*time.Second, false, 'W', "etcdserver/raft.go:416", `"msg":"leader failed to send out heartbeat on time; took too long, leader is overloaded likely from slow disk","to":"8e9e05c52164694d","heartbeat-interval":"100ms","expected-duration":"200ms","exceeded-duration":"{{n:100-900}}.{{z:1-999}}ms"`)))
	}, collector, asTarGz)

	add(story{name: "talk-election-flapping.zip", layout: "kit", category: "crash|contention|hot-loop", rule: "leader|election",
		why: "a controller loses its lease every two and a half minutes, 22 times in an hour"}, func(c *cluster) {
		p := c.talking("dns-system", "record-keeper", logs.Klog, 2*time.Minute)
		k := p.containers[0]
		k.instances[0].lines = nil
		for i := range 22 {
			start := noon.Add(-time.Duration(22-i) * 150 * time.Second)
			lost := 110 * time.Second
			at := func(d time.Duration, level, where, msg string) line {
				t := start.Add(d)
				return line{at: t, text: level + t.UTC().Format("0102 15:04:05.000000") + "       1 " + where + "] " + msg}
			}
			k.say(
				at(0, "I", "leaderelection.go:254", "attempting to acquire leader lease dns-system/record-keeper..."),
				at(17*time.Second, "I", "leaderelection.go:268", "successfully acquired lease dns-system/record-keeper"),
				at(18*time.Second, "I", "keeper.go:61", `"Syncing zones" zones=14`),
				at(lost-12*time.Second, "E", "leaderelection.go:429", `Failed to update lock optimistically: Put "https://10.43.0.1:443/apis/coordination.k8s.io/v1/namespaces/dns-system/leases/record-keeper?timeout=5s": context deadline exceeded, falling back to slow path`),
				at(lost-7*time.Second, "E", "leaderelection.go:436", `error retrieving resource lock dns-system/record-keeper: Get "https://10.43.0.1:443/apis/coordination.k8s.io/v1/namespaces/dns-system/leases/record-keeper?timeout=5s": context deadline exceeded`),
				at(lost-time.Second, "I", "leaderelection.go:297", "failed to renew lease dns-system/record-keeper: context deadline exceeded"),
				at(lost, "E", "keeper.go:71", `"Leader election lost, trying again"`),
			)
		}
	}, kit, asZip)
	return all
}
