package logs

import (
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
)

// logObject is the Kubernetes object that lines are about, nil where they name none. Kinds that are neither Kubernetes'
// own nor those of well-known operators stay as the log writes them.
func logObject(p *logpattern.Pattern, o *logpattern.Object) *rules.Object {
	if o == nil || o.Name == "" {
		return nil
	}
	word := o.Kind
	if word == "" {
		word = kindField(p)
	}
	out := &rules.Object{Namespace: o.Namespace, Name: o.Name}
	if k, ok := kube.KindOf(word); ok {
		out.Kind, out.API = k.Kind, k.API
		return out
	}
	if word != "" {
		out.Kind = strings.ToUpper(word[:1]) + word[1:]
	}
	return out
}

// kindField reads the kind from controller-runtime's fields: controllerKind, "reconciler kind", controller.
func kindField(p *logpattern.Pattern) string {
	for _, key := range []string{"controllerKind", "reconciler kind", "kind", "controller", "Kind"} {
		for _, f := range p.Fields {
			if f.Key != key || f.Value == "" {
				continue
			}
			if k, ok := kube.KindOf(f.Value); ok {
				return k.Kind
			}
			if key != "controller" && !strings.ContainsAny(f.Value, " /=*") {
				return f.Value
			}
		}
	}
	return ""
}

// resourceOf is what kubectl get takes for an object, "" where it is unknown: a custom resource's kind with its group
// does.
func resourceOf(p *logpattern.Pattern, o rules.Object) string {
	if k, ok := kube.KindOf(o.Kind); ok && (o.API == "" || o.API == k.API) {
		return k.Resource
	}
	for _, f := range p.Fields {
		if (f.Key == "controllerGroup" || f.Key == "reconciler group") && f.Value != "" && o.Kind != "" {
			return rules.Quote(strings.ToLower(o.Kind) + "." + f.Value)
		}
	}
	return ""
}
