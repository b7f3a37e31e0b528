package main

import (
	"fmt"
	"strings"
	"time"

	"example.com/bundles/logs"
)

// A loser is a controller that ends because it lost its lease, each in the words of its own program.
type loser struct {
	namespace, name, module, words string
	line                           int
	after                          time.Duration
}

var losers = []loser{
	{"catalog-system", "catalog-operator", "catalog.example.net/operator", "Failed to start operator: leader election lost", 38, 0},
	{"snapshots", "snapshot-controller", "snapshots.example.org/controller", "stopped leading", 117, 4 * time.Second},
	{"mail", "relay-manager", "mail.example.com/relay", "lost the lease mail/relay-manager, shutting down", 64, 7 * time.Second},
}

// lostLease is a container that logged a fatal line with its goroutines at a time, and runs again since.
func (c *cluster) lostLease(l loser, at time.Time) {
	w := c.workload("Deployment", l.namespace, l.name, c.taken.Add(-90*time.Hour))
	p := c.pod(w, 0)
	k := p.container(l.name)
	lines := texts(logs.Klog, l.name, at.Add(-10*time.Minute), at, logs.Every(9*time.Second, false, 'I', "controller.go:88", `"Synced" object="{{uuid}}"`))
	dump := fmt.Sprintf(`F%s       1 main.go:%d] %s
goroutine 1 [running]:
k8s.io/klog/v2.(*loggingT).output(0x2e6f0a0, 0x3, 0x0, 0xc0004d0070, 0x1)
	k8s.io/klog/v2@v2.130.1/klog.go:935 +0x6d6
k8s.io/klog/v2.Fatalf({0x1a2b3c4, 0x1e}, {0xc000a1ff58, 0x1, 0x1})
	k8s.io/klog/v2@v2.130.1/klog.go:1697 +0x54
main.main()
	%s/main.go:%d +0x8e5

goroutine 49 [select, 92 minutes]:
%s/sync.(*Worker).Run(0xc0002ae000, 0xc00008c0c0)
	%s/sync/worker.go:52 +0x11c
created by main.main in goroutine 1
	%s/main.go:%d +0x7a1
`, at.UTC().Format("0102 15:04:05.000000"), l.line, l.words, l.module, l.line, l.module, l.module, l.module, l.line-6)
	for _, text := range strings.Split(strings.TrimSuffix(dump, "\n"), "\n") {
		lines = append(lines, line{at: at, text: text})
	}
	again := texts(logs.Klog, l.name+" again", at.Add(2*time.Second), at.Add(10*time.Minute), logs.Every(9*time.Second, false, 'I', "controller.go:88", `"Synced" object="{{uuid}}"`))
	k.instances = []instance{{restart: 0, lines: lines}, {restart: 1, lines: again}}
	k.state = obj{"running": obj{"startedAt": stamp(at.Add(2 * time.Second))}}
	k.last = obj{"terminated": obj{"exitCode": 255, "reason": "Error", "startedAt": stamp(p.created), "finishedAt": stamp(at), "containerID": "containerd://" + c.r.Hex(64)}}
}

// eventStories are several programs that end of one event, and the same ends without one.
func eventStories() []story {
	base := story{layout: "must-gather", verdict: "guilty", category: "crash", pack: asTarGz}
	ended := func(name, why string, apart time.Duration, lost []loser) story {
		c := healthy(name, noon, 3*time.Hour, tiny(), short)
		for i, l := range lost {
			at := noon.Add(-2 * time.Hour).Add(l.after)
			if apart > 0 {
				at = noon.Add(-2 * time.Hour).Add(time.Duration(i) * apart)
			}
			c.lostLease(l, at)
		}
		s := base
		s.name, s.why, s.files = name, why, mustGather(c)
		return s
	}
	together := ended("event-leases.tar.gz", "three controllers lose their leases within 7 s, each at a line of its own: one finding that accuses none of them", 0, losers)
	together.culprit, together.field = "none", "3 controllers lost their leases within 7 s"
	apart := ended("event-leases-apart.tar.gz", "near: the same ends 40 minutes apart have a cause each", 40*time.Minute, losers)
	apart.culprit = "main.main"
	return []story{together, apart}
}
