package accuracy

import (
	"fmt"
	"maps"
	"time"
)

// stillScenes are clusters that do not change while they are looked at: what is wrong has been so for a while.
func stillScenes() map[string]func(*world) {
	all := map[string]func(*world){}
	for _, some := range []map[string]func(*world){serviceScenes(), routeScenes(), scalerScenes(), claimScenes(),
		slowStartScenes(), deadlineScenes(), batchScenes(), certificateScenes(), nodeAgainScenes(), counterScenes()} {
		maps.Copy(all, some)
	}
	return all
}

// look waits until the state has an age, and then observes it for two minutes.
func (w *world) look(age time.Duration) {
	w.wait(age)
	w.begin()
	w.wait(2 * time.Minute)
}

// app is a workload whose container has more than a name and an image; state is what the kubelet reports of each pod.
func (w *world) app(kind, namespace, name string, n int, container obj, state func(p obj)) (top, owner obj,
	pods []obj) {
	c := obj{"name": "main", "image": "registry.example.com/" + name + ":1"}
	maps.Copy(c, container)
	top = w.workload(kind, namespace, name, n)
	sets([]any{c}, "spec", "template", "spec", "containers")(top)
	if kind == "StatefulSet" {
		top["spec"].(obj)["podManagementPolicy"] = "OrderedReady"
	}
	owner = top
	if kind == "Deployment" {
		owner = w.replicaSet(top, n)
	}
	for i := range n {
		p := w.pod(controller(owner), owner, w.podName(owner, i), w.nodes[i%len(w.nodes)], obj{"spec": obj{
			"containers": []any{c}}})
		state(p)
		pods = append(pods, p)
	}
	return top, owner, pods
}

// ready is the state of pods that serve.
func (w *world) readyState(p obj) { w.runs(p) }

// unready has the kubelet report a pod whose container runs and never passes its readiness probe.
func (w *world) unready(p obj) {
	w.status(p, obj{"phase": "Running", "startTime": stamp(w.now), "conditions": []any{
		obj{"type": "PodScheduled", "status": "True"}, obj{"type": "Initialized", "status": "True"},
		obj{"type": "Ready", "status": "False", "reason": "ContainersNotReady", "lastTransitionTime": stamp(w.now),
			"message": "containers with unready status: [main]"}}, "containerStatuses": []any{obj{"name": "main",
		"ready": false, "started": true, "restartCount": 0, "state": obj{"running": obj{"startedAt": stamp(w.now)}}}}})
}

// short sets the counts of a workload, and of its ReplicaSet, of whose pods so many are ready.
func (w *world) short(top, owner obj, has, ready int) {
	w.counts(top, has, ready)
	if text(owner, "kind") == "ReplicaSet" {
		w.counts(owner, has, ready)
	}
}

// svc is a Service; more is put into its spec.
func (w *world) svc(namespace, name string, selector obj, port, target any, more ...obj) obj {
	spec := obj{"type": "ClusterIP", "clusterIP": fmt.Sprintf("10.96.4.%d", 1+len(w.order)%250),
		"ports": []any{obj{"name": "http", "port": port, "targetPort": target, "protocol": "TCP"}}}
	if selector != nil {
		spec["selector"] = selector
	}
	for _, m := range more {
		maps.Copy(spec, m)
	}
	return w.made(user("admin", 0), thing("v1", "Service", namespace, name, obj{"spec": spec,
		"status": obj{"loadBalancer": obj{}}}))
}

// endpoints is the EndpointSlice of a Service: so many addresses, ready or not, and a port, 0 for none.
func (w *world) endpoints(namespace, service string, n int, ready bool, port int) {
	var all []any
	for i := range n {
		all = append(all, obj{"addresses": []any{fmt.Sprintf("10.244.1.%d", 10+i)}, "conditions": obj{"ready": ready,
			"serving": ready, "terminating": false}, "targetRef": obj{"kind": "Pod", "namespace": namespace}})
	}
	ports := []any{}
	if port > 0 {
		ports = append(ports, obj{"name": "http", "port": port, "protocol": "TCP"})
	}
	w.made(manager("endpointslice-controller"), thing("discovery.k8s.io/v1", "EndpointSlice", namespace,
		service+"-"+w.suffix(5),
		obj{"labels": obj{"kubernetes.io/service-name": service}, "addressType": "IPv4", "endpoints": all, "ports": ports}))
}

// ingress sends requests to a Service's port, which is a number or a name.
func (w *world) ingress(namespace, name, service string, port any) obj {
	p := obj{"number": port}
	if _, ok := port.(string); ok {
		p = obj{"name": port}
	}
	return w.made(user("admin", 0), thing("networking.k8s.io/v1", "Ingress", namespace, name,
		obj{"spec": obj{"rules": []any{
			obj{"host": name + ".example.com", "http": obj{"paths": []any{obj{"path": "/", "pathType": "Prefix", "backend": obj{
				"service": obj{"name": service, "port": p}}}}}}}}, "status": obj{"loadBalancer": obj{"ingress": []any{
			obj{"ip": "192.0.2.7"}}}}}))
}

// warns is a Warning that has come for a while, up to now.
func (w *world) warns(about obj, reason, message string, count int, since time.Duration) {
	w.event(about, "Warning", reason, message, count, w.now.Add(-since))
}

func ports(list ...any) obj {
	var all []any
	for i := 0; i+1 < len(list); i += 2 {
		all = append(all, obj{"name": list[i], "containerPort": list[i+1], "protocol": "TCP"})
	}
	return obj{"ports": all}
}

func serviceScenes() map[string]func(*world) {
	return map[string]func(*world){
		"port-has-no-name":    portHasNoName,
		"port-of-the-new":     portOfTheNew,
		"port-number-off":     func(w *world) { w.portNumber("mail", "smtp", ports("smtp", 2525), 2552) },
		"port-undeclared":     func(w *world) { w.portNumber("mail", "relay", obj{}, 2525) },
		"readiness-path":      readinessPath,
		"readiness-begins":    readinessBegins,
		"readiness-port":      readinessPort,
		"readiness-standby":   readinessStandby,
		"agents-never-ready":  agentsNeverReady,
		"endpoints-by-image":  endpointsByImage,
		"endpoints-of-zero":   endpointsOfZero,
		"selector-old-chart":  func(w *world) { w.selectorOff("StatefulSet", "queue", "broker", true) },
		"selector-not-needed": func(w *world) { w.selectorOff("DaemonSet", "queue", "sweeper", false) },
	}
}

// portHasNoName is a Service whose targetPort is a name that no container of its pods has: its slices have no ports.
func portHasNoName(w *world) {
	w.app("StatefulSet", "shop", "basket", 3, ports("web", 8080, "metrics", 9090), w.readyState)
	w.svc("shop", "basket", obj{"app": "basket"}, 80, "http")
	w.endpoints("shop", "basket", 3, true, 0)
	w.ingress("shop", "basket", "basket", 80)
	w.look(50 * time.Minute)
}

// portOfTheNew is a rollout that renames the port: a part of the pods has the new name.
func portOfTheNew(w *world) {
	w.app("DaemonSet", "shop", "edge", 3, ports("web", 8080), w.readyState)
	ds := w.objects["apps/v1/DaemonSet/shop/edge"]
	w.svc("shop", "edge", obj{"app": "edge"}, 80, "http")
	w.endpoints("shop", "edge", 1, true, 8080)
	w.wait(time.Hour)
	w.begin()
	c := obj{"name": "main", "image": "registry.example.com/edge:2"}
	maps.Copy(c, ports("http", 8080))
	w.updated(user("admin", 0), ds, "", sets([]any{c}, "spec", "template", "spec", "containers"))
	w.runs(w.pod(controller(ds), ds, "", "node-4", obj{"spec": obj{"containers": []any{c}}}))
	w.wait(30 * time.Second)
}

// portNumber is a Service that sends to a number.
func (w *world) portNumber(namespace, name string, container obj, target int) {
	w.app("Deployment", namespace, name, 2, container, w.readyState)
	w.svc(namespace, name, obj{"app": name}, 25, target)
	w.endpoints(namespace, name, 2, true, target)
	w.look(5 * time.Hour)
}

func probe(path string, port any) obj {
	return obj{"readinessProbe": obj{"httpGet": obj{"path": path, "port": port, "scheme": "HTTP"}, "periodSeconds": 10},
		"ports": []any{obj{"name": "http", "containerPort": 8080}}}
}

func readinessPath(w *world) {
	d, rs, pods := w.app("Deployment", "web", "catalog", 3, probe("/healthz/ready", 8080), w.unready)
	w.short(d, rs, 3, 0)
	w.svc("web", "catalog", obj{"app": "catalog"}, 80, 8080)
	w.endpoints("web", "catalog", 3, false, 8080)
	w.ingress("web", "catalog", "catalog", 80)
	w.wait(40 * time.Minute)
	for _, p := range pods {
		w.warns(p, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 404", 240, 40*time.Minute)
	}
	w.look(0)
}

// readinessBegins is a rollout whose new pods warm up.
func readinessBegins(w *world) {
	d, old, _ := w.app("Deployment", "web", "catalog", 3, probe("/ready", 8080), w.readyState)
	w.svc("web", "catalog", obj{"app": "catalog"}, 80, 8080)
	w.endpoints("web", "catalog", 3, true, 8080)
	w.wait(time.Hour)
	w.begin()
	w.updated(user("admin", 0), d, "", setsImage("registry.example.com/catalog:2"))
	rs := w.replicaSet(d, 2)
	w.counts(rs, 2, 0)
	for i := range 2 {
		p := w.pod(controller(rs), rs, "", w.nodes[i])
		w.unready(p)
		w.wait(40 * time.Second)
		w.warns(p, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503", 4, 30*time.Second)
	}
	w.counts(old, 3, 3)
}

// readinessPort is a StatefulSet whose ordered start waits for its first pod, which is probed at a port that nobody
// listens at.
func readinessPort(w *world) {
	s := w.workload("StatefulSet", "db", "ledger", 3)
	s["spec"].(obj)["podManagementPolicy"] = "OrderedReady"
	w.counts(s, 1, 0)
	p := w.pod(controller(s), s, "ledger-0", "node-2", obj{"spec": obj{"containers": []any{obj{"name": "main",
		"image": "registry.example.com/ledger:1", "ports": []any{obj{"containerPort": 5432}},
		"readinessProbe": obj{"tcpSocket": obj{"port": 5433}}}}}})
	w.unready(p)
	w.svc("db", "ledger", obj{"app": "ledger"}, 5432, 5432, obj{"clusterIP": "None"})
	w.endpoints("db", "ledger", 1, false, 5432)
	w.wait(70 * time.Minute)
	w.warns(p, "Unhealthy", "Readiness probe failed: dial tcp 10.244.2.9:5433: connect: connection refused", 420,
		70*time.Minute)
	w.look(0)
}

// readinessStandby has one active replica, and two that wait for their turn and are not ready by design.
func readinessStandby(w *world) {
	i := 0
	s, _, pods := w.app("StatefulSet", "vault", "vault", 3, probe("/v1/sys/health", 8200), func(p obj) {
		if i++; i == 1 {
			w.runs(p)
		} else {
			w.unready(p)
		}
	})
	w.short(s, s, 3, 1)
	w.svc("vault", "vault-active", obj{"app": "vault"}, 8200, 8200)
	w.endpoints("vault", "vault-active", 3, true, 8200)
	w.wait(72 * time.Hour)
	for _, p := range pods[1:] {
		w.warns(p, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 429", 9000, time.Hour)
	}
	w.look(0)
}

// agentsNeverReady is a DaemonSet whose pods all fail their exec probe.
func agentsNeverReady(w *world) {
	ds, _, pods := w.app("DaemonSet", "logging", "shipper", 4, obj{"readinessProbe": obj{"exec": obj{"command": []any{"cat",
		"/run/ready"}}}}, w.unready)
	w.short(ds, ds, 4, 0)
	w.wait(2 * time.Hour)
	for _, p := range pods {
		w.warns(p, "Unhealthy", "Readiness probe failed: cat: can't open '/run/ready': No such file or directory", 700,
			2*time.Hour)
	}
	w.look(0)
}

// endpointsByImage is a Service without ready endpoints, because no pod behind it can pull its image.
func endpointsByImage(w *world) {
	rs := w.workload("DaemonSet", "web", "gate", 3)
	w.counts(rs, 3, 0)
	for i := range 3 {
		p := w.pod(controller(rs), rs, "", w.nodes[i])
		w.waits(p, "main", "ImagePullBackOff", `Back-off pulling image "registry.example.com/gate:1": ErrImagePull: `+
			`manifest unknown`, false)
	}
	w.svc("web", "gate", obj{"app": "gate"}, 80, 8080)
	w.endpoints("web", "gate", 3, false, 8080)
	w.ingress("web", "gate", "gate", 80)
	w.look(35 * time.Minute)
}

// endpointsOfZero is a Service of a workload that was scaled to zero.
func endpointsOfZero(w *world) {
	d := w.workload("Deployment", "web", "winter", 0)
	w.replicaSet(d, 0)
	w.svc("web", "winter", obj{"app": "winter"}, 80, 8080)
	w.endpoints("web", "winter", 0, true, 0)
	w.ingress("web", "winter", "winter", 80)
	w.look(48 * time.Hour)
}

// selectorOff is a Service with a label of the chart's older version; or a workload that needs none beside one of a
// similar name, whose own pods are there.
func (w *world) selectorOff(kind, namespace, name string, off bool) {
	w.app(kind, namespace, name, 3, ports("amqp", 5672), w.readyState)
	selector := obj{"app": name, "release": "old"}
	if !off {
		selector = obj{"app": name + "-web"}
		w.app("Deployment", namespace, name+"-web", 2, ports("http", 8080), w.readyState)
	}
	w.svc(namespace, name, selector, 5672, 5672)
	w.endpoints(namespace, name, map[bool]int{true: 0, false: 2}[off], true, 5672)
	w.ingress(namespace, name, name, 5672)
	w.look(3 * time.Hour)
}

func routeScenes() map[string]func(*world) {
	return map[string]func(*world){
		"ingress-no-service": func(w *world) { w.routed("web", "site", "site-web", "site", 80) },
		"ingress-no-port":    func(w *world) { w.routed("web", "docs", "docs", "docs", "https") },
		"ingress-port-name":  func(w *world) { w.routed("web", "blog", "blog", "blog", "http") },
		"ingress-by-hand": func(w *world) {
			w.svc("web", "legacy", nil, 80, 8080)
			w.made(user("admin", 0), thing("discovery.k8s.io/v1", "EndpointSlice", "web", "legacy-1", obj{"labels": obj{
				"kubernetes.io/service-name": "legacy"}, "endpoints": []any{obj{"addresses": []any{"192.0.2.9"}}},
				"ports": []any{obj{"name": "http", "port": 8080}}}))
			w.svc("web", "elsewhere", nil, 80, 80, obj{"type": "ExternalName", "externalName": "www.example.org"})
			w.ingress("web", "legacy", "legacy", 80)
			w.ingress("web", "elsewhere", "elsewhere", 80)
			w.look(20 * time.Hour)
		},
		"gateway-no-backend":  func(w *world) { w.gateway("HTTPRoute", "shop", "cart", "cart-v2") },
		"gateway-grpc":        func(w *world) { w.gateway("GRPCRoute", "ml", "embed", "embedder") },
		"gateway-all-there":   func(w *world) { w.gateway("HTTPRoute", "shop", "cart", "") },
		"names-in-circle":     func(w *world) { w.externals("payments-old", "payments") },
		"names-in-chain":      func(w *world) { w.externals("payments-old", "") },
		"policy-default-deny": policyDefaultDeny,
		"balancer-refused":    func(w *world) { w.balancer("edge", "public", true) },
		"balancer-of-nobody":  func(w *world) { w.balancer("edge", "dev", false) },
	}
}

// routed is an Ingress to a Service, beside one that serves.
func (w *world) routed(namespace, name, to, service string, port any) {
	w.app("Deployment", namespace, service, 2, ports("http", 8080), w.readyState)
	w.svc(namespace, service, obj{"app": service}, 80, "http")
	w.endpoints(namespace, service, 2, true, 8080)
	w.ingress(namespace, name, to, port)
	w.look(90 * time.Minute)
}

// gateway is a route whose second backend is not there.
func (w *world) gateway(kind, namespace, name, missing string) {
	w.app("Deployment", namespace, name, 2, ports("http", 8080), w.readyState)
	w.svc(namespace, name, obj{"app": name}, 80, "http")
	w.endpoints(namespace, name, 2, true, 8080)
	refs := []any{obj{"name": name, "port": 80, "weight": 9}}
	cond := obj{"type": "ResolvedRefs", "status": "True", "reason": "ResolvedRefs", "lastTransitionTime": stamp(w.now)}
	if missing != "" {
		refs = append(refs, obj{"name": missing, "port": 80, "weight": 1})
		cond = obj{"type": "ResolvedRefs", "status": "False", "reason": "BackendNotFound", "lastTransitionTime": stamp(w.now),
			"message": fmt.Sprintf(`Service "%s/%s" not found`, namespace, missing)}
	}
	w.made(user("admin", 0), custom("gateway.networking.k8s.io/v1", kind, namespace, name, obj{"parentRefs": []any{
		obj{"name": "public", "namespace": "gateways"}}, "rules": []any{obj{"backendRefs": refs}}}, obj{"parents": []any{
		obj{"parentRef": obj{"name": "public"}, "controllerName": "example.com/gateway", "conditions": []any{
			obj{"type": "Accepted", "status": "True", "reason": "Accepted"}, cond}}}}))
	w.look(2 * time.Hour)
}

// externals are Services that name each other: a circle where the last one names the first.
func (w *world) externals(first, back string) {
	alias := func(name, to string) {
		w.svc("pay", name, nil, 80, 80, obj{"type": "ExternalName", "externalName": to + ".pay.svc.cluster.local",
			"clusterIP": ""})
	}
	w.app("Deployment", "pay", "ledger", 2, ports("http", 8080), w.readyState)
	w.svc("pay", "ledger", obj{"app": "ledger"}, 80, 8080)
	w.endpoints("pay", "ledger", 2, true, 8080)
	alias(first, "payments")
	if back == "" {
		alias("payments", "ledger")
	} else {
		alias("payments", first)
	}
	w.look(2 * time.Hour)
}

// policyDefaultDeny is how namespaces are kept apart: one policy admits nobody, the next one who is wanted.
func policyDefaultDeny(w *world) {
	w.app("Deployment", "safe", "vaulted", 2, ports("http", 8080), w.readyState)
	w.svc("safe", "vaulted", obj{"app": "vaulted"}, 80, 8080)
	w.endpoints("safe", "vaulted", 2, true, 8080)
	policy := func(name string, selector obj, rules []any) {
		w.made(user("admin", 0), thing("networking.k8s.io/v1", "NetworkPolicy", "safe", name, obj{"spec": obj{
			"podSelector": selector, "policyTypes": []any{"Ingress"}, "ingress": rules}}))
	}
	policy("default-deny", obj{}, []any{})
	policy("from-web", obj{"matchLabels": obj{"app": "vaulted"}}, []any{obj{"from": []any{obj{"namespaceSelector": obj{
		"matchLabels": obj{"team": "web"}}}}}})
	w.look(20 * time.Hour)
}

// balancer is a Service of type LoadBalancer without an address: refused by the cloud, or in a cluster without one.
func (w *world) balancer(namespace, name string, refused bool) {
	w.app("Deployment", namespace, name, 2, ports("http", 8080), w.readyState)
	s := w.svc(namespace, name, obj{"app": name}, 80, 8080, obj{"type": "LoadBalancer"})
	w.endpoints(namespace, name, 2, true, 8080)
	w.wait(2 * time.Hour)
	if refused {
		w.warns(s, "SyncLoadBalancerFailed", "Error syncing load balancer: failed to ensure load balancer: "+
			"TooManyLoadBalancers: "+
			"Exceeded quota of account 1234", 40, 2*time.Hour)
	}
	w.look(0)
}
