package rules

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A Pass is what rules look at: everything that was parsed from all inputs. Rules only read it.
type Pass struct {
	Dumps []*DumpInput
	// Series are the processes with two dumps or more, compared (SeriesOf); nil where the engine did not compare them.
	Series []*Series
	// Profiles are those that are no goroutine profiles: these are Dumps.
	Profiles []*ProfileInput
	// Logs are the sources whose lines were mined into patterns, in order of inputs.
	Logs []*LogInput
	// Metrics are the texts of metrics that processes served, Cgroups the control groups that files of the inputs show.
	Metrics, Cgroups []*MeterInput
	// Cluster holds the Kubernetes objects of the inputs, with their history; nil where they hold none.
	Cluster Parsed
	// Audit is what the API servers' audit logs record, in order of time; nil where there are none.
	Audit Parsed
	// Code is the source of the program; nil where the user has named none.
	Code Parsed
	// Target is the process that a finding's commands (Finding.Next) name where its input names none.
	Target Target
}

// Parsed is evidence in a form that only this module knows. Its rules read it through package internal/parsed; others
// hand it on as the engine made it.
type Parsed interface {
	// Empty reports whether no input had anything of the kind.
	Empty() bool
}

// A DumpInput is one dump with where it came from and what was found out about it before the rules run.
type DumpInput struct {
	*stackparse.Dump
	Input string // path for evidence
	// Locate maps a line of the stream to the file and line for evidence (a rotated pair is two files).
	Locate  func(num int64) (path string, line int64)
	Process string // groups dumps of one process: "ns/pod/container/restart", or the stream's name, or ""
	Target  Target
	Program frame.Program
	// Known is what the dumps of one program share; nil where nothing is (Know).
	Known *Known
	// Roles are aligned with Buckets: the role of each, nil where it has none.
	Roles []*Role
	// Waits identifies who waits for whom, with candidates for the holders of locks; nil where it was not made
	// (wait.Grapher).
	Waits Parsed
}

// A LogInput is one source of log lines, mined, with where it came from.
type LogInput struct {
	Log   Parsed // the patterns of its lines
	Input string // path for evidence: the first file of a rotated log
	// Locate maps a line of the stream to the file and line for evidence (a rotated pair is two files).
	Locate func(num int64) (path string, line int64)
	Target Target
	// Ended: the log is that of a process that was restarted, or that follows one (previous.log, N.log).
	Ended bool
	// StreamTarget is the process behind a stream of a source that several write to (stern, a journal); nil where all
	// are Target.
	StreamTarget func(stream int32) Target
}

// A MeterInput is what one meter shows of a process: the metrics that it serves, or the control group that it runs in.
type MeterInput struct {
	Meter   Parsed // metrics: *metrics.Scrape, a control group: *cgroup.Group
	Input   string // path for evidence: the group's first file
	Process string // as DumpInput.Process
	Target  Target
}

// A Target is the process that an input speaks about, for `next` commands; empty fields are unknown.
type Target struct {
	Namespace, Pod, Container, Node, LogPath string
	// Address is where a capture of it was taken: "http://10.0.0.7:6060/debug/pprof", "unix:///run/app.sock".
	Address string
	// Port is the pod's port that a capture was taken from.
	Port int
	// Ended is set where a signal that asked for the dump ended the process.
	Ended bool
}

// RoleOf is the role of a bucket; nil where it has none, or where roles were not assigned.
func (d *DumpInput) RoleOf(bucket int) *Role {
	if bucket >= len(d.Roles) {
		return nil
	}
	return d.Roles[bucket]
}

// StepTarget is the process of the dump for the steps of a finding about it.
func (d *DumpInput) StepTarget() Target {
	t := d.Target
	t.Ended = d.Cause != nil && d.Cause.Kind == stackparse.CauseSignal
	return t
}

// Alive reports whether the dump shows a process that lived until someone asked for it. In a crash any number of
// goroutines may be runnable: the cause comes first.
func Alive(d *DumpInput) bool {
	return d.Cause == nil || d.Cause.Kind == stackparse.CauseSignal && !strings.HasPrefix(d.Cause.Signal, "SIGSEGV") &&
		!strings.HasPrefix(d.Cause.Signal, "SIGBUS") && !strings.HasPrefix(d.Cause.Signal, "SIGFPE") &&
		!strings.HasPrefix(d.Cause.Signal, "SIGILL")
}

// AliveDumps are the dumps that Alive reports true for.
func (p *Pass) AliveDumps() []*DumpInput {
	return slices.DeleteFunc(slices.Clone(p.Dumps), func(d *DumpInput) bool { return !Alive(d) })
}
