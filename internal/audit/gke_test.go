package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// gke writes the event as a record of Cloud Logging, as GKE exports it.
func (s sample) gke(i int) string {
	group, reversed := s.group, "io.k8s."+strings.TrimSuffix(s.group, ".k8s.io")
	if group == "" {
		group, reversed = "core", "io.k8s.core"
	}
	name := group + "/v1/"
	if s.namespace != "" {
		name += "namespaces/" + s.namespace + "/"
	}
	name += s.resource
	if s.name != "" {
		name += "/" + s.name
	}
	method := reversed + ".v1." + s.resource
	if s.sub != "" {
		name, method = name+"/"+s.sub, method+"."+s.sub
	}
	status, bodies := `"status":{}`, ""
	switch s.code {
	case 0, 200, 201:
	case 409:
		status = `"status":{"code":10,"message":"the object has been modified"}`
	case 403:
		status = `"status":{"code":7,"message":"forbidden"}`
	case 422:
		status = `"status":{"code":3,"message":"invalid"}`
		bodies = `,"response":{"@type":"core.k8s.io/v1.Status","code":422,"message":"is invalid","status":"Failure"}`
	}
	if s.request != "" {
		bodies += `,"request":{"@type":"x",` + s.request[1:]
	}
	if s.response != "" {
		bodies += `,"response":{"@type":"x",` + s.response[1:]
	}
	at := s.at
	if at.IsZero() {
		at = start
	}
	return fmt.Sprintf(`{"insertId":"i%d","labels":{"authorization.k8s.io/decision":"allow"},"logName":"projects/p/logs/cloudaudit.googleapis.com%%2Factivity","operation":{"first":true,"id":"op-%d","last":true,"producer":"k8s.io"},`+
		`"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","authenticationInfo":{"principalEmail":%q},"methodName":%q,"requestMetadata":{"callerIp":"10.0.0.1","callerSuppliedUserAgent":%q},"resourceName":%q,"serviceName":"k8s.io",%s%s},`+
		`"receiveTimestamp":"2026-03-04T05:00:00Z","resource":{"labels":{"cluster_name":"c"},"type":"k8s_cluster"},"timestamp":%q}`,
		i, i, s.user, method+"."+s.verb, s.agent, name, status, bodies, at.UTC().Format(time.RFC3339Nano))
}

func TestRecordsOfGKEAreAuditEvents(t *testing.T) {
	body := func(n int) string {
		return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","resourceVersion":"%d"},"spec":{"replicas":%d}}`, 100+n, 3+5*(n%2))
	}
	events := []sample{
		{verb: "create", user: "u", agent: "a", resource: "pods", sub: "binding", namespace: "prod", name: "web-1"},
		{verb: "patch", user: "system:node:n1", agent: "kubelet/v1", resource: "pods", sub: "status", namespace: "prod", name: "web-1"},
		{verb: "create", user: "u", agent: "a", group: "rbac.authorization.k8s.io", resource: "clusterroles", name: "r", code: 403},
		{verb: "update", user: "u", agent: "a", resource: "configmaps", namespace: "prod", name: "c", code: 409},
		{verb: "create", user: "u", agent: "a", group: "example.com", resource: "releases", namespace: "prod", code: 422},
		{verb: "list", user: "u", agent: "a", resource: "secrets"},
		{verb: "get", user: "u", agent: "a", resource: "namespaces", namespace: "prod", name: "prod"},
	}
	for i := range 6 {
		events = append(events, sample{verb: "update", user: "u", agent: "a", group: "apps", resource: "deployments", namespace: "prod", name: "web", response: body(i)})
	}
	var gke, own []string
	for i := range events {
		events[i].at = start.Add(time.Duration(i) * time.Second)
		if events[i].response != "" {
			events[i].level = "RequestResponse"
		}
		own = append(own, logOf(events[i]))
		if events[i].resource == "namespaces" {
			events[i].namespace = "" // core/v1/namespaces/prod
		}
		gke = append(gke, events[i].gke(i))
	}
	want := readAll(t, strings.Join(own, ""))
	for form, text := range map[string]string{
		"lines":         strings.Join(gke, "\n"),
		"an array":      "[\n  " + strings.Join(gke, ",\n  ") + "\n]",
		"entries":       `{"entries":[` + strings.Join(gke, ",") + `],"nextPageToken":"x"}`,
		"pretty":        indented(t, "["+strings.Join(gke, ",")+"]"),
		"other records": `{"protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog","serviceName":"compute.googleapis.com","methodName":"v1.compute.instances.delete"},"insertId":"z"}` + "\n" + strings.Join(gke, "\n"),
	} {
		got := readAll(t, text)
		if got.Requests != want.Requests || len(got.Writes) != len(want.Writes) || len(got.Answers) != len(want.Answers) {
			t.Fatalf("%s: %d requests, %d writes, %d answers", form, got.Requests, len(got.Writes), len(got.Answers))
		}
		for i := range want.Writes {
			w, g := want.Writes[i], got.Writes[i]
			wo, g2 := want.Objects[w.Object], got.Objects[g.Object]
			if w.Time != g.Time || w.Code != g.Code && w.OK() != g.OK() || w.Verb != g.Verb || w.Out != g.Out ||
				want.Texts[w.Sub] != got.Texts[g.Sub] || w.Flags != g.Flags || wo != g2 ||
				got.Actors[g.Actor].User != want.Actors[w.Actor].User || got.Actors[g.Actor].Agent != want.Actors[w.Actor].Agent {
				t.Errorf("%s: write %d is\n%+v of %+v, want\n%+v of %+v", form, i, g, g2, w, wo)
			}
		}
		for i := range want.Answers {
			if got.Answers[i].Code != want.Answers[i].Code {
				t.Errorf("%s: answer %d has code %d, want %d", form, i, got.Answers[i].Code, want.Answers[i].Code)
			}
		}
		for _, r := range got.Reads {
			if r.Full > 0 {
				t.Errorf("%s: a list without its URI is taken for a full one", form)
			}
		}
	}
}

// FuzzGKE reads records of Cloud Logging: what comes of them is an event with a verb and an answer, or none.
func FuzzGKE(f *testing.F) {
	f.Add(sample{verb: "update", user: "u", group: "apps", resource: "deployments", sub: "scale", namespace: "n", name: "x", code: 409}.gke(1))
	f.Add(`{"protoPayload":{"serviceName":"k8s.io","methodName":"io.k8s.get","resourceName":"readyz","response":{"@type":".Status","code":1}}}`)
	f.Add(`{"protoPayload":{"serviceName":"k8s.io","methodName":"io.k8s.v1.","resourceName":"a/v1/namespaces//"},"operation":{"id":1}}`)
	f.Fuzz(func(t *testing.T, record string) {
		var s scanner
		if what, _ := s.value([]byte(record), true); what != isEvent || s.gkeRecord.payload == nil {
			return
		}
		if len(s.ev.Level) == 0 || len(s.ev.Stage) == 0 || s.ev.Code == 0 && !strings.Contains(record, `"code"`) {
			t.Errorf("%+v", s.ev)
		}
	})
}
