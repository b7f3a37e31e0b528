package rules

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Step is what to do next about a finding, or to collect what is missing.
type Step struct {
	Command string `json:"command"` // runs as printed, in a POSIX shell; the reader fills in a word in capitals
	Comment string `json:"comment"` // a fragment of a sentence, or ""
	Changes bool   `json:"changes"` // it changes or ends something; a file that it writes for the reader doesn't count
}

// Command is a step that changes nothing.
func Command(command string) Step { return Step{Command: command} }

// Commands are steps that change nothing.
func Commands(commands ...string) []Step {
	steps := make([]Step, len(commands))
	for i, c := range commands {
		steps[i] = Command(c)
	}
	return steps
}

// verbs are what kubectl and the shell call what changes or ends something.
var verbs = regexp.MustCompile(`(?:^|[\s'"])(?:(?:p?kill(?:all)?|rm|mv|dd|tee|sudo|chmod|chown) |` +
	`kubectl (?:-n (?:'[^']*'|\S+) )?` +
	`(?:debug|scale|delete|rollout|patch|annotate|label|apply|create|replace|edit|set|cordon|drain|taint)\b)` +
	`|\|\s*(?:ba|z)?sh\b`)

// Changes reports whether a command changes or ends something.
func Changes(command string) bool { return verbs.MatchString(command) }

// With is s with more words at the end of its command.
func (s Step) With(more string) Step {
	s.Command += " " + more
	return s
}

// Note is s with another comment.
func (s Step) Note(comment string) Step {
	s.Comment = comment
	return s
}

// printing are kubectl commands that print what may be confidential, and what that is. Of two, the first one counts.
var printing = []struct {
	commands *regexp.Regexp
	what     string
}{
	{regexp.MustCompile(`^kubectl .*\bget (?:'?[a-z.]+,)*'?secrets?'?[/, ].*` + whole), secretData},
	{regexp.MustCompile(`^kubectl (?:.* )?(?:describe ` + withEnv + `|get ` + withEnv + `.*` + whole + `)`),
		"environment variables"},
}

const (
	secretData = "the data of a Secret"
	whole      = `-o ?'?(?:yaml|json)(?:'| |$)`
	withEnv    = `(?:'?[a-z.]+,)*'?(?:po|pods?|(?:deployment|replicaset|statefulset|daemonset|job|cronjob)s?)` +
		`(?:\.apps|\.batch)?'?(?:[/, ]|$)`
)

// Prints is what the command prints that may be confidential, "" where it prints nothing such.
func (s Step) Prints() string {
	for _, p := range printing {
		if p.commands.MatchString(s.Command) {
			return p.what
		}
	}
	return ""
}

// Cautioned is s with a comment that says so where the command prints what may be confidential.
func (s Step) Cautioned() Step {
	what := s.Prints()
	switch prints := "prints " + what; {
	case what == "" || strings.HasPrefix(s.Comment, prints):
	case s.Comment == "":
		s.Comment = prints
	default:
		s.Comment = prints + "; " + s.Comment
	}
	return s
}

// Remark is the comment, behind a warning where the step changes something or prints a Secret.
func (s Step) Remark() string {
	switch {
	case s.Changes:
		return "WARNING: " + cmp.Or(s.Comment, "changes what runs")
	case s.Prints() == secretData:
		return "WARNING: " + s.Cautioned().Comment
	}
	return s.Cautioned().Comment
}

// Kubectl is a command of kubectl in a namespace, "" for none.
func Kubectl(namespace, command string) string {
	if namespace == "" {
		return "kubectl " + command
	}
	return "kubectl -n " + Quote(namespace) + " " + command
}

// Kubectl is a command of kubectl on the object: verb, then kind and name. Kinds of custom groups are named with their
// group, so that two kinds of one name stay apart.
func (o Object) Kubectl(verb, more string) string {
	kind := strings.ToLower(o.Kind)
	if group, _, ok := strings.Cut(o.API, "/"); ok && group != "apps" && group != "batch" {
		kind += "." + group
	}
	return Kubectl(o.Namespace, strings.TrimSpace(verb+" "+Quote(kind)+" "+Quote(o.Name)+" "+more))
}

// ShowTemplateNode are the options with which kubectl get prints what places the pods of a workload: one spelling, so
// that two findings about the same storm show the command once.
const ShowTemplateNode = `-o jsonpath='{.spec.template.spec.nodeName}{"\n"}{.spec.template.spec.nodeSelector}{"\n"}'`

// AddSteps adds more, which stay in order, so that what changes nothing comes first: those of more up to its first
// change are put before the first one of steps. A look that is there already is
// not added again.
func AddSteps(steps []Step, more ...Step) []Step {
	more = slices.DeleteFunc(slices.Clone(more), func(s Step) bool { return !s.Changes && slices.Contains(steps, s) })
	at, n := firstChange(steps), firstChange(more)
	return append(slices.Insert(slices.Clip(steps), at, more[:n]...), more[n:]...)
}

// firstChange is the index of the first step that changes something, len(steps) where none does.
func firstChange(steps []Step) int {
	if i := slices.IndexFunc(steps, func(s Step) bool { return s.Changes }); i >= 0 {
		return i
	}
	return len(steps)
}

// Known reports whether t names a pod or a log of one, so that commands can be filled in.
func (t Target) Known() bool { return t.Pod != "" || t.LogPath != "" }

// CollectDump are the commands that get the stacks of all goroutines: from the port that serves pprof, which ends
// nothing, else from the process itself, which prints them as it ends. A container is restarted then, and the dump is
// in its previous log.
func (t Target) CollectDump() []Step {
	if !t.Known() {
		return []Step{t.Dump(), t.Abort()}
	}
	return []Step{t.Dump(), t.Abort(), t.AbortDebug(),
		t.LogsPrevious().With("| triage").Note("the dump, once it has restarted")}
}

// Abort sends SIGABRT to the container's first process, whose Go runtime answers with a dump and ends. It needs a
// kill command in the image; see AbortDebug.
func (t Target) Abort() Step {
	s := Step{Command: "kill -ABRT PID", Comment: "prints every goroutine, then ends the process", Changes: true}
	if t.Known() {
		s.Command = t.kubectl("exec") + t.container() + " -- kill -ABRT 1"
	}
	return s
}

// AbortDebug is Abort for images without a shell: an ephemeral container in the process namespace of the target, whose
// first process is number 1 there. The kernel hands number 1 of a namespace the signals of its own namespace only where
// it has a handler for them, which the Go runtime has for SIGABRT.
func (t Target) AbortDebug() Step {
	return Step{
		Command: t.kubectl("debug") + " --image=busybox --target=" + orWord(t.Container, "CONTAINER") +
			" -- kill -ABRT 1",
		Comment: "ends the process too; for an image without a kill command", Changes: true,
	}
}

// fetch is the command that captures from the process; "" options mean all that costs little.
func (t Target) fetch(options string) string {
	cmd := "triage fetch :6060"
	switch {
	case t.Address != "":
		cmd = "triage fetch " + Quote(t.Address)
	case t.Pod != "":
		cmd = "triage fetch pod/" + t.podWord()
		if t.Namespace != "" {
			cmd += " -n " + Quote(t.Namespace)
		}
		cmd += t.container() + " --port " + strconv.Itoa(cmp.Or(t.Port, 6060))
	}
	return strings.TrimSpace(cmd + " " + options)
}

// whereServed is the comment of a step that asks a port: what it shows, behind what must hold where the port is a
// guess. A process that a signal ended has another one in its place at best.
func (t Target) whereServed(shows string) string {
	switch {
	case t.Ended && (t.Address != "" || t.Port != 0):
		return "once it is running again: " + shows
	case t.Ended:
		return "once it is running again, if it serves pprof: " + shows
	case t.Address != "" || t.Port != 0:
		return shows
	}
	return "if it serves pprof on this port: " + shows
}

// Capture takes a CPU profile of 10 seconds and three goroutine dumps meanwhile, and reports them together.
func (t Target) Capture() Step {
	return Command(t.fetch("")).Note(t.whereServed("a CPU profile (10 s) and three dumps"))
}

// Dump takes the stacks of all goroutines and reports them.
func (t Target) Dump() Step {
	return Command(t.fetch("--only stacks --dumps 1")).Note(t.whereServed("the stack of every goroutine"))
}

// SecondDump takes two dumps half a minute apart and reports what stayed where it was: what is stuck, as opposed to
// what was seen while it moved.
func (t Target) SecondDump() Step {
	return Command(t.fetch("--only stacks --dumps 2 --interval 30s")).Note(
		t.whereServed("two dumps, to see which goroutines do not move"))
}

// Growth takes two counts of all goroutines a minute apart and reports what grew.
func (t Target) Growth() Step {
	return Command(t.fetch("--only stacks --dumps 2 --interval 1m")).Note(
		t.whereServed("two dumps a minute apart, to see what grows"))
}

// Counts takes the binary profile of all goroutines, which is never cut, and reports it.
func (t Target) Counts() Step {
	return Command(t.fetch("--only goroutine")).Note(t.whereServed("a binary profile: it counts stacks and is " +
		"never truncated"))
}

// Profile takes a profile of a kind, as pprof's pages are called, in the form that go tool pprof reads.
func (t Target) Profile(kind string) Step {
	return Command(t.fetch("--only " + kind)).Note(t.whereServed("a file that go tool pprof can search"))
}

// Heap takes a heap profile and reports who holds the memory.
func (t Target) Heap() Step {
	return Command(t.fetch("--only heap")).Note(t.whereServed("a heap profile, to see what holds the memory"))
}

// Inside runs a command where the process runs, and what follows it here. The word PID stands for the process, which is
// number 1 of its container.
func (t Target) Inside(command, then string) Step {
	if t.Known() {
		command = t.kubectl("exec") + t.container() + " -- " + strings.ReplaceAll(command, "PID", "1")
	}
	return Command(strings.TrimSpace(command + " " + then))
}

// Logs prints the log of the running container.
func (t Target) Logs() Step { return Command(t.kubectl("logs") + t.loggedContainer()) }

// LogsPrevious prints the log of the container before its last restart.
func (t Target) LogsPrevious() Step { return Command(t.kubectl("logs -p") + t.loggedContainer()) }

// loggedContainer are the flags that choose the container. Where it is not known, all are asked for: kubectl would
// take the pod's first one, which need not be the one that ended. One without an earlier log is an error, at which
// kubectl would stop.
func (t Target) loggedContainer() string {
	if t.Container == "" {
		return " --all-containers --ignore-errors --prefix"
	}
	return t.container()
}

// Describe prints the pod with its containers' last states and its events.
func (t Target) Describe() Step { return Command(t.kubectl("describe pod")) }

// Top prints what CPU and memory each container of the pod uses.
func (t Target) Top() Step { return Command(t.kubectl("top pod --containers")) }

// topWhereKnown is Top for a known pod: nothing else says that the process runs in one.
func (t Target) topWhereKnown() []Step {
	if !t.Known() {
		return nil
	}
	return []Step{t.Top()}
}

// NodeLogs lists the container's log files on its node, the rotated ones too: kubectl logs reads only the newest. The
// layout /var/log/pods/NAMESPACE_POD_UID/CONTAINER/RESTART.log is the kubelet's, which also serves /var/log (its
// setting enableSystemLogHandler, on by default).
func (t Target) NodeLogs() Step {
	if dir := t.logDir(); dir != "" && t.Node != "" {
		page := "/api/v1/nodes/" + t.Node + "/proxy/logs/" + strings.TrimPrefix(dir, "/var/log/") + "/"
		return Command("kubectl get --raw " + Quote(page)).Note("lists its log files; append a name to read one")
	}
	if t.Node != "" {
		return Command("ls -l " + t.LogDir()).Note("on node " + Quote(t.Node))
	}
	return Command("ls -l " + t.LogDir()).Note("on the pod's node")
}

// LogDir is the folder of the container's logs on its node, for a shell; where it is not known, words in capitals are
// for the reader to fill in, and a star is the pod's UID.
func (t Target) LogDir() string {
	if dir := t.logDir(); dir != "" {
		return Quote(dir)
	}
	// The star stays outside the quotes.
	return podLogs + orWord(t.Namespace, "NAMESPACE") + "_" + orWord(t.Pod, "POD") + "_*/" +
		orWord(t.Container, "CONTAINER")
}

// logDir is LogDir where the log's path is known, else "".
func (t Target) logDir() string {
	i := strings.Index(t.LogPath, podLogs)
	if i < 0 {
		return ""
	}
	return path.Dir(t.LogPath[i:])
}

// podLogs is where the kubelet of every node keeps the logs of its pods.
const podLogs = "/var/log/pods/"

// NextNames are the commands that a declarative rule can ask for under `next`.
func NextNames() []string {
	return []string{"dump", "stacks", "capture", "second-dump", "growth", "heap", "logs", "logs-previous", "node-logs",
		"describe", "top"}
}

// NextCommand returns the command of that name, nil where there is none.
func NextCommand(name string) func(Target) []Step {
	one := func(step func(Target) Step) func(Target) []Step {
		return func(t Target) []Step { return []Step{step(t)} }
	}
	switch name {
	case "dump":
		return Target.CollectDump
	case "stacks":
		return one(Target.Dump)
	case "capture":
		return one(Target.Capture)
	case "second-dump":
		return one(Target.SecondDump)
	case "growth":
		return one(Target.Growth)
	case "heap":
		return one(Target.Heap)
	case "logs":
		return one(Target.Logs)
	case "logs-previous":
		return one(Target.LogsPrevious)
	case "node-logs":
		return one(Target.NodeLogs)
	case "describe":
		return one(Target.Describe)
	case "top":
		return Target.topWhereKnown
	}
	return nil
}

func (t Target) kubectl(verb string) string {
	cmd := "kubectl "
	if t.Namespace != "" {
		cmd += "-n " + Quote(t.Namespace) + " "
	}
	return cmd + verb + " " + t.podWord()
}

// podWord is the pod's name, a word for the reader to fill in where it is unknown or no DNS name: a log's word, hostile
// perhaps.
func (t Target) podWord() string {
	if t.Pod == "" || strings.Trim(t.Pod, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
		return "POD"
	}
	return Quote(t.Pod)
}

func (t Target) container() string {
	if t.Container == "" {
		return ""
	}
	return " -c " + Quote(t.Container)
}

func orWord(s, placeholder string) string {
	if s == "" {
		return placeholder
	}
	return Quote(s)
}

// Quote makes s one word of a POSIX shell. Names come from logs and paths, which may be hostile: anything but
// letters, digits and a few harmless signs is quoted, and control characters are dropped, so that a pasted command
// does what it shows. A leading dash is kept from being an option by its callers, who put names behind a flag or verb.
//
// "-", the path of standard input, is FILE: no later command can read that again.
func Quote(s string) string {
	if s == "-" {
		return "FILE"
	}
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '\uFFFD' || IsBidi(r) {
			return -1
		}
		return r
	}, s)
	plain := s != "" && s[0] != '-' && s[0] != '~' && s[0] != '#'
	for i := 0; plain && i < len(s); i++ {
		c := s[i]
		plain = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			strings.IndexByte("-_./:@%+=,", c) >= 0
	}
	if plain {
		return s
	}
	if strings.HasPrefix(s, "-") {
		s = "./" + s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// IsBidi reports the characters that make a terminal show text in another order than it has.
func IsBidi(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0x200e || r == 0x200f
}
