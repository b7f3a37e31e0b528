package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// The ways to a pod's port.
const (
	ViaPortForward = "port-forward" // needs the verb create on pods/portforward; reaches what listens on 127.0.0.1
	ViaProxy       = "proxy"        // needs get on pods/proxy; reaches what listens on the pod's address
)

// Cluster is how to reach pods through the user's kubectl. Every argument of kubectl is checked first, so that kubectl
// takes no name for a flag or another resource.
type Cluster struct {
	Namespace     string // "": the context's
	AllNamespaces bool
	Unhealthy     bool   // only pods in trouble, of those that a selector or all namespaces give
	Container     string // "": the one with the port, else the first
	Context       string // "": the current one
	Kubeconfig    string // "": kubectl's default
	Port          int    // 0: the container port that is named pprof, or that an annotation names
	Via           string // ViaPortForward, the default, or ViaProxy
	HTTPS         bool   // the port speaks TLS
	MaxPods       int    // that a selector may capture: 50
}

const defaultMaxPods = 50

func (c Cluster) check() error {
	switch {
	case c.Namespace != "" && !origin.IsDNSLabel(c.Namespace):
		return usage("-n NAMESPACE", "%q is not a namespace name", c.Namespace)
	case c.Namespace != "" && c.AllNamespaces:
		return usage("give one of them", "both -n and -A")
	case c.Container != "" && !origin.IsDNSLabel(c.Container):
		return usage("-c CONTAINER", "%q is not a container name", c.Container)
	case strings.ContainsFunc(c.Context+c.Kubeconfig, isControl):
		return usage("", "the name of the context or of the kubeconfig contains control characters")
	case c.Port < 0 || c.Port > 65535:
		return usage("a port is a number from 1 to 65535", "--port %d", c.Port)
	case c.Via != "" && c.Via != ViaPortForward && c.Via != ViaProxy:
		return usage("--via "+ViaPortForward+" or --via "+ViaProxy, "%q is not a way to reach pods", c.Via)
	case c.MaxPods < 0:
		return usage("--max-pods 50 is the default", "--max-pods %d is less than one pod", c.MaxPods)
	}
	return nil
}

// A kubectl is the user's own, called with a list of arguments, never through a shell.
type kubectl struct {
	path  string
	flags []string
}

func findKubectl(c Cluster) (*kubectl, error) {
	path, err := exec.LookPath("kubectl")
	if err != nil {
		return nil, hinted("forward the port by other means and pass HOST:PORT",
			"triage reaches pods through kubectl, which it cannot find: %w", err)
	}
	k := &kubectl{path: path}
	if c.Kubeconfig != "" {
		k.flags = append(k.flags, "--kubeconfig="+c.Kubeconfig)
	}
	if c.Context != "" {
		k.flags = append(k.flags, "--context="+c.Context)
	}
	return k, nil
}

// Complete returns what kubectl's own completion offers for the last word of one of its commands, each with what it
// says about it behind a tab; nothing where kubectl is not there or fails.
func Complete(ctx context.Context, c Cluster, command ...string) []string {
	k, err := findKubectl(c)
	if err != nil || c.check() != nil {
		return nil
	}
	last := len(command) - 1
	args := slices.Concat([]string{"__complete"}, command[:last], k.flags, namespaceFlag(c.Namespace), command[last:])
	out, err := exec.CommandContext(ctx, k.path, args...).Output()
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" || line[0] == ':' || line[0] == '_' })
}

// killAfter is how long a kubectl may keep its output open after its context ended.
const killAfter = 2 * time.Second

func (k *kubectl) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, k.path, slices.Concat(k.flags, args)...)
	cmd.WaitDelay = killAfter
	return cmd
}

// A kubectlError is a kubectl that failed, with the last line of its stderr.
type kubectlError struct {
	verb, text string
	err        error
}

func (e *kubectlError) Error() string {
	return fmt.Sprintf("kubectl %s: %s", e.verb, cmp.Or(e.text, fmt.Sprint(e.err)))
}

func (e *kubectlError) Unwrap() error { return e.err }

// isKubectlError reports whether kubectl failed with a message that contains one of the texts.
func isKubectlError(err error, texts ...string) bool {
	e, ok := errors.AsType[*kubectlError](err)
	return ok && slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(e.text, s) })
}

// stream runs kubectl and writes its stdout to to, with the bounds of a request that lasts so long.
func (k *kubectl) stream(ctx context.Context, l Limits, lasts time.Duration, to io.Writer, args ...string) error {
	ctx, dog := watch(ctx, l.Header+lasts, l.Idle)
	defer dog.stop()
	cmd := k.command(ctx, args...)
	out := &watchedWriter{to: to, dog: dog}
	errs := &tail{}
	cmd.Stdout, cmd.Stderr = out, errs
	err := cmd.Run()
	switch {
	case out.err != nil:
		return out.err
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return cause(ctx, err)
	}
	return &kubectlError{args[0], errs.last(), err}
}

// A tail keeps the end of what is written to it: the last line of a program is why it failed.
type tail struct{ b []byte }

const tailSize = 2 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p[max(0, len(p)-tailSize):]...)
	if over := len(t.b) - tailSize; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

func (t *tail) last() string {
	lines := bytes.Split(bytes.TrimSpace(t.b), []byte("\n"))
	return oneLine(string(lines[len(lines)-1]))
}
