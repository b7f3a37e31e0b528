package logpattern

// isKind reports a word for what a line may be about, in lower case, with its plural's s left out: one of Kubernetes'
// own, of common operators, or what products call their units of work.
func isKind(word string) bool {
	switch word {
	case "pod", "deployment", "statefulset", "daemonset", "replicaset", "job", "cronjob", "service", "svc",
		"configmap", "secret", "ingress", "endpoint", "endpointslice", "namespace", "serviceaccount", "pvc",
		"persistentvolumeclaim", "pv", "persistentvolume", "volume", "storageclass", "snapshot", "volumesnapshot",
		"volumeattachment", "customresource", "crd", "customresourcedefinition", "csr", "certificate",
		"certificaterequest", "issuer", "networkpolicy", "hpa", "horizontalpodautoscaler", "pdb",
		"poddisruptionbudget", "webhook", "release", "bundle", "bundledeployment", "gitrepo", "helmrelease",
		"helmchart", "chart", "kustomization", "app", "application", "appproject", "cluster", "machine",
		"machineset", "machinedeployment", "machineconfig", "machineconfigpool", "plan", "addon", "managedchart",
		"operator", "clusteroperator", "subscription", "csv", "catalogsource", "installplan", "instance",
		"virtualmachine", "vm", "vmi", "virtualmachineinstance", "datavolume", "engine", "replica", "backup",
		"route", "gateway", "httproute", "virtualservice", "task", "workflow", "pipeline", "pipelinerun", "taskrun",
		"provider", "composition", "claim", "workspace", "tenant", "project", "policy", "role", "rolebinding",
		"clusterrole", "clusterrolebinding", "lease", "resource", "object", "schedule", "database", "topic", "node":
		return true
	}
	return false
}

// isBroad reports a kind that many lines mention beside what they are about.
func isBroad(word string) bool {
	switch word {
	case "node", "namespace", "cluster", "resource", "object", "controller", "service", "app", "instance", "role",
		"user":
		return true
	}
	return false
}

// isNoName reports a word that follows a kind's word in sentences.
func isNoName(word string) bool {
	switch word {
	case "is", "was", "has", "have", "not", "for", "to", "with", "in", "and", "or", "from", "on", "of", "by", "at",
		"as", "be", "it", "the", "an", "no", "failed", "will", "does", "already", "resource", "status", "spec",
		"state", "type", "ready", "update", "updated", "created", "deleted", "changed", "sync", "synced", "object",
		"objects", "name", "names", "namespace", "key", "keys", "controller", "manager", "informer", "cache",
		"worker", "workers", "queue", "handler", "client", "server", "error", "errors", "event", "events", "count",
		"added", "removed", "found", "exists", "because", "after", "before", "due", "since", "until", "but", "if",
		"when", "that", "this", "are", "were", "should", "must", "can", "could", "may", "still", "now", "current",
		"deployed", "installed", "info", "using", "via", "into", "level", "version", "config", "configuration",
		"true", "false", "nil", "null", "none", "successfully", "successful", "succeeded", "complete", "completed",
		"set", "list", "watch", "change", "changes", "request", "requests", "running", "pending", "pods", "id",
		"ids", "selector", "template", "metadata", "reconciliation", "reconcile", "reconciling", "finalizer",
		"owner", "reference", "references", "group", "kind", "manifest", "manifests", "lock", "election", "became",
		"token", "discovery", "addition", "deletion", "creation", "scheduled", "all", "any", "one", "its",
		"operation", "operations":
		return true
	}
	return false
}
