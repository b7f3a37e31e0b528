package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// podJSON is what is read of a pod's JSON (core/v1).
type podJSON struct {
	Metadata struct {
		Name              string            `json:"name"`
		Namespace         string            `json:"namespace"`
		UID               string            `json:"uid"`
		Annotations       map[string]string `json:"annotations"`
		DeletionTimestamp string            `json:"deletionTimestamp"`
		OwnerReferences   []struct {
			Kind string `json:"kind"`
			Name string `json:"name"`
		} `json:"ownerReferences"`
	} `json:"metadata"`
	Spec struct {
		NodeName       string          `json:"nodeName"`
		InitContainers []containerJSON `json:"initContainers"`
		Containers     []containerJSON `json:"containers"`
	} `json:"spec"`
	Status struct {
		Phase                 string       `json:"phase"`
		InitContainerStatuses []statusJSON `json:"initContainerStatuses"`
		ContainerStatuses     []statusJSON `json:"containerStatuses"`
	} `json:"status"`
}

type containerJSON struct {
	Name  string `json:"name"`
	Ports []struct {
		Name          string `json:"name"`
		ContainerPort int    `json:"containerPort"`
	} `json:"ports"`
}

// statusJSON is a container's status; of its states at most one is there.
type statusJSON struct {
	Name         string    `json:"name"`
	RestartCount int       `json:"restartCount"`
	State        stateJSON `json:"state"`
	LastState    stateJSON `json:"lastState"`
}

type stateJSON struct {
	Waiting *struct {
		Reason string `json:"reason"`
	} `json:"waiting"`
	Terminated *struct {
		Reason   string `json:"reason"`
		ExitCode int    `json:"exitCode"`
	} `json:"terminated"`
}

// maxContainers is how many containers of a pod are captured.
const maxContainers = 10

// belongs reports whether the pod is of a target's workload: owned by it, or by a ReplicaSet of the Deployment, which
// is called NAME-HASH.
func (j *podJSON) belongs(t Target) bool {
	for _, o := range j.Metadata.OwnerReferences {
		name, workload := o.Name, o.Kind
		if o.Kind == "ReplicaSet" {
			name, workload = o.Name[:max(0, strings.LastIndexByte(o.Name, '-'))], "Deployment"
		}
		if name == t.pod && strings.EqualFold(workload, t.workload) {
			return true
		}
	}
	return t.workload == ""
}

// choose returns the containers to capture in a pod: the one with the port first, then those whose logs matter,
// because they have restarted or ended. Where no port is known, it is all of them, for their logs. Their names become
// arguments and folders, and are checked first.
func (j *podJSON) choose(want Cluster) ([]pod, error) {
	m := j.Metadata
	if !origin.IsDNSLabel(m.Namespace) || !origin.IsDNSName(m.Name) {
		return nil, errors.New("its name is no name of a pod")
	}
	all := slices.Concat(j.Spec.Containers, j.Spec.InitContainers)
	if want.Container != "" {
		all = slices.DeleteFunc(all, func(c containerJSON) bool { return c.Name != want.Container })
		if len(all) == 0 {
			return nil, fmt.Errorf("it has no container %s", want.Container)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("it has no container")
	}
	if slices.ContainsFunc(all, func(c containerJSON) bool { return !origin.IsDNSLabel(c.Name) }) {
		return nil, errors.New("its container has no valid name")
	}
	first, port, closed := j.process(all, want)
	some := []pod{j.container(first, port, closed)}
	for i, c := range all {
		p := j.container(c.Name, 0, "its port is not the one to ask")
		regular := i < len(j.Spec.Containers) || want.Container != ""
		if c.Name != first && (p.unsettled || port == 0 && regular) && len(some) < maxContainers {
			p.closed, p.second = cmp.Or(closed, p.closed), true
			some = append(some, p)
		}
	}
	return some, nil
}

// process returns the container and the port to ask, or why there is none. The port is the one that the user named,
// else the one named pprof; the container is the one that declares the port, else kubectl's default.
func (j *podJSON) process(all []containerJSON, want Cluster) (name string, port int, closed string) {
	var declared []string
	for _, c := range all {
		for _, p := range c.Ports {
			n := p.ContainerPort
			if n > 0 && n <= 65535 && (want.Port == n || want.Port == 0 && p.Name == "pprof") {
				return c.Name, n, ""
			}
			declared = append(declared, strings.TrimSpace(oneLine(p.Name)+" "+strconv.Itoa(n)))
		}
	}
	name = all[0].Name
	for _, c := range all {
		if c.Name == j.Metadata.Annotations["kubectl.kubernetes.io/default-container"] {
			name = c.Name
		}
	}
	switch {
	case want.Port != 0:
		return name, want.Port, ""
	case len(declared) == 0:
		return name, 0, "it declares no port"
	}
	return name, 0, fmt.Sprintf("none of its ports is named pprof (it declares %s)",
		strings.Join(declared[:min(len(declared), maxPortsListed)], ", "))
}

// maxPortsListed is how many ports an error lists.
const maxPortsListed = 10

// container returns a container of the pod with what its status says.
func (j *podJSON) container(name string, port int, closed string) pod {
	m := j.Metadata
	p := pod{known: true, closed: closed}
	p.Namespace, p.Name, p.UID, p.Node = m.Namespace, m.Name, m.UID, oneLine(j.Spec.NodeName)
	p.Container, p.Port = name, port
	if !origin.IsUID(p.UID) {
		p.UID = ""
	}
	p.unsettled = m.DeletionTimestamp != ""
	statuses := slices.Concat(j.Status.ContainerStatuses, j.Status.InitContainerStatuses)
	i := slices.IndexFunc(statuses, func(s statusJSON) bool { return s.Name == name })
	if i < 0 {
		if j.Status.Phase != "Running" {
			p.closed, p.waiting = j.notRunning(), true
		}
		return p
	}
	s := statuses[i]
	p.Restarts = max(0, s.RestartCount)
	p.former = p.Restarts > 0 || s.LastState.Terminated != nil
	p.waiting = s.State.Waiting != nil
	failed := s.State.Terminated != nil && s.State.Terminated.ExitCode != 0
	p.unsettled = p.unsettled || p.former || failed
	switch {
	case s.State.Waiting != nil:
		p.closed = "the container waits: " + cmp.Or(oneLine(s.State.Waiting.Reason), "no reason given")
	case s.State.Terminated != nil:
		p.closed = fmt.Sprintf("the container has ended: %s, exit status %d",
			cmp.Or(oneLine(s.State.Terminated.Reason), "no reason given"), s.State.Terminated.ExitCode)
	case j.Status.Phase != "Running":
		p.closed = j.notRunning()
	}
	return p
}

func (j *podJSON) notRunning() string {
	return fmt.Sprintf("the pod is %s, not Running", oneLine(j.Status.Phase))
}
