package audit

import (
	"bytes"
	"slices"

	"github.com/gotriage/triage/internal/jsonspan"
)

// Google Kubernetes Engine exports its audit events as records of Cloud Logging: a LogEntry whose protoPayload is a
// google.cloud.audit.AuditLog of the service k8s.io (cloud.google.com/kubernetes-engine/docs/how-to/audit-logging,
// github.com/googleapis/googleapis/blob/master/google/cloud/audit/audit_log.proto). They are read as audit events:
//
//	methodName    io.k8s.core.v1.pods.status.patch: version, resource, subresource and verb
//	resourceName  core/v1/namespaces/NAMESPACE/pods/NAME/status
//	operation.id  the audit ID
//	status.code   a code of google.rpc; the response, where it is a Status, has the HTTP code
//
// What they lack: the request's URI, so that lists with a limit look like those without, and when a request arrived.

// A gkeEntry is what a LogEntry has besides the payload.
type gkeEntry struct {
	payload     []byte
	id          []byte // operation.id
	insertID    []byte
	first, last bool
}

// gkeHTTP are HTTP's codes for those of google.rpc, by number (google/rpc/code.proto).
var gkeHTTP = [...]int{200, 499, 500, 400, 504, 404, 409, 403, 429, 400, 409, 400, 501, 500, 503, 500, 401}

// gke reads a record of Cloud Logging as an event; false where it is none of an API server.
func (s *scanner) gke() bool {
	ev, b := &s.ev, s.gkeRecord.payload
	if !jsonspan.IsObject(b, 0) {
		return false
	}
	var service, method, resource []byte
	code, answered := 0, 0
	s.arena.members(b, 0,
		member{"serviceName", &service}, member{"methodName", &method}, member{"resourceName", &resource},
		member{"authenticationInfo", func(v int) int {
			return s.arena.members(b, v, member{"principalEmail", &ev.User})
		}},
		member{"requestMetadata", func(v int) int {
			return s.arena.members(b, v, member{"callerIp", &ev.IP}, member{"callerSuppliedUserAgent", &ev.Agent})
		}},
		member{"status", func(v int) int {
			return s.arena.members(b, v, member{"code", &code}, member{"message", &ev.Message})
		}},
		member{"request", func(v int) int { return s.body(b, v, false) }},
		member{"response", func(v int) int {
			end := s.body(b, v, true)
			var kind, message []byte
			if end < 0 || s.arena.members(b, v, member{"@type", &kind}, member{"code", &answered},
				member{"message", &message}) < 0 || !bytes.HasSuffix(kind, []byte(".Status")) {
				answered = 0
			} else if len(message) > 0 {
				ev.Message = message
			}
			return end
		}})
	if string(service) != "k8s.io" || !s.gkeMethod(method) {
		return false
	}
	s.gkeResource(resource)
	s.gkeRest(code, answered)
	return true
}

// gkeRest fills in what follows from the rest: code is one of google.rpc, answered HTTP's where the response has it.
func (s *scanner) gkeRest(code, answered int) {
	ev := &s.ev
	switch {
	case answered >= 100:
		ev.Code = answered
	case code >= 0 && code < len(gkeHTTP):
		ev.Code = gkeHTTP[code]
	default:
		ev.Code = code
	}
	if ev.Code == 200 && string(ev.RawVerb) == "create" {
		ev.Code = 201
	}
	ev.AuditID = s.gkeRecord.id
	if len(ev.AuditID) == 0 {
		ev.AuditID = s.gkeRecord.insertID
	}
	ev.Stage = []byte("ResponseComplete")
	if s.gkeRecord.first && !s.gkeRecord.last {
		ev.Stage = []byte("ResponseStarted")
	}
	switch {
	case ev.Response != nil:
		ev.Level = []byte("RequestResponse")
	case ev.Request != nil:
		ev.Level = []byte("Request")
	default:
		ev.Level = []byte("Metadata")
	}
	s.sawID = true
}

// gkeMethod takes the name of a method apart: GROUP REVERSED.VERSION.RESOURCE[.SUBRESOURCE].VERB.
func (s *scanner) gkeMethod(method []byte) bool {
	parts := bytes.Split(method[:min(len(method), maxText)], []byte("."))
	if len(parts) < 2 {
		return false
	}
	ev := &s.ev
	ev.RawVerb = parts[len(parts)-1]
	parts = parts[:len(parts)-1]
	at := slices.IndexFunc(parts, isVersion)
	if at < 0 || at+1 >= len(parts) {
		return string(parts[0]) == "io" // no resource's: health checks, discovery
	}
	ev.Version, ev.Resource = parts[at], parts[at+1]
	if at+2 < len(parts) {
		ev.Subresource = parts[at+2]
	}
	return true
}

// isVersion recognises an API's version: v1, v1beta1, v2alpha1.
func isVersion(s []byte) bool { return len(s) > 1 && s[0] == 'v' && s[1] >= '1' && s[1] <= '9' }

// gkeResource takes a resource's name apart: GROUP/VERSION/[namespaces/NAMESPACE/]RESOURCE[/NAME[/SUBRESOURCE]].
func (s *scanner) gkeResource(name []byte) {
	parts := bytes.Split(name[:min(len(name), 4*maxText)], []byte("/"))
	ev := &s.ev
	if len(parts) < 3 || !isVersion(parts[1]) {
		return
	}
	if string(parts[0]) != "core" {
		ev.Group = parts[0]
	}
	parts = parts[2:]
	if len(parts) > 2 && string(parts[0]) == "namespaces" && bytes.Equal(parts[2], ev.Resource) {
		ev.Namespace = parts[1]
		parts = parts[2:]
	}
	if len(parts) > 1 && bytes.Equal(parts[0], ev.Resource) {
		ev.Name = parts[1]
		if string(ev.Resource) == "namespaces" {
			ev.Namespace = parts[1]
		}
	}
}
