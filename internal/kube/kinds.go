package kube

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
)

// workloads are the kinds that make pods.
var workloads = []string{
	"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicationController",
	"DeploymentConfig",
}

// uncompared are the kinds whose versions are not compared: schemas, and what is written all the time.
var uncompared = []string{
	"Event", "Lease", "CustomResourceDefinition", "Endpoints", "EndpointSlice", "NodeMetrics", "PodMetrics",
}

func group(api string) string { return api[:max(0, strings.IndexByte(api, '/'))] }

// A Kind is a kind of object as the API, logs and kubectl write it.
type Kind struct {
	Kind, API   string
	Resource    string // what kubectl takes for it
	ClusterWide bool   // its objects have no namespace
}

// knownKinds are the kinds of Kubernetes and of well-known operators, by API. A kind's resource is its name in lower
// case and plural, or follows "="; other words for it follow ",". Those with "*" have no namespace.
const knownKinds = `
v1 Pod,po Service,svc Secret ConfigMap,cm Node*,no Namespace*,ns ServiceAccount,sa Event,ev ResourceQuota
v1 Endpoints=endpoints,endpoint ReplicationController PersistentVolume*,pv,pvs PersistentVolumeClaim,pvc,pvcs
apps/v1 Deployment,deploy StatefulSet,sts DaemonSet,ds ReplicaSet,rs
batch/v1 Job CronJob,cj
networking.k8s.io/v1 Ingress=ingresses,ing NetworkPolicy=networkpolicies
autoscaling/v2 HorizontalPodAutoscaler,hpa
policy/v1 PodDisruptionBudget,pdb
discovery.k8s.io/v1 EndpointSlice
storage.k8s.io/v1 StorageClass*=storageclasses VolumeAttachment*
scheduling.k8s.io/v1 PriorityClass*=priorityclasses
apiextensions.k8s.io/v1 CustomResourceDefinition*,crd
apiregistration.k8s.io/v1 APIService*
admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration* MutatingWebhookConfiguration*
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
apps.openshift.io/v1 DeploymentConfig
`

// kindsByWord is knownKinds by the words that there are for a kind, in lower case: kind, plural, resource and others.
var kindsByWord = sync.OnceValue(func() map[string]Kind {
	byWord := map[string]Kind{}
	for line := range strings.Lines(knownKinds) {
		api, kinds, _ := strings.Cut(strings.TrimSpace(line), " ")
		for entry := range strings.FieldsSeq(kinds) {
			words := strings.Split(entry, ",")
			kind, resource, _ := strings.Cut(words[0], "=")
			kind, clusterWide := strings.CutSuffix(kind, "*")
			lower := strings.ToLower(kind)
			k := Kind{kind, api, cmp.Or(resource, lower+"s"), clusterWide}
			for _, word := range append(words[1:], lower, lower+"s", k.Resource) {
				byWord[word] = k
			}
		}
	}
	return byWord
})

// KindOf is a known kind by a word for it: its name, its resource, singular or plural, or kubectl's short name.
func KindOf(word string) (k Kind, ok bool) {
	k, ok = kindsByWord()[strings.ToLower(word)]
	return k, ok
}

// kindOfPath is the kind that a file (pods.yaml, shop-pods.json) or a folder around it is named after, "" for none:
// one of Kubernetes' own, in the plural.
func kindOfPath(name string) string {
	name = strings.ToLower(name)
	base, _, _ := strings.Cut(path.Base(name), ".")
	dir := path.Dir(name)
	for _, word := range []string{base, base[strings.LastIndexAny(base, "-_")+1:], path.Base(dir),
		path.Base(path.Dir(dir))} {
		word = strings.ReplaceAll(word, "-", "")
		k, ok := KindOf(word)
		if ok && slices.Contains([]string{"", "apps", "batch", "storage.k8s.io"}, group(k.API)) &&
			(word == k.Resource || word == "pod" || word == "node" || strings.HasPrefix(word, "pv")) {
			return k.Kind
		}
	}
	return ""
}

// apiOf is the apiVersion of a kind whose objects lack it.
func apiOf(kind string) string {
	k, _ := KindOf(kind)
	return cmp.Or(k.API, "v1")
}
