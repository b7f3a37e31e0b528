package rules

import (
	"path"
	"slices"
	"strings"
)

// A Step is what to do next about a finding, or to collect what is missing.
type Step struct {
	Command string `json:"command"` // runs as printed, in a POSIX shell; a word in capitals is for the reader to fill in
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

// AddSteps adds more, which stay in order, so that what changes nothing comes first: those of more up to its first change
// are put before the first one of steps.
func AddSteps(steps []Step, more ...Step) []Step {
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

// CollectDump are the commands that make the process print all its goroutines and fetch what it printed. A process
// in a pod dies of the signal and is restarted: its dump is then in the previous container's log.
func (t Target) CollectDump() []Step {
	if !t.Known() {
		return []Step{t.Abort()}
	}
	return []Step{t.Abort(), t.LogsPrevious(), t.NodeLogs()}
}

// Abort sends SIGABRT to the container's first process, whose Go runtime answers with a dump and ends. It needs a
// kill command in the image; see AbortDebug.
func (t Target) Abort() Step {
	s := Step{Command: "kill -ABRT PID", Comment: "ends the process, which prints every goroutine", Changes: true}
	if t.Known() {
		s.Command = t.kubectl("exec") + t.container() + " -- kill -ABRT 1"
	}
	return s
}

// AbortDebug is Abort for images without a shell: an ephemeral container in the same process namespace, where the
// target's first process is number 1.
func (t Target) AbortDebug() Step {
	return Step{
		Command: t.kubectl("debug -it") + " --image=busybox --target=" + orWord(t.Container, "CONTAINER") +
			" -- kill -ABRT 1",
		Comment: "ends it too, where the image has no kill command", Changes: true,
	}
}

// Logs prints the log of the running container.
func (t Target) Logs() Step { return Command(t.kubectl("logs") + t.container()) }

// LogsPrevious prints the log of the container before its last restart.
func (t Target) LogsPrevious() Step { return Command(t.kubectl("logs -p") + t.container()) }

// Describe prints the pod with its containers' last states and its events.
func (t Target) Describe() Step { return Command(t.kubectl("describe pod")) }

// Top prints what CPU and memory each container of the pod uses.
func (t Target) Top() Step { return Command(t.kubectl("top pod --containers")) }

// PortForward makes the port that serves /debug/pprof reachable.
func (t Target) PortForward() Step { return Command(t.kubectl("port-forward") + " 6060:6060") }

// NodeLogs lists the container's log files on its node, the rotated ones too: kubectl reads only the newest.
// The layout /var/log/pods/NAMESPACE_POD_UID/CONTAINER/RESTART.log is the kubelet's.
func (t Target) NodeLogs() Step {
	dir := ""
	if i := strings.Index(t.LogPath, "/var/log/pods/"); i >= 0 {
		dir = Quote(path.Dir(t.LogPath[i:]))
	} else {
		// The UID is not known: the star stands for it, and stays outside the quotes.
		dir = "/var/log/pods/" + orWord(t.Namespace, "NAMESPACE") + "_" + orWord(t.Pod, "POD") + "_*/" +
			orWord(t.Container, "CONTAINER")
	}
	if t.Node != "" {
		return Command("ls -l " + dir).Note("on node " + Quote(t.Node))
	}
	return Command("ls -l " + dir).Note("on the pod's node")
}

// NextNames are the commands that a declarative rule can ask for under `next`.
func NextNames() []string {
	return []string{"dump", "logs", "logs-previous", "node-logs", "describe", "top"}
}

// NextCommand returns the command of that name, nil where there is none.
func NextCommand(name string) func(Target) []Step {
	one := func(step func(Target) Step) func(Target) []Step {
		return func(t Target) []Step { return []Step{step(t)} }
	}
	switch name {
	case "dump":
		return Target.CollectDump
	case "logs":
		return one(Target.Logs)
	case "logs-previous":
		return one(Target.LogsPrevious)
	case "node-logs":
		return one(Target.NodeLogs)
	case "describe":
		return one(Target.Describe)
	case "top":
		return one(Target.Top)
	}
	return nil
}

func (t Target) kubectl(verb string) string {
	cmd := "kubectl "
	if t.Namespace != "" {
		cmd += "-n " + Quote(t.Namespace) + " "
	}
	if strings.Trim(t.Pod, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" { // no DNS name: a log's word, hostile perhaps
		return cmd + verb + " POD"
	}
	return cmd + verb + " " + orWord(t.Pod, "POD")
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
func Quote(s string) string {
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
