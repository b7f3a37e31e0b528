package triage

import (
	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/internal/parallel"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/internal/sources"
)

// newPass brings what was read into the form that rules look at: dumps in order of inputs, each with its process, its
// program and the roles of its buckets.
func newPass(results []*sources.Result, roles *match.RoleSet) *rules.Pass {
	pass := &rules.Pass{
		Cluster: clusterOf(results), Audit: trailOf(results), Logs: logsOf(results), Profiles: profileInputs(results),
	}
	named := identity.Naming{Captures: capturesOf(results), Pods: identity.PodNamesOf(pass.Cluster)}
	for _, p := range pass.Profiles {
		p.Target, p.Process = named.Target(p.Input, p.Target, p.Process)
	}
	for _, l := range pass.Logs {
		l.Target, _ = named.Target(l.Input, l.Target, "")
	}
	programs := map[programKey][]*rules.DumpInput{}
	for i, rd := range results {
		for _, s := range rd.Dumps {
			d := dumpInput(rd, s)
			d.Target, d.Process = named.Target(d.Input, d.Target, d.Process)
			pass.Dumps = append(pass.Dumps, d)
			k := programKey{source: i, stream: s.Stream}
			if d.Process != "" {
				k = programKey{process: d.Process}
			}
			programs[k] = append(programs[k], d)
			if pass.Target == (rules.Target{}) {
				pass.Target = d.Target
			}
		}
	}
	if pass.Cluster != nil {
		for _, d := range tailDumps(pass.Cluster, pass.Dumps) {
			pass.Dumps = append(pass.Dumps, d)
			programs[programKey{process: d.Process}] = append(programs[programKey{process: d.Process}], d)
		}
	}
	for _, dumps := range programs {
		p := frame.InferProgram(identity.FramesOf(dumps))
		assigner := match.NewAssigner(p, roles)
		for _, d := range dumps {
			d.Program = p
			d.Roles = assigner.Assign(d.Dump)
		}
	}
	parallel.Each(len(pass.Dumps), func(i int) { pass.Dumps[i].Waits = rules.WaitsOf(pass.Dumps[i]) })
	identity.NameDumps(pass.Dumps)
	pass.Series = rules.SeriesOf(pass.Dumps)
	for _, p := range pass.Profiles {
		if pass.Target == (rules.Target{}) {
			pass.Target = p.Target
		}
	}
	return pass
}

// A programKey is equal for the dumps of one program: those of one process where the origin names it, those of one
// stream otherwise.
type programKey struct {
	process string
	source  int
	stream  int32
}

// dumpInput brings a dump of a source into the form that rules look at.
func dumpInput(rd *sources.Result, s sources.Dump) *rules.DumpInput {
	from := rd.Origin(s.Stream)
	locate := rd.Result.Locate
	if s.Stream < 0 {
		path := sources.FirstPath(rd.Source)
		locate = func(int64) (string, int64) { return path, 0 }
	}
	path, _ := locate(s.Dump.Line)
	return &rules.DumpInput{
		Dump: s.Dump, Input: path, Locate: locate, Process: identity.ProcessName(from, rd.StreamName(s.Stream)),
		Target: identity.TargetFrom(path, from),
	}
}

func capturesOf(results []*sources.Result) identity.Captures {
	return each(results, func(rd *sources.Result) *identity.Capture { return rd.Capture })
}
