// Package parsed reads what a rules.Pass holds in forms that only this module knows. Package rules knows none of them.
package parsed

import (
	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/metrics"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// Cluster is the Kubernetes objects of all inputs: pods, owners, nodes, claims, events, and their history; nil where
// there are none.
func Cluster(p *rules.Pass) *kube.Cluster { return as[kube.Cluster](p.Cluster) }

// Trail is the requests of all API servers' audit logs in order of time; nil where there are none.
func Trail(p *rules.Pass) *audit.Trail { return as[audit.Trail](p.Audit) }

// Code is the source of the program; nil where there is none.
func Code(p *rules.Pass) *gocode.Reader { return as[gocode.Reader](p.Code) }

// Log is the patterns that the lines of one source were mined into; nil where they were not.
func Log(in *rules.LogInput) *logpattern.Log { return as[logpattern.Log](in.Log) }

// Scrape is the metrics of one process; nil where the meter is none.
func Scrape(in *rules.MeterInput) *metrics.Scrape { return as[metrics.Scrape](in.Meter) }

// Group is a control group; nil where the meter is none.
func Group(in *rules.MeterInput) *cgroup.Group { return as[cgroup.Group](in.Meter) }

// Waits is who waits for whom in one dump; nil where that was not worked out.
func Waits(d *rules.DumpInput) *waitgraph.Graph { return as[waitgraph.Graph](d.Waits) }

// Grapher returns what works out who waits for whom in a dump, with the roles that its buckets have. It is for one
// goroutine at a time, and of dumps of one stream the first costs most.
func Grapher() func(d *rules.DumpInput) *waitgraph.Graph {
	var m waitgraph.Memory
	return func(d *rules.DumpInput) *waitgraph.Graph {
		return m.Build(d.Dump, d.Program, func(i int) bool { r := d.RoleOf(i); return r != nil && r.Idle })
	}
}

// as is p where it is a *T, nil where it is nothing or of another make.
func as[T any](p rules.Parsed) *T {
	t, _ := any(p).(*T)
	return t
}
