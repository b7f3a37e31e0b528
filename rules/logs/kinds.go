package logs

import (
	"cmp"
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
)

// A kindForm is a kind of object as logs, the API and kubectl write it.
type kindForm struct {
	kind, api, resource string
	clusterScoped       bool
}

// knownKinds are the kinds of Kubernetes and of well-known operators, by API. A kind's resource is its name in lower
// case and plural, or follows "="; another word for it follows ",". Those with "*" have no namespace.
const knownKinds = `
v1 Pod Service,svc Secret ConfigMap Node* Namespace* ServiceAccount Endpoints=endpoints,endpoint
v1 PersistentVolume*,pv PersistentVolumeClaim,pvc
apps/v1 Deployment StatefulSet DaemonSet ReplicaSet
batch/v1 Job CronJob
networking.k8s.io/v1 Ingress=ingresses NetworkPolicy=networkpolicies
autoscaling/v2 HorizontalPodAutoscaler,hpa
policy/v1 PodDisruptionBudget,pdb
storage.k8s.io/v1 StorageClass*=storageclasses VolumeAttachment*
apiextensions.k8s.io/v1 CustomResourceDefinition*,crd
coordination.k8s.io/v1 Lease
rbac.authorization.k8s.io/v1 Role RoleBinding ClusterRole* ClusterRoleBinding*
fleet.cattle.io/v1alpha1 Bundle=bundles.fleet.cattle.io BundleDeployment=bundledeployments.fleet.cattle.io
fleet.cattle.io/v1alpha1 GitRepo=gitrepos.fleet.cattle.io
helm.toolkit.fluxcd.io/v2 HelmRelease
kustomize.toolkit.fluxcd.io/v1 Kustomization
helm.cattle.io/v1 HelmChart
argoproj.io/v1alpha1 Application=applications.argoproj.io
cert-manager.io/v1 Certificate=certificates.cert-manager.io
config.openshift.io/v1 ClusterOperator*
`

// kindsByWord is knownKinds by the words that logs have, in lower case: kind, plural, resource and others.
var kindsByWord = sync.OnceValue(func() map[string]kindForm {
	byWord := map[string]kindForm{}
	for line := range strings.Lines(knownKinds) {
		api, kinds, _ := strings.Cut(strings.TrimSpace(line), " ")
		for entry := range strings.FieldsSeq(kinds) {
			entry, alias, _ := strings.Cut(entry, ",")
			kind, resource, _ := strings.Cut(entry, "=")
			kind, clusterScoped := strings.CutSuffix(kind, "*")
			lower := strings.ToLower(kind)
			k := kindForm{kind, api, cmp.Or(resource, lower+"s"), clusterScoped}
			for _, word := range []string{lower, lower + "s", k.resource, cmp.Or(alias, lower)} {
				byWord[word] = k
			}
		}
	}
	return byWord
})

// kindForms is a kind by the word that a log has, singular or plural.
func kindForms(word string) (k kindForm, ok bool) {
	k, ok = kindsByWord()[strings.ToLower(word)]
	return k, ok
}

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
	if k, ok := kindForms(word); ok {
		out.Kind, out.API = k.kind, k.api
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
			if k, ok := kindForms(f.Value); ok {
				return k.kind
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
	if k, ok := kindForms(o.Kind); ok && (o.API == "" || o.API == k.api) {
		return k.resource
	}
	for _, f := range p.Fields {
		if (f.Key == "controllerGroup" || f.Key == "reconciler group") && f.Value != "" && o.Kind != "" {
			return rules.Quote(strings.ToLower(o.Kind) + "." + f.Value)
		}
	}
	return ""
}
