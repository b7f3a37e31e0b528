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
)

// A pod is one process to capture, as far as kubectl tells about it.
type pod struct {
	namespace, name, uid, node, container string
	port                                  int
	restarts                              int  // of the container
	known                                 bool // kubectl get told the above; without that right, only what the user named is known
}

func (p pod) namespaceFlag() []string {
	if p.namespace == "" {
		return nil
	}
	return []string{"--namespace=" + p.namespace}
}

// title is the pod as people call it.
func (p pod) title() string {
	if p.namespace == "" {
		return "pod/" + p.name
	}
	return p.namespace + "/" + p.name
}

// folder is where its files go: NAMESPACE_POD_UID/CONTAINER as the kubelet has it below /var/log/pods, so that reading the
// capture tells whose they are.
func (p pod) folder() string {
	if p.namespace != "" && isUID(p.uid) && p.container != "" {
		return p.namespace + "_" + p.name + "_" + p.uid + "/" + p.container
	}
	return p.name
}

// maxPodList bounds what kubectl get may answer: a pod has some 10 KiB.
const maxPodList = 64 << 20

// What is read of a pod's JSON (core/v1).
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

// pods asks kubectl which processes the target is. Notes say what was left out and why.
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
		p, err := r.choose(j)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s: %v: left out", j.Metadata.Name, err))
			continue
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b pod) int { return strings.Compare(a.title(), b.title()) })
	if len(all) == 0 {
		return nil, notes, &Error{Err: fmt.Errorf("no running pod with %s to capture", r.o.Target.selector), Hint: "kubectl get pods --show-labels lists the labels; -n names the namespace; --port the port"}
	}
	if most := r.o.Cluster.MaxPods; len(all) > most {
		notes = append(notes, fmt.Sprintf("%d pods match: the first %d of them are captured (--max-pods)", len(all), most))
		all = all[:most]
	}
	return all, notes, nil
}

// onePod looks the pod up. Where the user may not get pods, what was named on the command line must do.
func (r *run) onePod(ctx context.Context) (pod, error) {
	c := r.o.Cluster
	out, err := r.podList(ctx, "pod", r.o.Target.pod)
	var ke *kubectlError
	if errors.As(err, &ke) && ke.says("(Forbidden)") {
		p := pod{namespace: c.Namespace, name: r.o.Target.pod, container: c.Container, port: c.Port}
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
		return pod{}, &Error{Err: fmt.Errorf("pod %s is %s, not Running", r.o.Target.pod, oneLine(j.Status.Phase)), Hint: "what it left behind: kubectl logs --previous POD | triage"}
	}
	p, err := r.choose(j)
	if err != nil {
		return p, &Error{Err: fmt.Errorf("pod %s: %w", r.o.Target.pod, err), Hint: "--port PORT names the port that serves " + DefaultPrefix + ", -c CONTAINER the container"}
	}
	return p, nil
}

func (r *run) podList(ctx context.Context, what, which string) ([]byte, error) {
	var buf bytes.Buffer
	args := []string{"get", what, which, "--output=json"}
	if ns := r.o.Cluster.Namespace; ns != "" {
		args = append(args, "--namespace="+ns)
	}
	err := r.kubectl.stream(ctx, r.o.Limits, 0, &limited{&buf, maxPodList}, args...)
	if err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// A limited writer takes only so much.
type limited struct {
	to   *bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fmt.Errorf("kubectl's answer is larger than %d MiB", maxPodList>>20)
	}
	return l.to.Write(p)
}

// choose takes what is needed from a pod's JSON, and decides for a container and a port. The names come from a server: they
// become arguments and folders, so they are checked like the user's.
func (r *run) choose(j podJSON) (pod, error) {
	m := j.Metadata
	p := pod{namespace: m.Namespace, name: m.Name, uid: m.UID, node: oneLine(j.Spec.NodeName), known: true}
	if !isDNSLabel(p.namespace) || !isDNSName(p.name) {
		return p, errors.New("its name is no name of a pod")
	}
	if !isUID(p.uid) {
		p.uid = ""
	}
	c, port, err := r.container(j)
	if err != nil {
		return p, err
	}
	if !isDNSLabel(c.Name) {
		return p, errors.New("its container has no valid name")
	}
	p.container, p.port = c.Name, port
	for _, s := range j.Status.ContainerStatuses {
		if s.Name == c.Name {
			p.restarts = max(0, s.RestartCount)
		}
	}
	return p, nil
}

// maxPortsTold is how many ports an error lists.
const maxPortsTold = 10

// container finds the container and the port: what the user named counts, else the port named pprof; the container is the
// one that declares the port, else the one that kubectl takes too.
func (r *run) container(j podJSON) (containerJSON, int, error) {
	want := r.o.Cluster
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
			if port.ContainerPort > 0 && port.ContainerPort <= 65535 && (want.Port == port.ContainerPort || want.Port == 0 && port.Name == "pprof") {
				return c, port.ContainerPort, nil
			}
			declared = append(declared, strings.TrimSpace(oneLine(port.Name)+" "+strconv.Itoa(port.ContainerPort)))
		}
	}
	if want.Port == 0 {
		if len(declared) == 0 {
			return containerJSON{}, 0, errors.New("it declares no port")
		}
		return containerJSON{}, 0, fmt.Errorf("none of its ports is named pprof (it declares %s)", strings.Join(declared[:min(len(declared), maxPortsTold)], ", "))
	}
	for _, c := range all {
		if c.Name == j.Metadata.Annotations["kubectl.kubernetes.io/default-container"] {
			return c, want.Port, nil
		}
	}
	return all[0], want.Port, nil
}
