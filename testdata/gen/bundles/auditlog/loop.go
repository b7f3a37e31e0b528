package auditlog

import (
	"time"

	"example.com/bundles/logs"
)

// A Loop is an agent that updates an object's status for ever: each write carries the version that the last one returned, and
// changes the time of one condition. The time has whole seconds, so that some writes change nothing and keep the version.
type Loop struct {
	Level string
	Ref   Ref
	User  User
	next  time.Time
	r     *logs.Rand
	store *Store
	last  string // the time that the last write set
}

// NewLoop begins at start.
func NewLoop(store *Store, start time.Time) *Loop {
	return &Loop{
		Level: "RequestResponse", next: start, r: logs.NewRand("loop"), store: store,
		User: ServiceAccount("release-system", "release-agent", "release-agent/v0.9.3 (linux/amd64) kubernetes/$Format"),
		Ref: Ref{
			Resource: "releases", Namespace: "cluster-main", Name: "observability-agent", UID: "0d3f8a76-5f7b-4d5e-9d0e-6f1a3d2b4c58",
			Group: "release.example.net", Version: "v1alpha1", Sub: "status", RV: store.Write(),
		},
	}
}

// Peek is when the next write comes.
func (l *Loop) Peek() time.Time { return l.next }

// Next is the next write.
func (l *Loop) Next() Event {
	now := l.next.Format(time.RFC3339)
	e := Event{
		Level: l.Level, ID: l.r.UUID(), Verb: "update", User: l.User, Object: l.Ref, Code: 200, At: l.next,
		Took: time.Duration(l.r.Between(3_000, 9_000)) * time.Microsecond,
	}
	e.Request = l.body(now)
	if now != l.last { // what changes nothing is not written to etcd
		l.Ref.RV = l.store.Write()
		l.last = now
	}
	e.Response = l.body(now)
	l.next = l.next.Add(l.r.Jitter(900*time.Millisecond, 0.15))
	return e
}

func (l *Loop) body(now string) []byte {
	return []byte(`{"kind":"Release","apiVersion":"release.example.net/v1alpha1","metadata":{"name":"observability-agent","namespace":"cluster-main","uid":"` + l.Ref.UID +
		`","resourceVersion":"` + l.Ref.RV + `","generation":3,"creationTimestamp":"2026-01-12T08:11:40Z","managedFields":[{"manager":"release-agent","operation":"Update","apiVersion":"release.example.net/v1alpha1","time":"` + now +
		`","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{}}},"subresource":"status"}]},"spec":{"chart":"observability-agent","version":"2.4.1","targetNamespace":"observability"},"status":{"conditions":[{"type":"Deployed","status":"True","lastUpdateTime":"2026-01-12T08:12:02Z"},{"type":"Monitored","status":"True","lastUpdateTime":"` + now + `"}],"revision":3}}`)
}
