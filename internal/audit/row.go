package audit

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// A Seen is one event with what its bodies show, valid until the function that gets it returns.
type Seen struct {
	*Event
	Place   Place
	Server  string // the host's name where lines have it, else the source's first path
	Name    string // of the object: as asked for, or as the server chose it
	In, Out uint64 // resourceVersion of the request and of the answer, 0 where unknown
	// Changes are the fields that a write changed; Compared: bodies were compared, so that no Changes means no change.
	Changes        []Change
	Compared, Part bool
	t              *tables
	// Ends: the event counts for its request: the earlier stages of the request are events too.
	Ends bool
}

// A Filter chooses requests; what is empty chooses all.
type Filter struct {
	// Object is a bare name, or RESOURCE/NAME or KIND/NAME: deployments/web, deploy/web, deployments.apps/web.
	Object string
	// Resource is one as in Object.
	Resource  string
	Namespace string
	// User and Agent are parts of the user's name and of its agent.
	User, Agent string
	Verbs       []string
	// Codes are status codes, or classes of them: "409", "5xx".
	Codes        []string
	Since, Until int64 // microseconds, both included; 0 for none
	Writes       bool
}

// Match reports whether s is chosen.
func (f *Filter) Match(s *Seen) bool {
	resource, name, both := strings.Cut(f.Object, "/")
	if !both {
		resource, name = "", f.Object
	}
	has := func(in []byte, part string) bool { return bytes.Contains(in, []byte(part)) }
	return (f.Since == 0 || s.Received >= f.Since) && (f.Until == 0 || s.Received <= f.Until) &&
		(f.Namespace == "" || string(s.Namespace) == f.Namespace) && (!f.Writes || s.writes()) &&
		(has(s.User, f.User) || has(s.Impersonated, f.User)) && has(s.Agent, f.Agent) &&
		(len(f.Verbs) == 0 || slices.Contains(f.Verbs, string(s.RawVerb))) &&
		(len(f.Codes) == 0 || slices.ContainsFunc(f.Codes, s.answered)) &&
		(f.Resource == "" || isResource(f.Resource, s.Event)) && (name == "" || s.Name == name) &&
		(resource == "" || isResource(resource, s.Event))
}

// answered reports whether the status code is the one that is asked for, or of its class.
func (s *Seen) answered(want string) bool {
	code := strconv.Itoa(s.Code)
	return code == want || len(code) == 3 && code[:1]+"xx" == want
}

// isResource reports whether want is the event's plural, kind or short name, with or without its group.
func isResource(want string, e *Event) bool {
	want, group, grouped := strings.Cut(strings.ToLower(want), ".")
	o := Object{Resource: string(e.Resource)}
	return (!grouped || group == string(e.Group)) && (shortNames[want] == o.Resource || want == o.Resource ||
		o.MayBe(want))
}

// shortNames are the resources that kubectl knows by a short name (kubectl api-resources).
var shortNames = map[string]string{
	"po": "pods", "deploy": "deployments", "rs": "replicasets", "sts": "statefulsets", "ds": "daemonsets",
	"svc": "services", "cm": "configmaps", "ns": "namespaces", "no": "nodes", "pvc": "persistentvolumeclaims",
	"pv": "persistentvolumes", "sa": "serviceaccounts", "ep": "endpoints", "ev": "events", "ing": "ingresses",
	"hpa": "horizontalpodautoscalers", "pdb": "poddisruptionbudgets", "cj": "cronjobs",
	"crd": "customresourcedefinitions",
}

// Word is a part of s on its own. What events have in common is kept once.
func (s *Seen) Word(b []byte) string { return s.t.word(b) }
