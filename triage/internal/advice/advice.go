// Package advice names the commands that collect what is missing.
//
// It takes a report with its evidence, and returns commands, each with the reason to run it. Begin reading at For.
package advice

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

// maxCutAdvice is how many cut dumps get a recipe of their own: they repeat themselves.
const maxCutAdvice = 3

// For lists what to collect where something is missing: no dump at all, or one that lost an end.
func For(r *schema.Report, pass *rules.Pass) []schema.Advice {
	if len(pass.Profiles) > 0 && len(pass.Dumps) == 0 {
		return adviseProfiles(r, pass)
	}
	if len(pass.Dumps) == 0 {
		if len(r.Inputs) == 0 || ended(r) || len(r.Inputs) == 1 && r.Inputs[0].Path == "-" && r.Inputs[0].Bytes == 0 {
			return nil // the skips, or what the process said last, have the reason and what to do
		}
		if len(r.Bundles) > 0 || r.Audit != nil || r.Cluster != nil {
			return adviseBundle(r)
		}
		return []schema.Advice{collect(r.Inputs, "no input contains a goroutine dump.")}
	}
	if !slices.ContainsFunc(pass.Dumps, holdsStacks) {
		return []schema.Advice{stackOf(r, pass.Dumps[0])}
	}
	var out []schema.Advice
	seen := map[string]bool{}
	for i, d := range pass.Dumps {
		cut := schema.Ends(d.Truncated)
		// A recovered panic in a log has its one goroutine and no more to give.
		if cut == "" || d.Goroutines == 0 || seen[d.Input+cut] || len(out) >= maxCutAdvice {
			continue
		}
		seen[d.Input+cut] = true
		if ofObject(r.Inputs, d.Input) {
			out = append(out, wholeOfMessage(d, r.Dumps[i]))
			continue
		}
		if h := hostOf(r.Inputs, d.Input, d); h != nil {
			why := place(r.Dumps[i]) +
				" was cut. The whole log has the rest, unless the process was killed while it wrote the dump."
			out = append(out, schema.Advice{Why: why, Commands: h.again()})
			continue
		}
		out = append(out, whole(d, r.Dumps[i]))
	}
	if len(out) == 0 {
		return adviseSecond(r, pass)
	}
	return out
}

// ended reports whether all that was found is how a process ended: it has no goroutines any more.
func ended(r *schema.Report) bool {
	return len(r.Findings) > 0 && !slices.ContainsFunc(r.Findings, func(f rules.Finding) bool {
		return f.Category != rules.Crash
	})
}

// accuses reports whether a finding is an alarm.
func accuses(r *schema.Report) bool {
	return slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Alarm() })
}

// adviseSecond is how to get a second dump where one accuses nobody and leaves something open: goroutines that run, or
// that wait for others without a role that explains it. It is about the process with the most of them. A test binary
// serves no port, a crash has named its cause, and a finding's own steps do better.
func adviseSecond(r *schema.Report, pass *rules.Pass) []schema.Advice {
	if accuses(r) || slices.ContainsFunc(r.Findings, takesTwo) {
		return nil
	}
	most, target, watched := 0, rules.Target{}, false
	for i, in := range pass.Dumps {
		waits := parsed.Waits(in)
		if !rules.Alive(in) || waits != nil && waits.Test || again(r, &r.Dumps[i]) {
			continue
		}
		if n, watch := unsettled(&r.Dumps[i]); n > most {
			most, target, watched = n, in.StepTarget(), watch
		}
	}
	switch {
	case most == 0:
		return nil
	case watched:
		return []schema.Advice{{
			Why:      "one dump can't distinguish work from spinning. A CPU profile and three dumps can:",
			Commands: []rules.Step{target.Capture()},
		}}
	}
	return []schema.Advice{{
		Why: "one dump can't distinguish waiting for work from being stuck. If something hangs, a second " +
			"dump shows what has moved since the first:",
		Commands: []rules.Step{target.SecondDump()},
	}}
}

// proposed reports whether a finding proposes a command already.
func proposed(r *schema.Report, step rules.Step) bool {
	return slices.ContainsFunc(r.Findings, func(f rules.Finding) bool {
		return slices.ContainsFunc(f.Next, func(s rules.Step) bool { return s.Command == step.Command })
	})
}

// takesTwo reports whether a finding proposes to take more than one dump.
func takesTwo(f rules.Finding) bool {
	return slices.ContainsFunc(f.Next, func(s rules.Step) bool { return strings.Contains(s.Command, " --dumps 2") })
}

// again reports whether another dump of the same process is there, which was compared with this one.
func again(r *schema.Report, d *schema.Dump) bool {
	return d.Process != "" && slices.ContainsFunc(r.Series, func(s schema.Series) bool {
		return s.Process == d.Process
	})
}

// unsettled counts the goroutines of a dump that one dump says little about: those to watch, and those without a role
// that wait for others of their process. What sleeps, or waits for a connection, goes on, or waits for another process.
func unsettled(d *schema.Dump) (n int, watch bool) {
	for _, r := range d.Runnable {
		if r.Verdict == "watch" {
			n, watch = n+r.Count, true
		}
	}
	for i := range d.Buckets {
		b := &d.Buckets[i]
		switch stackparse.Class(b.Wait) {
		case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW, stackparse.ClassWaitGroup,
			stackparse.ClassSemaphore, stackparse.ClassCond, stackparse.ClassChanSend, stackparse.ClassChanReceive,
			stackparse.ClassSelect:
			if b.Role == "" {
				n += b.Count
			}
		}
	}
	return n, watch
}

// adviseBundle lists what to collect where a bundle, objects or audit logs hold no dump: nothing where something is
// accused, since its own commands lead on.
func adviseBundle(r *schema.Report) []schema.Advice {
	if accuses(r) {
		return nil
	}
	t := targetOf(r.Inputs)
	if !t.Known() {
		t = rules.Target{Pod: "POD", Namespace: "NAMESPACE"}
	}
	if r.Audit != nil && r.Cluster == nil && len(r.Bundles) == 0 {
		return adviseAudit(r, t)
	}
	commands := []rules.Step{t.Capture()}
	if !objectsOnly(r) {
		commands = append(commands, t.CollectDump()[1:]...)
	}
	return []schema.Advice{{
		Why: "the input contains no goroutine dump or profile of a process, so no line of code was judged. " +
			"If a pod is busy or hung, make it report:",
		Commands: commands,
	}}
}

// objectsOnly reports whether all that was read are objects that lead somewhere: nothing there asks to end a process.
func objectsOnly(r *schema.Report) bool {
	return len(r.Leads) > 0 && !slices.ContainsFunc(r.Inputs, func(in schema.Input) bool {
		return in.Kind != string(ingest.KindKubernetesObjects)
	})
}

// adviseAudit is what to collect beside audit logs: the objects that the requests are about.
func adviseAudit(r *schema.Report, t rules.Target) []schema.Advice {
	logs := "FILE"
	if len(r.Inputs) == 1 && !strings.Contains(r.Inputs[0].Path, ingest.InsideArchive) {
		logs = rules.Quote(r.Inputs[0].Path)
	}
	return []schema.Advice{{
		Why: "an audit log contains requests, not the state of objects, and no line of code was judged. Collect " +
			"the objects and, if a pod is busy or hung, what it is doing:",
		Commands: []rules.Step{
			rules.Command("kubectl get pods,deployments,replicasets,statefulsets,daemonsets,jobs,events -A -o yaml " +
				"> objects.yaml"),
			rules.Command("triage " + logs + " objects.yaml"),
			t.Capture(),
		},
	}}
}

func holdsStacks(d *rules.DumpInput) bool { return d.Goroutines > 0 || len(d.Races) > 0 }

// collect is the recipe that makes a process without any dump print one; missing describes what there is instead. It
// works for a process that serves no pprof port, which is the common case.
func collect(inputs []schema.Input, missing string) schema.Advice {
	t := targetOf(inputs)
	if h := hostOf(inputs, inputs[0].Path, nil); h != nil && !t.Known() {
		steps := append([]rules.Step{h.ask}, h.again()...)
		if h.kind == "" { // a test serves no port
			steps = append([]rules.Step{t.Dump()}, steps...)
		}
		return schema.Advice{Why: missing + " " + h.why, Commands: steps}
	}
	why := missing + " " + sigabrt + ": a container is then restarted, and the dump is in its previous log. " +
		"GOTRACEBACK=all in the container's environment, which Go reads at startup, makes panics print every " +
		"goroutine too."
	commands := t.CollectDump()
	if !t.Known() {
		outside := t.Abort()
		t = rules.Target{Pod: "POD"}
		commands = append(t.CollectDump(), outside.Note("outside Kubernetes: "+outside.Comment))
	}
	return schema.Advice{Why: why, Commands: append(commands,
		rules.Command("triage "+t.LogDir()).Note("on the node: the whole log, with rotated files"))}
}

// stackOf is how to get the stack of a cause that was printed without one. The process has ended, or has recovered the
// panic: it can't print it any more.
func stackOf(r *schema.Report, in *rules.DumpInput) schema.Advice {
	if in.Cause != nil && in.Cause.Kind == stackparse.CauseLoggedPanic {
		return schema.Advice{
			Why: "the log reports a recovered panic but not its stack, which is in another log entry. Search the " +
				"whole log:",
			Commands: []rules.Step{rules.Command("grep -n -A 60 -E 'Observed a panic|panic recovered' " +
				rules.Quote(cmp.Or(in.Input, "FILE")))},
		}
	}
	a := schema.Advice{
		Why: "the input says why the process ended, but contains no goroutine's stack: GOTRACEBACK was none, or " +
			"the log was cut right there. The whole log has the stacks; GOTRACEBACK=all in the environment, which " +
			"Go reads at startup, makes the next crash print every goroutine.",
	}
	h := hostOf(r.Inputs, in.Input, in)
	if a.Commands = h.again(); h == nil {
		a.Commands = append(older(in),
			in.StepTarget().LogsPrevious().With("--tail=-1 | triage").Note("without a limit"))
	}
	return a
}

// targetOf is the pod, and its container, that all inputs that name one are of; where there are several, none is meant.
func targetOf(inputs []schema.Input) rules.Target {
	var t rules.Target
	several := false // containers
	for _, in := range inputs {
		switch {
		case in.Pod == "":
		case t.Pod == "":
			t = rules.Target{
				Namespace: in.Namespace, Pod: in.Pod, Container: in.Container, Node: in.Node,
				LogPath: identity.NodePath(in.Path),
			}
		case t.Pod != in.Pod || t.Namespace != in.Namespace:
			return rules.Target{}
		case in.Container == t.Container || in.Container == "":
		case t.Container == "":
			t.Container, t.LogPath = in.Container, identity.NodePath(in.Path)
		default:
			several = true
		}
	}
	if several { // nothing shows which of them is meant
		t.Container, t.LogPath = "", ""
	}
	return t
}

// wholeOfMessage is the recipe for a dump in a container's termination message, of which the kubelet keeps an end: with
// FallbackToLogsOnError 2,048 bytes or 80 lines of the log, from a file 4,096 bytes (k8s.io/api/core/v1).
func wholeOfMessage(in *rules.DumpInput, d schema.Dump) schema.Advice {
	t := in.Target
	if t.Pod == "" {
		t.Pod = "POD"
	}
	return schema.Advice{
		Why: place(d) + " is in a container's termination message, which holds at most 4 KiB. The log of the " +
			"container that ended contains the whole dump.",
		Commands: append([]rules.Step{
			t.LogsPrevious().With("--tail=-1 | triage").Note("until the container restarts again"),
		}, older(in)...),
	}
}

// place is "the dump at FILE:LINE".
func place(d schema.Dump) string {
	if d.Line == 0 {
		return "the dump in " + d.Input
	}
	return fmt.Sprintf("the dump at %s:%d", d.Input, d.Line)
}

// whole is the recipe that finds the lost end of a cut dump.
func whole(in *rules.DumpInput, d schema.Dump) schema.Advice {
	at := place(d)
	switch d.Truncated {
	case "head":
		return schema.Advice{
			Why: at + " begins in the middle of a goroutine: the first part is in the previous log file. " +
				"The container runtime starts a new file at 10 MiB (the kubelet's containerLogMaxSize), and kubectl " +
				"logs reads only the newest.",
			Commands: older(in),
		}
	case "tail":
		why := at + " ends in the middle of its last goroutine: " + tailReason(d)
		return schema.Advice{Why: why, Commands: newer(in, d)}
	}
	return schema.Advice{
		Why: at + " lost both its beginning and its end: the log was rotated while the process wrote, or " +
			"another program truncated it.",
		Commands: slices.Compact(append(older(in), newer(in, d)...)),
	}
}

// servedLeast is how many goroutines a dump has at least that net/http/pprof cut: 64 MiB of stacks of at most 16 KiB.
const servedLeast = 4096

func tailReason(d schema.Dump) string {
	switch {
	case d.Format != "debug2":
	case d.Goroutines >= servedLeast:
		return "net/http/pprof stops at 64 MiB of text, and a connection that ends early delivers less."
	default:
		return "it was copied in part, or the connection ended early."
	}
	return "the rest is in the next log file, or a limit cut it off (kubectl logs --limit-bytes, a " +
		"terminationMessage of 2,048 bytes, a log shipper), or the process was killed while it was writing."
}

// older are the commands that read a log with the files that were rotated before it.
func older(in *rules.DumpInput) []rules.Step {
	if here := folderOf(in); here != "" {
		return []rules.Step{rules.Command("triage " + rules.Quote(here)).Note(
			"the folder: rotated files are joined in order of time")}
	}
	return []rules.Step{
		in.Target.NodeLogs(),
		rules.Command("triage " + in.Target.LogDir()).Note("on the node: rotated files are joined in order of time"),
	}
}

// newer are the commands that read a log to its real end, or make a dump that cannot be cut.
func newer(in *rules.DumpInput, d schema.Dump) []rules.Step {
	if d.Format == "debug2" {
		return []rules.Step{in.Target.Counts()}
	}
	t := in.Target
	if t.Pod == "" {
		t.Pod = "POD"
	}
	return append(older(in), t.LogsPrevious().With("--tail=-1 | triage").Note("without a limit"))
}

// folderOf is the folder of a cut log that may hold its siblings, "" where the input is a stream, lies where the
// command runs (a copy, most likely, without its siblings) or in an archive, whose files were all read.
func folderOf(in *rules.DumpInput) string {
	if in.Input == "-" || in.Input == "" || strings.Contains(in.Input, "!/") {
		return ""
	}
	if dir := filepath.Dir(in.Input); dir != "." {
		return dir
	}
	return ""
}

// Thresholds from which a profile without a culprit is worth another look. Chosen: half a core, and 64 MiB, which is
// more than most programs have in use when they begin.
const (
	busyCores = 0.5
	largeHeap = 64 << 20
)

// adviseProfiles lists what to collect where the profiles alone are not enough: a dump for a process that hardly ran,
// or whose CPU no rule objects to; a second profile for a heap.
func adviseProfiles(r *schema.Report, pass *rules.Pass) []schema.Advice {
	for _, p := range pass.Profiles {
		switch {
		case p.Idle():
			why := fmt.Sprintf("the process was mostly idle (%.2g cores). A goroutine dump shows what it waits "+
				"for, a CPU profile doesn't.", p.Cores())
			return []schema.Advice{{Why: why, Commands: []rules.Step{p.Target.Dump()}}}
		case accuses(r):
			return nil
		case p.Kind == profile.KindCPU && p.Cores() >= busyCores:
			return []schema.Advice{{
				Why: "the profile shows what uses the CPU, and nothing in it is clearly wrong. If the process is " +
					"slow because it waits, goroutine dumps show where. This command takes both:",
				Commands: []rules.Step{p.Target.Capture()},
			}}
		case p.Kind == profile.KindHeap && p.Total() >= largeHeap && len(pass.Profiles) == 1 &&
			!proposed(r, p.Target.Heap()):
			return []schema.Advice{{
				Why: "one heap profile shows which memory is in use, not which memory grows. Take another one a " +
					"few minutes later, and give triage both:",
				Commands: []rules.Step{p.Target.Heap()},
			}}
		}
	}
	return nil
}
