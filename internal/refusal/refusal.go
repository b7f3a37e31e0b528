// Package refusal reads from an API server's messages what refused a request besides authorization and validation:
// webhooks, quotas, policies, budgets.
package refusal

import "bytes"

// A Kind is what refused a write besides authorization and validation.
type Kind uint8

// The kinds, by the words of the API server's messages (kubernetes 1.34).
const (
	// ByWebhook: a webhook that must answer did not (apiserver/pkg/admission/plugin/webhook/errors).
	ByWebhook Kind = iota + 1
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

// wordings are what messages say about a refusal. The first match counts. The name of what refused follows it, except
// where by has the name.
var wordings = []struct {
	words string
	kind  Kind
	by    string
}{
	{"being terminated", 0, ""}, // a namespace on its way out
	{"failed calling webhook ", ByWebhook, ""},
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

// Of reads from the message, and for evictions from its cause, what refused a write; 0 where the message says
// nothing of it.
func Of(message, cause []byte) (kind Kind, by []byte) {
	for _, w := range wordings {
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

// firstName is the word or the quoted text that begins a text. The quotes may be escaped, since messages quote
// messages.
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

// Service reads where a webhook points from the address that was called: https://NAME.NAMESPACE.svc:443/PATH.
func Service(message []byte) []byte {
	_, host, _ := bytes.Cut(message, []byte("://"))
	if i := bytes.IndexAny(host, ":/?\" "); i >= 0 {
		host = host[:i]
	}
	if parts := bytes.SplitN(host, []byte("."), 3); len(parts) == 3 && bytes.HasPrefix(parts[2], []byte("svc")) {
		return bytes.Join([][]byte{parts[1], parts[0]}, []byte("/"))
	}
	return host
}
