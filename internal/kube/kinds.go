package kube

import (
	"cmp"
	"path"
	"strings"
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

// kindsNamed are the kinds that files and folders are named after, by their plurals and short names.
var kindsNamed = map[string]string{
	"pods": "Pod", "pod": "Pod", "events": "Event", "nodes": "Node", "node": "Node", "deployments": "Deployment",
	"replicasets": "ReplicaSet", "statefulsets": "StatefulSet", "daemonsets": "DaemonSet", "jobs": "Job",
	"cronjobs": "CronJob", "persistentvolumeclaims": "PersistentVolumeClaim", "pvcs": "PersistentVolumeClaim",
	"persistentvolumes": "PersistentVolume", "pvs": "PersistentVolume", "namespaces": "Namespace", "leases": "Lease",
	"replicationcontrollers": "ReplicationController", "replication-controllers": "ReplicationController",
	"storageclasses": "StorageClass", "storage-classes": "StorageClass",
}

// kindOfPath is the kind that a file (pods.yaml, shop-pods.json) or a folder around it is named after, "" for none.
func kindOfPath(name string) string {
	name = strings.ToLower(name)
	base, _, _ := strings.Cut(path.Base(name), ".")
	dir := path.Dir(name)
	return cmp.Or(kindsNamed[base], kindsNamed[base[strings.LastIndexAny(base, "-_")+1:]], kindsNamed[path.Base(dir)],
		kindsNamed[path.Base(path.Dir(dir))])
}

// apis are the apiVersions of kinds whose objects lack it, where it isn't v1.
var apis = map[string]string{
	"Deployment": "apps/v1", "ReplicaSet": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1",
	"Job": "batch/v1", "CronJob": "batch/v1", "StorageClass": "storage.k8s.io/v1", "Lease": "coordination.k8s.io/v1",
}
