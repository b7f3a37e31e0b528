package main

import (
	"fmt"
	"strings"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/logs"
)

// snapshot is one iteration of the profile collector: a tar.xz of what one pod's endpoints gave.
func snapshot(c *cluster, p *pod, at time.Time, profiles map[string][]byte) archive.File {
	k := p.containers[0]
	ts := at.UTC().Format("2006-01-02T15_04_05")
	var files []archive.File
	add := func(name string, data []byte) { files = append(files, archive.File{Name: name, Data: data, Time: at}) }
	for _, kind := range []string{"profile", "heap", "goroutine"} {
		data := profiles[kind]
		if data == nil {
			data = []byte("<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n</body>\r\n</html>\r\n")
		}
		add(p.name+"-"+kind+"-"+ts, data)
	}
	add(p.name+".log", stamped(k.current().newest()))
	if i, ok := k.previous(); ok {
		add(p.name+"-previous.log", stamped(i.newest()))
	} else {
		add(p.name+"-previous.log", []byte("Error from server (BadRequest): previous terminated container \""+k.name+"\" in pod \""+p.name+"\" not found\n"))
	}
	add(p.name+"-events.txt", []byte("LAST SEEN   TYPE     REASON    OBJECT   MESSAGE\n"))
	add(p.name+"-metrics.txt", []byte("# HELP go_goroutines Number of goroutines that currently exist.\n# TYPE go_goroutines gauge\ngo_goroutines 214\nprocess_cpu_seconds_total 4711.3\n"))
	add("top-pods.txt", []byte(fmt.Sprintf("NAMESPACE   NAME   CPU(cores)   MEMORY(bytes)\n%s   %s   1203m   214Mi\n", p.namespace, p.name)))
	add("timestamps.txt", []byte("Start: "+at.Format(time.RFC3339)+"\nEnd: "+at.Add(30*time.Second).Format(time.RFC3339)+"\n"))
	add("pods-wide.txt", []byte(fmt.Sprintf("NAMESPACE   NAME   READY   STATUS   RESTARTS   AGE   IP   NODE\n%s   %s   1/1   Running   0   12d   10.42.1.7   %s\n", p.namespace, p.name, p.node)))
	data, err := asTarXz(files)
	if err != nil {
		panic(err) // writing to memory
	}
	return archive.File{Name: "/tmp/" + p.containers[0].name + "-profiles-" + at.Format("2006-01-02_15_04_05") + ".tar.xz", Data: data, Time: at}
}

func profileStories(in *inputs) []story {
	c := healthy("keygen", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), time.Hour, nil, short)
	w := c.workload("Deployment", "tenants", "tenant-operator", c.from)
	p := c.pod(w, 1)
	k := p.container("tenant-operator")
	k.instances = []instance{{lines: texts(logs.Zap, "tenant", c.from, c.taken,
		logs.Every(8*time.Second, false, 'I', "tenant", `"msg":"Reconciled","controller":"tenant","namespace":"{{ns}}","name":"{{app}}","reconcileID":"{{uuid}}"`))}}
	founding := in.read("profiles/founding-ecdsa.pb.gz")
	files := []archive.File{
		snapshot(c, p, c.taken.Add(-4*time.Minute), map[string][]byte{"profile": founding}),
		snapshot(c, p, c.taken.Add(-2*time.Minute), map[string][]byte{"heap": in.read("profiles/heap-well.pb.gz")}),
	}
	keygen := story{name: "keygen-profiles.tar", layout: "profile-collector", verdict: "guilty", category: "hot-cpu", rule: "key|certificate",
		culprit: "tenant.(*authority).newClientC", why: "a CPU profile without an extension, beside the pod's log: a client certificate with a new key four times a reconcile", files: files, pack: asTar}

	well := healthy("profiles-well", noon, time.Hour, nil, short)
	q := well.pod(well.workload("Deployment", "catalog", "catalog-web", well.from), 0)
	q.container("catalog-web").instances = []instance{{lines: well.logOf(some("catalog-web")[0], q, short)}}
	quiet := story{name: "healthy-profiles.tar", layout: "profile-collector", verdict: "healthy", why: "two iterations of a healthy process; the CPU profile's endpoint gave an HTML page",
		files: []archive.File{
			snapshot(well, q, noon.Add(-4*time.Minute), map[string][]byte{"heap": in.read("profiles/heap-well.pb.gz"), "goroutine": in.read("dumps/go1.26/" + wellDump)}),
			snapshot(well, q, noon.Add(-2*time.Minute), nil),
		}, pack: asTar}

	agent := in.own("releaseagent/cpu.pb.gz")
	lone := story{name: "agent-profile.zip", layout: "folder", verdict: "guilty", category: "hot-cpu|hot-loop", rule: "equal|compare|status",
		culprit: "controller.(*Monitor).statusChanged", why: "the agent's CPU profile alone: DeepEqual over the status takes more than half",
		files: []archive.File{c.file("release-agent/cpu.pprof", agent), c.textFile("release-agent/README.txt", "curl -o cpu.pprof localhost:6060/debug/pprof/profile?seconds=6\n")}, pack: asZip}
	return []story{keygen, quiet, lone}
}

// wellDump is a goroutine dump of a healthy program.
const wellDump = "healthy-http.txt"

// own reads a file of this module.
func (in *inputs) own(path string) []byte {
	return in.read(strings.TrimPrefix("gen/bundles/"+path, "/"))
}
