package origin

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const testUID = "47677a7e-f299-4182-a9cf-9d10a356aa92"

func TestThePathsOfEveryCollectorTellWhoseLogItIs(t *testing.T) {
	pod := func(ns, pod, container string) Origin {
		return Origin{Namespace: ns, Pod: pod, Container: container, Restart: -1}
	}
	previous := func(o Origin) Origin { o.Previous = true; return o }
	on := func(node string, o Origin) Origin { o.Node = node; return o }
	node := func(name, unit string) Origin { return Origin{Node: name, Unit: unit, Restart: -1} }
	const kit = "supportbundle_x_2026-03-04T05-06-07Z.zip!/supportbundle_x_2026-03-04T05-06-07Z/"
	const must = "must.tar.gz!/must-gather.local.1/quay-io-x/"
	for path, want := range map[string]Origin{
		// support-bundle-kit
		kit + "logs/shop/web-1/app.log":                                        pod("shop", "web-1", "app"),
		kit + "logs/shop/web-1/app.log.1":                                      previous(pod("shop", "web-1", "app")),
		kit + "nodes/node-1.zip!/node-1/logs/kubelet.log":                      node("node-1", "kubelet"),
		kit + "nodes/node-1.zip!/node-1/logs/rke2-server.log":                  node("node-1", "rke2-server"),
		kit + "nodes/node-1.zip!/node-1/logs/k3s-agent-service.log":            node("node-1", "k3s-agent"),
		kit + "nodes/node-1.zip!/node-1/logs/kernel.log.1":                     node("node-1", ""),
		kit + "nodes/node-1.zip!/node-1/configs/etc/hosts":                     node("node-1", ""),
		kit + "nodes/node-1.zip!/node-1/scc/scc_x.txz!/scc_x/messages.txt":     node("node-1", ""),
		"unzipped/nodes/node-1/logs/kubelet.log":                               node("node-1", "kubelet"),
		kit + "nodes/n1.zip!/n1/var/log/pods/shop_web_" + testUID + "/a/0.log": on("n1", Origin{Namespace: "shop", Pod: "web", PodUID: testUID, Container: "a"}),
		// oc adm must-gather and inspect
		must + "namespaces/shop/pods/web-1/app/app/logs/current.log":                          pod("shop", "web-1", "app"),
		must + "namespaces/shop/pods/web-1/app/app/logs/previous.log":                         previous(pod("shop", "web-1", "app")),
		must + "namespaces/shop/pods/web-1/app/app/logs/previous.insecure.log":                previous(pod("shop", "web-1", "app")),
		must + "namespaces/shop/pods/web-1/app/pprof/goroutines.txt":                          pod("shop", "web-1", "app"),
		must + "namespaces/shop/pods/web-1/app/app/logs/rotated/3.log.20260304-050607.gz":     {Namespace: "shop", Pod: "web-1", Container: "app", Restart: 3},
		must + "host_service_logs/masters/kubelet_service.log":                                node("", "kubelet"),
		must + "audit_logs/kube-apiserver/ip-10-0-1-2.ec2.internal-audit-2026-03-04T0.log.gz": node("ip-10-0-1-2.ec2.internal", ""),
		must + "static-pods/kube-apiserver/master-0-termination.log.gz":                       node("master-0", ""),
		must + "pprof/kubelet/worker-1_heap.out":                                              node("worker-1", "kubelet"),
		// crust-gather, the Insights operator
		"cg/namespaces/shop/v1/pod/web-1/app/previous.log":                                         previous(pod("shop", "web-1", "app")),
		"ins.tar.gz!/conditional/namespaces/shop/pods/web-1/containers/app/logs/last-50-lines.log": pod("shop", "web-1", "app"),
		"ins.tar.gz!/config/pod/shop/logs/web-1/errors.log":                                        pod("shop", "web-1", ""),
		"ins.tar.gz!/config/pod/shop/logs/web-1/app_previous.log":                                  previous(pod("shop", "web-1", "app")),
		"ins.tar.gz!/config/node/logs/worker-1.log":                                                node("worker-1", ""),
		// troubleshoot
		"sb.tar.gz!/sb/cluster-resources/pods/logs/shop/web-1/app.log":          pod("shop", "web-1", "app"),
		"sb.tar.gz!/sb/cluster-resources/pods/logs/shop/web-1/app-previous.log": previous(pod("shop", "web-1", "app")),
		// kubectl cluster-info dump
		"dump/shop/web-1/logs.txt": pod("shop", "web-1", ""),
		// Rancher's collectors
		"h1-2026-03-04_05_06_07.tar.gz!/h1-2026-03-04_05_06_07/rke2/podlogs/kube-system-etcd-h1-previous":      on("h1", previous(pod("kube-system", "etcd-h1", ""))),
		"h1-2026-03-04_05_06_07.tar.gz!/h1-2026-03-04_05_06_07/rke2/podlogs/cattle-fleet-system-fleet-agent-0": on("h1", pod("cattle-fleet-system", "fleet-agent-0", "")),
		"h1-2026-03-04_05_06_07.tar.gz!/h1-2026-03-04_05_06_07/journald/rke2-server":                           node("h1", "rke2-server"),
		"p.tar!/tmp/p.tar.xz!/rancher-5d4f-abcde-goroutine-2026-03-04T05_06_07":                                pod("", "rancher-5d4f-abcde", ""),
		// EKS
		"eks_i-0123456789abcdef0_2026-03-04_0506-UTC_0.7.8.tar.gz!/kubelet/kubelet.log": node("i-0123456789abcdef0", "kubelet"),
		// products
		"debug.zip!/debug/nodes/3/stacks.txt":                     node("3", ""),
		"nomad/server/node-1.global/goroutine-debug2_0001.txt":    node("node-1.global", ""),
		"audit/control-plane-1/audit-2026-03-04T04-47-31.123.log": node("control-plane-1", ""),
		// near misses
		"var/log/shop/app.log":     {Restart: -1},
		"logs/Shop/web/app.log":    {Restart: -1},
		"audit/audit.log":          {Restart: -1},
		"nodes/node-1/readme.txt":  {Restart: -1},
		"logs/a/b/c/app.log.1":     {Restart: -1},
		"podlogs/somewhere-web-1":  {Restart: -1},
		"x-goroutine-final.txt":    {Restart: -1},
		"eks_x_2026.tar.gz!/a.log": {Restart: -1},
	} {
		if diff := cmp.Diff(want, Of(path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func TestAPathTellsWhereALogWasWritten(t *testing.T) {
	const id = "4eb4d1dcce13981c183398881df11726db9cd69391ea45f55af4c47ec287b8dd"
	const uid = "47677a7e-f299-4182-a9cf-9d10a356aa92"
	none := Origin{Restart: -1}
	for path, want := range map[string]Origin{
		"/var/log/pods/shop_web-1_" + uid + "/app/3.log":                   {Namespace: "shop", Pod: "web-1", PodUID: uid, Container: "app", Restart: 3},
		"bundle/nodes/n1/var/log/pods/shop_web-1_" + uid + "/app/0.log":    {Namespace: "shop", Pod: "web-1", PodUID: uid, Container: "app", Restart: 0},
		"shop_web-1_" + uid + "/app/0.log.20221019-153456.gz":              {Namespace: "shop", Pod: "web-1", PodUID: uid, Container: "app", Restart: 0},
		"kube-system_etcd-n1_0123456789abcdef0123456789abcdef/etcd/12.log": {Namespace: "kube-system", Pod: "etcd-n1", PodUID: "0123456789abcdef0123456789abcdef", Container: "etcd", Restart: 12},
		"/var/log/containers/web-1_shop_my-app-" + id + ".log":             {Namespace: "shop", Pod: "web-1", Container: "my-app", Restart: -1},
		"must/namespaces/shop/pods/web-1/app/app/logs/previous.log":        {Namespace: "shop", Pod: "web-1", Container: "app", Restart: -1, Previous: true},
		"/var/lib/docker/containers/" + id + "/" + id + "-json.log":        none,
		"a_b_c/app/0.log": none,
		"0.log":           none,
		"":                none,
	} {
		if diff := cmp.Diff(want, Of(filepath.FromSlash(path))); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}
func FuzzOrigin(f *testing.F) {
	for _, path := range []string{
		"logs/a/b/c.log.1", "nodes/n.zip!/n/logs/k.log", "namespaces/a/pods/b/c/c/logs/current.log", "a/b/logs.txt", "podlogs/kube-system-a-previous",
		"a-goroutine-2026-03-04", "config/pod/a/logs/b/c_previous.log", "audit_logs/x/n-audit-1.log.gz", "pprof/kubelet/n_heap.out", "!/!/", "/", "..",
	} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		o := Of(path)
		for _, name := range []string{o.Namespace, o.Pod, o.Container, o.Node, o.Unit} {
			// Every name is a piece of the path: nothing is made up.
			if !strings.Contains(strings.ReplaceAll(path, `\`, "/"), name) || strings.Contains(name, "/") {
				t.Fatalf("%q tells %+v", path, o)
			}
		}
		if o.Namespace != "" && !IsDNSName(o.Namespace) && !strings.Contains(path, "namespaces/") && !strings.Contains(path, "config/pod/") {
			t.Fatalf("%q tells the namespace %q", path, o.Namespace)
		}
		IsPreviousByNumber(path)
	})
}
