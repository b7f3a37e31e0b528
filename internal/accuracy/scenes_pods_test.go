package accuracy

import (
	"fmt"
	"time"
)

// node adds a node that is ready.
func (w *world) node(name string) obj {
	w.nodes = append(w.nodes, name)
	return w.made(kubelet(name), thing("v1", "Node", "", name, obj{"labels": obj{"kubernetes.io/hostname": name,
		"kubernetes.io/os": "linux"}, "spec": obj{}, "status": obj{"allocatable": obj{"cpu": "4", "pods": "110"},
		"nodeInfo": obj{"kubeletVersion": "v1.34.1"}, "conditions": []any{w.ready("True", "KubeletReady",
			"kubelet is posting ready status")}}}))
}

func (w *world) ready(status, reason, message string) obj {
	return obj{"type": "Ready", "status": status, "reason": reason, "message": message,
		"lastHeartbeatTime": stamp(w.now), "lastTransitionTime": stamp(w.now)}
}

// lost is a node whose kubelet reports no more, as the node's controller notes it.
func (w *world) lost(name string) {
	w.silent[name] = true
	w.wait(40 * time.Second)
	n := w.objects["v1/Node//"+name]
	w.updated(manager("node-controller"), n, "status", func(o obj) {
		o["status"].(obj)["conditions"] = []any{w.ready("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")}
	})
	w.updated(manager("node-controller"), n, "", func(o obj) {
		o["spec"] = obj{"taints": []any{obj{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}}}
	})
}

// workload makes a Deployment, StatefulSet, DaemonSet or Job with its counts.
func (w *world) workload(kind, namespace, name string, n int, parts ...obj) obj {
	api := "apps/v1"
	if kind == "Job" || kind == "CronJob" {
		api = "batch/v1"
	}
	labels := obj{"app": name}
	spec := obj{"replicas": n, "selector": obj{"matchLabels": labels}, "template": obj{"metadata": obj{"labels": labels},
		"spec": obj{"containers": []any{obj{"name": name, "image": "registry.example.com/" + name + ":1"}}}}}
	status := obj{"replicas": n, "readyReplicas": n, "updatedReplicas": n, "availableReplicas": n, "observedGeneration": 1}
	switch kind {
	case "DaemonSet":
		delete(spec, "replicas")
		status = obj{"desiredNumberScheduled": n, "currentNumberScheduled": n, "numberReady": n, "observedGeneration": 1}
	case "Job":
		delete(spec, "replicas")
		spec["parallelism"], spec["completions"] = n, n
		status = obj{"active": n, "startTime": stamp(w.now)}
	}
	return w.made(user("admin", 0), thing(api, kind, namespace, name, append([]obj{{"spec": spec, "status": status,
		"labels": labels}}, parts...)...))
}

// replicaSet is a Deployment's newest one.
func (w *world) replicaSet(d obj, n int) obj {
	m := meta(d)
	labels := obj{"app": m["name"], "pod-template-hash": w.suffix(9)}
	return w.made(manager("deployment-controller"), thing("apps/v1", "ReplicaSet", text(m, "namespace"),
		text(m, "name")+"-"+labels["pod-template-hash"].(string), owned(d), obj{"labels": labels,
			"annotations": obj{"deployment.kubernetes.io/revision": fmt.Sprint(len(w.order))},
			"spec":        obj{"replicas": n, "selector": obj{"matchLabels": labels}, "template": d["spec"].(obj)["template"]},
			"status":      obj{"replicas": n, "readyReplicas": n, "availableReplicas": n}}))
}

// controller is who makes an owner's pods.
func controller(owner obj) who {
	return map[string]who{"ReplicaSet": manager("replicaset-controller"), "StatefulSet": manager("statefulset-controller"),
		"DaemonSet": manager("daemon-set-controller"), "Job": manager("job-controller")}[text(owner, "kind")]
}

// pod makes a pod; with a name it is that of a StatefulSet, else the server chooses it. Where a node is given, the
// scheduler binds it.
func (w *world) pod(by who, owner obj, name, node string, parts ...obj) obj {
	app := text(meta(owner), "name")
	labels, _ := meta(owner)["labels"].(obj)
	given := append([]obj{owned(owner), {"labels": labels, "spec": obj{"containers": []any{obj{"name": "main",
		"image": "registry.example.com/" + app + ":1"}}, "schedulerName": "default-scheduler"},
		"status": obj{"phase": "Pending"}}}, parts...)
	if name == "" {
		given = append(given, obj{"generateName": app + "-"})
	}
	o := thing("v1", "Pod", text(meta(owner), "namespace"), name, given...)
	p := w.made(by, o)
	if node == "" {
		return p
	}
	if _, named := p["spec"].(obj)["nodeName"]; !named {
		w.wait(15 * time.Millisecond)
		w.log(scheduler, "create", "binding", p, 201, obj{"kind": "Binding", "target": obj{"name": node}},
			obj{"kind": "Status", "status": "Success", "code": 201})
		w.version++
		p["spec"].(obj)["nodeName"] = node
		meta(p)["resourceVersion"] = fmt.Sprint(w.version)
		w.show("MODIFIED", p)
	}
	return p
}

func nodeOf(p obj) string { return text(p["spec"].(obj), "nodeName") }

// runs has the kubelet report a pod that is ready.
func (w *world) runs(p obj) obj {
	w.status(p, obj{"phase": "Running", "startTime": stamp(w.now), "conditions": []any{
		obj{"type": "PodScheduled", "status": "True"}, obj{"type": "Ready", "status": "True", "lastTransitionTime": stamp(w.now)}},
		"containerStatuses": []any{obj{"name": "main", "ready": true, "restartCount": 0,
			"state": obj{"running": obj{"startedAt": stamp(w.now)}}}}})
	return p
}

func (w *world) status(p obj, status obj) {
	w.patched(kubelet(nodeOf(p)), p, "status", func(o obj) { o["status"] = status })
}

// rejected has the kubelet refuse a pod.
func (w *world) rejected(p obj, reason, message string) {
	w.status(p, obj{"phase": "Failed", "reason": reason, "message": message, "startTime": stamp(w.now)})
}

// ended has the kubelet report that a pod's container has ended.
func (w *world) ended(p obj, exit int, began time.Time) {
	phase, reason := "Succeeded", "Completed"
	if exit != 0 {
		phase, reason = "Failed", "Error"
	}
	w.status(p, obj{"phase": phase, "startTime": stamp(began), "containerStatuses": []any{obj{"name": "main", "ready": false,
		"restartCount": 0, "state": obj{"terminated": obj{"exitCode": exit, "reason": reason, "startedAt": stamp(began),
			"finishedAt": stamp(w.now)}}}}})
}

// waits has the kubelet report a container that is not started.
func (w *world) waits(p obj, container, reason, message string, init bool) {
	list := []any{obj{"name": container, "ready": false, "restartCount": 0,
		"state": obj{"waiting": obj{"reason": reason, "message": message}}}}
	status := obj{"phase": "Pending", "startTime": stamp(w.now), "conditions": []any{
		obj{"type": "PodScheduled", "status": "True"}, obj{"type": "Ready", "status": "False"}}, "containerStatuses": list}
	if init {
		status["containerStatuses"] = []any{obj{"name": "main", "ready": false, "restartCount": 0,
			"state": obj{"waiting": obj{"reason": "PodInitializing"}}}}
		status["initContainerStatuses"] = list
	}
	w.status(p, status)
}

// removed deletes a pod, which its kubelet ends.
func (w *world) removed(by who, p obj) {
	w.deleted(by, p)
	w.wait(400 * time.Millisecond)
	if node := nodeOf(p); node != "" {
		w.log(kubelet(node), "delete", "", p, 200, nil, p)
	}
	w.drop(p)
}

// unplaced has the scheduler say why a pod gets no node.
func (w *world) unplaced(p obj, message string) {
	w.patched(scheduler, p, "status", func(o obj) {
		o["status"] = obj{"phase": "Pending", "conditions": []any{obj{"type": "PodScheduled", "status": "False",
			"reason": "Unschedulable", "message": message, "lastTransitionTime": stamp(w.now)}}}
	})
}

// serving makes a workload with pods that run.
func (w *world) serving(kind, namespace, name string, n int, parts ...obj) (top obj, owner obj, pods []obj) {
	top = w.workload(kind, namespace, name, n, parts...)
	owner = top
	if kind == "Deployment" {
		owner = w.replicaSet(top, n)
	}
	for i := range n {
		pods = append(pods, w.runs(w.pod(controller(owner), owner, w.podName(owner, i), w.nodes[i%len(w.nodes)])))
	}
	return top, owner, pods
}

func (w *world) podName(owner obj, i int) string {
	if text(owner, "kind") == "StatefulSet" {
		return fmt.Sprintf("%s-%d", text(meta(owner), "name"), i)
	}
	return ""
}

// counts sets how many pods a workload has and how many of them are ready.
func (w *world) counts(top obj, has, ready int) {
	w.updated(controllerOf(top), top, "status", func(o obj) {
		s := obj{}
		for k, v := range o["status"].(obj) {
			s[k] = v
		}
		if text(o, "kind") == "DaemonSet" {
			s["currentNumberScheduled"], s["numberReady"] = has, ready
		} else {
			s["replicas"], s["readyReplicas"], s["availableReplicas"], s["updatedReplicas"] = has, ready, ready, has
		}
		o["status"] = s
	})
}

func controllerOf(o obj) who {
	if text(o, "kind") == "Deployment" {
		return manager("deployment-controller")
	}
	return controller(o)
}
