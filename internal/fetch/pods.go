package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A pod is one process to capture.
type pod struct {
	ManifestPod
	// known reports that the rest is from kubectl get; without the right to get pods, only what the user named is.
	known bool
}

func namespaceFlag(namespace string) []string {
	if namespace == "" {
		return nil
	}
	return []string{"--namespace=" + namespace}
}

// title is the pod's name in events and in the manifest.
func (p pod) title() string {
	if p.Namespace == "" {
		return "pod/" + p.Name
	}
	return p.Namespace + "/" + p.Name
}

// folder is where its files go: NAMESPACE_POD_UID/CONTAINER as below /var/log/pods, which identifies the pod.
func (p pod) folder() string {
	if p.Namespace != "" && origin.IsUID(p.UID) && p.Container != "" {
		return p.Namespace + "_" + p.Name + "_" + p.UID + "/" + p.Container
	}
	return p.Name
}

// maxPodList bounds what kubectl get may answer: a pod has some 10 KiB.
const maxPodList = 64 << 20

// podJSON is what is read of a pod's JSON (core/v1).
type podJSON struct {
	Metadata struct {
		Name        string            `json:"name"`
		Namespace   string            `json:"namespace"`
		UID         string            `json:"uid"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		NodeName   string          `json:"nodeName"`
		Containers []containerJSON `json:"containers"`
	} `json:"spec"`
	Status struct {
		Phase             string `json:"phase"`
		ContainerStatuses []struct {
			Name         string `json:"name"`
			RestartCount int    `json:"restartCount"`
		} `json:"containerStatuses"`
	} `json:"status"`
}

type containerJSON struct {
	Name  string `json:"name"`
	Ports []struct {
		Name          string `json:"name"`
		ContainerPort int    `json:"containerPort"`
	} `json:"ports"`
}

// pods asks kubectl for the pods of the target. The notes contain what was left out and why.
func (r *run) pods(ctx context.Context) (all []pod, notes []string, err error) {
	if r.o.Target.pod != "" {
		p, err := r.onePod(ctx)
		return []pod{p}, nil, err
	}
	out, err := r.podList(ctx, "pods", "--selector="+r.o.Target.selector)
	if err != nil {
		return nil, nil, err
	}
	var list struct {
		Items []podJSON `json:"items"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, nil, fmt.Errorf("reading kubectl's list of pods: %w", err)
	}
	for _, j := range list.Items {
		if j.Status.Phase != "Running" {
			notes = append(notes, fmt.Sprintf("%s is %s, not Running: left out", j.Metadata.Name, j.Status.Phase))
			continue
		}
		p, err := j.choose(r.o.Cluster)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s: %v: left out", j.Metadata.Name, err))
			continue
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b pod) int { return strings.Compare(a.title(), b.title()) })
	if len(all) == 0 {
		return nil, notes, hinted("kubectl get pods --show-labels lists the labels; -n names the namespace; --port the port",
			"no running pod with %s to capture", r.o.Target.selector)
	}
	if most := r.o.Cluster.MaxPods; len(all) > most {
		notes = append(notes,
			fmt.Sprintf("%d pods match: the first %d of them are captured (--max-pods)", len(all), most))
		all = all[:most]
	}
	return all, notes, nil
}

// onePod asks kubectl for the named pod. If the user may not get pods, the names on the command line must do.
func (r *run) onePod(ctx context.Context) (pod, error) {
	c, name := r.o.Cluster, r.o.Target.pod
	out, err := r.podList(ctx, "pod", name)
	if isKubectlError(err, "(Forbidden)") {
		p := pod{ManifestPod: ManifestPod{Namespace: c.Namespace, Name: name, Container: c.Container, Port: c.Port}}
		switch {
		case c.Port == 0:
			return p, &Error{Err: err, Hint: "name the port: --port PORT"}
		case c.Via == ViaProxy && c.Namespace == "":
			return p, &Error{Err: err, Hint: "name the namespace: -n NAMESPACE"}
		}
		return p, nil
	}
	if err != nil {
		return pod{}, err
	}
	var j podJSON
	if err := json.Unmarshal(out, &j); err != nil {
		return pod{}, fmt.Errorf("reading what kubectl says about the pod: %w", err)
	}
	if j.Status.Phase != "Running" {
		return pod{}, hinted("what it left behind: kubectl logs --previous POD | triage",
			"pod %s is %s, not Running", name, oneLine(j.Status.Phase))
	}
	p, err := j.choose(c)
	if err != nil {
		return p, hinted("--port PORT names the port that serves "+DefaultPrefix+", -c CONTAINER the container",
			"pod %s: %w", name, err)
	}
	return p, nil
}

func (r *run) podList(ctx context.Context, what, which string) ([]byte, error) {
	var buf bytes.Buffer
	args := append([]string{"get", what, which, "--output=json"}, namespaceFlag(r.o.Cluster.Namespace)...)
	err := r.kubectl.stream(ctx, r.o.Limits, 0, &limitedBuffer{&buf, maxPodList}, args...)
	return buf.Bytes(), err
}

// A limitedBuffer fails a write that is more than left bytes.
type limitedBuffer struct {
	to   *bytes.Buffer
	left int
}

func (l *limitedBuffer) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fmt.Errorf("kubectl's answer is larger than %d MiB", maxPodList>>20)
	}
	return l.to.Write(p)
}

// choose returns the process to capture in a pod. Its names become arguments and folders, and are checked first.
func (j *podJSON) choose(want Cluster) (pod, error) {
	m := j.Metadata
	p := pod{known: true}
	p.Namespace, p.Name, p.UID, p.Node = m.Namespace, m.Name, m.UID, oneLine(j.Spec.NodeName)
	if !origin.IsDNSLabel(p.Namespace) || !origin.IsDNSName(p.Name) {
		return p, errors.New("its name is no name of a pod")
	}
	if !origin.IsUID(p.UID) {
		p.UID = ""
	}
	c, port, err := j.container(want)
	if err != nil {
		return p, err
	}
	if !origin.IsDNSLabel(c.Name) {
		return p, errors.New("its container has no valid name")
	}
	p.Container, p.Port = c.Name, port
	for _, s := range j.Status.ContainerStatuses {
		if s.Name == c.Name {
			p.Restarts = max(0, s.RestartCount)
		}
	}
	return p, nil
}

// maxPortsListed is how many ports an error lists.
const maxPortsListed = 10

// container returns the container and the port to capture. The port is the one that the user named, else the one named
// pprof; the container is the one that declares the port, else kubectl's default.
func (j *podJSON) container(want Cluster) (containerJSON, int, error) {
	all := j.Spec.Containers
	if want.Container != "" {
		all = slices.DeleteFunc(slices.Clone(all), func(c containerJSON) bool { return c.Name != want.Container })
		if len(all) == 0 {
			return containerJSON{}, 0, fmt.Errorf("it has no container %s", want.Container)
		}
	}
	if len(all) == 0 {
		return containerJSON{}, 0, errors.New("it has no container")
	}
	var declared []string
	for _, c := range all {
		for _, port := range c.Ports {
			n := port.ContainerPort
			if n > 0 && n <= 65535 && (want.Port == n || want.Port == 0 && port.Name == "pprof") {
				return c, n, nil
			}
			declared = append(declared, strings.TrimSpace(oneLine(port.Name)+" "+strconv.Itoa(n)))
		}
	}
	if want.Port == 0 {
		if len(declared) == 0 {
			return containerJSON{}, 0, errors.New("it declares no port")
		}
		return containerJSON{}, 0, fmt.Errorf("none of its ports is named pprof (it declares %s)",
			strings.Join(declared[:min(len(declared), maxPortsListed)], ", "))
	}
	for _, c := range all {
		if c.Name == j.Metadata.Annotations["kubectl.kubernetes.io/default-container"] {
			return c, want.Port, nil
		}
	}
	return all[0], want.Port, nil
}
