package accuracy

import (
	"cmp"
	"fmt"
	"maps"
	"time"
)

// An outage is a workload some of whose pods are not as they should be.
type outage struct {
	kind, namespace, name string
	good, bad             int
	age                   time.Duration // from the change to the look
	container             obj           // of the changed template
	spec                  obj           // of the pods
	state                 func(w *world, p obj)
	reason, message       string // of a Warning about each bad pod
	unplaced              bool
	ends                  bool // the state is that of containers that have ended for a while
}

// play makes the workload, changes it and looks at it when the change has an age.
func (f outage) play(w *world) {
	image := "registry.example.com/" + f.name + ":1"
	old := obj{"name": "main", "image": image}
	c := maps.Clone(old)
	maps.Copy(c, f.container)
	top, owner, by := f.owners(w)
	good := owner
	if f.kind == "Deployment" && f.good > 0 {
		good = w.replicaSet(top, f.good)
	}
	for i := range f.good {
		w.runs(w.pod(by, good, f.podName(owner, i), w.nodes[i%len(w.nodes)], obj{"spec": obj{"containers": []any{old}}}))
	}
	w.wait(3 * time.Hour)
	if f.age < 5*time.Minute {
		w.begin()
	}
	if f.kind == "Deployment" {
		w.updated(user("admin", 0), top, "", sets([]any{c}, "spec", "template", "spec", "containers"))
		owner = w.replicaSet(top, f.bad)
	}
	var bad []obj
	for i := range f.bad {
		node := w.nodes[(f.good+i)%len(w.nodes)]
		if f.unplaced {
			node = ""
		}
		spec := obj{"containers": []any{c}}
		maps.Copy(spec, f.spec)
		p := w.pod(by, owner, f.podName(owner, f.good+i), node, obj{"spec": spec})
		if !f.ends {
			f.state(w, p)
		}
		bad = append(bad, p)
	}
	f.count(w, top, owner)
	w.wait(f.age)
	for _, p := range bad {
		if f.ends {
			f.state(w, p)
		}
		if f.reason != "" {
			w.warns(p, f.reason, f.message, max(2, int(f.age/(70*time.Second))), f.age)
		}
	}
	if !w.begun {
		w.look(0)
	}
}

// owners makes what owns the pods, as far as it is there before the change.
func (f outage) owners(w *world) (top, owner obj, by who) {
	switch f.kind {
	case "Deployment", "StatefulSet", "DaemonSet", "Job":
		top = w.workload(f.kind, f.namespace, f.name, f.good+f.bad)
		by = controller(top)
		if f.kind == "Deployment" {
			by = manager("replicaset-controller")
		}
		return top, top, by
	case "CronJob":
		top = w.cronJob(f.namespace, f.name, "*/30 * * * *", "Forbid")
		w.wait(3*time.Hour - f.age)
		job := w.made(manager("cronjob-controller"), thing("batch/v1", "Job", f.namespace, f.name+"-29641530", owned(top),
			obj{"spec": obj{"completions": 1, "parallelism": 1, "backoffLimit": 6}, "status": obj{"active": 1}}))
		return top, job, manager("job-controller")
	default:
		top = w.made(user("admin", 0), custom("apps.example.com/v1", f.kind, f.namespace, f.name,
			obj{"replicas": f.good + f.bad}, obj{"readyReplicas": f.good}))
		return top, top, account(f.namespace, "operator", 1)
	}
}

func (f outage) podName(owner obj, i int) string {
	switch text(owner, "kind") {
	case "StatefulSet":
		return fmt.Sprintf("%s-%d", f.name, i)
	}
	return ""
}

// count is what the controllers report of the workload.
func (f outage) count(w *world, top, owner obj) {
	switch f.kind {
	case "Deployment":
		w.counts(top, f.good+f.bad, f.good)
		w.counts(owner, f.bad, 0)
	case "StatefulSet", "DaemonSet":
		w.counts(top, f.good+f.bad, f.good)
	}
}

// starting is a container that waits with a reason.
func starting(reason, message string) func(*world, obj) {
	return func(w *world, p obj) { w.waits(p, "main", reason, message, false) }
}

// mounting is a container that waits for its volumes, of which the status says nothing.
func mounting(w *world, p obj) {
	w.waits(p, "main", "ContainerCreating", "", false)
}

// ends is a container that ends some time after each start, restarts times so far.
type ends struct {
	container, reason, message string
	exit, restarts             int
	init, others               bool
	log                        string
	after                      time.Duration
}

// state has the kubelet report it in back-off.
func (e ends) state(w *world, p obj) {
	name := cmp.Or(e.container, "main")
	last := obj{"exitCode": e.exit, "reason": cmp.Or(e.reason, "Error"), "startedAt": stamp(w.now.Add(-time.Minute -
		max(e.after, time.Second))), "finishedAt": stamp(w.now.Add(-time.Minute))}
	if e.message != "" {
		last["message"] = e.message
	}
	c := obj{"name": name, "ready": false, "started": false, "restartCount": e.restarts,
		"state": obj{"waiting": obj{"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container=" + name +
			" pod=" + text(meta(p), "name")}}, "lastState": obj{"terminated": last}}
	status := obj{"phase": "Running", "startTime": meta(p)["creationTimestamp"], "conditions": []any{
		obj{"type": "PodScheduled", "status": "True"}, obj{"type": "Ready", "status": "False"}},
		"containerStatuses": []any{c}}
	if e.others {
		status["containerStatuses"] = []any{obj{"name": "main", "ready": true, "started": true, "restartCount": 0,
			"state": obj{"running": obj{"startedAt": meta(p)["creationTimestamp"]}}}, c}
	}
	if e.init {
		status["phase"], status["initContainerStatuses"] = "Pending", []any{c}
		status["containerStatuses"] = []any{obj{"name": "main", "ready": false, "restartCount": 0,
			"state": obj{"waiting": obj{"reason": "PodInitializing"}}}}
	}
	w.status(p, status)
	w.warns(p, "BackOff", "Back-off restarting failed container "+name+" in pod "+text(meta(p), "name"), 9*e.restarts, time.Hour)
	if e.log != "" {
		w.says(p, name, e.log)
	}
}

func two(name, image string) obj {
	return obj{"containers": []any{obj{"name": "main", "image": "registry.example.com/main:1"},
		obj{"name": name, "image": image}}}
}

func initialised(name, image string) obj {
	return obj{"initContainers": []any{obj{"name": name, "image": image}}}
}

const backOff = "Back-off pulling image "

// outages are the faults of pods by their scenes' names.
func outages() map[string]outage {
	pull := func(image, why string) func(*world, obj) {
		return starting("ImagePullBackOff", backOff+`"`+image+`": ErrImagePull: `+why)
	}
	failed := func(image, why string) string { return `Failed to pull image "` + image + `": ` + why }
	const limited = "failed to copy: httpReadSeeker: failed open: unexpected status code 429 Too Many Requests - Server " +
		"message: toomanyrequests: You have reached your pull rate limit"
	const denied = `failed to resolve reference "registry.example.com/vault:3.1": pull access denied, repository does not ` +
		"exist or may require authorization"
	const platform = `no match for platform in manifest: not found`
	return map[string]outage{
		"pulls-limited": {kind: "Deployment", namespace: "web", name: "shelf", good: 3, bad: 1, age: 25 * time.Minute,
			container: obj{"image": "docker.io/acme/shelf:2"}, state: pull("docker.io/acme/shelf:2", limited),
			reason: "Failed", message: failed("docker.io/acme/shelf:2", limited)},
		"pull-denied": {kind: "StatefulSet", namespace: "db", name: "vault", good: 2, bad: 1, age: 70 * time.Second,
			container: obj{"image": "registry.example.com/vault:3.1"}, state: pull("registry.example.com/vault:3.1", denied),
			reason: "Failed", message: failed("registry.example.com/vault:3.1", denied)},
		"no-such-platform": {kind: "DaemonSet", namespace: "infra", name: "probe", good: 3, bad: 1, age: 40 * time.Minute,
			container: obj{"image": "registry.example.com/probe:2"}, state: pull("registry.example.com/probe:2", platform),
			reason: "Failed", message: failed("registry.example.com/probe:2", platform)},
		"never-pulled": {kind: "CronJob", namespace: "etl", name: "rollup", bad: 1, age: 22 * time.Minute,
			container: obj{"image": "rollup:dev", "imagePullPolicy": "Never"}, state: starting("ErrImageNeverPull",
				`Container image "rollup:dev" is not present with pull policy of Never`),
			reason: "ErrImageNeverPull", message: `Container image "rollup:dev" is not present with pull policy of Never`},
		"operator-image": {kind: "Brokers", namespace: "mq", name: "east", good: 2, bad: 1, age: 33 * time.Minute,
			container: obj{"image": "quay.io/acme/broker:9"}, state: pull("quay.io/acme/broker:9", "manifest unknown"),
			reason: "Failed", message: failed("quay.io/acme/broker:9", "manifest unknown")},
		"secret-volume": {kind: "StatefulSet", namespace: "db", name: "ledger", bad: 1, age: 26 * time.Minute, state: mounting,
			spec: secretVolume("certs", "ledger-certs"), reason: "FailedMount",
			message: `MountVolume.SetUp failed for volume "certs" : secret "ledger-certs" not found`},
		"config-volume-young": {kind: "Deployment", namespace: "web", name: "cart", good: 3, bad: 1, age: 75 * time.Second,
			state: mounting, spec: obj{"volumes": []any{obj{"name": "rules", "configMap": obj{"name": "cart-rules"}}}},
			reason: "FailedMount", message: `MountVolume.SetUp failed for volume "rules" : configmap "cart-rules" not found`},
		"attached-elsewhere": {kind: "StatefulSet", namespace: "db", name: "orders", good: 1, bad: 1, age: 31 * time.Minute,
			state: mounting, reason: "FailedAttachVolume", message: `Multi-Attach error for volume "pvc-7d1" Volume is already ` +
				"exclusively attached to one node and can't be attached to another"},
		"key-of-secret": {kind: "DaemonSet", namespace: "mesh", name: "proxy", good: 2, bad: 2, age: 18 * time.Minute,
			state:  starting("CreateContainerConfigError", "couldn't find key token in Secret mesh/proxy-auth"),
			reason: "Failed", message: "Error: couldn't find key token in Secret mesh/proxy-auth"},
		"key-young": {kind: "StatefulSet", namespace: "chat", name: "hub", good: 2, bad: 1, age: 65 * time.Second,
			state:  starting("CreateContainerConfigError", `configmap "hub-env" not found`),
			reason: "Failed", message: `Error: configmap "hub-env" not found`},
		"root-refused": {kind: "Job", namespace: "batch", name: "reindex", bad: 2, age: 21 * time.Minute,
			state: starting("CreateContainerConfigError", "container has runAsNonRoot and image will run as root (pod: "+
				`"reindex_batch(1)", container: main)`), reason: "Failed", message: "Error: container has runAsNonRoot and image " +
				"will run as root"},
		"no-entrypoint": {kind: "Deployment", namespace: "web", name: "quote", good: 2, bad: 1, age: 35 * time.Minute,
			ends: true, state: ends{exit: 128, reason: "StartError", restarts: 9, message: noEntrypoint}.state, reason: "Failed",
			message: "Error: " + noEntrypoint},
		"sandbox-fails": {kind: "DaemonSet", namespace: "infra", name: "shipper", good: 3, bad: 1, age: 28 * time.Minute,
			state: mounting, reason: "FailedCreatePodSandBox", message: "Failed to create pod sandbox: rpc error: code = Unknown " +
				`desc = failed to setup network for sandbox "9f2": plugin type="calico" failed (add): stat /var/lib/calico/nodename: ` +
				"no such file or directory"},
	}
}

const noEntrypoint = `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create ` +
	`failed: unable to start container process: exec: "/app/serve": stat /app/serve: no such file or directory: unknown`

func secretVolume(name, secret string) obj {
	return obj{"volumes": []any{obj{"name": name, "secret": obj{"secretName": secret}}}}
}

const panicText = `panic: runtime error: index out of range [7] with length 3

goroutine 41 [running]:
main.(*zone).load(0xc0001a4000, {0xc00012e0c0, 0x1a})
	/src/dnscache/zone.go:88 +0x1f3
created by main.run in goroutine 1
	/src/dnscache/main.go:41 +0x8d`

// crashes are containers that end.
func crashes() map[string]outage {
	all := map[string]outage{
		"oom-daemon": {kind: "DaemonSet", namespace: "logging", name: "tail", good: 2, bad: 2, age: 2 * time.Hour,
			state: ends{exit: 137, reason: "OOMKilled", restarts: 11, after: 3 * time.Minute}.state},
		"oom-sidecar": {kind: "Deployment", namespace: "web", name: "pay", good: 2, bad: 2, age: time.Hour,
			spec: two("shipper", "registry.example.com/shipper:4"), state: ends{container: "shipper", exit: 137,
				reason: "OOMKilled", restarts: 8, others: true, after: 2 * time.Minute}.state},
		"exit-log": {kind: "StatefulSet", namespace: "geo", name: "tiles", good: 1, bad: 2, age: 50 * time.Minute,
			state: ends{exit: 1, restarts: 14, log: "2026-09-14T11:20:01Z INFO starting tiles\n" +
				"2026-09-14T11:20:02Z FATAL no route file at /etc/tiles/routes.yaml"}.state},
		"panic-daemon": {kind: "DaemonSet", namespace: "infra", name: "dnscache", good: 1, bad: 3, age: 40 * time.Minute,
			state: ends{exit: 2, restarts: 12, log: panicText}.state},
		"exit-custom": {kind: "Pipeline", namespace: "flow", name: "ingest", good: 1, bad: 2, age: 90 * time.Minute,
			state: ends{exit: 78, restarts: 17}.state},
		"cron-crashes": {kind: "CronJob", namespace: "mail", name: "digest", bad: 1, age: 24 * time.Minute,
			state: ends{exit: 3, restarts: 9}.state},
		"init-crashes": {kind: "DaemonSet", namespace: "infra", name: "cni", good: 3, bad: 1, age: 36 * time.Minute,
			spec: initialised("install-cni", "registry.example.com/cni:3"), state: ends{container: "install-cni", exit: 1,
				restarts: 10, init: true}.state},
		"init-log": {kind: "StatefulSet", namespace: "db", name: "pg", good: 0, bad: 1, age: 44 * time.Minute,
			spec: initialised("migrate", "registry.example.com/pg-migrate:8"), state: ends{container: "migrate", exit: 1,
				restarts: 11, init: true, log: "applying migrations\nERROR: migration 41 failed: relation \"users\" does not exist"}.state},
		"sidecar-crashes": {kind: "StatefulSet", namespace: "mesh", name: "relay", good: 1, bad: 2, age: 75 * time.Minute,
			spec: two("envoy", "registry.example.com/envoy:1.30"), state: ends{container: "envoy", exit: 1, restarts: 19,
				others: true}.state},
	}
	for name, f := range all {
		f.ends = true
		all[name] = f
	}
	return all
}

// placings are pods that no node takes.
func placings() map[string]outage {
	none := func(why string) outage {
		text := "0/4 nodes are available: " + why + ". preemption: 0/4 nodes are available: 4 Preemption is not helpful for " +
			"scheduling."
		return outage{unplaced: true, state: func(w *world, p obj) { w.unplaced(p, text) }, reason: "FailedScheduling",
			message: text}
	}
	of := func(kind, namespace, name string, good, bad int, age time.Duration, why string) outage {
		f := none(why)
		f.kind, f.namespace, f.name, f.good, f.bad, f.age = kind, namespace, name, good, bad, age
		return f
	}
	return map[string]outage{
		"cpu-of-job":   of("Job", "batch", "render", 3, 6, 27*time.Minute, "4 Insufficient cpu"),
		"memory-young": of("DaemonSet", "logging", "index", 3, 1, 70*time.Second, "1 Insufficient memory, 3 node(s) didn't match Pod's node affinity/selector"),
		"taint-of-set": of("StatefulSet", "db", "wide", 0, 1, 19*time.Minute, "4 node(s) had untolerated taint {dedicated: db}"),
		"spread-rules": of("Deployment", "web", "edge", 4, 2, 23*time.Minute, "4 node(s) didn't match pod topology spread constraints"),
		"affinity-custom": of("Brokers", "mq", "west", 1, 2, 42*time.Minute,
			"4 node(s) didn't match Pod's node affinity/selector"),
	}
}
