package audit

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/jsonspan"
)

// A valueKind is what a JSON value turned out to be.
type valueKind uint8

const (
	isBroken valueKind = iota // breaks off
	isEvent
	isList      // an EventList, or another list of records
	isAdmission // an AdmissionReview: what webhooks are asked, not what the server did
	isGKE       // a record of Cloud Logging that is no API server's
	isWrapped   // maybe an event within another record
)

// A scanner reads one JSON value at a time into ev. What it returns is valid until the next value.
type scanner struct {
	ev    Event
	arena arena
	kind  []byte
	items []byte // of a list: from its bracket on
	inner []byte // of another record: the value of the member that may hold an event
	stamp []byte // the timestamp of older events and other records

	gkeRecord gkeEntry

	sawID bool
}

// bodyTail is what follows the bodies in the API server's order of fields.
const bodyTail = `,"requestReceivedTimestamp":"`

// tailRoom is how far from an event's end bodyTail is looked for: two timestamps and the annotations, of which the
// authorizer's reason is the longest (some 300 bytes; webhooks add their own).
const tailRoom = 16 << 10

// value reads the object at b[0]. whole: b holds it and nothing else, so that its bodies can be jumped over.
func (s *scanner) value(b []byte, whole bool) (valueKind, int) {
	*s = scanner{arena: s.arena[:0]}
	if !jsonspan.IsObject(b, 0) {
		return isBroken, -1
	}
	if end := s.members(b, 1, whole, nil); end >= 0 {
		return s.kindOfValue(), end
	}
	return isBroken, -1
}

func (s *scanner) kindOfValue() valueKind {
	switch {
	case string(s.kind) == "AdmissionReview":
		return isAdmission
	case s.gkeRecord.payload != nil:
		if !s.gke() {
			return isGKE
		}
		s.ev.Received, s.ev.Verb = micros(s.stamp), verbOf(s.ev.RawVerb)
		return isEvent
	case s.sawID && (len(s.ev.Stage) > 0 || len(s.ev.RawVerb) > 0):
		if s.ev.Received == 0 {
			s.ev.Received = cmp.Or(micros(s.stamp), s.ev.Done)
		}
		s.ev.Verb = verbOf(s.ev.RawVerb)
		return isEvent
	case s.items != nil:
		return isList
	case s.inner != nil:
		return isWrapped
	}
	return isBroken
}

// members reads the members of a top-level object from b[i] on and returns the position behind its brace; -1 where it
// has others than only, if that is not nil.
func (s *scanner) members(b []byte, i int, whole bool, only []string) int {
	ev := &s.ev
	for {
		key, v := jsonspan.Member(b, i)
		if key == nil || v < 0 {
			return v
		}
		if only != nil && !slices.Contains(only, string(key)) {
			return -1
		}
		switch string(key) {
		case "level":
			ev.Level, i = s.arena.text(b, v)
		case "auditID":
			ev.AuditID, i = s.arena.text(b, v)
			s.sawID = true
		case "stage":
			ev.Stage, i = s.arena.text(b, v)
		case "requestURI":
			ev.RequestURI, i = s.arena.text(b, v)
		case "verb":
			ev.RawVerb, i = s.arena.text(b, v)
		case "user":
			i = s.arena.members(b, v, member{"username", &ev.User}, member{"extra", &ev.extra})
		case "impersonatedUser":
			i = s.arena.members(b, v, member{"username", &ev.Impersonated})
		case "sourceIPs":
			if at, more := jsonspan.Element(b, v+1); b[v] == '[' && more {
				ev.IP, _ = s.arena.text(b, at)
			}
			i = jsonspan.SkipValue(b, v)
		case "userAgent":
			ev.Agent, i = s.arena.text(b, v)
		case "objectRef":
			i = s.arena.members(b, v, member{"resource", &ev.Resource}, member{"namespace", &ev.Namespace},
				member{"name", &ev.Name}, member{"apiVersion", &ev.Version}, member{"apiGroup", &ev.Group},
				member{"uid", &ev.UID}, member{"resourceVersion", &ev.ResourceVersion},
				member{"subresource", &ev.Subresource})
		case "responseStatus":
			i = s.status(b, v)
		case "requestObject", "responseObject":
			if end := s.skipObject(b, v, key[3] == 'p', whole); end >= 0 {
				return end
			}
			i = s.body(b, v, key[3] == 'p')
		case "requestReceivedTimestamp":
			ev.Received, i = s.arena.time(b, v)
		case "stageTimestamp":
			ev.Done, i = s.arena.time(b, v)
		case "annotations":
			i = s.annotations(b, v)
		default:
			i = s.otherMember(b, v, key)
		}
		if i < 0 {
			return -1
		}
	}
}

func (s *scanner) status(b []byte, v int) int {
	ev := &s.ev
	end := s.arena.members(b, v, member{"code", &ev.Code}, member{"message", &ev.Message})
	if ev.Code >= 400 && end > 0 {
		s.cause(b[:end], v)
	}
	return end
}

// cause reads the first of the causes of the status at b[v].
func (s *scanner) cause(b []byte, v int) {
	var details, causes rawValue
	if s.arena.members(b, v, member{"details", &details}); details == nil {
		return
	}
	s.arena.members(details, 0, member{"causes", &causes})
	if len(causes) > 0 && causes[0] == '[' {
		if at, more := jsonspan.Element(causes, 1); more {
			s.arena.members(causes, at, member{"message", &s.ev.Cause})
		}
	}
}

// otherMember reads members that only older events, lists and wrapping records have.
func (s *scanner) otherMember(b []byte, v int, key []byte) (end int) {
	switch string(key) {
	case "kind":
		s.kind, end = s.arena.text(b, v)
	case "timestamp":
		s.stamp, end = s.arena.text(b, v)
	case "protoPayload":
		if end = jsonspan.SkipValue(b, v); end >= 0 {
			s.gkeRecord.payload = b[v:end]
		}
	case "insertId":
		s.gkeRecord.insertID, end = s.arena.text(b, v)
	case "operation":
		g := &s.gkeRecord
		return s.arena.members(b, v, member{"id", &g.id}, member{"first", &g.first}, member{"last", &g.last})
	case "items", "events", "logEvents", "entries":
		if end = jsonspan.SkipValue(b, v); end >= 0 && b[v] == '[' {
			s.items = b[v:end]
		}
	case "log", "message", "@message", "msg", "line", "event", "_source", "properties", "textPayload", "values",
		"result", "body", "audit":
		if end = jsonspan.SkipValue(b, v); end >= 0 && (b[v] == '{' || b[v] == '[' ||
			b[v] == '"' && mayHoldEvent(b[v:end])) {
			s.inner = b[v:end]
		}
	default:
		return jsonspan.SkipValue(b, v)
	}
	return end
}

// mayHoldEvent reports, from its first bytes, whether a string's text may be a record of its own.
func mayHoldEvent(str []byte) bool {
	text := bytes.TrimLeft(str[1:], " ")
	return bytes.HasPrefix(text, []byte(`{\"`)) || bytes.HasPrefix(text, []byte(`{\n`))
}

func (s *scanner) body(b []byte, v int, response bool) int {
	end := jsonspan.SkipValue(b, v)
	if end < 0 {
		return -1
	}
	s.keep(b[v:end], response)
	return end
}

func (s *scanner) keep(body []byte, response bool) {
	if jsonspan.IsNull(body, 0) {
		return
	}
	if response {
		s.ev.Response = body
	} else {
		s.ev.Request = body
	}
}

// skipObject steps over the bodies without looking at their bytes. b is one whole object, so that a key from which the
// object's end is reached with one closing brace is at its top level; the API server writes nothing but short members
// behind the bodies. It returns the position behind the object, -1 where that doesn't fit: bodies are then walked
// through.
func (s *scanner) skipObject(b []byte, v int, response, whole bool) int {
	from := max(v, len(b)-tailRoom)
	at := bytes.LastIndex(b[from:], []byte(bodyTail))
	if at < 0 || !whole {
		return -1
	}
	at += from
	before := s.ev
	end := s.members(b, at, false, behindBodies)
	if end < 0 || jsonspan.SkipSpace(b, end) != len(b) || len(s.ev.RawVerb) == 0 {
		s.ev = before
		return -1
	}
	if !verbOf(s.ev.RawVerb).changes() {
		return end
	}
	if response {
		s.keep(bytes.TrimRight(b[v:at], " \t"), true)
		return end
	}
	i := s.body(b, v, false)
	if i < 0 {
		return -1
	}
	if i < at {
		key, v := jsonspan.Member(b, i)
		if string(key) != "responseObject" || v > at {
			s.ev = before
			return -1
		}
		s.keep(bytes.TrimRight(b[v:at], " \t"), true)
	}
	return end
}

// behindBodies are the members that follow the bodies.
var behindBodies = []string{"requestReceivedTimestamp", "stageTimestamp", "annotations"}

// annotations reads where the time of a slow request went (apiserver/pkg/endpoints/request/webhook_duration.go).
func (s *scanner) annotations(b []byte, v int) int {
	var mutating, validating, etcd []byte
	end := s.arena.members(b, v, member{"apiserver.latency.k8s.io/mutating-webhook", &mutating},
		member{"apiserver.latency.k8s.io/validating-webhook", &validating},
		member{"apiserver.latency.k8s.io/etcd", &etcd})
	for _, part := range []struct {
		name string
		took []byte
	}{{"mutating webhooks", mutating}, {"validating webhooks", validating}, {"etcd", etcd}} {
		if d, err := time.ParseDuration(string(part.took)); err == nil && d > s.ev.InPart { // "812.5ms"
			s.ev.Part, s.ev.InPart = part.name, d
		}
	}
	return end
}
