package audit

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/jsonspan"
)

// Options bound what a Reader does. The zero value means the defaults that each field names.
type Options struct {
	// MaxLine is the largest event, in bytes: 32 MiB.
	MaxLine int
	// MaxWrites is how many writes are kept, the first ones: 524,288 (40 MiB). As many renewals of leases are.
	MaxWrites int
	// MaxBodies is how many bytes of last bodies are kept to compare the next ones with: 32 MiB.
	MaxBodies int
	// Since and Until, where not 0, leave out events received at other times; microseconds since 1970, both included.
	Since, Until int64
	// Each, where not nil, is called with every event once, in the order of the input.
	Each func(*Seen)
}

const (
	defaultMaxWrites = 1 << 19
	// maxWrap is how deep records nest within records: a log shipper's around a cloud's around the event.
	maxWrap = 4
	// gapFloor is the shortest time without any event that is reported. An API server writes its own lease every 10 s
	// (controlplane/apiserver, IdentityLeaseRenewIntervalSeconds); policies that leave leases out have longer breaks.
	gapFloor = 2 * time.Minute
	maxGaps  = 4
)

// A Reader reads the events of one source: one API server's file, or its rotated ones. One goroutine uses it.
type Reader struct {
	o      Options
	t      *tables
	scan   scanner
	arena  arena
	facts  bodyFacts
	bodies *lastBodies
	log    *Log
	seen   recentEvents
	file   uint16
	place  Place
	kept   []int32 // writes, by object
	open   bool
}

// A Log is what one Reader learnt.
type Log struct {
	t                            *tables
	server                       Server
	events, requests, duplicates int64
	levels, stages               []Count
	writes                       []Write
	refused                      []Refused
	paths                        []string
	histories                    []*lastBody
	ids                          idSample
	copied                       bool
	renewals                     []Renewal // of leases
	renewalsLost                 int64     // those that there was no room for
	lost                         int64     // writes that were not kept one by one
	bound                        bool
}

// NewReader returns a Reader for one source.
func NewReader(o Options) *Reader {
	o.MaxLine = cmp.Or(o.MaxLine, defaultMaxLine)
	o.MaxWrites = cmp.Or(o.MaxWrites, defaultMaxWrites)
	o.MaxBodies = cmp.Or(o.MaxBodies, defaultMaxBodies)
	return &Reader{o: o, t: newTables(), bodies: newBodies(o.MaxBodies), log: &Log{}}
}

// Read reads a whole file: JSON lines, one event a line with or without a host's name before it, EventLists, or
// records of a log shipper around events. The error is the input's: what came before it counts. Records that are no
// events are counted with a reason.
func (r *Reader) Read(path string, in io.Reader) error {
	r.begin(path)
	f := newFramer(in, r.o.MaxLine)
	for {
		doc, line := f.next()
		if doc == nil {
			break
		}
		r.place.Line = line
		r.document(doc, 0)
	}
	r.log.server.Long += f.long
	if f.Err != nil {
		return fmt.Errorf("reading audit events of %s: %w", path, f.Err)
	}
	return nil
}

// Line takes one line of a log that may be an event, and reports whether it was one.
func (r *Reader) Line(path string, text []byte, num int64) bool {
	if len(text) == 0 || text[0] != '{' || !bytes.Contains(text, []byte(`"auditID"`)) {
		return false
	}
	r.begin(path)
	r.place.Line = num
	before := r.log.events + r.log.duplicates
	r.document(text, 0)
	return r.log.events+r.log.duplicates > before
}

func (r *Reader) begin(path string) {
	if r.open && r.place.Path == path {
		return
	}
	r.open = true
	i := slices.Index(r.log.paths, path)
	if i < 0 && len(r.log.paths) < math.MaxUint16 {
		i = len(r.log.paths)
		r.log.paths = append(r.log.paths, path)
	}
	r.file = uint16(max(i, 0))
	r.place = Place{Path: path}
}

// document takes a JSON value, or a line that holds one behind a prefix.
func (r *Reader) document(doc []byte, depth int) {
	if doc[0] != '{' && doc[0] != '[' {
		i := bytes.IndexByte(doc[:min(len(doc), maxText)], '{')
		if i < 0 {
			r.log.server.Unreadable++
			return
		}
		// The name of the server's host, where it is one word (oc adm node-logs).
		if prefix := bytes.TrimSpace(doc[:i]); bytes.IndexByte(prefix, ' ') < 0 {
			r.log.server.Name = cmp.Or(r.log.server.Name, string(prefix))
		}
		doc = doc[i:]
	}
	if doc[0] == '[' {
		r.elements(doc, depth)
		return
	}
	doc = bytes.TrimRight(doc, ", \t\r")
	what, _ := r.scan.value(doc, true)
	switch what {
	case isEvent:
		r.event(&r.scan.ev)
	case isList:
		r.elements(r.scan.items, depth)
	case isWrapped:
		r.wrapped(r.scan.inner, depth)
	case isAdmission:
		r.refuse("AdmissionReview records: they show requests to a webhook, not the API server's own actions",
			"give the API server's own audit log (--audit-log-path)")
	case isGKE:
		r.refuse("Google Cloud audit records of a service other than k8s.io, so not an API server's",
			"read those of the cluster: gcloud logging read --format=json 'protoPayload.serviceName=\"k8s.io\"'")
	default:
		r.log.server.Unreadable++
	}
}

func (r *Reader) elements(list []byte, depth int) {
	if depth >= maxWrap {
		r.log.server.Unreadable++
		return
	}
	jsonspan.EachElement(list, 0, func(at int) int {
		end := jsonspan.SkipValue(list, at)
		switch {
		case end < 0:
			r.log.server.Unreadable++
		case list[at] == '{', list[at] == '[':
			r.document(list[at:end], depth+1)
		case list[at] == '"' && mayHoldEvent(list[at:end]):
			r.wrapped(list[at:end], depth)
		}
		return end
	})
}

// wrapped takes a member of another record: an object, a list, or a string that holds one.
func (r *Reader) wrapped(inner []byte, depth int) {
	if depth >= maxWrap {
		r.log.server.Unreadable++
		return
	}
	if inner[0] == '"' {
		inner = bytes.TrimSpace(jsonspan.AppendUnquoted(nil, inner[1:len(inner)-1]))
		if len(inner) == 0 || inner[0] != '{' {
			r.log.server.Unreadable++
			return
		}
	}
	r.document(inner, depth+1)
}

func (r *Reader) refuse(reason, hint string) {
	r.log.refused = addRefused(r.log.refused, Refused{Reason: reason, Hint: hint, Count: 1, Place: r.place})
}

func (r *Reader) event(e *Event) {
	if r.o.Since != 0 && e.Received < r.o.Since || r.o.Until != 0 && e.Received > r.o.Until {
		return
	}
	l := r.log
	id := hashID(e.AuditID, e.Stage)
	if r.seen.add(id) {
		l.duplicates++
		return
	}
	l.events++
	if id != 0 {
		l.ids.add(id)
	}
	l.levels = count(l.levels, e.Level, 1)
	l.stages = count(l.stages, e.Stage, 1)
	r.clock(e.Received)
	// Each request has up to three events, the last of which knows the answer. A watch is counted where it ends, too:
	// ResponseStarted is left out by many policies.
	ends := string(e.Stage) != "RequestReceived" && string(e.Stage) != "ResponseStarted"
	if ends {
		l.requests++
	}
	if r.o.Each == nil {
		if ends {
			r.request(e, id, nil)
		}
		return
	}
	server := l.server.Name
	if server == "" && len(l.paths) > 0 {
		server = l.paths[0]
	}
	seen := Seen{t: r.t, Event: e, Place: r.place, Server: server, Name: Clip(e.Name),
		In: versionOf(e.ResourceVersion), Ends: ends}
	if ends {
		r.request(e, id, &seen)
	}
	r.o.Each(&seen)
}

// clock keeps the span and the longest breaks, from the latest time so far: files are ordered by the requests' ends.
func (r *Reader) clock(t int64) {
	s := &r.log.server
	if t == 0 {
		return
	}
	s.First = earlier(s.First, t)
	if s.Last != 0 && t-s.Last > gapFloor.Microseconds() {
		s.Gaps = append(s.Gaps, Gap{From: s.Last, To: t})
		slices.SortFunc(s.Gaps, func(a, b Gap) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
		s.Gaps = s.Gaps[:min(len(s.Gaps), maxGaps)]
	}
	s.Last = max(s.Last, t)
}

// quiet are resources whose writes are heartbeats or reports by nature.
func quiet(resource []byte) bool { return string(resource) == "leases" || string(resource) == "events" }

func (r *Reader) request(e *Event, id uint64, seen *Seen) {
	t := r.t
	actor := t.actor(e.User, e.Impersonated, e.Agent)
	if actor < 0 {
		return
	}
	a := &t.actors.list[actor]
	a.Requests++
	a.Addresses = addDistinct(a.Addresses, e.IP)
	kind := RequestKind{Verb: e.Verb, Group: t.word(e.Group), Resource: t.word(e.Resource)}
	ask := ActorRequest{Actor: actor, RequestKind: kind}
	object, owner := int32(-1), int32(0)
	if e.writes() {
		a.Writes++
		if len(a.Pods) < maxAddresses {
			a.Pods = addDistinct(a.Pods, e.pod())
		}
		if !quiet(e.Resource) {
			object, owner = r.write(e, actor, id, seen)
		} else if string(e.Resource) == "leases" {
			r.renewal(e, actor)
		}
	}
	r.read(e, ask)
	if e.Code >= 400 {
		r.answer(e, ask)
		if e.Verb.changes() {
			r.refused(e, ask, object, owner)
		}
	}
}

// addDistinct adds a name to a few.
func addDistinct(list []string, name []byte) []string {
	if len(name) == 0 || len(list) >= maxAddresses {
		return list
	}
	for _, s := range list {
		if s == string(name) {
			return list
		}
	}
	return append(list, Clip(name))
}

// Close ends the reading and returns what was learnt. The Reader is not used afterwards.
func (r *Reader) Close() *Log {
	l := r.log
	l.t = r.t
	l.histories = r.bodies.histories()
	if l.server.Name == "" && len(l.paths) > 0 {
		l.server.Name = l.paths[0]
	}
	l.server.Paths = l.paths
	*r = Reader{}
	return l
}

// Empty reports whether there was nothing that concerns audit logs.
func (l *Log) Empty() bool { return l.events == 0 && len(l.refused) == 0 }
