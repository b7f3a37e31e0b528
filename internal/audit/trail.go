// Package audit reads the audit logs of Kubernetes' API servers (audit.k8s.io): events of many servers in one order,
// each object's life, and what its writers did to it.
//
// One Reader takes what one server wrote (rotated files are one server's); Merge joins what the Readers learnt into one
// Trail. Writes are kept one by one, 80 bytes each, reads are counted by who asks for what. Nothing is judged here: a
// Trail holds facts (chains of writes, alternations, takeovers, creations), rules have the thresholds.
//
// Begin reading at Reader.Read (reader.go): a scanner (scan.go) reads one event, Reader.write (write.go) compares the
// bodies of an object's writes.
package audit

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Trail is what the events of all inputs contain, in order of arrival. Times are microseconds since 1970.
type Trail struct {
	// Events counts every stage of every request, Requests each request once, neither the Duplicates.
	Events, Requests, Duplicates int64
	First, Last                  int64
	Servers                      []Server
	Levels, Stages               []Count // most frequent first
	Actors                       []Actor
	Objects                      []Object
	Owners                       []Owner     // Owners[0] is none
	Changes                      []ChangeSet // Changes[0] is not known
	Texts                        []string    // Texts[0] is ""
	// Writes are all requests that change objects, or were refused to, in order of time. Requests for leases and events
	// are only counted (Reads): they are heartbeats.
	Writes []Write
	// ByObject holds the indexes of each object's writes, in order of time.
	ByObject [][]int32
	Sets     []Set
	Reads    []Read
	Answers  []Answer
	Refusals []Refusal
	Leases   []Lease
	Refused  []Refused
	// Limits list what these logs can't show, and why.
	Limits []string
	paths  []string
	names  map[objectName]int32
	// Bound: a scheduler bound some pod to a node. Without one, an unbound pod means nothing.
	Bound bool
}

// A Server is one source of events: an API server's log.
type Server struct {
	Name        string // the host's name where lines have it, else the first path
	Paths       []string
	First, Last int64
	Gaps        []Gap // the longest times without any event, longest first
	// Unreadable counts lines that hold no whole event, Long those over the cap.
	Unreadable, Long int64
}

// A Gap is a time in which a server wrote no event.
type Gap struct{ From, To int64 }

// A Count is a name with how often it was there.
type Count struct {
	Name string
	N    int64
}

// An Actor is who asked: user name and user agent.
type Actor struct {
	User, Impersonated, Agent string
	Requests, Writes          int64
	// Addresses are where it asks from (sourceIPs), Pods those that it writes from, as far as its tokens are bound to
	// them; the first maxAddresses of each.
	Addresses, Pods []string
}

const maxAddresses = 4

// Name is the user that the request counts for.
func (a *Actor) Name() string { return cmp.Or(a.Impersonated, a.User) }

// An Object is what was written. Name is "" for creations with a name that the server chose and the level leaves out.
type Object struct {
	Group, Version, Resource, Namespace, Name string
	Kind                                      string // of the bodies, "" where no body has it
	Writes                                    int64  // all of them, also those that are not kept
}

// MayBe reports whether the object may be of a kind: bodies name it, else the resource is its plural.
func (o *Object) MayBe(kind string) bool {
	if o.Kind != "" {
		return strings.EqualFold(o.Kind, kind)
	}
	singular := strings.ToLower(kind)
	return o.Resource == singular+"s" || o.Resource == singular+"es" || o.Resource == singular ||
		strings.HasSuffix(singular, "y") && o.Resource == strings.TrimSuffix(singular, "y")+"ies"
}

// An Owner is a controller's entry in metadata.ownerReferences.
type Owner struct{ API, Kind, Name, UID string }

// A Place is where an event is.
type Place struct {
	Path string
	Line int64
}

// A Write is one request that changes an object.
type Write struct {
	Time    int64
	In, Out uint64 // resourceVersion of the request and of the answer; 0 where unknown
	ID      uint64 // hash of the audit id
	Object  int32
	Actor   int32
	Change  int32  // index in Trail.Changes
	Owner   int32  // index in Trail.Owners
	Note    int32  // index in Trail.Texts: generateName of a creation, reason of a pod's status, replicas of a scale
	UID     uint64 // hash of the object's uid, 0 where unknown
	line    uint32
	file    uint16
	Sub     uint16 // index in Trail.Texts: the subresource
	Code    uint16
	Flags   Flags
	Verb    Verb
}

// Flags are what the bodies of a write show.
type Flags uint16

// The flags.
const (
	FlagBodies    Flags = 1 << iota // a body was compared with the one before
	FlagFinalized                   // the write removed a finalizer
	FlagNodeNamed                   // a pod was created with spec.nodeName set
	FlagFailedPod                   // a pod's phase became Failed
	FlagPodStatus                   // a pod's status was written, and its body is logged
)

// OK reports whether the request was done; one without a code is taken as done.
func (w *Write) OK() bool { return w.Code < 400 }

// A ChangeSet is which fields a write changed.
type ChangeSet struct {
	Paths []string // the first maxPaths of them
	More  int      // further ones
	// TimeOnly: only timestamps changed; Nothing: nothing did.
	TimeOnly, Nothing bool
}

// A Set is which values one actor gave one field of one object.
type Set struct {
	Object, Actor int32
	Path          string
	Count         int64
	Values        []Value // the first maxValues distinct ones
	Others        int64   // writes of further values
	Time          bool    // all were timestamps
}

// Top is the value that was given most.
func (s *Set) Top() Value {
	return slices.MaxFunc(s.Values, func(a, b Value) int { return cmp.Compare(a.N, b.N) })
}

// A Value is a JSON value of the body, cut at maxValue bytes.
type Value struct {
	Text string
	N    int64
}

// A RequestKind is a kind of request.
type RequestKind struct {
	Verb            Verb
	Group, Resource string
}

// An ActorRequest is what one actor asked for.
type ActorRequest struct {
	Actor int32
	RequestKind
}

// A Read is what one actor asked for of one resource with one verb; also creations of reviews, leases, events.
type Read struct {
	ActorRequest
	Count       int64
	Full        int64 // lists without limit, selector or resourceVersion
	First, Last int64
	Place       Place // of the first
	Slow        Slow
}

// Slow counts requests that took slowFloor or more, watches and streams left out.
type Slow struct {
	Count       int64
	First, Last int64
	Max         time.Duration
	Part        string        // what took most of Max; "" where unknown
	InPart      time.Duration // how much
	Place       Place         // of the slowest
}

// An Answer counts one actor's requests for a resource that were answered with one error code.
type Answer struct {
	ActorRequest
	Code        int
	Count       int64
	Of          int64 // this actor's requests for the resource with that verb
	First, Last int64
	Place       Place
	Message     string // of the first
	Object      int32  // the one that was refused most, -1 for none
	ObjectCount int64
}

// Refused counts records that are no events of audit.k8s.io.
type Refused struct {
	Reason, Hint string
	Count        int64
	Place        Place // of the first
}

// Mixed reports writes of objects of two clusters that have one name.
func (t *Trail) Mixed(writes []int32) bool {
	return mixed(writes, func(i *int32) uint64 { return t.Writes[*i].UID })
}

// Empty reports whether no request was logged.
func (t *Trail) Empty() bool { return t == nil || t.Requests == 0 }

// Place is where a write's event is.
func (t *Trail) Place(w *Write) Place { return Place{Path: t.paths[w.file], Line: int64(w.line)} }

type objectName struct{ resource, namespace, name string }

// Time is a moment of the trail, as time.Time in UTC.
func Time(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
