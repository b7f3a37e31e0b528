package main

import (
	"time"

	"example.com/bundles/archive"
)

// A storm is pods of one controller that fail at once and are made anew.
type storm struct {
	namespace, name, node string
	reason, message       string
	pods                  int
	every                 time.Duration
	pinned                bool // the template sets nodeName
	deployment            bool // is in the bundle
	selector              obj
}

func (s storm) into(c *cluster) {
	w := c.workload("Deployment", s.namespace, s.name, c.taken.Add(-time.Duration(s.pods)*s.every-time.Hour))
	if s.pinned {
		w.template["nodeName"] = s.node
	}
	if s.selector != nil {
		w.template["nodeSelector"] = s.selector
	}
	if !s.deployment {
		c.objects = drop(c.objects, "Deployment", s.name)
	}
	for i := range s.pods {
		p := c.pod(w, 0)
		p.node = s.node
		p.created = c.taken.Add(-time.Duration(s.pods-i) * s.every)
		p.status = obj{"phase": "Failed", "reason": s.reason, "message": s.message, "startTime": stamp(p.created), "qosClass": "Burstable"}
		if i%60 == 7 { // events are aggregated and filtered: far fewer than pods
			c.event(s.namespace, "Pod", p.name, p.uid, s.reason, s.message, "kubelet", p.created, 1)
		}
	}
	// The one that lives until the kubelet has looked at it.
	p := c.pod(w, 0)
	p.node, p.created = s.node, c.taken
	p.status = obj{"phase": "Pending", "qosClass": "Burstable"}
	c.event(s.namespace, "ReplicaSet", w.owner["name"].(string), w.owner["uid"].(string), "SuccessfulCreate", "(combined from similar events): Created pod: "+p.name, "replicaset-controller", c.taken, 16)
}

func drop(objects []obj, kind, name string) []obj {
	var out []obj
	for _, o := range objects {
		if o["kind"] != kind || o["metadata"].(obj)["name"] != name {
			out = append(out, o)
		}
	}
	return out
}

func stormStories() []story {
	storms := []struct {
		storm
		name, layout, why string
		files             func(*cluster) []archive.File
		pack              func([]archive.File) ([]byte, error)
	}{
		{storm{namespace: "certs", name: "key-warden", node: "node-a1", reason: "OutOfcpu", message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 250, used: 7940, capacity: 8000", pods: 1500, every: 410 * time.Millisecond, pinned: true, deployment: true},
			"storm-outofcpu.zip", "kit", "1,500 pods of one ReplicaSet in ten minutes: the template names a node that is full, so that the scheduler never looks", kit, asZip},
		{storm{namespace: "vision", name: "label-reader", node: "node-a2", reason: "NodeAffinity", message: "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector", pods: 420, every: 900 * time.Millisecond, pinned: true, selector: obj{"accelerator": "l40s"}},
			"storm-nodeaffinity.tar.gz", "must-gather", "420 pods rejected for a label that the named node lacks; the Deployment is not in the bundle", mustGather, asTarGz},
		{storm{namespace: "reports", name: "pdf-maker", node: "node-a3", reason: "OutOfmemory", message: "Pod was rejected: Node didn't have enough resource: memory, requested: 4294967296, used: 31138512896, capacity: 33380458496", pods: 260, every: 1700 * time.Millisecond, pinned: true, deployment: true},
			"storm-outofmemory.tar.gz", "troubleshoot", "260 pods rejected for memory", troubleshoot, asTarGz},
		{storm{namespace: "batch", name: "fan-out", node: "node-a2", reason: "OutOfpods", message: "Pod was rejected: Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110", pods: 150, every: 2 * time.Second, pinned: true, deployment: true},
			"storm-outofpods.tar.gz", "cluster-info", "150 pods on a node that has its 110", clusterInfo, asTarGz},
		{storm{namespace: "scratch", name: "log-grinder", node: "node-a1", reason: "Evicted", message: "The node was low on resource: ephemeral-storage. Threshold quantity: 5368709120, available: 4912Ki. Container log-grinder was using 1204Ki, request is 0, has larger consumption of ephemeral-storage. ", pods: 90, every: 5 * time.Second, deployment: true},
			"storm-evicted.zip", "crust-gather", "90 pods evicted in eight minutes, each replaced at once", crustGather, asZip},
	}
	var all []story
	for _, s := range storms {
		c := healthy(s.name, noon, time.Hour, tiny(), short/2)
		s.into(c)
		all = append(all, story{name: s.name, layout: s.layout, verdict: "guilty", category: "pod-storm", objects: []string{s.storm.name, ownerOf(c, s.storm.name)}, field: s.reason, rule: "storm", why: s.why, files: s.files(c), pack: s.pack})
	}
	return append(all, nearStorms()...)
}

func ownerOf(c *cluster, name string) string {
	return c.find(c.namespaceOf(name), name).owner["name"].(string)
}

func (c *cluster) namespaceOf(name string) string {
	for _, p := range c.pods {
		if len(p.name) > len(name) && p.name[:len(name)] == name {
			return p.namespace
		}
	}
	panic("no pod of " + name)
}

// nearStorms have failed pods in numbers, and nothing is wrong with them.
func nearStorms() []story {
	day := healthy("failed-over-a-day", noon, 6*time.Hour, tiny(), short)
	w := day.workload("Deployment", "scratch", "resizer", noon.Add(-60*24*time.Hour))
	for i := range 15 {
		p := day.pod(w, i)
		p.created = noon.Add(-time.Duration(i)*97*time.Minute - time.Hour)
		p.status = obj{"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory. Threshold quantity: 100Mi, available: 92180Ki. ", "startTime": stamp(p.created)}
	}
	job := healthy("failed-job", noon, 3*time.Hour, tiny(), short)
	uid := job.r.UUID()
	m := job.meta("reports", "monthly-29520480", noon.Add(-2*time.Hour))
	m["uid"] = uid
	job.objects = append(job.objects, obj{"apiVersion": "batch/v1", "kind": "Job", "metadata": m, "spec": obj{"backoffLimit": 30, "parallelism": 4, "completions": 400, "template": obj{"spec": obj{"restartPolicy": "Never"}}},
		"status": obj{"failed": 24, "succeeded": 310, "active": 4}})
	jw := &workload{kind: "Job", namespace: "reports", name: "monthly-29520480", podPrefix: "monthly-29520480-", owner: ref("batch/v1", "Job", "monthly-29520480", uid), labels: obj{"job-name": "monthly-29520480"}, created: noon, template: obj{"restartPolicy": "Never"}}
	for i := range 24 { // each attempt waits longer than the last
		p := job.pod(jw, i)
		p.created = noon.Add(-2*time.Hour + time.Duration(i*i)*11*time.Second)
		p.status = obj{"phase": "Failed", "startTime": stamp(p.created), "containerStatuses": list{obj{"name": "monthly", "restartCount": 0, "ready": false,
			"state": obj{"terminated": obj{"exitCode": 3, "reason": "Error", "startedAt": stamp(p.created), "finishedAt": stamp(p.created.Add(40 * time.Second))}}}}}
	}
	drain := healthy("node-shutdown", noon, 3*time.Hour, small(), short/2)
	for i, p := range append([]*pod{}, drain.pods...) {
		if p.node != "node-a3" || p.owner["kind"] == "Node" {
			continue
		}
		gone := *p
		gone.name, gone.uid, gone.containers = gone.name[:len(gone.name)-5]+drain.r.Suffix(5), drain.r.UUID(), nil
		gone.status = obj{"phase": "Failed", "reason": "Terminated", "message": "Pod was terminated in response to imminent node shutdown.", "startTime": stamp(noon.Add(-20 * 24 * time.Hour))}
		gone.created = noon.Add(-20*24*time.Hour + time.Duration(i)*time.Second)
		drain.pods = append(drain.pods, &gone)
	}
	return []story{
		{name: "near-failed-over-a-day.zip", layout: "kit", verdict: "healthy", why: "15 evicted pods of one Deployment, spread over a day", files: kit(day), pack: asZip},
		{name: "near-failed-job.tar.gz", layout: "must-gather", verdict: "healthy", why: "24 failed pods of a Job with a backoff limit of 30", files: mustGather(job), pack: asTarGz},
		{name: "near-node-shutdown.tar.gz", layout: "inspect", verdict: "healthy", why: "a node shut down: pods of many owners failed with one reason", files: inspect(drain), pack: asTarGz},
	}
}
