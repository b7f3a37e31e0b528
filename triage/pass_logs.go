package triage

import (
	"slices"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/internal/sources"
)

// each is what every source gave of a kind, without those that gave nothing.
func each[T any](results []*sources.Result, of func(*sources.Result) *T) []*T {
	var all []*T
	for _, rd := range results {
		if v := of(rd); v != nil {
			all = append(all, v)
		}
	}
	return all
}

// clusterOf merges the Kubernetes objects of all sources; nil where there are none.
func clusterOf(results []*sources.Result) *kube.Cluster {
	if all := each(results, func(rd *sources.Result) *kube.Objects { return rd.Objects }); len(all) > 0 {
		return kube.Merge(all)
	}
	return nil
}

// trailOf puts the audit logs of all sources into one order; nil where there are none.
func trailOf(results []*sources.Result) *audit.Trail {
	if all := each(results, func(rd *sources.Result) *audit.Log { return rd.Audit }); len(all) > 0 {
		return audit.Merge(all)
	}
	return nil
}

// minStamped is how many lines with times make a log that rules look at: repetition needs two.
const minStamped = 2

// logsOf are the logs whose lines were mined, in order of inputs.
func logsOf(results []*sources.Result) []*rules.LogInput {
	var all []*rules.LogInput
	for _, rd := range results {
		if rd.Log == nil || rd.Log.Stamped < minStamped {
			continue
		}
		path := sources.FirstPath(rd.Source)
		in := &rules.LogInput{Log: rd.Log, Input: path, Locate: rd.Result.Locate}
		in.Target = identity.TargetFrom(path, rd.Source.Origin)
		if streams := rd.Result.Streams; len(streams) == 1 {
			in.Target = identity.TargetFrom(path, rd.Origin(0))
		} else if slices.ContainsFunc(streams, func(s ingest.Stream) bool { return s.Origin.Pod != "" }) {
			in.StreamTarget = func(stream int32) rules.Target { return identity.TargetFrom(path, rd.Origin(stream)) }
		}
		all = append(all, in)
	}
	return all
}
