package identity

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

// A Naming finds the pod that an input is of where its path doesn't show it: by the manifest of the capture that it
// lies in, else by the pod that it is named after.
type Naming struct {
	Captures Captures
	Pods     podNames
}

// Target completes what a path shows of the pod and process that an input is of.
func (n Naming) Target(input string, t rules.Target, process string) (rules.Target, string) {
	t, process = n.Captures.target(input, t, process)
	return n.Pods.target(input, t, process)
}

// A podNames finds the pods of a cluster in the paths of files that people and tools name after them:
// pprof/thumb-cache-7c9d5b84-mmwm8-heap.pb.gz. Names that two namespaces have are left out.
type podNames map[string]*kube.Pod

// minPodName is the shortest name that is looked for, chosen: shorter ones are words that files are called anyway.
const minPodName = 8

func PodNamesOf(c *kube.Cluster) podNames {
	if c == nil {
		return nil
	}
	names := podNames{}
	for _, p := range c.Pods {
		if len(p.Name) < minPodName || !strings.Contains(p.Name, "-") {
			continue
		}
		if known, ok := names[p.Name]; ok && (known == nil || known.Namespace != p.Namespace) {
			names[p.Name] = nil
			continue
		}
		names[p.Name] = p
	}
	return names
}

// in is the pod whose name an element of the path is or begins with, the last element first; nil for none.
func (names podNames) in(input string) *kube.Pod {
	if len(names) == 0 {
		return nil
	}
	elements := strings.Split(filepath.ToSlash(input), "/")
	for _, e := range slices.Backward(elements) {
		for end := len(e); end >= minPodName; end = strings.LastIndexAny(e[:end], "-._") {
			if p := names[e[:end]]; p != nil {
				return p
			}
		}
	}
	return nil
}

// target completes what a path shows of the pod and process that an input is of.
func (names podNames) target(input string, t rules.Target, process string) (rules.Target, string) {
	if t.Pod != "" {
		return t, process
	}
	p := names.in(input)
	if p == nil {
		return t, process
	}
	t.Namespace, t.Pod, t.Node = p.Namespace, p.Name, p.Node
	if len(p.Containers) == 1 {
		t.Container = p.Containers[0].Name
	}
	if process == "" {
		from := ingest.Origin{Namespace: t.Namespace, Pod: t.Pod, Container: t.Container, Restart: -1}
		process = ProcessName(from, "")
	}
	return t, process
}
