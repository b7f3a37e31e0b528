package logs

import (
	"strings"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
)

// A kindForm is a kind of object as logs, the API and kubectl write it.
type kindForm struct{ kind, api, resource string }

// kindForms by the word that a log has, in lower case and singular.
func kindForms(word string) (kindForm, bool) {
	w := strings.ToLower(word)
	for _, k := range [...]kindForm{
		{"Pod", "v1", "pods"}, {"Service", "v1", "services"}, {"Secret", "v1", "secrets"},
		{"ConfigMap", "v1", "configmaps"}, {"Node", "v1", "nodes"},
		{"Namespace", "v1", "namespaces"}, {"ServiceAccount", "v1", "serviceaccounts"},
		{"Endpoints", "v1", "endpoints"},
		{"PersistentVolume", "v1", "persistentvolumes"}, {"PersistentVolumeClaim", "v1", "persistentvolumeclaims"},
		{"Deployment", "apps/v1", "deployments"}, {"StatefulSet", "apps/v1", "statefulsets"},
		{"DaemonSet", "apps/v1", "daemonsets"}, {"ReplicaSet", "apps/v1", "replicasets"},
		{"Job", "batch/v1", "jobs"}, {"CronJob", "batch/v1", "cronjobs"}, {"Ingress", "networking.k8s.io/v1",
			"ingresses"}, {"NetworkPolicy", "networking.k8s.io/v1", "networkpolicies"},
		{"HorizontalPodAutoscaler", "autoscaling/v2", "horizontalpodautoscalers"}, {"PodDisruptionBudget", "policy/v1",
			"poddisruptionbudgets"},
		{"StorageClass", "storage.k8s.io/v1", "storageclasses"}, {"VolumeAttachment", "storage.k8s.io/v1",
			"volumeattachments"},
		{"CustomResourceDefinition", "apiextensions.k8s.io/v1", "customresourcedefinitions"},
		{"Lease", "coordination.k8s.io/v1", "leases"},
		{"Role", "rbac.authorization.k8s.io/v1", "roles"}, {"RoleBinding", "rbac.authorization.k8s.io/v1",
			"rolebindings"},
		{"ClusterRole", "rbac.authorization.k8s.io/v1", "clusterroles"},
		{"ClusterRoleBinding", "rbac.authorization.k8s.io/v1", "clusterrolebindings"},
		{"Bundle", "fleet.cattle.io/v1alpha1", "bundles.fleet.cattle.io"},
		{"BundleDeployment", "fleet.cattle.io/v1alpha1", "bundledeployments.fleet.cattle.io"},
		{"GitRepo", "fleet.cattle.io/v1alpha1", "gitrepos.fleet.cattle.io"},
		{"HelmRelease", "helm.toolkit.fluxcd.io/v2", "helmreleases"},
		{"Kustomization", "kustomize.toolkit.fluxcd.io/v1", "kustomizations"}, {"HelmChart", "helm.cattle.io/v1",
			"helmcharts"},
		{"Application", "argoproj.io/v1alpha1", "applications.argoproj.io"}, {"Certificate", "cert-manager.io/v1",
			"certificates.cert-manager.io"}, {"ClusterOperator", "config.openshift.io/v1", "clusteroperators"},
	} {
		lower := strings.ToLower(k.kind)
		if w == lower || w == lower+"s" || w == k.resource {
			return k, true
		}
	}
	for _, short := range [...][2]string{{"pv", "PersistentVolume"}, {"pvc", "PersistentVolumeClaim"},
		{"svc", "Service"}, {"hpa", "HorizontalPodAutoscaler"}, {"pdb", "PodDisruptionBudget"},
		{"crd", "CustomResourceDefinition"}, {"endpoint", "Endpoints"}, {"ingresses", "Ingress"},
		{"networkpolicies", "NetworkPolicy"}} {
		if w == short[0] {
			return kindForms(short[1])
		}
	}
	return kindForm{}, false
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

func clusterScoped(kind string) bool {
	switch kind {
	case "Node", "Namespace", "PersistentVolume", "StorageClass", "VolumeAttachment", "CustomResourceDefinition",
		"ClusterRole", "ClusterRoleBinding", "ClusterOperator":
		return true
	}
	return false
}
