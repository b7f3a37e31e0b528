package triage

import (
	"fmt"
	"iter"
	"path/filepath"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// newPass brings what was read into the form that rules look at: dumps in order of inputs, each with its process, its
// program and the roles of its buckets.
func newPass(readings []*reading, roles *rules.RoleSet) *rules.Pass {
	pass := &rules.Pass{
		Cluster: clusterOf(readings), Audit: trailOf(readings), Logs: logsOf(readings), Profiles: profileInputs(readings),
	}
	named := naming{capturesOf(readings), podNamesOf(pass.Cluster)}
	for _, p := range pass.Profiles {
		p.Target, p.Process = named.target(p.Input, p.Target, p.Process)
	}
	for _, l := range pass.Logs {
		l.Target, _ = named.target(l.Input, l.Target, "")
	}
	programs := map[programKey][]*rules.DumpInput{}
	for i, rd := range readings {
		for _, s := range rd.dumps {
			d := rd.dumpInput(s)
			d.Target, d.Process = named.target(d.Input, d.Target, d.Process)
			pass.Dumps = append(pass.Dumps, d)
			k := programKey{reading: i, stream: s.stream}
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
		p := frame.InferProgram(framesOf(dumps))
		assigner := rules.NewAssigner(p, roles)
		for _, d := range dumps {
			d.Program = p
			d.Roles = assigner.Assign(d.Dump)
		}
	}
	each(len(pass.Dumps), func(i int) { pass.Dumps[i].Waits = rules.WaitsOf(pass.Dumps[i]) })
	nameProcesses(pass.Dumps)
	pass.Series = rules.SeriesOf(pass.Dumps)
	for _, p := range pass.Profiles {
		if pass.Target == (rules.Target{}) {
			pass.Target = p.Target
		}
	}
	return pass
}

// A programKey says which dumps are of one program: those of one process where the origin tells, those of one stream
// otherwise.
type programKey struct {
	process string
	reading int
	stream  int32
}

func (rd *reading) dumpInput(s sighting) *rules.DumpInput {
	from := rd.origin(s.stream)
	locate := rd.result.Locate
	if s.stream < 0 {
		path := firstPath(rd.source)
		locate = func(int64) (string, int64) { return path, 0 }
	}
	path, _ := locate(s.dump.Line)
	return &rules.DumpInput{
		Dump: s.dump, Input: path, Locate: locate, Process: processName(from, rd.streamName(s.stream)), Target: targetFrom(path, from),
	}
}

// targetFrom is the process that an origin tells, for commands.
func targetFrom(path string, from ingest.Origin) rules.Target {
	return rules.Target{Namespace: from.Namespace, Pod: from.Pod, Container: from.Container, Node: from.Node, LogPath: logPath(path, from)}
}

func (rd *reading) streamName(stream int32) string {
	if stream < 0 || int(stream) >= len(rd.result.Streams) {
		return ""
	}
	return rd.result.Streams[stream].Name
}

// processName is what origin and stream tell about the process that wrote a dump, "" where they tell nothing: one
// process writes to both stdout and stderr.
func processName(from ingest.Origin, stream string) string {
	if from.Pod != "" {
		name := from.Namespace + "/" + from.Pod + "/" + from.Container
		if from.Restart >= 0 {
			name += fmt.Sprintf("/%d", from.Restart)
		}
		return name
	}
	if stream == "stdout" || stream == "stderr" {
		return ""
	}
	return stream
}

// podLogs is where the kubelet of every node keeps the logs of its pods.
const podLogs = "/var/log/pods/"

// nodePath is where a path that was copied from a node lay there, "" where it doesn't tell.
func nodePath(path string) string {
	path = "/" + filepath.ToSlash(path)
	i := strings.LastIndex(path, podLogs)
	if i < 0 {
		return ""
	}
	return path[i:]
}

// logPath is the log's path on its node, "" where neither its path nor its origin tells.
func logPath(path string, from ingest.Origin) string {
	if p := nodePath(path); p != "" {
		return p
	}
	if from.Namespace == "" || from.Pod == "" || from.PodUID == "" || from.Container == "" || from.Restart < 0 {
		return ""
	}
	return fmt.Sprintf("%s%s_%s_%s/%s/%d.log", podLogs, from.Namespace, from.Pod, from.PodUID, from.Container, from.Restart)
}

// framesOf runs over the frames of the dumps' distinct stacks, creators and race accesses included.
func framesOf(dumps []*rules.DumpInput) iter.Seq[frame.Frame] {
	return func(yield func(frame.Frame) bool) {
		for _, d := range dumps {
			for _, b := range d.Buckets {
				if !yieldFrames(yield, b.Frames) || b.CreatedBy != nil && !yield(b.CreatedBy.Frame) {
					return
				}
			}
			for _, r := range d.Races {
				if !yieldFrames(yield, r.Frames) {
					return
				}
			}
		}
	}
}

func yieldFrames(yield func(frame.Frame) bool, frames []stackparse.Frame) bool {
	for _, f := range frames {
		if f.Elided == 0 && !yield(f.Frame) {
			return false
		}
	}
	return true
}
