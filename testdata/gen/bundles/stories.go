package main

import (
	"time"

	"example.com/bundles/logs"
)

// stories are all bundles, in the manifest's order.
func stories(in *inputs) []story {
	var all []story
	for _, part := range [][]story{
		spinStories(in), profileStories(in), agentStories(in), stormStories(), raceStories(), fightStories(), joinedStories(), eventStories(), crashStories(in), talkStories(), nearStories(), productStories(in), healthyStories(in),
	} {
		all = append(all, part...)
	}
	return all
}

// noon is when most bundles were taken.
var noon = time.Date(2026, 3, 6, 12, 0, 0, 0, time.UTC)

// Sizes of a container's log: the newest file of it. A few are kept longer where a rate must be told over minutes.
const (
	short = 10 << 10
	long  = 60 << 10
)

// small is the control plane's pods, units and a handful of others: enough to be looked for in.
func small() []*logs.Component {
	return some("kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd", "kubelet", "containerd", "kernel",
		"coredns", "kube-proxy", "metrics-server", "cert-manager", "prometheus", "csi-provisioner", "volume-manager", "network-operator",
		"gitops-controller", "orders-api", "payments-worker", "ledger-sync")
}

// tiny is for bundles whose story is elsewhere.
func tiny() []*logs.Component {
	return some("kube-apiserver", "kube-controller-manager", "etcd", "kubelet", "coredns", "network-operator", "orders-api", "ledger-sync")
}

// texts makes lines of a component's that come every d with a ticker, from start to end.
func texts(f logs.Format, seed string, start, end time.Time, sayings ...logs.Saying) []line {
	c := &logs.Component{Name: seed, Format: f, Says: sayings}
	var out []line
	c.Run(logs.NewRand(seed), start, end, 1, func(at time.Time, text []byte) bool {
		out = append(out, line{at: at.Add(time.Duration(40+len(out)%200) * time.Microsecond), text: string(text)})
		return true
	})
	return out
}
