package fetch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// A pod is one container of a pod to capture.
type pod struct {
	ManifestPod
	// known reports that the rest is from kubectl get; without the right to get pods, only what the user named is.
	known bool
	// closed is why no port of it is asked, "" if one is.
	closed string
	// unsettled reports a container that has restarted or ended, or a pod that is being deleted: its log says more than
	// its port, and may be gone soon.
	unsettled bool
	// former reports that there is a log before the last restart.
	former bool
	// waiting reports a container that waits to start. Its current log is then the former one: the kubelet serves that
	// of the last container that ended (k8s.io/kubernetes, pkg/kubelet, validateContainerLogStatus, as of 1.34).
	waiting bool
	// second reports that another container of the pod comes first.
	second bool
	// declined reports a port that the user does not want asked.
	declined bool
	// owners are the workloads that own it, as RESOURCE/NAME.
	owners []string
}

func namespaceFlag(namespace string) []string {
	if namespace == "" {
		return nil
	}
	return []string{"--namespace=" + namespace}
}

// title is the pod's name in events and in the manifest.
func (p pod) title() string {
	name := p.Namespace + "/" + p.Name
	if p.Namespace == "" {
		name = "pod/" + p.Name
	}
	if p.second {
		name += " (" + p.Container + ")"
	}
	return name
}

// folder is where its files go: NAMESPACE_POD_UID/CONTAINER as below /var/log/pods, which identifies the pod.
func (p pod) folder() string {
	if p.Namespace != "" && origin.IsUID(p.UID) && p.Container != "" {
		return p.Namespace + "_" + p.Name + "_" + p.UID + "/" + p.Container
	}
	if p.second {
		return p.Name + "/" + p.Container
	}
	return p.Name
}

// maxPodList bounds what kubectl get may answer: a pod has some 10 KiB.
const maxPodList = 64 << 20

// pods asks kubectl for the containers to capture. The notes contain what was left out and why.
func (r *run) pods(ctx context.Context) (all []pod, notes []string, err error) {
	t := r.o.Target
	if t.pod != "" && t.workload == "" {
		all, err = r.onePod(ctx)
		return all, nil, err
	}
	which := []string{"pods"} // of a workload all, of which those that it owns are taken
	if t.selector != "" {
		which = append(which, "--selector="+t.selector)
	}
	if r.o.Cluster.AllNamespaces {
		which = append(which, "--all-namespaces")
	}
	out, err := r.get(ctx, which...)
	if err != nil {
		return nil, nil, err
	}
	var list struct {
		Items []podJSON `json:"items"`
	}
	if err := json.Unmarshal(out, &list); err != nil {
		return nil, nil, fmt.Errorf("reading kubectl's list of pods: %w", err)
	}
	all, count, notes := r.chosen(list.Items)
	if len(all) == 0 {
		return nil, notes, r.nothing(list.Items)
	}
	if most := r.o.Cluster.MaxPods; count > most {
		notes = append(notes, fmt.Sprintf("%d pods match: only %d are captured, pods in trouble first (--max-pods)",
			count, most))
	}
	return all, notes, nil
}

// nothing is why none of a list of pods is captured.
func (r *run) nothing(list []podJSON) error {
	c, t, now := r.o.Cluster, r.o.Target, r.o.clock.Now()
	count, well := 0, 0
	for i := range list {
		if j := &list[i]; j.belongs(t) {
			count++
			if j.trouble(now) < unhealthy {
				well++
			}
		}
	}
	const whole = "without --unhealthy all are captured"
	switch {
	case c.Unhealthy && count == 1 && well == 1:
		return hinted(whole, "the only pod is not in trouble")
	case c.Unhealthy && count > 0 && well == count:
		return hinted(whole, "none of %d pods is in trouble", count)
	case c.AllNamespaces:
		return hinted("kubectl get pods -A --show-labels lists pods and labels; --port sets the port",
			"no pod to capture in any namespace")
	}
	const hint = "kubectl get pods --show-labels lists the labels; -n sets the namespace, --port the port"
	if t.all {
		return hinted(hint, "no pod to capture")
	}
	return hinted(hint, "no pod of %s to capture", t)
}

// chosen returns the containers to capture of a list of pods, of at most MaxPods of them, and how many pods of the
// target there are. Those in trouble come first, then the order is that of their names.
func (r *run) chosen(list []podJSON) (all []pod, pods int, notes []string) {
	now := r.o.clock.Now()
	slices.SortFunc(list, func(a, b podJSON) int {
		return cmp.Or(b.trouble(now)-a.trouble(now), strings.Compare(a.Metadata.Namespace, b.Metadata.Namespace),
			strings.Compare(a.Metadata.Name, b.Metadata.Name))
	})
	for i := range list {
		j := &list[i]
		if !j.belongs(r.o.Target) || r.o.Cluster.Unhealthy && j.trouble(now) < unhealthy {
			continue
		}
		some, err := j.choose(r.o.Cluster)
		switch {
		case err != nil:
			notes = append(notes, fmt.Sprintf("%s: %v: left out", oneLine(j.Metadata.Name), err))
			continue
		case !slices.ContainsFunc(some, r.worthwhile), j.Status.Phase == "Succeeded" && r.o.Target.workload != "job":
			notes = append(notes, j.leftOut(some)+": left out")
			continue
		}
		if pods++; pods <= r.o.Cluster.MaxPods {
			all = append(all, slices.DeleteFunc(some, func(p pod) bool { return !r.worthwhile(p) })...)
		}
	}
	return all, pods, notes
}

// worthwhile reports whether the plan asks for something that the container may have: its port, a log, or its pod's
// objects.
func (r *run) worthwhile(p pod) bool {
	return p.closed == "" || p.began() && (r.plan.has(ItemPreviousLog) || r.plan.has(ItemLog)) ||
		!p.second && (r.plan.has(ItemObjects) || r.plan.has(ItemDescribe) || r.plan.has(ItemEvents))
}

// began reports whether the container has run, and so has a log.
func (p pod) began() bool { return !p.known || p.former || !p.waiting }

// leftOut is why no container of a pod is captured.
func (j *podJSON) leftOut(some []pod) string {
	name := oneLine(j.Metadata.Name)
	if j.Status.Phase != "Running" {
		return fmt.Sprintf("%s is %s, not Running", name, oneLine(j.Status.Phase))
	}
	if len(some) > 0 {
		return name + ": " + some[0].closed
	}
	return name
}

// onePod asks kubectl for the named pod. If the user may not get pods, the names on the command line must do.
func (r *run) onePod(ctx context.Context) ([]pod, error) {
	c, name := r.o.Cluster, r.o.Target.pod
	out, err := r.get(ctx, "pod", name)
	if isKubectlError(err, "(Forbidden)") {
		p := pod{ManifestPod: ManifestPod{Namespace: c.Namespace, Name: name, Container: c.Container, Port: c.Port}}
		switch {
		case c.Port == 0:
			return nil, &Error{Err: err, Hint: "name the port: --port PORT"}
		case c.Via == ViaProxy && c.Namespace == "":
			return nil, &Error{Err: err, Hint: "name the namespace: -n NAMESPACE"}
		}
		return []pod{p}, nil
	}
	if err != nil {
		return nil, err
	}
	var j podJSON
	if err := json.Unmarshal(out, &j); err != nil {
		return nil, fmt.Errorf("reading kubectl's answer about the pod: %w", err)
	}
	some, err := j.choose(c)
	if err != nil {
		return nil, hinted("kubectl get pod "+name+" -o yaml lists its containers; -c names one",
			"pod %s: %w", name, err)
	}
	kept := slices.DeleteFunc(slices.Clone(some), func(p pod) bool { return !r.worthwhile(p) })
	if len(kept) == 0 {
		return nil, hinted(some[0].recipe(), "%s", j.leftOut(some))
	}
	return kept, nil
}

// get asks kubectl for an object, or for several.
func (r *run) get(ctx context.Context, which ...string) ([]byte, error) {
	var buf bytes.Buffer
	args := slices.Concat([]string{"get"}, which, []string{"--output=json"}, namespaceFlag(r.o.Cluster.Namespace))
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
