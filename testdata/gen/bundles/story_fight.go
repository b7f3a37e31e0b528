package main

import (
	"fmt"
	"time"

	"example.com/bundles/archive"
	"example.com/bundles/auditlog"
	"example.com/bundles/logs"
)

var (
	governor = auditlog.ServiceAccount("scaling", "replica-governor", "replica-governor/v2.3.0 (linux/amd64) kubernetes/$Format")
	shopkeep = auditlog.ServiceAccount("shop", "shop-operator", "shop-operator/v1.1.4 (linux/amd64) kubernetes/$Format")
)

// fight is two controllers, each of which puts back what the other changed: replicas 9, replicas 4, twice in three seconds.
func fight(level string, from, to time.Time) []scripted {
	var out []scripted
	r := logs.NewRand("fight")
	uid := r.UUID()
	rv, writes := "47990001", 0
	for at := from; at.Before(to); at = at.Add(r.Jitter(700*time.Millisecond, 0.3)) {
		n, who := 9, governor
		if writes%2 == 1 {
			n, who = 4, shopkeep
		}
		writes++
		body := func(rv string) []byte {
			return []byte(`{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"storefront","namespace":"shop","uid":"` + uid + `","resourceVersion":"` + rv + `","generation":` + fmt.Sprint(4000+writes) + `,"creationTimestamp":"2026-01-04T11:00:00Z"},"spec":{"replicas":` + fmt.Sprint(n) + `,"selector":{"matchLabels":{"app":"storefront"}}},"status":{"replicas":4}}`)
		}
		out = append(out, scripted{at, func(st *auditlog.Store) auditlog.Event {
			e := auditlog.Event{Level: level, User: who, Code: 200, Object: auditlog.Ref{Resource: "deployments", Namespace: "shop", Name: "storefront", Group: "apps", Version: "v1"}}
			if n == 9 { // a patch carries no version
				e.Verb, e.Request = "patch", []byte(`{"spec":{"replicas":9}}`)
			} else {
				e.Verb, e.Object.UID, e.Object.RV, e.Request = "update", uid, rv, body(rv)
			}
			rv = st.Write()
			e.Response = body(rv)
			return e
		}})
	}
	return out
}

// conflicts is a client that writes what it read long ago, and tries again at once.
func conflicts(level string, from, to time.Time) []scripted {
	u := auditlog.ServiceAccount("search", "index-sync", "index-sync/v0.4.0 (linux/amd64) kubernetes/$Format")
	other := auditlog.ServiceAccount("search", "index-builder", "index-builder/v0.4.0 (linux/amd64) kubernetes/$Format")
	var out []scripted
	r := logs.NewRand("conflicts")
	uid := r.UUID()
	for i, at := 0, from; at.Before(to); i, at = i+1, at.Add(r.Jitter(260*time.Millisecond, 0.4)) {
		who, code := u, 409
		if i%9 == 8 {
			who, code = other, 200
		}
		out = append(out, scripted{at, func(st *auditlog.Store) auditlog.Event {
			e := auditlog.Event{Level: level, Verb: "update", User: who, Code: code, Object: auditlog.Ref{Resource: "configmaps", Namespace: "search", Name: "shard-map", UID: uid, Version: "v1", RV: "47990200"}}
			if code == 409 {
				e.Reason, e.Message = "Conflict", `Operation cannot be fulfilled on configmaps "shard-map": the object has been modified; please apply your changes to the latest version and try again`
				return e
			}
			e.Object.RV = st.Now()
			st.Write()
			return e
		}})
	}
	return out
}

func fightStories() []story {
	var all []story
	add := func(s story, c *cluster, files []archive.File, pack func([]archive.File) ([]byte, error)) {
		s.verdict, s.files, s.pack = "guilty", files, pack
		all = append(all, s)
	}
	both := []string{governor.Name, shopkeep.Name}
	c := healthy("fight-bodies", noon, time.Hour, tiny()[:5], short)
	c.traffic(2, noon.Add(-5*time.Minute), noon, 1, nil, fight("RequestResponse", noon.Add(-4*time.Minute), noon))
	add(story{name: "fight-bodies.tar.gz", layout: "must-gather", category: "hot-loop|race", objects: []string{"storefront"}, actors: both, field: "replicas", rule: "fight|undo|controllers", why: "two controllers set replicas to 9 and back to 4"}, c, mustGather(c), asTarGz)

	c = healthy("fight-metadata", noon, time.Hour, tiny()[:5], short)
	c.traffic(1, noon.Add(-5*time.Minute), noon, 1, nil, fight("Metadata", noon.Add(-4*time.Minute), noon))
	add(story{name: "fight-metadata.zip", layout: "kit", category: "hot-loop|race", objects: []string{"storefront"}, actors: both, rule: "fight|undo|controllers", why: "the same at Metadata level: they write in turns, the field cannot be told"}, c, kit(c), asZip)

	c = healthy("conflicts", noon, time.Hour, tiny()[:5], short)
	c.traffic(1, noon.Add(-6*time.Minute), noon, 1, nil, conflicts("Metadata", noon.Add(-5*time.Minute), noon))
	add(story{name: "conflicts.tar.gz", layout: "must-gather", category: "hot-loop|contention|race", objects: []string{"shard-map"}, actors: []string{"system:serviceaccount:search:index-sync"}, rule: "conflict", why: "a thousand updates in five minutes, of which eight of nine are refused: the version is old"}, c, mustGather(c), asTarGz)
	return all
}
