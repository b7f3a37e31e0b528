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
}

type refusalKey struct {
	Ask
	kind                         RefusalKind
	by, service, namespace, stem string
}

// refusalWords are what messages say of a refusal, the first that holds counts. The name of what refused follows, but
// where by has it.
var refusalWords = []struct {
	words string
	kind  RefusalKind
	by    string
}{
	{"being terminated", 0, ""}, // a namespace on its way out
	{"failed calling webhook ", RefusedByWebhook, ""},
	{"admission webhook ", DeniedByWebhook, ""},
	{"exceeded quota: ", OverQuota, ""},
	{"failed quota: ", OverQuota, ""},
	{"violates PodSecurity ", DeniedByPolicy, ""},
	{"ValidatingAdmissionPolicy ", DeniedByPolicy, ""},
	{" usage per ", DeniedByPolicy, "LimitRange"}, // plugin/pkg/admission/limitranger
	// OpenShift
	{"unable to validate against any security context constraint", DeniedByPolicy, "SecurityContextConstraints"},
	{"no PriorityClass with name ", DeniedByPolicy, "PriorityClass"}, // plugin/pkg/admission/priority
	{"error looking up service account ", NoServiceAccount, ""},
	{"The disruption budget ", OverBudget, ""},
	{"disruption budget", OverBudget, " "},
	{"more than one PodDisruptionBudget", OverBudget, " "},
}

// refusalOf reads from the message, and for evictions from its cause, what refused a write; 0 where the message says
// nothing of it.
func refusalOf(message, cause []byte) (kind RefusalKind, by []byte) {
	for _, w := range refusalWords {
		for _, text := range [][]byte{cause, message} {
			if _, rest, said := bytes.Cut(text, []byte(w.words)); said && w.by != "" {
				return w.kind, bytes.TrimSpace([]byte(w.by))
			} else if said {
				return w.kind, firstName(rest)
			}
		}
	}
	return 0, nil
}

// firstName is the word or the text in quotes that begins a text; escaped quotes too, of messages that quote messages.
func firstName(text []byte) []byte {
	const quotes = "\\\"'"
	if name := bytes.TrimLeft(text, quotes); len(name) < len(text) {
		return name[:max(0, bytes.IndexAny(name, quotes))]
	}
	if i := bytes.IndexAny(text, ", :;"); i >= 0 {
		text = text[:i]
	}
	return text
}

// serviceOf reads where a webhook points from the address that was called: https://NAME.NAMESPACE.svc:443/PATH.
func serviceOf(message []byte) []byte {
	_, host, _ := bytes.Cut(message, []byte("://"))
	if i := bytes.IndexAny(host, ":/?\" "); i >= 0 {
		host = host[:i]
	}
	if parts := bytes.SplitN(host, []byte("."), 3); len(parts) == 3 && bytes.HasPrefix(parts[2], []byte("svc")) {
		return bytes.Join([][]byte{parts[1], parts[0]}, []byte("/"))
	}
	return host
}

// refused counts a write that something besides authorization and validation refused.
func (r *Reader) refused(e *Event, ask Ask, object, owner int32) {
	kind, by := refusalOf(e.Message, e.Cause)
	if kind == 0 {
		return
	}
	t := r.t
	k := refusalKey{Ask: ask, kind: kind, by: t.word(by), namespace: t.word(e.Namespace)}
	if kind == RefusedByWebhook {
		k.service = t.word(serviceOf(e.Message))
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
			Ask: ask, Kind: kind, By: k.by, Service: k.service, Namespace: k.namespace, Stem: k.stem, Object: object,
			Owner: owner, Code: e.Code, Count: 1, First: e.Received, Last: e.Received, Place: r.place,
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
	return refusalKey{x.Ask, x.Kind, x.By, x.Service, x.Namespace, x.Stem}
}
