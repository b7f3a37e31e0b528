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
