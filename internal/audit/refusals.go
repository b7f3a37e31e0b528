package audit

import (
	"bytes"
	"strings"
)

// A RefusalKind is what refused a write besides authorization and validation.
type RefusalKind uint8

// The kinds, by the words of the API server's messages (kubernetes 1.34).
const (
	// RefusedByWebhook: a webhook that must answer did not (apiserver/pkg/admission/plugin/webhook/errors).
	RefusedByWebhook RefusalKind = iota + 1
	// DeniedByWebhook: a webhook answered no.
	DeniedByWebhook
	// OverQuota: a ResourceQuota is used up (apiserver/pkg/admission/plugin/resourcequota).
	OverQuota
	// DeniedByPolicy: pod security, a LimitRange, a ValidatingAdmissionPolicy.
	DeniedByPolicy
	// NoServiceAccount: the pod's service account is missing (plugin/pkg/admission/serviceaccount).
	NoServiceAccount
	// OverBudget: an eviction would violate a PodDisruptionBudget (pkg/registry/core/pod/storage/eviction.go).
	OverBudget
)

// A Refusal counts the writes of one actor for one workload that were refused for one reason.
type Refusal struct {
	Ask
	Kind      RefusalKind
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
	// Settled is when the same was done after all, 0 for never.
	Settled int64
}

type refusalKey struct {
	Ask
	kind                         RefusalKind
	by, service, namespace, stem string
}

// refusalOf reads from the message, and for evictions from its cause, what refused a write; 0 where the message says
// nothing of it.
func refusalOf(message, cause []byte) (kind RefusalKind, by, service []byte) {
	switch {
	case has(message, "being terminated"):
		return 0, nil, nil // a namespace on its way out
	case has(message, "failed calling webhook "):
		return RefusedByWebhook, quoted(message, "failed calling webhook "), serviceOf(message)
	case has(message, "admission webhook "):
		return DeniedByWebhook, quoted(message, "admission webhook "), nil
	case has(message, "exceeded quota: "):
		return OverQuota, word(message, "exceeded quota: "), nil
	case has(message, "failed quota: "):
		return OverQuota, word(message, "failed quota: "), nil
	case has(message, "violates PodSecurity "):
		return DeniedByPolicy, quoted(message, "violates PodSecurity "), nil
	case has(message, "ValidatingAdmissionPolicy "):
		return DeniedByPolicy, quoted(message, "ValidatingAdmissionPolicy "), nil
	case has(message, " usage per "):
		return DeniedByPolicy, []byte("LimitRange"), nil // plugin/pkg/admission/limitranger
	case has(message, "unable to validate against any security context constraint"):
		return DeniedByPolicy, []byte("SecurityContextConstraints"), nil // OpenShift
	case has(message, "no PriorityClass with name "):
		return DeniedByPolicy, []byte("PriorityClass"), nil // plugin/pkg/admission/priority
	case has(message, "error looking up service account "):
		return NoServiceAccount, word(message, "error looking up service account "), nil
	case has(cause, "The disruption budget "):
		return OverBudget, word(cause, "The disruption budget "), nil
	case has(message, "The disruption budget "):
		return OverBudget, word(message, "The disruption budget "), nil
	case has(message, "disruption budget"), has(message, "more than one PodDisruptionBudget"):
		return OverBudget, nil, nil
	}
	return 0, nil, nil
}

func has(text []byte, part string) bool { return bytes.Contains(text, []byte(part)) }

// quoted is the text in quotes that follows before; escaped quotes too, of messages that quote messages.
func quoted(text []byte, before string) []byte {
	_, rest, _ := bytes.Cut(text, []byte(before))
	rest = bytes.TrimLeft(rest, "\\\"'")
	return rest[:max(0, bytes.IndexAny(rest, "\\\"'"))]
}

// word is the word that follows before.
func word(text []byte, before string) []byte {
	_, rest, _ := bytes.Cut(text, []byte(before))
	if i := bytes.IndexAny(rest, ", :;"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// serviceOf reads where a webhook points from the address that was called: https://NAME.NAMESPACE.svc:443/PATH.
func serviceOf(message []byte) []byte {
	_, rest, found := bytes.Cut(message, []byte("://"))
	if !found {
		return nil
	}
	host := rest
	if i := bytes.IndexAny(rest, ":/?\" "); i >= 0 {
		host = rest[:i]
	}
	name, of, inCluster := bytes.Cut(host, []byte("."))
	if namespace, after, ok := bytes.Cut(of, []byte(".")); inCluster && ok && bytes.HasPrefix(after, []byte("svc")) {
		return bytes.Join([][]byte{namespace, name}, []byte("/"))
	}
	return host
}

// refused counts a write that something besides authorization and validation refused.
func (r *Reader) refused(e *Event, ask Ask, object, owner int32) {
	kind, by, service := refusalOf(e.Message, e.Cause)
	if kind == 0 {
		return
	}
	t := r.t
	k := refusalKey{Ask: ask, kind: kind, by: t.word(by), service: t.word(service), namespace: t.word(e.Namespace)}
	name := e.Name
	if object >= 0 && len(name) == 0 {
		name = []byte(t.objects.list[object].Name)
	}
	if len(name) == 0 {
		// The message quotes the name that was meant: pods "web-6d4b8c5c9d-x7k2p" is forbidden.
		name = quoted(e.Message, string(e.Resource)+" ")
	}
	k.stem = clip(name)
	if prefix := chosenPrefix(k.stem); prefix != "" {
		k.stem = prefix
	}
	k.stem = strings.TrimSuffix(k.stem, "-")
	if x := t.refusals.of(k); x != nil {
		x.add(&Refusal{
			Ask: ask, Kind: kind, By: k.by, Service: k.service, Namespace: k.namespace, Stem: k.stem, Object: object,
			Owner: owner, Code: e.Code, Count: 1, First: e.Received, Last: e.Received, Place: r.place,
			Message: clip(e.Message), Sub: t.word(e.Subresource),
		})
	}
}

// add takes what another log, or the next request, adds to x, if not nil.
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
	return refusalKey{x.Ask, x.Kind, x.By, x.Service, x.Namespace, x.Stem}
}

// settle finds when what was refused was done after all: the same object was written, or one whose name the server
// chose after the same stem; a pod whose eviction was refused is gone. A webhook that failed answers again where its
// caller has the same kind of request done: names may be new with each try.
func (t *Trail) settle() {
	type key struct{ resource, namespace, stem string }
	type request struct {
		Ask
		namespace, sub string
	}
	waiting, called := map[key][]int32{}, map[request][]int32{}
	for i := range t.Refusals {
		x := &t.Refusals[i]
		k := key{x.Resource, x.Namespace, x.Stem}
		waiting[k] = append(waiting[k], int32(i))
		if x.Kind == RefusedByWebhook {
			r := request{x.Ask, x.Namespace, x.Sub}
			called[r] = append(called[r], int32(i))
		}
	}
	if len(waiting) == 0 {
		return
	}
	for i := range t.Writes {
		w := &t.Writes[i]
		if !w.OK() {
			continue
		}
		o := &t.Objects[w.Object]
		stem := o.Name
		if prefix := chosenPrefix(stem); prefix != "" {
			stem = prefix
		} else if stem == "" {
			stem = strings.TrimSuffix(t.Texts[w.Note], "-") // generateName
		}
		for _, j := range called[request{Ask{w.Actor, What{w.Verb, o.Group, o.Resource}}, o.Namespace,
			t.Texts[w.Sub]}] {
			if x := &t.Refusals[j]; w.Time > x.Last && x.Settled == 0 {
				x.Settled = w.Time
			}
		}
		k := key{o.Resource, o.Namespace, stem}
		waits := waiting[k]
		if k.stem = ""; stem != "" {
			waits = append(waits[:len(waits):len(waits)], waiting[k]...) // of those, no name is known
		}
		for _, j := range waits {
			x := &t.Refusals[j]
			sub, done := t.Texts[w.Sub], false
			switch {
			case x.Kind == OverBudget:
				done = w.Verb == VerbDelete || sub == "eviction"
			case x.Verb == VerbCreate:
				done = w.Verb == VerbCreate && (sub == x.Sub || sub == "binding")
			default:
				done = w.Verb != VerbDelete && sub == x.Sub
			}
			if done && w.Time > x.Last && x.Settled == 0 {
				x.Settled = w.Time
			}
		}
	}
}
