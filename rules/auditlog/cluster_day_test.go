package auditlog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

const (
	deployer  = "system:serviceaccount:kube-system:deployment-controller"
	scaler    = "system:serviceaccount:kube-system:horizontal-pod-autoscaler"
	jobs      = "system:serviceaccount:kube-system:job-controller"
	crons     = "system:serviceaccount:kube-system:cronjob-controller"
	scheduler = "system:kube-scheduler"
)

// A clusterDay writes what an API server logs of a cluster's ordinary days: who creates, binds, reports and deletes
// what when workloads come, change and go. Bodies are those of level RequestResponse; without them it is Metadata.
type clusterDay struct {
	rng    *rand.Rand
	bodies bool
	now    time.Duration
	out    []auditEvent
	pods   map[string][]string // by ReplicaSet, Job
	node   map[string]string   // of a pod
	rs     map[string]string   // of a Deployment: the one that has its pods
	serial int
}

func newDay(seed uint64, bodies bool) *clusterDay {
	return &clusterDay{rng: rand.New(rand.NewPCG(seed, 1)), bodies: bodies, pods: map[string][]string{},
		node: map[string]string{}, rs: map[string]string{}}
}

func (d *clusterDay) wait(least, most time.Duration) {
	d.now += least + time.Duration(d.rng.Int64N(int64(most-least)+1))
}

// log adds an event; body is what is logged of the object at level RequestResponse.
func (d *clusterDay) log(user, verb, group, resource, sub, ns, name, body string) {
	agent := "client/v1"
	switch {
	case strings.HasPrefix(user, "system:serviceaccount:kube-system:"):
		agent = manager + " (linux/amd64) kubernetes/abc/" + user
	case strings.HasPrefix(user, "system:node:"):
		agent = "kubelet/v1.34.0 (linux/amd64) kubernetes/abc"
	case user == scheduler:
		agent = "kube-scheduler/v1.34.0 (linux/amd64) kubernetes/abc/scheduler"
	}
	e := auditEvent{after: d.now, user: user, agent: agent, verb: verb, group: group, resource: resource, sub: sub,
		namespace: ns, name: name, code: 200}
	if verb == "create" {
		e.code = 201
	}
	if d.bodies {
		e.respond = body
	}
	d.out = append(d.out, e)
	d.wait(time.Millisecond, 10*time.Millisecond)
}

const suffixes = "bcdfghjklmnpqrstvwxz2456789"

func (d *clusterDay) suffix(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = suffixes[d.rng.IntN(len(suffixes))]
	}
	return string(b)
}

func (d *clusterDay) nodeName() string { return fmt.Sprintf("n%d", 1+d.rng.IntN(6)) }

func (d *clusterDay) body(kind, api, ns, name, owner, ownerKind, rest string) string {
	d.serial++
	ref := ""
	if owner != "" {
		ref = fmt.Sprintf(`,"ownerReferences":[{"apiVersion":"apps/v1","kind":%q,"name":%q,"uid":"u-%s","controller":true}]`,
			ownerKind, owner, owner)
	}
	return fmt.Sprintf(`{"kind":%q,"apiVersion":%q,"metadata":{"name":%q,"namespace":%q,"uid":"u-%s","resourceVersion":"%d"%s}%s}`,
		kind, api, name, ns, name, 1000+d.serial, ref, rest)
}

// pod has a controller create a pod, which starts.
func (d *clusterDay) pod(ns, owner, ownerKind, by string) string {
	name := owner + "-" + d.suffix(5)
	at := ""
	if d.bodies {
		at = name
	}
	d.log(by, "create", "", "pods", "", ns, "", d.body("Pod", "v1", ns, at, owner, ownerKind,
		`,"spec":{"containers":[]}`))
	node := d.nodeName()
	d.log(scheduler, "create", "", "pods", "binding", ns, name, "")
	d.report(ns, name, node, "Pending")
	d.report(ns, name, node, "Running")
	d.pods[owner] = append(d.pods[owner], name)
	d.node[name] = node
	return name
}

func (d *clusterDay) report(ns, name, node, phase string) {
	d.log("system:node:"+node, "patch", "", "pods", "status", ns, name,
		d.body("Pod", "v1", ns, name, "", "", fmt.Sprintf(`,"status":{"phase":%q}`, phase)))
}

// gone is a pod's graceful end after someone asked for it.
func (d *clusterDay) gone(ns, owner, name string) {
	d.report(ns, name, d.node[name], "Running")
	d.report(ns, name, d.node[name], "Succeeded")
	d.log("system:node:"+d.node[name], "delete", "", "pods", "", ns, name, "")
	d.pods[owner] = slices.DeleteFunc(d.pods[owner], func(p string) bool { return p == name })
}

func (d *clusterDay) remove(ns, owner, name, by string) {
	d.log(by, "delete", "", "pods", "", ns, name, "")
	d.gone(ns, owner, name)
}

func (d *clusterDay) newSet(ns, deployment string, replicas int) string {
	rs := deployment + "-" + d.suffix(9)
	d.log(deployer, "create", "apps", "replicasets", "", ns, rs, d.body("ReplicaSet", "apps/v1", ns, rs, deployment,
		"Deployment", fmt.Sprintf(`,"spec":{"replicas":%d}`, replicas)))
	return rs
}

func (d *clusterDay) statuses(ns, deployment, rs string) {
	d.log(replicas, "update", "apps", "replicasets", "status", ns, rs, d.body("ReplicaSet", "apps/v1", ns, rs,
		deployment, "Deployment", fmt.Sprintf(`,"status":{"replicas":%d}`, len(d.pods[rs]))))
	d.log(deployer, "update", "apps", "deployments", "status", ns, deployment, d.body("Deployment", "apps/v1", ns,
		deployment, "", "", fmt.Sprintf(`,"status":{"replicas":%d,"observedGeneration":%d}`, len(d.pods[rs]),
			d.serial)))
}

func (d *clusterDay) deploy(ns, name string, n int) {
	d.log("admin", "create", "apps", "deployments", "", ns, name, d.body("Deployment", "apps/v1", ns, name, "", "",
		fmt.Sprintf(`,"spec":{"replicas":%d}`, n)))
	rs := d.newSet(ns, name, n)
	d.rs[name] = rs
	for range n {
		d.pod(ns, rs, "ReplicaSet", replicas)
	}
	d.statuses(ns, name, rs)
}

// rollout replaces the pods of a Deployment by those of a new ReplicaSet, some at a time.
func (d *clusterDay) rollout(ns, name string) {
	d.log("admin", "patch", "apps", "deployments", "", ns, name, d.body("Deployment", "apps/v1", ns, name, "", "",
		fmt.Sprintf(`,"spec":{"replicas":%d,"image":"v%d"}`, len(d.pods[d.rs[name]]), d.serial)))
	old := d.rs[name]
	n := len(d.pods[old])
	rs := d.newSet(ns, name, 0)
	d.rs[name] = rs
	for at := 0; at < n; at++ {
		d.log(deployer, "update", "apps", "replicasets", "", ns, rs, d.body("ReplicaSet", "apps/v1", ns, rs, name,
			"Deployment", fmt.Sprintf(`,"spec":{"replicas":%d}`, at+1)))
		d.pod(ns, rs, "ReplicaSet", replicas)
		d.log(deployer, "update", "apps", "replicasets", "", ns, old, d.body("ReplicaSet", "apps/v1", ns, old, name,
			"Deployment", fmt.Sprintf(`,"spec":{"replicas":%d}`, n-at-1)))
		d.remove(ns, old, d.pods[old][0], replicas)
		d.statuses(ns, name, rs)
		d.wait(100*time.Millisecond, 2*time.Second)
	}
}

// scale changes the replicas through the scale subresource.
func (d *clusterDay) scale(ns, name string, n int, by string) {
	rs := d.rs[name]
	d.log(by, "update", "apps", "deployments", "scale", ns, name,
		fmt.Sprintf(`{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":%q},"spec":{"replicas":%d}}`,
			name, n))
	d.log(deployer, "update", "apps", "replicasets", "", ns, rs, d.body("ReplicaSet", "apps/v1", ns, rs, name,
		"Deployment", fmt.Sprintf(`,"spec":{"replicas":%d}`, n)))
	for len(d.pods[rs]) < n {
		d.pod(ns, rs, "ReplicaSet", replicas)
	}
	for len(d.pods[rs]) > n {
		d.remove(ns, rs, d.pods[rs][d.rng.IntN(len(d.pods[rs]))], replicas)
	}
	d.statuses(ns, name, rs)
}

func (d *clusterDay) on(node string) (pods []string) {
	for p, n := range d.node {
		if n == node {
			pods = append(pods, p)
		}
	}
	slices.Sort(pods)
	return pods
}

func (d *clusterDay) ownerOf(pod string) string { return pod[:len(pod)-6] }

// drain evicts a node's pods, which their ReplicaSets replace.
func (d *clusterDay) drain(ns, node string) {
	for _, p := range d.on(node) {
		owner := d.ownerOf(p)
		if !slices.Contains(d.pods[owner], p) {
			continue
		}
		d.log("admin", "create", "", "pods", "eviction", ns, p, "")
		d.gone(ns, owner, p)
		d.pod(ns, owner, "ReplicaSet", replicas)
		d.wait(10*time.Millisecond, time.Second)
	}
}

// lose has the pods of a node that is gone deleted after five minutes.
func (d *clusterDay) lose(ns, node string) {
	const controller = "system:serviceaccount:kube-system:node-controller"
	all := d.on(node)
	for _, p := range all {
		d.log(controller, "patch", "", "pods", "status", ns, p, "")
	}
	d.now += 5*time.Minute - time.Second
	for _, p := range all {
		owner := d.ownerOf(p)
		if !slices.Contains(d.pods[owner], p) {
			continue
		}
		d.log(controller, "delete", "", "pods", "", ns, p, "")
		d.pods[owner] = slices.DeleteFunc(d.pods[owner], func(s string) bool { return s == p })
		d.pod(ns, owner, "ReplicaSet", replicas)
	}
}

// undeploy deletes a Deployment, and the garbage collector what hangs on it.
func (d *clusterDay) undeploy(ns, name string) {
	rs := d.rs[name]
	d.log("admin", "delete", "apps", "deployments", "", ns, name, "")
	d.log(garbage, "delete", "apps", "replicasets", "", ns, rs, "")
	for len(d.pods[rs]) > 0 {
		d.remove(ns, rs, d.pods[rs][0], garbage)
	}
}

// job runs a Job's pods to their end.
func (d *clusterDay) job(ns, name string, n int, by string) {
	d.log(by, "create", "batch", "jobs", "", ns, name, d.body("Job", "batch/v1", ns, name, "", "", ""))
	for range n {
		p := d.pod(ns, name, "Job", jobs)
		d.wait(100*time.Millisecond, 3*time.Second)
		d.report(ns, p, d.node[p], "Succeeded")
	}
	d.log(jobs, "update", "batch", "jobs", "status", ns, name, d.body("Job", "batch/v1", ns, name, "", "",
		`,"status":{"completionTime":"2026-03-04T05:00:00Z","conditions":[{"type":"Complete","status":"True"}]}`))
}

// unjob deletes a Job with its pods.
func (d *clusterDay) unjob(ns, name, by string) {
	d.log(by, "delete", "batch", "jobs", "", ns, name, "")
	for len(d.pods[name]) > 0 {
		d.log(garbage, "delete", "", "pods", "", ns, d.pods[name][0], "")
		d.pods[name] = d.pods[name][1:]
	}
}

// cron runs a CronJob every minute for a while, which keeps its last three Jobs.
func (d *clusterDay) cron(ns, name string, times int) {
	var kept []string
	for i := range times {
		at := d.now
		run := fmt.Sprintf("%s-%d", name, 29000000+i)
		d.job(ns, run, 1, crons)
		d.log(crons, "update", "batch", "cronjobs", "status", ns, name, "")
		d.log(crons, "update", "batch", "cronjobs", "status", ns, name, "")
		if kept = append(kept, run); len(kept) > 3 {
			d.unjob(ns, kept[0], crons)
			kept = kept[1:]
		}
		d.now = max(d.now, at+time.Minute)
	}
}

// storm has a template that names a node without room: each pod is refused, and the next one is created.
func (d *clusterDay) storm(ns, name string, wanted, n int) {
	rs := d.newSet(ns, name, wanted)
	d.statuses(ns, name, rs)
	for range n {
		pod := rs + "-" + d.suffix(5)
		at := ""
		if d.bodies {
			at = pod
		}
		d.log(replicas, "create", "", "pods", "", ns, "", d.body("Pod", "v1", ns, at, rs, "ReplicaSet",
			`,"spec":{"nodeName":"n1"}`))
		d.log("system:node:n1", "patch", "", "pods", "status", ns, pod, d.body("Pod", "v1", ns, pod, "", "",
			`,"status":{"phase":"Failed","reason":"OutOfcpu"}`))
		d.wait(20*time.Millisecond, 200*time.Millisecond)
	}
}

// fight has two controllers set the same field of a Deployment to values of their own.
func (d *clusterDay) fight(ns, name string, turns int) {
	for i := range turns {
		user, n := agentUser, 8
		if i%2 == 1 {
			user, n = otherUser, 3
		}
		d.log(user, "update", "apps", "deployments", "", ns, name, d.body("Deployment", "apps/v1", ns, name, "", "",
			fmt.Sprintf(`,"spec":{"replicas":%d,"paused":false},"status":{"seen":%d}`, n, i/3)))
		d.wait(200*time.Millisecond, 2*time.Second)
	}
}

// rewrite has a controller write an object that its own write made it look at again.
func (d *clusterDay) rewrite(ns, name string, times int) {
	for i := range times {
		before := fmt.Sprint(1000 + d.serial)
		d.log(agentUser, "update", "example.com", "releases", "status", ns, name, d.body("Release", "example.com/v1",
			ns, name, "", "", fmt.Sprintf(`,"status":{"ready":true,"checked":"2026-03-04T04:%02d:%02dZ"}`, 40+i/60,
				i%60)))
		d.out[len(d.out)-1].version = before
		d.wait(300*time.Millisecond, 800*time.Millisecond)
	}
}

// lines writes the day's events in order.
func (d *clusterDay) lines() []string {
	var out []string
	for i, e := range d.out {
		out = append(out, e.write(i)+"\n")
	}
	return out
}
