// Package auditlog writes audit logs of API servers (audit.k8s.io/v1, one event a line), in the form in which the server
// of Kubernetes 1.34 writes them; users, objects and times are invented.
package auditlog

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"example.com/bundles/logs"
)

// An Event is one request. Zero fields are left out, as the server does.
type Event struct {
	Level    string // Metadata, Request or RequestResponse
	ID       string
	Stage    string // ResponseComplete where ""
	Verb     string
	User     User
	Object   Ref
	Query    string // of the request's URI, with its ?
	URI      string // the whole path, where the object does not say it
	Code     int
	Message  string // of a failure, with its reason
	Reason   string
	Request  []byte // bodies as JSON
	Response []byte
	At       time.Time
	Took     time.Duration
	Notes    map[string]string // annotations beside authorization's
}

// A User is who asked.
type User struct {
	Name, UID string
	Groups    []string
	Agent     string
	IP        string
}

// A Ref is the object that a request is about.
type Ref struct {
	Resource, Namespace, Name, UID, Group, Version, RV, Sub string
}

// ServiceAccount is a pod's user.
func ServiceAccount(namespace, name, agent string) User {
	return User{
		Name: "system:serviceaccount:" + namespace + ":" + name, UID: logs.NewRand("uid of " + namespace + name).UUID(), Agent: agent, IP: "10.42.1.17",
		Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated"},
	}
}

// Controller is one of kube-controller-manager's, which sign in as service accounts of kube-system.
func Controller(name string) User {
	u := ServiceAccount("kube-system", name, "kube-controller-manager/v1.31.4 (linux/amd64) kubernetes/a78aa47/system:serviceaccount:kube-system:"+name)
	u.IP = "192.168.40.11"
	return u
}

// Kubelet is a node's.
func Kubelet(node string) User {
	return User{Name: "system:node:" + node, Groups: []string{"system:nodes", "system:authenticated"}, Agent: "kubelet/v1.31.4 (linux/amd64) kubernetes/a78aa47", IP: "192.168.40.11"}
}

// Scheduler is kube-scheduler.
func Scheduler() User {
	return User{Name: "system:kube-scheduler", Groups: []string{"system:authenticated"}, Agent: "kube-scheduler/v1.31.4 (linux/amd64) kubernetes/a78aa47/scheduler", IP: "192.168.40.11"}
}

// Admin is a person with kubectl.
func Admin() User {
	return User{Name: "kubernetes-admin", Groups: []string{"kubeadm:cluster-admins", "system:authenticated"}, Agent: "kubectl/v1.31.4 (linux/amd64) kubernetes/a78aa47", IP: "192.168.40.5"}
}

// Append writes the event as one line.
func (e *Event) Append(b []byte) []byte {
	stage := e.Stage
	if stage == "" {
		stage = "ResponseComplete"
	}
	b = append(b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"`...)
	b = append(b, e.Level...)
	b = append(b, `","auditID":"`...)
	b = append(b, e.ID...)
	b = append(b, `","stage":"`...)
	b = append(b, stage...)
	b = append(b, `","requestURI":`...)
	b = appendString(b, e.uri())
	b = append(b, `,"verb":"`...)
	b = append(b, e.Verb...)
	b = append(b, `","user":{"username":"`...)
	b = append(b, e.User.Name...)
	if e.User.UID != "" {
		b = append(b, `","uid":"`...)
		b = append(b, e.User.UID...)
	}
	b = append(b, `","groups":["`...)
	for i, g := range e.User.Groups {
		if i > 0 {
			b = append(b, `","`...)
		}
		b = append(b, g...)
	}
	b = append(b, `"]},"sourceIPs":["`...)
	b = append(b, e.User.IP...)
	b = append(b, `"],"userAgent":"`...)
	b = append(b, e.User.Agent...)
	b = append(b, '"')
	b = e.Object.append(b)
	b = e.appendStatus(b)
	b = e.appendBodies(b)
	b = append(b, `,"requestReceivedTimestamp":"`...)
	b = e.At.AppendFormat(b, micro)
	b = append(b, `","stageTimestamp":"`...)
	b = e.At.Add(e.Took).AppendFormat(b, micro)
	b = append(b, `","annotations":{"authorization.k8s.io/decision":"`...)
	if e.Code == 403 {
		b = append(b, `forbid","authorization.k8s.io/reason":""`...)
	} else {
		b = append(b, `allow","authorization.k8s.io/reason":""`...)
	}
	for _, k := range sorted(e.Notes) {
		b = append(b, ',')
		b = appendString(b, k)
		b = append(b, ':')
		b = appendString(b, e.Notes[k])
	}
	return append(b, "}}\n"...)
}

// micro is metav1.MicroTime's form.
const micro = "2006-01-02T15:04:05.000000Z"

func (r *Ref) append(b []byte) []byte {
	if r.Resource == "" {
		return b
	}
	b = append(b, `,"objectRef":{"resource":"`...)
	b = append(b, r.Resource...)
	for _, f := range [...][2]string{{"namespace", r.Namespace}, {"name", r.Name}, {"uid", r.UID}, {"apiGroup", r.Group}, {"apiVersion", r.Version}, {"resourceVersion", r.RV}, {"subresource", r.Sub}} {
		if f[1] != "" {
			b = append(b, `","`...)
			b = append(b, f[0]...)
			b = append(b, `":"`...)
			b = append(b, f[1]...)
		}
	}
	return append(b, `"}`...)
}

func (e *Event) appendStatus(b []byte) []byte {
	if e.Code == 0 {
		return b
	}
	b = append(b, `,"responseStatus":{"metadata":{}`...)
	if e.Message != "" {
		b = append(b, `,"status":"Failure","message":`...)
		b = appendString(b, e.Message)
		b = append(b, `,"reason":"`...)
		b = append(b, e.Reason...)
		b = append(b, '"')
	}
	b = append(b, `,"code":`...)
	b = strconv.AppendInt(b, int64(e.Code), 10)
	return append(b, '}')
}

func (e *Event) appendBodies(b []byte) []byte {
	if len(e.Request) > 0 && e.Level != "Metadata" {
		b = append(b, `,"requestObject":`...)
		b = append(b, e.Request...)
	}
	if len(e.Response) > 0 && e.Level == "RequestResponse" {
		b = append(b, `,"responseObject":`...)
		b = append(b, e.Response...)
	}
	return b
}

func (e *Event) uri() string {
	if e.URI != "" {
		return e.URI
	}
	r := &e.Object
	var s strings.Builder
	if r.Group == "" {
		s.WriteString("/api/v1")
	} else {
		s.WriteString("/apis/" + r.Group + "/" + r.Version)
	}
	if r.Namespace != "" && r.Resource != "namespaces" {
		s.WriteString("/namespaces/" + r.Namespace)
	}
	s.WriteString("/" + r.Resource)
	if r.Name != "" && e.Verb != "create" {
		s.WriteString("/" + r.Name)
	}
	if r.Sub != "" {
		s.WriteString("/" + r.Sub)
	}
	return s.String() + e.Query
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c == '&' || c == '<' || c == '>' || c >= 0x7f {
			q, err := json.Marshal(s)
			if err != nil {
				panic(err) // strings can always be marshalled
			}
			return append(b, q...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func sorted(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	for i := range keys {
		for j := i; j > 0 && keys[j] < keys[j-1]; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}
