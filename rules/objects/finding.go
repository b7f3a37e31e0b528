package objects

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on what a finding about objects says.
const (
	maxObjectEvidence = 8   // what fits on a screen; Count has them all
	maxObjectText     = 240 // of a message that is quoted as evidence
	maxNamed          = 5   // names in one sentence
)

// objectOf is the object that a finding is about.
func objectOf(r kube.Ref) *rules.Object {
	return &rules.Object{API: r.API, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// kindName names an object in a sentence: "Deployment shop/gpu-index".
func kindName(r kube.Ref) string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.Namespace + "/" + r.Name
}

// kubeTitle is "KIND NAME ACT" with the first act that fits into MaxTitle characters, else the last one, cut. A name
// longer than most loses its middle.
func kubeTitle(r kube.Ref, acts ...string) string {
	const longName = 60
	name := []rune(r.Name)
	if len(name) > longName {
		name = append(append(name[:longName/2:longName/2], '…'), name[len(name)-longName/2+1:]...)
	}
	title := ""
	for _, act := range acts {
		if title = r.Kind + " " + string(name) + " " + act; len([]rune(title)) <= phrase.MaxTitle {
			break
		}
	}
	return phrase.Cut(title, phrase.MaxTitle)
}

// kubeEvidence is one thing that an object says.
func kubeEvidence(at kube.At, when time.Time, count int, format string, args ...any) rules.Evidence {
	return rules.Evidence{Input: at.Input, Line: at.Line, Time: kubeTime(when), Text: oneLine(fmt.Sprintf(format, args...)),
		Count: count}
}

// oneLine makes a text of an object one line of evidence.
func oneLine(s string) string {
	return phrase.Cut(strings.Join(strings.Fields(s), " "), maxObjectText)
}

// kubeTime writes a time as API objects have it, "" for none.
func kubeTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// ago reports how long before the cluster was looked at something was; "" where either is unknown.
func ago(c *kube.Cluster, t time.Time) string {
	if t.IsZero() || c.Time.IsZero() || t.After(c.Time) {
		return ""
	}
	return phrase.Spell(c.Time.Sub(t)) + " before the objects were read"
}

// kubectlOn is a kubectl command in the object's namespace: verb, then kind and name.
func kubectlOn(r kube.Ref, verb string, more ...string) string {
	cmd := "kubectl "
	if r.Namespace != "" {
		cmd += "-n " + rules.Quote(r.Namespace) + " "
	}
	cmd += verb + " " + rules.Quote(kubeResource(r)) + " " + rules.Quote(r.Name)
	for _, m := range more {
		cmd += " " + m
	}
	return cmd
}

// kubectlIn is a kubectl command in a namespace, all namespaces where it is "".
func kubectlIn(namespace, command string) string {
	if namespace == "" {
		return "kubectl " + command
	}
	return "kubectl -n " + rules.Quote(namespace) + " " + command
}

// kubeResource is the name of a kind for kubectl: with the group where there is one, so that two kinds of one name stay
// apart.
func kubeResource(r kube.Ref) string {
	kind := strings.ToLower(r.Kind)
	group, _, ok := strings.Cut(r.API, "/")
	if !ok || group == "apps" || group == "batch" {
		return kind
	}
	return kind + "." + group
}

// exitMeaning explains an exit code as the kubelet reports it: 128 and a signal's number for a death by a signal.
func exitMeaning(code int) string {
	switch code {
	case 0:
		return "it ended by itself"
	case 1:
		return "an error of its own"
	case 2:
		return "a Go process that panics, dies of a fatal error or of SIGQUIT ends with 2, and so do flag errors"
	case 126, 127:
		return "its command can't be run"
	case 134:
		return "SIGABRT"
	case 137:
		return "SIGKILL: out of memory, a failed liveness probe, or not gone when its grace period ended"
	case 139:
		return "SIGSEGV outside Go code"
	case 143:
		return "SIGTERM: it was asked to end"
	case 255:
		return "lost with its node or runtime, or an error of its own"
	}
	if code > 128 && code < 160 {
		return "signal " + strconv.Itoa(code-128)
	}
	return ""
}

// exitText is "exit code 2 (…)".
func exitText(t *kube.Termination) string {
	text := "exit code " + strconv.Itoa(t.Exit)
	if m := exitMeaning(t.Exit); m != "" {
		text += " (" + m + ")"
	}
	return text
}

// someNames writes the first names of a list and how many more there are.
func someNames(names []string) string {
	if len(names) <= maxNamed {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:maxNamed], ", ") + fmt.Sprintf(" and %d more", len(names)-maxNamed)
}

// containsAll reports whether s holds every part.
func containsAll(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}
