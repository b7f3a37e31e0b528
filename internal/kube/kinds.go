package kube

import (
	"path"
	"strings"
)

func isWorkload(kind string) bool {
	switch kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob", "ReplicationController",
		"DeploymentConfig":
		return true
	}
	return false
}

// compared reports whether objects of a kind are held against their other versions: not those that are there to be
// written all the time, and not the schemas.
func compared(kind string) bool {
	switch kind {
	case "Event", "Lease", "CustomResourceDefinition", "Endpoints", "EndpointSlice", "NodeMetrics", "PodMetrics":
		return false
	}
	return true
}

// group is the group of an apiVersion.
func group(api string) string {
	g, _, ok := strings.Cut(api, "/")
	if !ok {
		return ""
	}
	return g
}

// kindNamed is the kind after whose plural or short name a file or folder is named, "" for none.
func kindNamed(name string) string {
	switch strings.ToLower(name) {
	case "pods", "pod":
		return "Pod"
	case "events":
		return "Event"
	case "nodes", "node":
		return "Node"
	case "deployments":
		return "Deployment"
	case "replicasets":
		return "ReplicaSet"
	case "statefulsets":
		return "StatefulSet"
	case "daemonsets":
		return "DaemonSet"
	case "jobs":
		return "Job"
	case "cronjobs":
		return "CronJob"
	case "persistentvolumeclaims", "pvcs":
		return "PersistentVolumeClaim"
	case "persistentvolumes", "pvs":
		return "PersistentVolume"
	case "namespaces":
		return "Namespace"
	case "leases":
		return "Lease"
	case "replicationcontrollers", "replication-controllers":
		return "ReplicationController"
	case "storageclasses", "storage-classes":
		return "StorageClass"
	}
	return ""
}

// kindOfPath is the kind after which a file or the folder around it is named, "" for none. A file's name may begin
// with something else (shop-pods.json).
func kindOfPath(name string) string {
	base := path.Base(name)
	base, _, _ = strings.Cut(base, ".")
	if k := kindNamed(base); k != "" {
		return k
	}
	if i := strings.LastIndexAny(base, "-_"); i >= 0 {
		if k := kindNamed(base[i+1:]); k != "" {
			return k
		}
	}
	dir := path.Dir(name)
	if k := kindNamed(path.Base(dir)); k != "" {
		return k
	}
	return kindNamed(path.Base(path.Dir(dir)))
}

// apiOf is the apiVersion of a kind that was guessed.
func apiOf(kind string) string {
	switch kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet":
		return "apps/v1"
	case "Job", "CronJob":
		return "batch/v1"
	case "StorageClass":
		return "storage.k8s.io/v1"
	case "Lease":
		return "coordination.k8s.io/v1"
	}
	return "v1"
}
