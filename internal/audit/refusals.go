package audit

import (
	"bytes"
	"strings"

	"github.com/gotriage/triage/internal/refusal"
)

// A Refusal counts the writes of one actor for one workload that were refused for one reason.
type Refusal struct {
	ActorRequest
	Kind      refusal.Kind
	By        string // the webhook, the quota, the policy, the service account, the budget
	Service   string // behind the webhook: NAMESPACE/NAME, or the host of its URL
	Namespace string
	// Stem is the object's name, or what the names that the server chose begin with.
	Stem        string
	Object      int32 // the last one that was refused, -1 for none
	Owner       int32 // its controller, where bodies show it: index in Trail.Owners
	Code        int
	Count       int64
	First, Last int64
	Place       Place // of the first
	Message     string
	Sub         string
}

type refusalKey struct {
	ActorRequest
	kind                         refusal.Kind
	by, service, namespace, stem string
}

// refused counts a write that something besides authorization and validation refused.
func (r *Reader) refused(e *Event, ask ActorRequest, object, owner int32) {
	kind, by := refusal.Of(e.Message, e.Cause)
	if kind == 0 {
		return
	}
	t := r.t
	k := refusalKey{ActorRequest: ask, kind: kind, by: t.word(by), namespace: t.word(e.Namespace)}
	if kind == refusal.ByWebhook {
		k.service = t.word(refusal.Service(e.Message))
	}
	name := e.Name
	if object >= 0 && len(name) == 0 {
		name = []byte(t.objects.list[object].Name)
	}
	if len(name) == 0 {
		// The message quotes the name that was meant: pods "web-6d4b8c5c9d-x7k2p" is forbidden.
		_, rest, _ := bytes.Cut(e.Message, []byte(string(e.Resource)+" \""))
		name = rest[:max(0, bytes.IndexByte(rest, '"'))]
	}
	k.stem = StemOf(Clip(name))
	if x := t.refusals.of(k); x != nil {
		x.add(&Refusal{
			ActorRequest: ask, Kind: kind, By: k.by, Service: k.service, Namespace: k.namespace, Stem: k.stem,
			Object: object,
			Owner:  owner, Code: e.Code, Count: 1, First: e.Received, Last: e.Received, Place: r.place,
			Message: Clip(e.Message), Sub: t.word(e.Subresource),
		})
	}
}

// StemOf is a name without what the server chose at its end.
func StemOf(name string) string {
	if prefix := ChosenPrefix(name); prefix != "" {
		return prefix
	}
	return strings.TrimSuffix(name, "-")
}

// add takes what another log, or the next request, adds to x.
func (x *Refusal) add(more *Refusal) {
	switch {
	case x.Count == 0:
		*x = *more
		return
	case more.First < x.First:
		x.Place, x.Message = more.Place, more.Message
	}
	if x.Object < 0 {
		x.Object = more.Object
	}
	if x.Owner == 0 {
		x.Owner = more.Owner
	}
	x.Count += more.Count
	x.First, x.Last = earlier(x.First, more.First), max(x.Last, more.Last)
}

func (x *Refusal) key() refusalKey {
	return refusalKey{x.ActorRequest, x.Kind, x.By, x.Service, x.Namespace, x.Stem}
}
