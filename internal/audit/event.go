package audit

import (
	"bytes"
	"slices"
	"strconv"
	"time"
)

// An Event is one event of audit.k8s.io (v1, v1beta1; k8s.io/apiserver/pkg/apis/audit), as far as triage reads it. Its
// bytes are valid until the function that was handed it returns. What the log lacks is nil or 0.
type Event struct {
	Level, Stage, AuditID, RequestURI []byte
	User, Impersonated, Agent, IP     []byte
	Resource, Subresource             []byte
	Namespace, Name, UID              []byte
	Group, Version, ResourceVersion   []byte
	Message, Cause                    []byte // responseStatus.message and the first of its details.causes
	Verb                              Verb
	RawVerb                           []byte
	Code                              int
	// Received and Done are microseconds since 1970: requestReceivedTimestamp and stageTimestamp.
	Received, Done int64
	// Request and Response are the bodies, as JSON; nil where the policy's level leaves them out, and for requests that
	// change nothing.
	Request, Response []byte
	extra             rawValue // user.extra
	// Part is what took most of the time, InPart how much, where the event has it (annotated by 1.26 and later above
	// 500 ms).
	Part   string
	InPart time.Duration
}

// podMark is before the name of the pod that a service account's token is bound to, in user.extra; 1.22 and later write
// it (apiserver/pkg/authentication/serviceaccount, PodNameKey).
//
// It is looked for by its end: each key of the extra fields begins alike.
var podKey, podMark = []byte(`"authentication.kubernetes.io`), []byte(`/pod-name":["`)

// pod is the pod that asks; nil where the token is bound to none.
func (e *Event) pod() []byte {
	for rest := []byte(e.extra); ; {
		before, after, ok := bytes.Cut(rest, podMark)
		if !ok {
			return nil
		}
		if bytes.HasSuffix(before, podKey) {
			return after[:max(0, bytes.IndexByte(after, '"'))]
		}
		rest = after
	}
}

// A Verb is what a request does.
type Verb uint8

// The verbs of audit events. VerbOther are requests that are no resource's: health checks, discovery, proxied ones.
const (
	VerbOther Verb = iota
	VerbGet
	VerbList
	VerbWatch
	VerbCreate
	VerbUpdate
	VerbPatch
	VerbDelete
	VerbDeleteCollection
	verbs
)

// verbNames are the verbs as events have them, by their Verb.
var verbNames = [verbs]string{
	"other", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection",
}

func (v Verb) String() string { return verbNames[v] }

// changes reports whether a request of that verb changes objects.
func (v Verb) changes() bool { return v >= VerbCreate }

func verbOf(s []byte) Verb { return Verb(max(0, slices.Index(verbNames[:], string(s)))) }

// failed reports whether the server refused the request or broke on it; a request without a code is taken as done.
func (e *Event) failed() bool { return e.Code >= 400 }

// Took is the time from the request's arrival to the event's stage, 0 where the log lacks it.
func (e *Event) Took() time.Duration {
	if e.Received == 0 || e.Done <= e.Received {
		return 0
	}
	return time.Duration(e.Done-e.Received) * time.Microsecond
}

// writes reports whether the request changed an object: no dry run, review, token or stream into a pod.
func (e *Event) writes() bool {
	sub := string(e.Subresource)
	return e.Verb.changes() && len(e.Resource) > 0 && !bytes.HasSuffix(e.Resource, []byte("reviews")) &&
		sub != "token" && !slices.Contains(streams, sub) && !bytes.Contains(e.RequestURI, []byte("dryRun=All"))
}

// streams are the subresources that are no part of an object, and take as long as their client likes.
var streams = []string{"exec", "attach", "portforward", "proxy", "log"}

// longRunning reports requests that take long by nature: watches, streams, logs that are followed.
func (e *Event) longRunning() bool {
	return slices.Contains(streams, string(e.Subresource)) || e.Verb == VerbWatch ||
		bytes.Contains(e.RequestURI, []byte("watch=true")) || bytes.Contains(e.RequestURI, []byte("watch=1"))
}

// fullList reports a LIST without limit that doesn't ask for the server's cache (resourceVersion=0 or a given version).
func (e *Event) fullList() bool {
	if len(e.RequestURI) == 0 {
		return false // GKE's records lack it
	}
	_, query, _ := bytes.Cut(e.RequestURI, []byte("?"))
	for len(query) > 0 {
		var p []byte
		p, query, _ = bytes.Cut(query, []byte("&"))
		if k, v, _ := bytes.Cut(p, []byte("=")); len(v) > 0 {
			switch string(k) {
			case "limit", "resourceVersion", "fieldSelector", "labelSelector", "continue":
				return false
			}
		}
	}
	return true
}

// micros reads an RFC 3339 timestamp, which the API server writes with six decimals in UTC; 0 is none.
func micros(s []byte) int64 {
	var t time.Time
	err := t.UnmarshalText(s)
	if err != nil { // what time.Parse lets pass besides: a comma, an hour of one digit
		t, err = time.Parse(time.RFC3339Nano, string(s))
	}
	if err != nil || t.Year() < 1971 || t.Year() > 9999 {
		return 0
	}
	return t.UnixMicro()
}

// versionOf reads a resourceVersion. Clients must treat it as opaque; every server so far writes etcd's revision, a
// whole number, and anything else is 0: not known.
func versionOf(s []byte) uint64 {
	if n, err := strconv.ParseUint(string(s), 10, 64); err == nil {
		return n
	}
	return 0
}
