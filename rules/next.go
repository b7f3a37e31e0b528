package rules

import (
	"path"
	"strings"
)

// Known reports whether t names a pod or a log of one, so that commands can be filled in.
func (t Target) Known() bool { return t.Pod != "" || t.LogPath != "" }

// CollectDump are the commands that make the process print all its goroutines and fetch what it printed. A process
// in a pod dies of the signal and is restarted: its dump is then in the previous container's log.
func (t Target) CollectDump() []string {
	abort := t.Abort() + "  # prints every goroutine and ends the process"
	if !t.Known() {
		return []string{abort}
	}
	return []string{abort, t.LogsPrevious(), t.NodeLogs()}
}

// Abort sends SIGABRT to the container's first process, whose Go runtime answers with a dump and ends. It needs a
// kill command in the image; see AbortDebug.
func (t Target) Abort() string {
	if !t.Known() {
		return "kill -ABRT PID"
	}
	return t.kubectl("exec") + t.container() + " -- kill -ABRT 1"
}

// AbortDebug is Abort for images without a shell: an ephemeral container in the same process namespace, where the
// target's first process is number 1.
func (t Target) AbortDebug() string {
	return t.kubectl("debug -it") + " --image=busybox --target=" + orWord(t.Container, "CONTAINER") + " -- kill -ABRT 1"
}

// Logs prints the log of the running container.
func (t Target) Logs() string { return t.kubectl("logs") + t.container() }

// LogsPrevious prints the log of the container before its last restart.
func (t Target) LogsPrevious() string { return t.kubectl("logs -p") + t.container() }

// Describe prints the pod with its containers' last states and its events.
func (t Target) Describe() string { return t.kubectl("describe pod") }

// Top prints what CPU and memory each container of the pod uses.
func (t Target) Top() string { return t.kubectl("top pod --containers") }

// PortForward makes the port that serves /debug/pprof reachable.
func (t Target) PortForward() string { return t.kubectl("port-forward") + " 6060:6060" }

// NodeLogs lists the container's log files on its node, the rotated ones too: kubectl reads only the newest.
// The layout /var/log/pods/NAMESPACE_POD_UID/CONTAINER/RESTART.log is the kubelet's.
func (t Target) NodeLogs() string {
	dir := ""
	if i := strings.Index(t.LogPath, "/var/log/pods/"); i >= 0 {
		dir = Quote(path.Dir(t.LogPath[i:]))
	} else {
		// The UID is not known: the star stands for it, and stays outside the quotes.
		dir = "/var/log/pods/" + orWord(t.Namespace, "NAMESPACE") + "_" + orWord(t.Pod, "POD") + "_*/" +
			orWord(t.Container, "CONTAINER")
	}
	cmd := "ls -l " + dir
	if t.Node != "" {
		return cmd + "  # on node " + Quote(t.Node)
	}
	return cmd + "  # on the pod's node"
}

// NextNames are the commands that a declarative rule can ask for under `next`.
func NextNames() []string {
	return []string{"dump", "logs", "logs-previous", "node-logs", "describe", "top"}
}

// NextCommand returns the command of that name, nil where there is none.
func NextCommand(name string) func(Target) []string {
	one := func(cmd func(Target) string) func(Target) []string {
		return func(t Target) []string { return []string{cmd(t)} }
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
