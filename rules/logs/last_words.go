package logs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/failure"
	"github.com/gotriage/triage/rules/phrase"
)

// An ending is one error with which runs of a process end, over all logs of the container of a workload.
type ending struct {
	logSeen
	*logpattern.End
	root         failure.Root
	said         string // the error with what it was wrapped in
	runs, starts int
	again        bool // several runs of one pod, or starts in one log, end so
	last         rules.Target
	evidence     []rules.Evidence
}

// behind is how many lines of another stream may come after last words: two pipes are read in turn.
const behind = 3

func lastWordsRule() *rules.Rule {
	r := rule("TR714", "last-words", rules.Crash, rules.Critical, lastWords)
	r.OwnFix = true
	return r
}

// lastWords is last-words (TR714).
func lastWords(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	groups, order := map[string]*ending{}, []string{}
	for _, in := range sourcesOf(p) {
		found = append(found, memoryKills(in)...)
		for _, end := range in.Ends {
			by := &logpattern.Pattern{Stream: end.Stream}
			e := &ending{logSeen: logSeen{in: in, p: by}, End: end, said: errorOf(end)}
			e.root = failure.Of(e.said)
			if e.killed() {
				e.root = failure.Of("signal: killed")
			}
			if oomKilled.MatchString(e.said) || !e.ends() || dumped(p.Dumps, e) {
				continue
			}
			key := e.container() + "\x00" + cmp.Or(e.root.Class, e.root.Text) + "\x00" + e.root.At
			first := groups[key]
			if first == nil {
				first, groups[key] = e, e
				order = append(order, key)
			}
			first.add(e)
		}
	}
	for _, key := range order {
		if f, ok := groups[key].finding(parsed.Cluster(p)); ok {
			found = append(found, f)
		}
	}
	return found
}

// errorOf is what an end says of the error: the message, then the error's own text.
func errorOf(e *logpattern.End) string {
	text := strings.TrimPrefix(e.Message, "Error: ")
	for _, key := range []string{"error", "err", "reason", "exception"} {
		if v := field(e, key); v != "" && !strings.Contains(text, v) {
			return strings.Trim(text+": "+v, ": ")
		}
	}
	return text
}

func field(e *logpattern.End, key string) string {
	for _, f := range e.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

// ends reports whether the process may end with this, as far as its own log shows: nothing comes behind but a new
// start, and it is not an error that the process logs now and then, that it says it survives, or that a client causes.
func (e *ending) ends() bool {
	if !e.Last && !e.Sure && !e.Fatal || e.Level < logpattern.LevelFatal && e.Count > int64(e.Runs) {
		return false
	}
	last := e.After
	for stream, line := range e.in.Spoke {
		if e.in.StreamTarget == nil || e.in.StreamTarget(int32(stream)) == e.target() {
			last = max(last, line)
		}
	}
	if e.Last && last > e.After+behind {
		return false
	}
	return e.Fatal || !phrase.ContainsOne(e.said, "connection reset by peer", "broken pipe", "context canceled",
		"erver closed", "TLS handshake error", "http: ", "object has been modified", "retry", "again", "ailed to watch",
		"ailed to list") &&
		!strings.HasSuffix(e.said, "EOF")
}

// dumped reports whether a dump shows the end: one of the same log, right behind the words or before them.
func dumped(dumps []*rules.DumpInput, e *ending) bool {
	path, line := e.place()
	return slices.ContainsFunc(dumps, func(d *rules.DumpInput) bool {
		return d.Input == path && d.Cause != nil && d.Line <= line+maxStackLines && line <= d.EndLine+maxStackLines
	})
}

// maxStackLines is how far from a dump the line may be that its process ends with.
const maxStackLines = 100

func (e *ending) place() (string, int64) {
	if e.in.Locate == nil {
		return e.in.Input, e.Line
	}
	return e.in.Locate(e.Line)
}

// container is whose runs an end is one of: the container of a workload's pods, else the log and its writer.
func (e *ending) container() string {
	if t := e.target(); t.Pod != "" {
		return t.Namespace + "/" + pods.WorkloadOf(t.Pod, t.Container, t.Node, false).Name + "/" + t.Container
	}
	return e.in.Input + "\x00" + strconv.Itoa(int(e.Stream))
}

func (e *ending) add(o *ending) {
	t := o.target() // logs of one pod come one after the other
	e.again = e.again || o.Sure && o.Runs > 1 || t.Pod != "" && e.last.Pod == t.Pod && e.last.Namespace == t.Namespace
	e.last, e.runs, e.starts = t, e.runs+o.Runs, e.starts+o.Starts
	path, line := o.place()
	if len(e.evidence) < maxLogEvidence {
		e.evidence = append(e.evidence, rules.Evidence{Input: path, Line: line, Time: logTime(o.in, o.Time),
			Goroutines: []uint64{}, Text: phrase.Cut(o.said, 2*phrase.MaxQuoted), Count: max(o.Runs, 1)})
	}
}

// finding is what is said of an ending; ok is false where nothing shows that the process ended of it.
func (e *ending) finding(c *kube.Cluster) (f rules.Finding, ok bool) {
	status, top, up := e.terminated(c)
	otherwise := status != nil && (status.Exit == 0 || status.Exit > 128) // by itself, or by a signal
	if otherwise && !e.Fatal {
		return f, false
	}
	f, _ = e.begin("TR714", e.pod(), "", e.root.Class+e.root.At, int64(e.runs), e.Time, e.Time)
	f.Evidence, f.Fix = e.evidence, e.root.Fix()
	f.Severity, f.Confidence = rules.High, rules.ConfHigh
	f.Why = "Its last words" + given(" at ", e.code()) + " are " + phrase.Quoted(e.said) + "."
	ends := "exits"
	switch {
	case e.root.Class == failure.Lease:
		f.Doubt("Rollouts and installs end leaders like this too; leader-election-flapping covers repeats.")
	case e.again:
		f.Severity = rules.Critical
		f.Why += fmt.Sprintf(" The logs contain %d starts, and %s with this line.",
			e.starts, endWords(e.runs, e.starts))
	case e.Level == logpattern.LevelFatal:
		f.Why += " The program ends with a line at this level."
	case e.Fatal || e.root.Class != "" && status != nil && !otherwise:
		f.Confidence = rules.ConfMedium
	case e.root.Class == "":
		return f, false
	case e.in.Ended:
		f.Confidence = rules.ConfLow
	default:
		ends = "logs nothing more"
		f.Doubt("Nothing shows that the process ended: the log may have been read while it was running.")
	}
	if up {
		f.Severity = rules.Medium
		f.Notes = append(f.Notes, "Its container is running again.")
	}
	if top.Name != "" {
		f.Objects = []rules.Object{{API: top.API, Kind: top.Kind, Namespace: top.Namespace, Name: top.Name}}
	}
	if status != nil && status.Exit >= 0 {
		f.Notes = append(f.Notes, "Its container last ended with exit code "+strconv.Itoa(status.Exit)+
			phrase.InBrackets(status.Reason)+".")
	}
	f.Title, f.Next = e.title(ends), nil
	if t := e.target(); t.Pod != "" {
		f.Next = []rules.Step{t.LogsPrevious(), t.Describe()}
	}
	return f, true
}

// given is a word with what is known behind it, "" where nothing is.
func given(word, what string) string {
	if what == "" {
		return ""
	}
	return word + what
}

// endWords is "each ends", or "3 of them end".
func endWords(runs, starts int) string {
	if runs >= starts {
		return "each ends"
	}
	return fmt.Sprintf("%d of them end", runs)
}

// title is "ledger can't reach 10.0.0.1:5432 and exits: connection refused (main.go:39)".
func (e *ending) title(ends string) string {
	t := e.target()
	who := cmp.Or(t.Container, t.Pod, "The process")
	if e.killed() {
		return who + " was killed: “Killed” is the shell's word for SIGKILL"
	}
	return e.root.Title(who, ends, e.code())
}

// killed reports a shell's word for a child that SIGKILL ended.
func (e *ending) killed() bool { return strings.EqualFold(e.said, "killed") }

// manyRestarts is how many make a loop even of a container that runs at the moment; as for crash-loop (TR731).
const manyRestarts = 5

// code is the line of code that logged it, "" where unknown: the caller's, else the first of the stack that is no
// logger's.
func (e *ending) code() string {
	at := e.Source
	if line := field(e.End, "source.line"); line != "" && at != "" {
		at += ":" + line
	}
	if loggers.MatchString(at) || !codeLine.MatchString(at) {
		at = ""
		stack := cmp.Or(field(e.End, "stacktrace"), field(e.End, "stack"))
		for _, m := range stackLine.FindAllStringSubmatch(stack, -1) {
			if !loggers.MatchString(m[0]) {
				at = m[1]
				break
			}
		}
	}
	return at[strings.LastIndexByte(at, '/')+1:]
}

var (
	codeLine  = regexp.MustCompile(`\.go:\d+$`)
	stackLine = regexp.MustCompile(`\S+\s+(\S+\.go:\d+)`)
	loggers   = regexp.MustCompile(`zapr|logr[/.]|/zap[/@.]|klog|logrus`)
	oomKilled = regexp.MustCompile(`(?i)out of memory: killed? process (\d+) \(([^)]+)\)`)
)

// terminated is how the container ended with this log as its pod's status has it, nil where that is not known or where
// it runs, what made the pod, and whether the container is up again after few restarts.
func (e *ending) terminated(c *kube.Cluster) (*kube.Termination, kube.Ref, bool) {
	t := e.target()
	if c == nil || t.Pod == "" {
		return nil, kube.Ref{}, false
	}
	for _, p := range c.Pods {
		if p.Name != t.Pod || p.Namespace != t.Namespace {
			continue
		}
		for i := range p.Containers {
			if ct := &p.Containers[i]; ct.Name == t.Container || t.Container == "" && len(p.Containers) == 1 {
				runs := ct.Now == nil && ct.Waiting == ""
				if runs && !e.in.Ended {
					return nil, c.Top(&p.Meta), false
				}
				return cmp.Or(ct.Now, ct.Last), c.Top(&p.Meta), runs && ct.Restarts < manyRestarts
			}
		}
	}
	return nil, kube.Ref{}, false
}

// memoryKills are the processes that the kernel says it killed for memory.
func memoryKills(in *source) (found []rules.Finding) {
	for _, s := range signed(in, logpattern.SignOOMKilled) {
		m := oomKilled.FindStringSubmatch(s.p.Example)
		if m == nil {
			continue
		}
		f := signFinding("TR714", []logSeen{s}, sumUp([]logSeen{s}), true, "")
		f.Object, f.Severity, f.Confidence = nil, rules.High, rules.ConfHigh
		f.Title = fmt.Sprintf("The kernel killed %s (process %s): out of memory", phrase.Cut(m[2], maxKilled), m[1])
		f.Fingerprint = logFingerprint("TR714", in, m[2])
		f.Why = fmt.Sprintf("The kernel's out-of-memory killer ended %s %s.", m[2], phrase.CountTimes(int(s.p.Count)))
		f.Fix = "Compare the memory that the process needs with its limit, and raise the limit or use less."
		f.Next = nil
		found = append(found, f)
	}
	return found
}

// maxKilled is how much of a killed program's name a title shows; the kernel keeps 15 bytes.
const maxKilled = 40
