package main

import (
	"strings"
	"time"

	"example.com/bundles/logs"
)

// crashed is a container that ended again and again; its last instance but one left the lines of a dump.
func (c *cluster) crashed(namespace, name string, restarts, exit int, reason, dump string, before ...logs.Saying) *pod {
	w := c.workload("Deployment", namespace, name, c.taken.Add(-30*time.Hour))
	p := c.pod(w, 0)
	died := c.taken.Add(-3 * time.Minute)
	lines := texts(logs.Klog, name, died.Add(-40*time.Second), died, before...)
	for _, l := range strings.Split(strings.TrimSuffix(dump, "\n"), "\n") {
		if dump != "" {
			lines = append(lines, line{at: died, text: l})
		}
	}
	k := p.container(name)
	k.instances = []instance{{restart: restarts - 1, lines: lines}, {restart: restarts}}
	k.state = obj{"waiting": obj{"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container=" + name + " pod=" + p.name + "_" + namespace + "(" + p.uid + ")"}}
	last := obj{"exitCode": exit, "reason": reason, "startedAt": stamp(died.Add(-40 * time.Second)), "finishedAt": stamp(died), "containerID": "containerd://" + c.r.Hex(64)}
	if reason == "Error" && len(lines) > 0 {
		last["message"] = tail(lines, 2048)
	}
	k.last = obj{"terminated": last}
	c.event(namespace, "Pod", p.name, p.uid, "BackOff", "Back-off restarting failed container "+name+" in pod "+p.name+"_"+namespace+"("+p.uid+")", "kubelet", c.taken.Add(-30*time.Second), 61)
	return p
}

func crashStories(in *inputs) []story {
	starting := logs.Every(4*time.Second, false, 'I', "main.go:31", `"Mounted" volume="pvc-{{uuid}}"`)
	nilMap := string(in.read("dumps/go1.26/crash-nil-map.txt"))
	var all []story

	c := healthy("crashloop", noon, 2*time.Hour, tiny(), short)
	c.crashed("volumes", "volume-keeper", 17, 2, "Error", nilMap, starting)
	all = append(all, story{name: "crashloop-mustgather.tar.gz", layout: "must-gather", verdict: "guilty", category: "crash", culprit: "volume.(*Store).Put", why: "exit code 2, seventeen restarts: the traceback is in the previous log", files: mustGather(c), pack: asTarGz})

	c = healthy("crashloop-kit", noon, 2*time.Hour, tiny(), short)
	p := c.crashed("volumes", "volume-keeper", 23, 2, "Error", nilMap, starting)
	k := p.containers[0]
	k.instances = k.instances[1:] // logs of the instance before are not there
	c.missing = append(c.missing, `Failed to get previous log of volumes/`+p.name+`/volume-keeper: previous terminated container "volume-keeper" in pod "`+p.name+`" not found`)
	all = append(all, story{name: "crashloop-message.zip", layout: "kit", verdict: "guilty", category: "crash", culprit: "volume.(*Store).Put", why: "the same without the previous log: the termination message holds the traceback's end", files: kit(c), pack: asZip})

	c = healthy("oom", noon, 2*time.Hour, tiny(), short)
	q := c.crashed("media", "thumb-cache", 9, 137, "OOMKilled", "", logs.Every(300*time.Millisecond, false, 'I', "render.go:77", `"Rendered" image="{{uuid}}.jpg" bytes={{n:20000-900000}}`))
	q.spec["containers"].(list)[0].(obj)["resources"] = obj{"limits": obj{"memory": "512Mi"}, "requests": obj{"memory": "256Mi"}}
	c.event("", "Node", q.node, logs.NewRand(q.node).UUID(), "OOMKilling", "Memory cgroup out of memory: Killed process 31207 (thumb-cache) total-vm:1904412kB, anon-rss:521104kB, file-rss:0kB", "kernel-monitor", noon.Add(-3*time.Minute), 1)
	bundle := kit(c)
	top := bundle[0].Name[:strings.Index(bundle[0].Name, "/")+1]
	bundle = append(bundle, c.file(top+"pprof/"+q.name+"-heap.pb.gz", in.read("profiles/heap-cache.pb.gz")))
	all = append(all, story{name: "oom-heap.zip", layout: "kit", verdict: "guilty", category: "memory", objects: []string{q.name, "thumb-cache"}, why: "OOMKilled nine times; a heap profile beside it shows one site that holds nearly all", files: bundle, pack: asZip})
	return all
}

// quietCrash is what healthy clusters have too: containers that restarted once or twice, long ago or at the start.
func (c *cluster) quietRestarts() {
	for i, p := range c.pods {
		if i%5 != 3 || len(p.containers) == 0 {
			continue
		}
		k := p.containers[0]
		end := p.created.Add(90 * time.Second)
		now := k.current()
		now.restart = 1 + i%2
		k.instances = []instance{{restart: now.restart - 1, lines: []line{{at: end, text: "F" + end.UTC().Format("0102 15:04:05.000000") + "       1 main.go:61] leader election lost"}}}, now}
		k.state = obj{"running": obj{"startedAt": stamp(end.Add(2 * time.Second))}}
		k.last = obj{"terminated": obj{"exitCode": 1, "reason": "Error", "startedAt": stamp(p.created), "finishedAt": stamp(end), "containerID": "containerd://" + c.r.Hex(64)}}
	}
}
