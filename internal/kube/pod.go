package kube

import (
	"slices"
	"strings"
)

// batchKinds end the kinds whose pods run to an end: batch/v1, Argo, Tekton, Kubeflow, Ray, Volcano, Spark,
// OpenShift's builds and GitHub's runners.
var batchKinds = []string{
	"Job", "Workflow", "Run", "Build", "SparkApplication", "EphemeralRunner",
}

// RunsToAnEnd reports a pod that works until it is done.
func (p *Pod) RunsToAnEnd() bool {
	return p.RestartPolicy == "Never" || p.RestartPolicy == "OnFailure" ||
		slices.ContainsFunc(batchKinds, func(kind string) bool { return strings.HasSuffix(p.Owner.Kind, kind) })
}

// Rejects reports whether a kubelet ends pods for good with this reason (pkg/kubelet/lifecycle/predicate.go,
// pkg/kubelet/eviction, pkg/kubelet/sysctl/allowlist.go, pkg/kubelet/cm/topologymanager and cpumanager, 1.34).
func Rejects(reason string) bool {
	switch reason {
	case "Evicted", "NodeAffinity", "NodeName", "NodePorts", "TaintToleration", "UnexpectedAdmissionError",
		"InvalidNodeInfo", "UnexpectedPredicateFailureType", "PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch",
		"SysctlForbidden", "TopologyAffinityError", "SMTAlignmentError":
		return true
	}
	return strings.HasPrefix(reason, "OutOf")
}

// CannotStart reports whether a container waits with this reason for something that it lacks (pkg/kubelet/images,
// pkg/kubelet/kuberuntime).
func CannotStart(reason string) bool {
	switch reason {
	case "ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable",
		"ImageInspectError", "CreateContainerConfigError", "CreateContainerError", "RunContainerError",
		"PreCreateHookError", "PreStartHookError", "PostStartHookError":
		return true
	}
	return false
}
