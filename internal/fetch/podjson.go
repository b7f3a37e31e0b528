package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

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
	Name  string     `json:"name"`
	Ports []portJSON `json:"ports"`
}

type portJSON struct {
	Name          string `json:"name"`
	ContainerPort int    `json:"containerPort"`
}

// statusJSON is a container's status; of its states at most one is there.
type statusJSON struct {
	Name         string    `json:"name"`
	Ready        bool      `json:"ready"`
	RestartCount int       `json:"restartCount"`
	State        stateJSON `json:"state"`
	LastState    stateJSON `json:"lastState"`
}

type stateJSON struct {
	Waiting *struct {
		Reason string `json:"reason"`
	} `json:"waiting"`
	Terminated *struct {
		Reason     string    `json:"reason"`
		ExitCode   int       `json:"exitCode"`
		FinishedAt time.Time `json:"finishedAt"`
	} `json:"terminated"`
}

// maxContainers is how many containers of a pod are captured.
const maxContainers = 10

// belongs reports whether the pod is of a target's workload.
func (j *podJSON) belongs(t Target) bool {
	return t.workload == "" || slices.Contains(j.owners(), t.workload+"/"+t.pod)
}

// owners returns the workloads that own the pod, as RESOURCE/NAME: its owner, and what owns a ReplicaSet or a Job.
// Their names are that of the Deployment or CronJob with a hash or a number behind it.
func (j *podJSON) owners() (all []string) {
	for _, o := range j.Metadata.OwnerReferences {
		resource := strings.ToLower(o.Kind)
		above, known := map[string]string{
			"replicaset": "deployment", "job": "cronjob", "statefulset": "", "daemonset": "",
		}[resource]
		if !known || !origin.IsDNSName(o.Name) {
			continue
		}
		all = append(all, resource+"/"+o.Name)
		if i := strings.LastIndexByte(o.Name, '-'); above != "" && i > 0 && origin.IsDNSName(o.Name[:i]) {
			all = append(all, above+"/"+o.Name[:i])
		}
	}
	return all
}

// unhealthy is the least trouble of a pod that is not healthy. A restart alone may be a month old.
const unhealthy = 2

// trouble ranks pods by how much seems wrong with them: 4 where a container can't start or crashes again and again, 3
// where one has failed, 2 where one is not ready or ended in the last hour, 1 where one has ever restarted.
func (j *podJSON) trouble(now time.Time) (rank int) {
	switch {
	case j.Status.Phase == "Succeeded":
		return 0
	case j.Status.Phase == "Failed":
		rank = 3
	case j.Status.Phase != "Running", j.Metadata.DeletionTimestamp != "":
		rank = 2
	}
	for i, s := range slices.Concat(j.Status.ContainerStatuses, j.Status.InitContainerStatuses) {
		ended, before := s.State.Terminated, s.LastState.Terminated
		switch wait := s.State.Waiting; {
		case wait != nil && wait.Reason != "ContainerCreating" && wait.Reason != "PodInitializing":
			rank = max(rank, 4)
		case ended != nil && ended.ExitCode != 0:
			rank = max(rank, 3)
		case !s.Ready && i < len(j.Status.ContainerStatuses), before != nil && now.Sub(before.FinishedAt) < time.Hour:
			rank = max(rank, 2)
		case s.RestartCount > 0:
			rank = max(rank, 1)
		}
	}
	return rank
}

// choose returns the containers to capture in a pod: the one with the port first, then those whose logs matter,
// because they have restarted or ended. Where no port is known, it is all of them, for their logs. Their names become
// arguments and folders, and are checked first.
func (j *podJSON) choose(want Cluster) ([]pod, error) {
	m := j.Metadata
	if !origin.IsDNSLabel(m.Namespace) || !origin.IsDNSName(m.Name) {
		return nil, errors.New("its name is not a pod name")
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
		p := j.container(c.Name, 0, "its port is not the one to use")
		regular := i < len(j.Spec.Containers) || want.Container != ""
		if c.Name != first && (p.unsettled || port == 0 && regular) && len(some) < maxContainers {
			p.closed, p.second = cmp.Or(closed, p.closed), true
			some = append(some, p)
		}
	}
	return some, nil
}

// process returns the container and the port to ask, or why there is none. The port is the one that the user named,
// else the one named pprof, else the one that an annotation for profilers names; the container is the one that declares
// the port, else kubectl's default.
func (j *podJSON) process(all []containerJSON, want Cluster) (name string, port int, closed string) {
	var declared []string
	annotated := j.annotatedPort()
	named := slices.ContainsFunc(all, func(c containerJSON) bool {
		return slices.ContainsFunc(c.Ports, func(p portJSON) bool { return p.Name == "pprof" })
	})
	for _, c := range all {
		for _, p := range c.Ports {
			n := p.ContainerPort
			wanted := want.Port == n || want.Port == 0 && (p.Name == "pprof" || !named && n == annotated)
			if n > 0 && n <= 65535 && wanted {
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
	case want.Port != 0 || annotated != 0:
		return name, cmp.Or(want.Port, annotated), ""
	case len(declared) == 0:
		return name, 0, "it declares no port"
	}
	return name, 0, fmt.Sprintf("none of its ports is named pprof (it declares %s)",
		strings.Join(declared[:min(len(declared), maxPortsListed)], ", "))
}

// annotatedPort is the port that an annotation of the profilers Pyroscope and Alloy names, 0 for none
// (https://grafana.com/docs/pyroscope/latest/deploy-kubernetes/helm).
func (j *podJSON) annotatedPort() int {
	for _, key := range []string{
		"profiles.grafana.com/goroutine.port", "profiles.grafana.com/cpu.port", "profiles.grafana.com/memory.port",
		"pyroscope.io/port",
	} {
		if n, err := strconv.ParseUint(j.Metadata.Annotations[key], 10, 16); err == nil && n > 0 {
			return int(n)
		}
	}
	return 0
}

// maxPortsListed is how many ports an error lists.
const maxPortsListed = 10

// container returns a container of the pod with what its status says.
func (j *podJSON) container(name string, port int, closed string) pod {
	m := j.Metadata
	p := pod{known: true, closed: closed, owners: j.owners()}
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
		p.closed = "the container is waiting: " + cmp.Or(oneLine(s.State.Waiting.Reason), "no reason given")
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
