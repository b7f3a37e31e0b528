package main

import (
	"fmt"
	"time"

	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

// A cluster is what a collector finds: it knows nothing of how a bundle lays it out.
type cluster struct {
	seed        string
	r           *logs.Rand
	from, taken time.Time // the time that logs cover, at most, and when the bundle was made
	nodes       []string
	pods        []*pod
	objects     []obj // all but pods
	// audit is each server's log, in the order in which it was written.
	audit [][]auditlog.Event
	store *auditlog.Store
	units []*logs.Component
	// missing is what the collector could not get.
	missing []string
}

// A pod is one with its containers' logs.
type pod struct {
	namespace, name, uid, node string
	created                    time.Time
	owner                      obj // its controller's reference
	labels                     obj
	spec                       obj // what the story adds to it
	status                     obj // instead of a running pod's
	containers                 []*container
}

// A container's log is that of its instances, the oldest first; the last is the one that runs.
type container struct {
	name      string
	instances []instance
	state     obj // of the status, where it does not run well
	last      obj // lastState
}

// An instance is one process: its number, what it wrote, and the lines before which the kubelet rotated its file.
type instance struct {
	restart int
	lines   []line
	cuts    []int
}

// A line is one of a log.
type line struct {
	at     time.Time
	text   string
	stdout bool
}

// healthy is a cluster where all is well: the control plane, and as many of the other components as wanted.
// keep is how many bytes of a container's log are there: the API gives the newest file alone.
func healthy(seed string, taken time.Time, span time.Duration, components []*logs.Component, keep int) *cluster {
	c := &cluster{
		seed: seed, r: logs.NewRand(seed), from: taken.Add(-span), taken: taken,
		nodes: []string{"node-a1", "node-a2", "node-a3"}, store: auditlog.NewStore(48_000_000),
	}
	c.addNodes()
	for _, comp := range components {
		if comp.Owner == "Unit" {
			c.units = append(c.units, comp)
			continue
		}
		c.deploy(comp, keep)
	}
	c.addSmall()
	return c
}

// deploy adds a component's controller and pods, with their logs.
func (c *cluster) deploy(comp *logs.Component, keep int) []*pod {
	w := c.workload(comp.Owner, comp.Namespace, comp.Name, c.from.Add(-40*24*time.Hour))
	n := max(1, comp.Replicas)
	if comp.Owner == "DaemonSet" || comp.Owner == "Node" {
		n = len(c.nodes)
	}
	var pods []*pod
	for i := range n {
		p := c.pod(w, i)
		k := p.container(comp.Name)
		k.instances = []instance{{lines: c.logOf(comp, p, keep)}}
		pods = append(pods, p)
	}
	return pods
}

// logOf is what the component wrote until the bundle was taken, the newest keep bytes.
func (c *cluster) logOf(comp *logs.Component, p *pod, keep int) []line {
	start := c.from
	if rate := comp.Rate(); rate > 0 {
		if s := c.taken.Add(-time.Duration(float64(keep) / rate * float64(time.Second))); s.After(start) {
			start = s
		}
	}
	silent := *comp
	if start.After(c.from) || comp.Owner == "DaemonSet" {
		silent.Starts = nil
	}
	r := logs.NewRand(c.seed + p.namespace + p.name)
	r.Host = p.node
	var out []line
	silent.Run(r, start, c.taken, 1, func(at time.Time, text []byte) bool {
		out = append(out, line{at: at.Add(time.Duration(r.Between(20, 900)) * time.Microsecond), text: string(text)})
		return true
	})
	return out
}

// container adds one to the pod.
func (p *pod) container(name string) *container {
	k := &container{name: name}
	p.containers = append(p.containers, k)
	return k
}

// find is the first pod of a controller.
func (c *cluster) find(namespace, prefix string) *pod {
	for _, p := range c.pods {
		if p.namespace == namespace && len(p.name) >= len(prefix) && p.name[:len(prefix)] == prefix {
			return p
		}
	}
	panic(fmt.Sprintf("%s: no pod %s/%s…", c.seed, namespace, prefix))
}

// say puts lines into a container's newest instance, in order of time.
func (k *container) say(lines ...line) {
	i := &k.instances[len(k.instances)-1]
	i.lines = merge(i.lines, lines)
}

func merge(a, b []line) []line {
	out := make([]line, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if b[0].at.Before(a[0].at) {
			out, b = append(out, b[0]), b[1:]
		} else {
			out, a = append(out, a[0]), a[1:]
		}
	}
	return append(append(out, a...), b...)
}

// some picks components by name.
func some(names ...string) []*logs.Component {
	var out []*logs.Component
	for _, n := range names {
		found := false
		for _, c := range everything() {
			if c.Name == n {
				out, found = append(out, c), true
			}
		}
		if !found {
			panic("no component " + n)
		}
	}
	return out
}

func everything() []*logs.Component {
	return append(append(logs.ControlPlane(), logs.Addons()...), logs.Workloads()...)
}
