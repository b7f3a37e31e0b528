package main

import (
	"fmt"
	"strings"
	"time"

	"example.com/bundles/logs"
)

// Objects as the API gives them.
type (
	obj  = map[string]any
	list = []any
)

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// meta is the metadata that every object has.
func (c *cluster) meta(namespace, name string, created time.Time) obj {
	m := obj{"name": name, "uid": c.r.UUID(), "creationTimestamp": stamp(created), "resourceVersion": c.rv(created)}
	if namespace != "" {
		m["namespace"] = namespace
	}
	return m
}

// rv is about the revision of a time: nine writes a second.
func (c *cluster) rv(at time.Time) string {
	return fmt.Sprint(40_000_000 + at.Unix()*9%8_000_000)
}

// managed says who wrote which part when.
func managed(api, manager, sub string, at time.Time, fields obj) obj {
	m := obj{"apiVersion": api, "fieldsType": "FieldsV1", "fieldsV1": fields, "manager": manager, "operation": "Update", "time": stamp(at)}
	if sub != "" {
		m["subresource"] = sub
	}
	return m
}

func ref(api, kind, name, uid string) obj {
	return obj{"apiVersion": api, "kind": kind, "name": name, "uid": uid, "controller": true, "blockOwnerDeletion": true}
}

// A workload is a controller of pods.
type workload struct {
	kind, namespace, name string
	podPrefix             string
	owner                 obj // what its pods are owned by
	labels                obj
	created               time.Time
	template              obj // the spec of its pods, which a story may change
}

// workload adds the controller's objects: for a Deployment its ReplicaSet too.
func (c *cluster) workload(kind, namespace, name string, created time.Time) *workload {
	w := &workload{kind: kind, namespace: namespace, name: name, podPrefix: name + "-", created: created, labels: obj{"app": name}}
	w.template = obj{
		"containers":    list{obj{"name": name, "image": "registry.example.net/" + name + ":1.4.2", "resources": obj{"requests": obj{"cpu": "100m", "memory": "128Mi"}}, "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "FallbackToLogsOnError"}},
		"restartPolicy": "Always", "serviceAccountName": name, "terminationGracePeriodSeconds": 30,
	}
	if kind == "Node" {
		return w
	}
	spec := obj{"replicas": 1, "selector": obj{"matchLabels": w.labels}, "template": obj{"metadata": obj{"labels": w.labels}, "spec": w.template}}
	status := obj{"observedGeneration": 1, "replicas": 1, "readyReplicas": 1, "updatedReplicas": 1, "availableReplicas": 1}
	if kind == "DaemonSet" {
		delete(spec, "replicas")
		n := len(c.nodes)
		status = obj{"observedGeneration": 1, "currentNumberScheduled": n, "desiredNumberScheduled": n, "numberReady": n, "numberAvailable": n, "numberMisscheduled": 0, "updatedNumberScheduled": n}
	}
	m := c.meta(namespace, name, created)
	m["generation"], m["labels"] = 1, w.labels
	m["managedFields"] = list{managed("apps/v1", "helm", "", created, obj{"f:spec": obj{"f:template": obj{}}}), managed("apps/v1", "kube-controller-manager", "status", created.Add(time.Minute), obj{"f:status": obj{"f:readyReplicas": obj{}}})}
	c.objects = append(c.objects, obj{"apiVersion": "apps/v1", "kind": kind, "metadata": m, "spec": spec, "status": status})
	w.owner = ref("apps/v1", kind, name, m["uid"].(string))
	if kind != "Deployment" {
		return w
	}
	hash := c.r.Suffix(9)
	labels := obj{"app": name, "pod-template-hash": hash}
	rs := c.meta(namespace, name+"-"+hash, created)
	rs["generation"], rs["labels"], rs["ownerReferences"] = 1, labels, list{w.owner}
	rs["managedFields"] = list{managed("apps/v1", "kube-controller-manager", "", created, obj{"f:spec": obj{"f:replicas": obj{}}})}
	c.objects = append(c.objects, obj{
		"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": rs,
		"spec":   obj{"replicas": 1, "selector": obj{"matchLabels": labels}, "template": obj{"metadata": obj{"labels": labels}, "spec": w.template}},
		"status": obj{"observedGeneration": 1, "replicas": 1, "readyReplicas": 1, "availableReplicas": 1, "fullyLabeledReplicas": 1},
	})
	w.owner = ref("apps/v1", "ReplicaSet", name+"-"+hash, rs["uid"].(string))
	w.podPrefix, w.labels = name+"-"+hash+"-", labels
	return w
}

// pod adds one of the controller's pods.
func (c *cluster) pod(w *workload, i int) *pod {
	p := &pod{namespace: w.namespace, uid: c.r.UUID(), node: c.nodes[i%len(c.nodes)], created: w.created.Add(time.Duration(i) * time.Second), owner: w.owner, labels: w.labels, spec: w.template}
	switch w.kind {
	case "Node":
		p.name = w.name + "-" + p.node
		p.owner = obj{"apiVersion": "v1", "kind": "Node", "name": p.node, "uid": logs.NewRand(p.node).UUID(), "controller": true}
	case "StatefulSet":
		p.name = fmt.Sprint(w.podPrefix, i)
	default:
		p.name = w.podPrefix + c.r.Suffix(5)
	}
	c.pods = append(c.pods, p)
	return p
}

// object is the pod as the API gives it.
func (p *pod) object(c *cluster) obj {
	m := obj{"name": p.name, "namespace": p.namespace, "uid": p.uid, "creationTimestamp": stamp(p.created), "resourceVersion": c.rv(p.created.Add(30 * time.Second)), "labels": p.labels}
	if p.owner != nil {
		m["ownerReferences"] = list{p.owner}
		if p.owner["kind"] == "ReplicaSet" {
			m["generateName"] = p.owner["name"].(string) + "-"
		}
	}
	m["managedFields"] = list{
		managed("v1", "kube-controller-manager", "", p.created, obj{"f:metadata": obj{"f:labels": obj{}}, "f:spec": obj{"f:containers": obj{}}}),
		managed("v1", "kubelet", "status", p.created.Add(20*time.Second), obj{"f:status": obj{"f:conditions": obj{}, "f:phase": obj{}}}),
	}
	spec := obj{"nodeName": p.node}
	for k, v := range p.spec {
		spec[k] = v
	}
	status := p.status
	if status == nil {
		status = p.running()
	}
	return obj{"apiVersion": "v1", "kind": "Pod", "metadata": m, "spec": spec, "status": status}
}

func (p *pod) running() obj {
	var states list
	ready := "True"
	for _, k := range p.containers {
		n := k.instances[len(k.instances)-1]
		s := obj{
			"name": k.name, "image": "registry.example.net/" + k.name + ":1.4.2", "imageID": "registry.example.net/" + k.name + "@sha256:" + logs.NewRand(k.name).Hex(64),
			"containerID": "containerd://" + logs.NewRand(p.uid+k.name).Hex(64), "ready": true, "started": true, "restartCount": n.restart,
			"state": obj{"running": obj{"startedAt": stamp(p.created.Add(4 * time.Second))}}, "lastState": obj{},
		}
		if k.state != nil {
			s["state"], s["ready"], s["started"], ready = k.state, false, false, "False"
			if _, ok := k.state["running"]; ok {
				s["ready"], s["started"], ready = true, true, "True"
			}
		}
		if k.last != nil {
			s["lastState"] = k.last
		}
		states = append(states, s)
	}
	condition := func(kind, status string) obj {
		return obj{"type": kind, "status": status, "lastProbeTime": nil, "lastTransitionTime": stamp(p.created.Add(9 * time.Second))}
	}
	return obj{
		"phase": "Running", "qosClass": "Burstable", "hostIP": "192.168.40.11", "podIP": "10.42.1." + fmt.Sprint(len(p.name)*7%240+2), "startTime": stamp(p.created),
		"containerStatuses": states,
		"conditions":        list{condition("Initialized", "True"), condition("Ready", ready), condition("ContainersReady", ready), condition("PodScheduled", "True")},
	}
}

// addNodes adds the nodes, whose kubelets told of themselves less than five minutes ago.
func (c *cluster) addNodes() {
	for i, n := range c.nodes {
		beat := c.taken.Add(-time.Duration(40+70*i) * time.Second)
		m := c.meta("", n, c.from.Add(-90*24*time.Hour))
		m["uid"] = logs.NewRand(n).UUID()
		m["labels"] = obj{"kubernetes.io/hostname": n, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
		m["managedFields"] = list{managed("v1", "kubelet", "status", beat, obj{"f:status": obj{"f:conditions": obj{}}})}
		m["resourceVersion"] = c.rv(beat)
		var conditions list
		for _, k := range []string{"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"} {
			s := "False"
			if k == "Ready" {
				s = "True"
			}
			conditions = append(conditions, obj{"type": k, "status": s, "lastHeartbeatTime": stamp(beat), "lastTransitionTime": stamp(c.from.Add(-20 * 24 * time.Hour)), "reason": "Kubelet" + k, "message": "kubelet is posting " + strings.ToLower(k) + " status"})
		}
		c.objects = append(c.objects, obj{"apiVersion": "v1", "kind": "Node", "metadata": m, "spec": obj{"podCIDR": fmt.Sprintf("10.42.%d.0/24", i)}, "status": obj{
			"allocatable": obj{"cpu": "8", "memory": "32598104Ki", "pods": "110"}, "capacity": obj{"cpu": "8", "memory": "32700504Ki", "pods": "110"}, "conditions": conditions,
			"nodeInfo": obj{"kubeletVersion": "v1.31.4", "containerRuntimeVersion": "containerd://1.7.24", "osImage": "SUSE Linux Micro 6.0", "kernelVersion": "6.4.0-21-default", "architecture": "amd64", "operatingSystem": "linux"},
		}})
	}
}

// addSmall adds what is written all the time in a healthy cluster (leases), what is not, and the last hour's events.
func (c *cluster) addSmall() {
	for _, l := range [][2]string{{"kube-node-lease", "node-a1"}, {"kube-node-lease", "node-a2"}, {"kube-system", "kube-controller-manager"}, {"kube-system", "kube-scheduler"}} {
		at := c.taken.Add(-time.Duration(c.r.Between(0, 9000)) * time.Millisecond)
		m := c.meta(l[0], l[1], c.from.Add(-90*24*time.Hour))
		m["resourceVersion"] = c.rv(at)
		m["managedFields"] = list{managed("coordination.k8s.io/v1", "kubelet", "", at, obj{"f:spec": obj{"f:renewTime": obj{}}})}
		c.objects = append(c.objects, obj{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": m, "spec": obj{"holderIdentity": l[1], "leaseDurationSeconds": 40, "renewTime": at.UTC().Format("2006-01-02T15:04:05.000000Z")}})
	}
	for _, n := range []string{"kube-root-ca.crt", "settings", "feature-flags"} {
		for _, ns := range []string{"orders", "payments", "ledger"} {
			m := c.meta(ns, n, c.from.Add(-60*24*time.Hour))
			c.objects = append(c.objects, obj{"apiVersion": "v1", "kind": "ConfigMap", "metadata": m, "data": obj{"config.yaml": "level: info\nretries: 5\n# a comment: with a colon\n"}})
		}
	}
	kinds := []struct{ reason, message, component string }{
		{"Scheduled", "Successfully assigned %s to node-a2", "default-scheduler"}, {"Pulled", "Container image already present on machine for %s", "kubelet"},
		{"Created", "Created container in %s", "kubelet"}, {"Started", "Started container in %s", "kubelet"},
		{"Unhealthy", "Readiness probe failed for %s: Get \"http://10.42.1.7:8080/readyz\": context deadline exceeded", "kubelet"},
	}
	for i := range 40 {
		if len(c.pods) == 0 {
			break
		}
		p := c.pods[c.r.IntN(len(c.pods))]
		k := kinds[c.r.IntN(len(kinds))]
		c.event(p.namespace, "Pod", p.name, p.uid, k.reason, fmt.Sprintf(k.message, p.namespace+"/"+p.name), k.component, c.taken.Add(-time.Duration(i)*80*time.Second), 1+i%3)
	}
}

// event adds an Event about an object.
func (c *cluster) event(namespace, kind, name, uid, reason, message, component string, last time.Time, count int) {
	typ := "Normal"
	if strings.HasPrefix(reason, "Un") || strings.HasPrefix(reason, "Back") || strings.HasPrefix(reason, "Failed") || strings.HasPrefix(reason, "OutOf") || reason == "Evicted" || reason == "NodeAffinity" || reason == "OOMKilling" {
		typ = "Warning"
	}
	c.objects = append(c.objects, obj{
		"apiVersion": "v1", "kind": "Event", "metadata": c.meta(namespace, name+"."+c.r.Hex(16), last.Add(-time.Duration(count)*time.Minute)),
		"involvedObject": obj{"apiVersion": "v1", "kind": kind, "namespace": namespace, "name": name, "uid": uid}, "reason": reason, "message": message, "type": typ, "count": count,
		"firstTimestamp": stamp(last.Add(-time.Duration(count) * time.Minute)), "lastTimestamp": stamp(last), "source": obj{"component": component}, "reportingComponent": component, "reportingInstance": "",
	})
}
