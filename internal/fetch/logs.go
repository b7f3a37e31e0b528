package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// previousLines bounds a former log to its end, where a crash is; rotated at 10 MiB it has some 100,000 lines.
	previousLines = 500_000
	// defaultLogLines is what is taken of a current log without --log-lines.
	defaultLogLines = 10_000
)

// logs takes the logs of the container that the plan asks for.
func (s *session) logs(ctx context.Context) {
	for _, it := range s.r.plan.items {
		switch it.name {
		case ItemPreviousLog:
			s.previousLog(ctx, it)
		case ItemLog:
			s.currentLog(ctx, it)
		}
	}
}

func (s *session) previousLog(ctx context.Context, it item) {
	p := s.pod
	if p.known && !p.former {
		s.leaveOut(it, "the container was not restarted")
		return
	}
	restart := p.Restarts - 1
	if p.waiting {
		restart = p.Restarts // the last one has ended, and the next is not counted yet
	}
	it.file = p.logName(restart, "previous.log")
	s.log(ctx, it, "--previous", "--tail="+strconv.Itoa(previousLines))
}

// currentLog takes the current log if the user asks for it, if the container is unsettled, or if its port
// answers nothing.
func (s *session) currentLog(ctx context.Context, it item) {
	p, plan := s.pod, s.r.plan
	asked := plan.LogLines > 0 || plan.Objects || slices.Contains(plan.Only, ItemLog)
	switch {
	case p.waiting:
		if asked {
			s.leaveOut(it, "the container is waiting to start, so its log is that of the previous run")
		}
		return
	case !asked && !p.unsettled && p.closed == "" && s.answered:
		return
	}
	it.file = p.logName(p.Restarts, "current.log")
	s.log(ctx, it, "--tail="+strconv.Itoa(cmp.Or(plan.LogLines, defaultLogLines)))
}

func (s *session) log(ctx context.Context, it item, flags ...string) {
	p := s.pod
	args := slices.Concat([]string{"logs", "pod/" + p.Name, "--timestamps"}, flags)
	if p.Container != "" {
		args = append(args, "--container="+p.Container)
	}
	s.callKubectl(ctx, it, args...)
}

// objects takes what the plan asks for of the pod's objects.
func (s *session) objects(ctx context.Context) {
	p := s.pod
	refs := slices.Concat([]string{"pod/" + p.Name}, p.owners)
	for _, it := range s.r.plan.items {
		switch it.name {
		case ItemObjects: // what an owner's name looks like may not be there
			args := append(slices.Concat([]string{"get"}, refs), "--output=json", "--ignore-not-found")
			s.callKubectl(ctx, it, args...)
		case ItemEvents:
			s.callKubectl(ctx, it, "get", "events", "--field-selector=involvedObject.name="+p.Name, "--output=json")
		case ItemDescribe:
			s.callKubectl(ctx, it, slices.Concat([]string{"describe"}, refs[:min(2, len(refs))])...)
		}
	}
}

// callKubectl takes an item that kubectl prints about the pod.
func (s *session) callKubectl(ctx context.Context, it item, args ...string) {
	args = append(args, namespaceFlag(s.pod.Namespace)...)
	s.take(ctx, it, "kubectl "+strings.Join(args, " "), func(ctx context.Context, to *sink) (int, error) {
		return 1, s.r.kubectl.stream(ctx, s.r.o.Limits, 0, to, args...)
	})
}

// logName is the kubelet's name of a log, N.log for the container's Nth restart, if that number is known.
func (p *pod) logName(restart int, otherwise string) string {
	if !p.known || restart < 0 {
		return otherwise
	}
	return strconv.Itoa(restart) + ".log"
}

func noPrevious(err error) bool {
	return isKubectlError(err, "previous terminated container", "unable to retrieve container logs")
}

// unanswered says that a container's port answered nothing, and what does without one.
func (p pod) unanswered() string {
	why := cmp.Or(p.closed, "its port does not answer")
	if p.waiting || p.second || p.declined {
		return why
	}
	return why + "; " + p.recipe()
}

// recipe is how to get a dump of a container without a port. Images of one binary have no shell and no kill command, so
// the signal comes from an ephemeral container in the same process namespace, where the container's first process is
// number 1; the kubelet keeps what it prints
// (https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod).
func (p pod) recipe() string {
	flags := ""
	if p.Namespace != "" {
		flags = "-n " + p.Namespace + " "
	}
	container := cmp.Or(p.Container, "CONTAINER")
	return fmt.Sprintf("--port PORT names the port that serves %s. Without one: kubectl %sdebug -it %s "+
		"--image=busybox --target=%s -- kill -ABRT 1 makes a Go process print its goroutines and ENDS it; kubectl "+
		"%slogs --previous %s -c %s then has them, and so does /var/log/pods/%s/ on node %s", DefaultPrefix, flags,
		p.Name, container, flags, p.Name, container, p.nodePath(), cmp.Or(p.Node, "NODE"))
}

// nodePath is the folder of the container's logs below /var/log/pods.
func (p pod) nodePath() string {
	return fmt.Sprintf("%s_%s_%s/%s", cmp.Or(p.Namespace, "NAMESPACE"), p.Name, cmp.Or(p.UID, "UID"),
		cmp.Or(p.Container, "CONTAINER"))
}

// closedError is why a container of which nothing was kept has no port to ask; nil if one was asked.
func (p *pod) closedError() error {
	if p == nil || p.closed == "" {
		return nil
	}
	return &Error{Err: errors.New(p.closed), Hint: p.recipe()}
}
