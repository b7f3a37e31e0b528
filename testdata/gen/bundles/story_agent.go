package main

import (
	"fmt"
	"strings"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

const agentUser = "system:serviceaccount:release-system:release-agent"

// agentAt is when the agent's profile was taken.
var agentAt = time.Date(2026, 11, 21, 7, 50, 0, 0, time.UTC)

// agentSays is the agent's log: two lines one to three times a second, for as long as anybody looks.
var agentSays = []logs.Saying{
	logs.Every(700*time.Millisecond, true, 'I', "", `"getting history for release observability-agent"`),
	logs.Every(700*time.Millisecond, true, 'I', "", `"release observability-agent: DaemonSet.apps observability/node-agent Resource is current"`),
	logs.Every(15*time.Minute, true, 'I', "", `"Cleaning up old revisions of observability-agent"`),
}

// quietSays is the same agent at a level at which it does not tell.
var quietSays = []logs.Saying{logs.Every(15*time.Minute, true, 'I', "", `"Cleaning up old revisions of observability-agent"`)}

// agentCluster is a cluster with the agent in it.
func agentCluster(seed string, taken time.Time, components []*logs.Component, says []logs.Saying) (*cluster, *pod) {
	c := healthy(seed, taken, 4*time.Hour, components, short)
	w := c.workload("Deployment", "release-system", "release-agent", c.from.Add(-9*24*time.Hour))
	p := c.pod(w, 0)
	p.container("release-agent").instances = []instance{{lines: texts(logs.Logrus, seed, taken.Add(-25*time.Minute), taken, says...)}}
	return c, p
}

// release is the object at a time, as the API gives it.
func (c *cluster) release(at time.Time, rv string) obj {
	m := obj{
		"name": "observability-agent", "namespace": "cluster-main", "uid": "0d3f8a76-5f7b-4d5e-9d0e-6f1a3d2b4c58", "creationTimestamp": "2026-01-12T08:11:40Z",
		"generation": 3, "resourceVersion": rv,
		"managedFields": list{
			managed("release.example.net/v1alpha1", "release-controller", "", time.Date(2026, 1, 12, 8, 11, 40, 0, time.UTC), obj{"f:spec": obj{"f:chart": obj{}}}),
			managed("release.example.net/v1alpha1", "release-agent", "status", at, obj{"f:status": obj{"f:conditions": obj{}}}),
		},
	}
	return obj{
		"apiVersion": "release.example.net/v1alpha1", "kind": "Release", "metadata": m,
		"spec": obj{"chart": "observability-agent", "version": "2.4.1", "targetNamespace": "observability"},
		"status": obj{"revision": 3, "conditions": list{
			obj{"type": "Deployed", "status": "True", "lastUpdateTime": "2026-01-12T08:12:02Z"},
			obj{"type": "Monitored", "status": "True", "lastUpdateTime": stamp(at)},
		}},
	}
}

// calm is a second release that nobody touches.
func (c *cluster) calm() obj {
	o := c.release(time.Date(2026, 1, 12, 8, 12, 2, 0, time.UTC), "41000017")
	m := o["metadata"].(obj)
	m["name"], m["uid"] = "ingress", logs.NewRand("calm").UUID()
	return o
}

func agentStories(in *inputs) []story {
	base := story{verdict: "guilty", category: "hot-loop", objects: []string{"observability-agent"}, actors: []string{agentUser}, field: "lastUpdateTime"}
	var all []story
	add := func(name, layout, why string, files []archive.File, pack func([]archive.File) ([]byte, error)) *story {
		s := base
		s.name, s.layout, s.why, s.files, s.pack = name, layout, why, files, pack
		all = append(all, s)
		return &all[len(all)-1]
	}
	add("agent-full.tar.gz", "folder", "everything: the bundle with the agent's log, two snapshots of the object, audit logs of three servers with bodies, a CPU profile: one finding", agentFull(in), asTarGz)

	c, _ := agentCluster("agent-log", agentAt, tiny(), agentSays)
	s := add("agent-log.zip", "kit", "the agent's log alone: the object and the period, no writer and no field", kit(c), asZip)
	s.actors, s.field = nil, ""

	s = add("agent-two-bundles.tar", "kit", "two bundles of one cluster, six minutes apart: the object differs in one time, which two versions alone don't prove to be a loop", agentTwice(), asTar)
	s.actors, s.severity = nil, "low"

	watch := agentWatch()
	s = add("agent-watch.tar.gz", "folder", "kubectl get -w -o json: thirty versions of the object in half a minute", []archive.File{{Name: "capture/releases-watch.json", Data: watch, Time: agentAt}}, asTarGz)
	s.actors = nil

	s = add("agent-log-json.tar.gz", "kit", "an agent that logs JSON, without the API's timestamps, at chance intervals among lines about other releases", agentJSON(), asTarGz)
	s.actors, s.field = nil, ""

	c = healthy("agent-apply", agentAt, time.Hour, nil, short)
	c.traffic(1, agentAt.Add(-6*time.Minute), agentAt, 1, nil, applies(agentAt.Add(-5*time.Minute), agentAt))
	add("agent-audit-apply.tar.gz", "folder", "server-side apply at Request level: no versions, but the bodies differ in one time alone", []archive.File{{Name: "audit/audit.log", Data: c.auditText(0), Time: agentAt}}, asTarGz)

	c = healthy("agent-metadata", agentAt, time.Hour, tiny(), short)
	loop := auditlog.NewLoop(c.store, agentAt.Add(-6*time.Minute))
	loop.Level = "Metadata"
	c.traffic(3, agentAt.Add(-12*time.Minute), agentAt, 1, loop, nil)
	add("agent-audit-metadata.tar.gz", "must-gather", "audit logs of three servers at Metadata level: versions in and the order prove it, the field cannot be told", mustGather(c), asTarGz).field = ""

	c = healthy("agent-bodies", agentAt, time.Hour, nil, short)
	c.traffic(1, agentAt.Add(-5*time.Minute), agentAt, 1, auditlog.NewLoop(c.store, agentAt.Add(-5*time.Minute)), nil)
	half := len(c.audit[0]) / 2
	text := func(events []auditlog.Event) []byte {
		var b []byte
		for i := range events {
			b = events[i].Append(b)
		}
		return b
	}
	last := c.audit[0][half-1]
	add("agent-audit-bodies.tar.gz", "folder", "one server's audit log with bodies, rotated", []archive.File{
		{Name: "audit/control-plane-1/audit-" + last.At.Add(last.Took).Format("2006-01-02T15-04-05.000") + ".log.gz", Data: gz(text(c.audit[0][:half])), Time: agentAt},
		{Name: "audit/control-plane-1/audit.log", Data: text(c.audit[0][half:]), Time: agentAt},
	}, asTarGz)
	return all
}

func agentFull(in *inputs) []archive.File {
	c, _ := agentCluster("agent-full", agentAt, tiny(), agentSays)
	c.traffic(3, agentAt.Add(-6*time.Minute), agentAt, 1, auditlog.NewLoop(c.store, agentAt.Add(-6*time.Minute)), nil)
	audit := c.audit
	c.audit = nil
	first := c.release(agentAt.Add(-5*time.Minute), "48000311")
	c.objects = append(c.objects, c.release(agentAt.Add(-time.Second), "48000702"), c.calm())
	bundle := kit(c)
	name := bundle[0].Name[:len(bundle[0].Name)-len("/metadata.yaml")] + ".zip"
	files := []archive.File{
		{Name: "case-1207/" + name, Data: zipOf(bundle), Time: agentAt},
		{Name: "case-1207/before/releases.yaml", Data: yamlOf(listOf([]obj{first, c.calm()})), Time: agentAt},
		{Name: "case-1207/release-agent-cpu.pprof", Data: in.own("releaseagent/cpu.pb.gz"), Time: agentAt},
	}
	c.audit = audit
	for i := range audit {
		files = append(files, archive.File{Name: fmt.Sprintf("case-1207/audit/%s/audit.log", c.nodes[i]), Data: c.auditText(i), Time: agentAt})
	}
	return files
}

func agentTwice() []archive.File {
	var files []archive.File
	for i := range 2 {
		at := agentAt.Add(time.Duration(i-1) * 6 * time.Minute)
		c, _ := agentCluster("agent-twice", at, tiny()[:5], quietSays)
		c.objects = append(c.objects, c.release(at.Add(-time.Second), fmt.Sprint(48000311+391*i)), c.calm())
		bundle := kit(c)
		files = append(files, archive.File{Name: bundle[0].Name[:len(bundle[0].Name)-len("/metadata.yaml")] + ".zip", Data: zipOf(bundle), Time: at})
	}
	return files
}

func agentWatch() []byte {
	c := &cluster{r: logs.NewRand("watch")}
	var b []byte
	for i := range 30 {
		b = append(b, jsonOf(c.release(agentAt.Add(time.Duration(i)*time.Second), fmt.Sprint(48000311+7*i)))...)
		if i == 3 { // the other is listed once
			b = append(b, jsonOf(c.calm())...)
		}
	}
	return b
}

// agentJSON is a bundle whose logs lack the API's timestamps.
func agentJSON() []archive.File {
	c, p := agentCluster("agent-json", agentAt, tiny()[:4], nil)
	p.containers[0].instances[0].lines = texts(logs.Zap, "agent-json", agentAt.Add(-15*time.Minute), agentAt,
		logs.Every(750*time.Millisecond, false, 'I', "release.monitor", `"msg":"getting history for release","name":"observability-agent","revision":3`),
		logs.Every(14*time.Second, false, 'I', "release.deploy", `"msg":"Release deployed","name":"{{app}}","revision":{{n:2-9}},"ms":{{n:90-900}}`))
	files := kit(c)
	for i, f := range files {
		if strings.HasSuffix(f.Name, "/release-agent.log") {
			files[i].Data = bare(p.containers[0].current().lines)
		}
	}
	return files
}

// applies are the agent's writes where it applies instead of updating: patches carry no version.
func applies(from, to time.Time) []scripted {
	l := auditlog.NewLoop(auditlog.NewStore(48_000_000), from)
	r := logs.NewRand("applies")
	var out []scripted
	for at := from; at.Before(to); at = at.Add(r.Jitter(650*time.Millisecond, 0.3)) {
		out = append(out, scripted{at, func(st *auditlog.Store) auditlog.Event {
			st.Write()
			ref := l.Ref
			ref.RV, ref.UID = "", ""
			return auditlog.Event{Level: "Request", Verb: "patch", User: l.User, Code: 200, Object: ref, Query: "?fieldManager=release-agent&force=true",
				Request: []byte(`{"apiVersion":"release.example.net/v1alpha1","kind":"Release","metadata":{"name":"observability-agent","namespace":"cluster-main"},"status":{"conditions":[{"type":"Monitored","status":"True","lastUpdateTime":"` + stamp(at) + `"}]}}`)}
		}})
	}
	return out
}
