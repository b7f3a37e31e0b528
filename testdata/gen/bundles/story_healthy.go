package main

import (
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/logs"
)

// healthyStories are clusters where nothing is wrong, with the noise that they have: lines several times a second, requests that are
// throttled for a moment, conflicts now and then, containers that restarted at their start, heartbeats.
func healthyStories(in *inputs) []story {
	var all []story
	add := func(name, layout, why string, c *cluster, files func(*cluster) []archive.File, pack func([]archive.File) ([]byte, error)) {
		all = append(all, story{name: name, layout: layout, verdict: "healthy", why: why, files: files(c), pack: pack})
	}
	c := healthy("healthy-kit", noon, 20*time.Hour, everything(), long/2)
	c.quietRestarts()
	c.traffic(3, noon.Add(-4*time.Minute), noon, 1, nil, nil)
	add("healthy-kit.zip", "kit", "all components over 12 hours, restarts at the start, audit logs", c, kit, asZip)

	c = healthy("healthy-rke2", noon, 12*time.Hour, everything(), 2*short)
	c.rotateAll()
	add("healthy-rke2.tar.gz", "rke2-collector", "a node's logs, rotated", c, collector, asTarGz)

	c = healthy("healthy-mustgather", noon, 12*time.Hour, everything(), 2*short)
	c.rollout()
	for _, name := range []string{"network-operator", "version-operator"} { // several lines a second for a quarter of an hour
		p := c.find(name, name)
		p.containers[0].instances[0].lines = c.logOf(some(name)[0], p, 5*long)
	}
	c.traffic(3, noon.Add(-15*time.Minute), noon, 1, nil, nil)
	add("healthy-mustgather.tar.gz", "must-gather", "all components, a rolling update, a quarter of an hour of audit logs of three servers", c, mustGather, asTarGz)

	c = healthy("healthy-troubleshoot", noon, 6*time.Hour, small(), short)
	c.quietRestarts()
	add("healthy-troubleshoot.tar.gz", "troubleshoot", "links into the cluster's resources", c, troubleshoot, asTarGz)

	c = healthy("healthy-insights", noon, 6*time.Hour, small(), short)
	add("healthy-insights.tar.gz", "insights", "some logs, the last hundred lines of others", c, insights, asTarGz)

	c = healthy("healthy-eks", noon, 12*time.Hour, everything(), short)
	add("healthy-eks.tar.gz", "eks", "one node's folders", c, eks, asTarGz)

	c = healthy("healthy-kubelet", noon, 8*time.Hour, small(), 2*short)
	c.rotateAll()
	add("healthy-kubelet.tar.gz", "kubelet-tree", "/var/log of a node, with links that point outside", c, kubeletTree, asTarGz)

	c = healthy("healthy-clusterinfo", noon, 6*time.Hour, small(), short)
	add("healthy-clusterinfo.tar.gz", "cluster-info", "kubectl cluster-info dump", c, clusterInfo, asTarGz)

	c = healthy("healthy-crust", noon, 3*time.Hour, small(), short)
	c.rollout()
	add("healthy-crust.zip", "crust-gather", "one file an object", c, crustGather, asZip)

	c = healthy("healthy-inspect", noon, 6*time.Hour, small(), short)
	c.quietRestarts()
	c.starting()
	add("healthy-inspect.tar.gz", "inspect", "a cluster that started an hour ago: throttled requests, conflicts and errors in the first minutes", c, inspect, asTarGz)
	return all
}

// rotateAll cuts every log in three files.
func (c *cluster) rotateAll() {
	for _, p := range c.pods {
		for _, k := range p.containers {
			i := &k.instances[len(k.instances)-1]
			if n := len(i.lines); n > 30 {
				i.cuts = []int{n / 3, 2 * n / 3}
			}
		}
	}
}

// rollout is a Deployment whose pods were replaced in the last minutes, and its controller's writes.
func (c *cluster) rollout() {
	comp := some("orders-api")[0]
	w := c.workload("Deployment", "orders", "orders-gateway", c.taken.Add(-6*time.Minute))
	for i := range 3 {
		p := c.pod(w, i)
		p.created = c.taken.Add(-time.Duration(300-90*i) * time.Second)
		p.container("orders-gateway").instances = []instance{{lines: texts(comp.Format, p.name, p.created, c.taken, comp.Says...)}}
		c.event("orders", "ReplicaSet", w.owner["name"].(string), w.owner["uid"].(string), "SuccessfulCreate", "Created pod: "+p.name, "replicaset-controller", p.created, 1)
		c.event("orders", "ReplicaSet", "orders-gateway-7d9c5f8b6", c.r.UUID(), "SuccessfulDelete", "Deleted pod: orders-gateway-7d9c5f8b6-"+c.r.Suffix(5), "replicaset-controller", p.created.Add(20*time.Second), 1)
	}
}

// starting puts the lines of a start into some logs: what would be a fault if it went on.
func (c *cluster) starting() {
	begin := c.taken.Add(-time.Hour)
	p := c.find("gitops", "gitops-controller")
	p.containers[0].say(texts(logs.Zap, "starting", begin, begin.Add(70*time.Second),
		logs.Every(2*time.Second, false, 'E', "", `"msg":"Reconciler error","controller":"kustomization","controllerKind":"Kustomization","namespace":"gitops","name":"{{app}}","reconcileID":"{{uuid}}","error":"failed calling webhook \"validate.gitops.example.net\": no endpoints available for service \"webhook\""`))...)
	p = c.find("cert-manager", "cert-manager")
	p.containers[0].say(texts(logs.Klog, "starting2", begin, begin.Add(25*time.Second),
		logs.Every(1500*time.Millisecond, false, 'I', "request.go:752", `"Waited before sending request" delay="1.{{z:1-999}}s" reason="client-side throttling, not priority and fairness" verb="GET" URL="https://10.43.0.1:443/apis/cert-manager.io/v1?timeout=32s"`))...)
	p = c.find("orders", "orders-api")
	p.containers[0].say(texts(logs.Slog, "starting3", begin, begin.Add(30*time.Second),
		logs.Every(time.Second, false, 'W', "", `"msg":"database is not ready, waiting","attempt":{{n:1-30}},"error":"dial tcp 10.43.7.12:5432: connect: connection refused"`))...)
}
