package triage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/hotspot"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/internal/sources"
)

// newPass brings what was read into the form that rules look at: dumps in order of inputs, each with its process and
// its program. completePasses completes it.
func newPass(results []*sources.Result, book RuleBook) *rules.Pass {
	cluster := clusterOf(results)
	named := identity.Naming{Captures: capturesOf(results), Pods: identity.PodNamesOf(cluster)}
	pass := &rules.Pass{
		Cluster: cluster, Audit: trailOf(results), Logs: logsOf(results, named),
		Profiles: profileInputs(results, named),
	}
	pass.Metrics, pass.Cgroups = metersOf(results, cluster, named)
	programs := map[programKey][]*rules.DumpInput{}
	add := func(d *rules.DumpInput, k programKey) {
		if d.Process != "" {
			k = programKey{process: d.Process}
		}
		programs[k] = append(programs[k], d)
		pass.Dumps = append(pass.Dumps, d)
	}
	for i, result := range results {
		for _, s := range result.Dumps {
			d := dumpInput(result, s, named)
			d.Stamp = cmp.Or(d.Stamp, named.Captures.Started(d.Input))
			pass.Target = cmp.Or(pass.Target, d.Target)
			add(d, programKey{source: i, stream: s.Stream})
		}
	}
	if cluster != nil {
		for _, d := range tailDumps(cluster, pass.Dumps) {
			add(d, programKey{})
		}
	}
	for _, dumps := range programs {
		p := frame.InferProgram(identity.FramesOf(dumps), book.team.Own()...)
		for _, d := range dumps {
			d.Program = p
		}
	}
	identity.NameDumps(pass.Dumps, named.Captures)
	for _, p := range pass.Profiles {
		pass.Target = cmp.Or(pass.Target, p.Target)
	}
	return pass
}

// completePasses works out what follows from the stacks of dumps and their program, once for all processes that run the
// same one, such as the pods of a workload: the roles of their buckets, who waits for whom, what changes from dump to
// dump. Roles come first: the wait graph asks which goroutines may idle.
func completePasses(passes []*rules.Pass, roles *match.RoleSet) {
	alike := map[frame.Program][]*rules.DumpInput{}
	var all []*rules.DumpInput
	for _, pass := range passes {
		all = append(all, pass.Dumps...)
	}
	for _, d := range all {
		alike[d.Program] = append(alike[d.Program], d)
	}
	for p, dumps := range alike {
		assigner := match.NewAssigner(p, roles)
		for _, d := range dumps {
			d.Roles = assigner.Assign(d.Dump)
		}
		rules.Know(p, dumps)
	}
	parallel.EachWith(len(all), wait.Grapher, func(i int, graph func(*rules.DumpInput) rules.Parsed) {
		all[i].Waits = graph(all[i])
	})
	for _, pass := range passes {
		pass.Series = rules.SeriesOf(pass.Dumps)
	}
}

// A programKey is equal for the dumps of one program: those of one process where the origin names it, those of one
// stream otherwise.
type programKey struct {
	process string
	source  int
	stream  int32
}

// dumpInput brings a dump of a source into the form that rules look at.
func dumpInput(result *sources.Result, s sources.Dump, named identity.Naming) *rules.DumpInput {
	locate := result.Ingested.Locate
	if s.Stream < 0 {
		path := sources.FirstPath(result.Source)
		locate = func(int64) (string, int64) { return path, 0 }
	}
	path, _ := locate(s.Dump.Line)
	d := &rules.DumpInput{Dump: s.Dump, Input: path, Locate: locate}
	d.Target, d.Process = named.Of(path, result.Origin(s.Stream), result.StreamName(s.Stream))
	return d
}

func capturesOf(results []*sources.Result) identity.Captures {
	return collect(results, func(result *sources.Result) *identity.Capture { return result.Capture })
}

// collect is what every source gave of a kind, without those that gave nothing.
func collect[T any](results []*sources.Result, of func(*sources.Result) *T) []*T {
	var all []*T
	for _, result := range results {
		if v := of(result); v != nil {
			all = append(all, v)
		}
	}
	return all
}

// clusterOf merges the Kubernetes objects of all sources; nil where there are none.
func clusterOf(results []*sources.Result) *kube.Cluster {
	if all := collect(results, func(result *sources.Result) *kube.Objects { return result.Objects }); len(all) > 0 {
		return kube.Merge(all)
	}
	return nil
}

// trailOf puts the audit logs of all sources into one order; nil where there are none.
func trailOf(results []*sources.Result) *audit.Trail {
	if all := collect(results, func(result *sources.Result) *audit.Log { return result.Audit }); len(all) > 0 {
		return audit.Merge(all)
	}
	return nil
}

// minStamped is how many lines with times make a log that rules look at: repetition needs two.
const minStamped = 2

// logsOf are the logs whose lines were mined, in order of inputs.
func logsOf(results []*sources.Result, named identity.Naming) []*rules.LogInput {
	var all []*rules.LogInput
	for _, result := range results {
		if result.Log == nil || result.Log.Stamped < minStamped && len(result.Log.Ends) == 0 && !result.Log.Asked() {
			continue
		}
		path := sources.FirstPath(result.Source)
		in := &rules.LogInput{Log: result.Log, Input: path, Locate: result.Ingested.Locate}
		in.Ended = result.Source.Origin.Previous || result.Source.Origin.Restart > 0
		from, streams := result.Source.Origin, result.Ingested.Streams
		if len(streams) == 1 {
			from = result.Origin(0)
		} else if slices.ContainsFunc(streams, func(s ingest.Stream) bool { return s.Origin.Pod != "" }) {
			in.StreamTarget = func(stream int32) rules.Target {
				return identity.TargetFrom(path, result.Origin(stream))
			}
		}
		in.Target, _ = named.Of(path, from, "")
		all = append(all, in)
	}
	return all
}

// profileInputs brings the profiles of all sources into the form that rules look at.
func profileInputs(results []*sources.Result, named identity.Naming) []*rules.ProfileInput {
	var all []*rules.ProfileInput
	for _, result := range results {
		for _, p := range result.Profiles {
			in := &rules.ProfileInput{View: &profile.View{Profile: p}, Input: sources.FirstPath(result.Source)}
			in.Target, in.Process = named.Of(in.Input, result.Source.Origin, "")
			all = append(all, in)
		}
	}
	return all
}

// viewProfiles names the processes of profiles and works out what rules ask of each: whose code its functions are, and
// which rule its stacks belong to.
func viewProfiles(pass *rules.Pass, book RuleBook) {
	if len(pass.Profiles) == 0 {
		return
	}
	parallel.Each(len(pass.Profiles), func(i int) {
		pass.Profiles[i].View = profile.NewView(pass.Profiles[i].Profile, book.team.Own()...)
	})
	identity.NameProfiles(pass)
	ages := agesOf(pass.Dumps)
	for _, p := range pass.Profiles {
		p.Age = ages[p.Process]
	}
	board := book.profileBoard()
	parallel.Each(len(pass.Profiles), func(i int) { assignStacks(board, pass.Profiles[i]) })
}

// agesOf is how long processes have lived at least: as long as the longest wait in their dumps.
func agesOf(dumps []*rules.DumpInput) map[string]time.Duration {
	ages := map[string]time.Duration{}
	for _, d := range dumps {
		for _, b := range d.Buckets {
			ages[d.Process] = max(ages[d.Process], time.Duration(b.MaxMinutes)*time.Minute)
		}
	}
	delete(ages, "")
	return ages
}

// assignStacks gives a profile's stacks to rules. A fault of ours over a hostile profile costs that profile's findings
// alone: what has no hotspots is judged rule by rule, where faults are caught.
func assignStacks(board *hotspot.Board, p *rules.ProfileInput) {
	defer func() { _ = recover() }()
	p.Hotspots = board.Hotspots(p)
}

// tailDumps are the ends of dumps in the termination messages of a cluster's containers. They are cut in front by
// nature, and left out where the log of the same container's instance holds a dump, which is whole or at least
// longer.
func tailDumps(c *kube.Cluster, dumps []*rules.DumpInput) []*rules.DumpInput {
	known := map[string]bool{}
	for _, d := range dumps {
		known[d.Target.Namespace+"/"+d.Target.Pod+"/"+d.Target.Container] = true
	}
	var all []*rules.DumpInput
	for _, t := range c.Tails {
		if known[t.Namespace+"/"+t.Pod+"/"+t.Container] {
			continue
		}
		from := ingest.Origin{
			Namespace: t.Namespace, Pod: t.Pod, PodUID: t.UID, Container: t.Container, Node: t.Node, Restart: t.Restart,
		}
		ends, _ := stackparse.Parse(strings.NewReader(t.Text)) // a string that is read doesn't fail
		for _, d := range ends {
			d.Truncated.Head = true
			all = append(all, &rules.DumpInput{
				Dump: d, Input: t.Input, Locate: func(int64) (string, int64) { return t.Input, t.Line },
				Process: identity.ProcessName(from, ""), Target: identity.TargetFrom(t.Input, from),
			})
		}
	}
	return all
}
