package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

// reconciling is a dump of a controller with two reconcilers, of which one is at work: its status is on its way to the API
// server. module is the program's, reconciler the receiver of the one at work.
func reconciling(module, reconciler string) []byte {
	const text = `goroutine 1 [chan receive, 212 minutes]:
main.main()
	MODULE/main.go:61 +0x4d8

goroutine 88 [select]:
net/http.(*http2ClientConn).RoundTrip(0xc0004c2180, 0xc000b5e280)
	net/http/h2_bundle.go:8380 +0x4b6
k8s.io/client-go/rest.(*Request).request(0xc0006b2360, {0x1f0f4a8, 0xc000a1c0f0}, 0xc0007a1a10)
	k8s.io/client-go@v0.33.1/rest/request.go:1075 +0x5b7
k8s.io/client-go/rest.(*Request).Do(0xc0006b2360, {0x1f0f4a8, 0xc000a1c0f0})
	k8s.io/client-go@v0.33.1/rest/request.go:1115 +0xc5
sigs.k8s.io/controller-runtime/pkg/client.(*typedClient).UpdateSubResource(0xc0003a8d20, {0x1f0f4a8, 0xc000a1c0f0})
	sigs.k8s.io/controller-runtime@v0.21.0/pkg/client/typed_client.go:241 +0x3f4
MODULE/controllers.(*RECONCILER).reconcileStatus(0xc0003c0060, {0x1f0f4a8, 0xc000a1c0f0}, 0xc000a42008)
	MODULE/controllers/status.go:96 +0x21c
MODULE/controllers.(*RECONCILER).Reconcile(0xc0003c0060, {0x1f0f4a8, 0xc000a1c0f0}, {{{0xc000732a20, 0xc}, {0xc0004510c8, 0x13}}})
	MODULE/controllers/reconciler.go:58 +0x3aa
sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Reconcile(0x1f1f0e0, {0x1f0f4a8, 0xc000a1c0f0})
	sigs.k8s.io/controller-runtime@v0.21.0/pkg/internal/controller/controller.go:119 +0x191
sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).reconcileHandler(0x1f1f0e0, {0x1f0f4e0, 0xc00041a6e0})
	sigs.k8s.io/controller-runtime@v0.21.0/pkg/internal/controller/controller.go:340 +0x3ad
sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).processNextWorkItem(0x1f1f0e0, {0x1f0f4e0, 0xc00041a6e0})
	sigs.k8s.io/controller-runtime@v0.21.0/pkg/internal/controller/controller.go:300 +0x21b
created by sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Start.func2 in goroutine 71
	sigs.k8s.io/controller-runtime@v0.21.0/pkg/internal/controller/controller.go:202 +0x4c5

goroutine 91 [IO wait]:
internal/poll.runtime_pollWait(0x7f1c5c0d4eb8, 0x72)
	runtime/netpoll.go:351 +0x85
net.(*conn).Read(0xc000112058, {0xc0007d2000, 0x1000, 0x1000})
	net/net.go:194 +0x45
MODULE/catalog.(*CatalogReconciler).Reconcile(0xc000130100, {0x1f0f4a8, 0xc000a1c300}, {{{0xc000732b40, 0xc}, {0xc0004510f0, 0x7}}})
	MODULE/catalog/catalog.go:33 +0x112
created by sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Start.func2 in goroutine 74
	sigs.k8s.io/controller-runtime@v0.21.0/pkg/internal/controller/controller.go:202 +0x4c5
`
	return []byte(strings.NewReplacer("MODULE", module, "RECONCILER", reconciler).Replace(text))
}

// joinedStories are causes that two inputs show: one who, the other where in the code.
func joinedStories() []story {
	var all []story
	base := story{
		layout: "folder", verdict: "guilty", category: "hot-loop", objects: []string{"observability-agent"}, actors: []string{agentUser}, pack: asTarGz,
	}
	loop := func(seed, pod string, dump []byte) []archive.File {
		c := healthy(seed, agentAt, time.Hour, nil, short)
		l := auditlog.NewLoop(c.store, agentAt.Add(-150*time.Second))
		l.Level = "Metadata"
		c.traffic(1, agentAt.Add(-150*time.Second), agentAt, 1, l, nil)
		return []archive.File{
			{Name: "case-1311/audit/audit.log", Data: c.auditText(0), Time: agentAt},
			{Name: "case-1311/capture/" + pod + "_" + logs.NewRand(seed).UUID() + "/manager/goroutine-1.txt", Data: dump, Time: agentAt},
		}
	}
	add := func(name, culprit, why string, files []archive.File) *story {
		s := base
		s.name, s.culprit, s.why, s.files = name, culprit, why, files
		all = append(all, s)
		return &all[len(all)-1]
	}
	add("joined-dump.tar.gz", "(*ReleaseReconciler).reconcileStatus", "the audit log says who writes, a dump of that pod in which function and line",
		loop("joined-dump", "release-system_release-agent-7c9d5b84-q8fkn", reconciling("release.example.net/agent", "ReleaseReconciler")))
	add("joined-dump-of-another.tar.gz", "none", "near: the dump is of another pod of that namespace",
		loop("joined-another", "release-system_catalog-agent-6d4b75cb6d-zzxwv", reconciling("release.example.net/catalog", "CatalogSync")))
	add("joined-dump-elsewhere.tar.gz", "none", "near: the dump is of a pod of that name in another namespace",
		loop("joined-elsewhere", "release-staging_release-agent-7c9d5b84-x2x7k", reconciling("release.example.net/agent", "ReleaseReconciler")))
	add("joined-dump-ambiguous.tar.gz", "none", "near: the writer's process has two reconcilers, neither of which is called after the kind",
		loop("joined-ambiguous", "release-system_release-agent-7c9d5b84-q8fkn", reconciling("release.example.net/agent", "ChartSync")))

	c := healthy("joined-flip", noon, time.Hour, nil, short)
	c.traffic(1, noon.Add(-2*time.Minute), noon, 1, nil, fight("Metadata", noon.Add(-time.Minute), noon)[:7])
	s := add("joined-flip.tar.gz", "", "a watch shows a field that goes back and forth, without managedFields; the audit log, too short for a verdict of its own, says who writes", []archive.File{
		{Name: "case-1312/audit/audit.log", Data: c.auditText(0), Time: noon},
		{Name: "case-1312/deployment-watch.json", Data: flips(8), Time: noon},
	})
	s.category, s.objects, s.actors, s.field = "hot-loop|race", []string{"storefront"}, []string{governor.Name, shopkeep.Name}, "replicas"
	elsewhere := *s
	elsewhere.name, elsewhere.actors = "joined-flip-elsewhere.tar.gz", []string{"none"}
	elsewhere.why = "near: the audit log is about a Deployment of that name in another namespace"
	elsewhere.files = []archive.File{
		{Name: "case-1313/audit/audit.log", Data: bytes.ReplaceAll(c.auditText(0), []byte(`"namespace":"shop"`), []byte(`"namespace":"shop-staging"`)), Time: noon},
		s.files[1],
	}
	return append(all, elsewhere)
}

// flips are versions of the Deployment that two controllers fight over, as kubectl get -w -o json prints them.
func flips(n int) []byte {
	var b []byte
	for i := range n {
		b = append(b, jsonOf(obj{
			"apiVersion": "apps/v1", "kind": "Deployment",
			"metadata": obj{"name": "storefront", "namespace": "shop", "uid": "7a6f1c52-5b0e-4d6a-9a39-0c6d1f0f7e11", "creationTimestamp": "2026-01-04T11:00:00Z",
				"generation": 4001 + i, "resourceVersion": fmt.Sprint(47990001 + 3*i)},
			"spec": obj{"replicas": 4 + 5*(i%2), "selector": obj{"matchLabels": obj{"app": "storefront"}}},
		})...)
	}
	return b
}
