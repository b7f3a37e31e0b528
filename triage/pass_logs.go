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

// clusterOf merges the Kubernetes objects of all sources; nil where there are none.
func clusterOf(results []*sources.Result) *kube.Cluster {
	var all []*kube.Objects
	for _, rd := range results {
		if rd.Objects != nil {
			all = append(all, rd.Objects)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return kube.Merge(all)
}

// trailOf puts the audit logs of all sources into one order; nil where there are none.
func trailOf(results []*sources.Result) *audit.Trail {
	var all []*audit.Log
	for _, rd := range results {
		if rd.Audit != nil {
			all = append(all, rd.Audit)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return audit.Merge(all)
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
