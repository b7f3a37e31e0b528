package rules

import (
	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/waitgraph"
)

// The evidence of a Pass that packages of this module parse for it. Rules outside the module name the types as these.
type (
	// A Cluster is the Kubernetes objects of all inputs: pods, owners, nodes, claims, events, and their history.
	Cluster = kube.Cluster
	// A Trail is the requests of all API servers' audit logs in order of time.
	Trail = audit.Trail
	// A Log is the patterns that the lines of one source were mined into.
	Log = logpattern.Log
	// A WaitGraph is who waits for whom in one dump, with candidates for the holders of locks.
	WaitGraph = waitgraph.Graph
)
