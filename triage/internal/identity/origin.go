// Package identity finds out which pod, container and process an input is of: from paths, framings, manifests of
// captures, the names of files, and the goroutines themselves.
//
// It takes paths, origins and dumps, and returns a rules.Target and the name of a process. Begin reading at Naming.Of;
// NameDumps (process.go) names the processes that no origin names.
package identity

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// TargetFrom is the process that an origin names, for commands.
func TargetFrom(path string, from ingest.Origin) rules.Target {
	return rules.Target{
		Namespace: from.Namespace, Pod: from.Pod, Container: from.Container, Node: from.Node,
		LogPath: logPath(path, from),
	}
}

// ProcessName is the process that wrote a dump as far as origin and stream name it, "" where they don't: one
// process writes to both stdout and stderr.
func ProcessName(from ingest.Origin, stream string) string {
	if from.Pod != "" {
		name := from.Namespace + "/" + from.Pod + "/" + from.Container
		if from.Restart >= 0 {
			name += fmt.Sprintf("/%d", from.Restart)
		}
		return name
	}
	if stream == "stdout" || stream == "stderr" {
		return ""
	}
	return stream
}

// PodLogs is where the kubelet of every node keeps the logs of its pods.
const PodLogs = "/var/log/pods/"

// NodePath is where a path that was copied from a node was before, "" where unknown.
func NodePath(path string) string {
	path = "/" + filepath.ToSlash(path)
	i := strings.LastIndex(path, PodLogs)
	if i < 0 {
		return ""
	}
	return path[i:]
}

// logPath is the log's path on its node, "" where neither its path nor its origin has it.
func logPath(path string, from ingest.Origin) string {
	if p := NodePath(path); p != "" {
		return p
	}
	if from.Namespace == "" || from.Pod == "" || from.PodUID == "" || from.Container == "" || from.Restart < 0 {
		return ""
	}
	return fmt.Sprintf("%s%s_%s_%s/%s/%d.log", PodLogs, from.Namespace, from.Pod, from.PodUID, from.Container,
		from.Restart)
}

// A Naming finds the pod that an input is of where its path doesn't show it: by the manifest of the capture that it
// lies in, else by the pod that it is named after.
type Naming struct {
	Captures Captures
	Pods     podNames
}

// Of is the pod and the process that an input is of, as its path and the framing of its stream show, else the manifest
// of its capture, else its name. The process is "" where nothing names it.
func (n Naming) Of(input string, from ingest.Origin, stream string) (rules.Target, string) {
	t, process := TargetFrom(input, from), ProcessName(from, stream)
	if t.Pod != "" {
		return t, process
	}
	captured, port, address := n.Captures.origin(input)
	if captured.Pod != "" {
		t = TargetFrom(input, captured)
		t.Port = port
		return t, cmp.Or(process, ProcessName(captured, ""))
	}
	t.Address = address
	if p := n.Pods.in(input); p != nil {
		from = ingest.Origin{Namespace: p.Namespace, Pod: p.Name, Container: from.Container, Restart: -1}
		if len(p.Containers) == 1 {
			from.Container = p.Containers[0].Name
		}
		t.Namespace, t.Pod, t.Node, t.Container = p.Namespace, p.Name, p.Node, from.Container
		process = cmp.Or(process, ProcessName(from, ""))
	}
	return t, process
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

// A Capture is what the manifest of `triage fetch` records about the files beside it (schema triage-capture/v1,
// docs/fetch.md): whose they are, and which of them are no evidence but its own notes.
type Capture struct {
	dir    string         // of the manifest
	Target string         `json:"target"`
	Items  []capturedItem `json:"items"`
	Pods   []struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
		UID       string `json:"uid"`
		Node      string `json:"node"`
		Container string `json:"container"`
		Port      int    `json:"port"`
		Restarts  int    `json:"restarts"`
		Folder    string `json:"folder"`
	} `json:"pods"`
}

type capturedItem struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Kind    string `json:"kind"`
	Started string `json:"started"` // RFC 3339
}

// Bounds on what is believed of a manifest: 50 pods have some 700 items.
const (
	maxCapturedItems = 10_000
	maxCapturedPods  = 1_000
)

// ReadCapture reads a manifest, nil for one that is broken: the files beside it are read without it.
func ReadCapture(input string, data []byte) *Capture {
	c := &Capture{dir: path.Dir(filepath.ToSlash(input))}
	if err := json.Unmarshal(data, c); err != nil || len(c.Items) > maxCapturedItems || len(c.Pods) > maxCapturedPods {
		return nil
	}
	return c
}

// within is a path below the capture's folder, "" for others. Nothing is opened by it.
func (c *Capture) within(input string) string {
	input = filepath.ToSlash(input)
	if c.dir == "." {
		return input
	}
	rest, ok := strings.CutPrefix(input, strings.TrimSuffix(c.dir, "/")+"/")
	if !ok {
		return ""
	}
	return rest
}

// The manifest's kind of items that are text, and no dump (fetch, kindText): the command line. And its name of the
// log of the container's instance before the one that was captured (fetch, ItemPreviousLog).
const (
	capturedText     = "text"
	capturedPrevious = "previous-log"
)

// item is what the manifest has about a file, nothing where it doesn't list it.
func (c *Capture) item(input string) capturedItem {
	file := c.within(input)
	for _, it := range c.Items {
		if file != "" && it.File == file {
			return it
		}
	}
	return capturedItem{}
}

// Captures are those of one run.
type Captures []*Capture

// Holds reports whether an input lies in a capture.
func (all Captures) Holds(input string) bool {
	return slices.ContainsFunc(all, func(c *Capture) bool { return c.within(input) != "" })
}

// isNote reports whether a file is what a capture wrote about the process: no log, no dump.
func (all Captures) isNote(input string) bool {
	return slices.ContainsFunc(all, func(c *Capture) bool {
		return c.item(input).Kind == capturedText
	})
}

// origin is the pod that a file was captured from, with the port; where no pod is named, the address.
func (all Captures) origin(input string) (from ingest.Origin, port int, at string) {
	for _, c := range all {
		file := c.within(input)
		if file == "" {
			continue
		}
		if c.item(input).Name != "" && len(c.Pods) == 0 {
			at = address(c.Target)
		}
		for i := range c.Pods {
			p := &c.Pods[i]
			folder := strings.Trim(p.Folder, "/")
			if p.Name == "" || folder == "" && len(c.Pods) > 1 || folder != "" && !strings.HasPrefix(file, folder+"/") {
				continue
			}
			from = ingest.Origin{
				Namespace: p.Namespace, Pod: p.Name, PodUID: p.UID, Container: p.Container, Node: p.Node,
				Restart: p.Restarts,
			}
			if c.item(input).Name == capturedPrevious {
				from.Restart--
			}
			return from, max(min(p.Port, 65535), 0), ""
		}
	}
	return from, 0, at
}

// maxAddress is how long an address is believed to be.
const maxAddress = 200

// address is a manifest's target as `triage fetch` takes it, "" where it is none: a manifest is an input, and may hold
// anything.
func address(s string) string {
	u, err := url.Parse(s)
	if err != nil || len(s) > maxAddress || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return ""
	}
	if isHTTP := u.Scheme == "http" || u.Scheme == "https"; isHTTP && u.Hostname() != "" ||
		u.Scheme == "unix" && u.Host == "" {
		return strings.TrimSuffix(s, "/debug/pprof")
	}
	return ""
}

// Started is when the capture of a file began, in the form of a log's timestamps; "" where no manifest has it.
func (all Captures) Started(input string) string {
	for _, c := range all {
		if t, err := time.Parse(time.RFC3339Nano, c.item(input).Started); err == nil {
			return t.Format(time.RFC3339Nano)
		}
	}
	return ""
}

// processFolder names the process that a captured file is of, as far as manifests list the file: the folder of the
// capture and of the pod in it, which is where fetch writes one process. "" for files that no manifest lists.
func (all Captures) processFolder(input string) string {
	for _, c := range all {
		if name := c.item(input).Name; name != "" && name != capturedPrevious {
			return path.Dir(filepath.ToSlash(input))
		}
	}
	return ""
}

// MarkNotes replaces the kinds of the inputs that are a capture's own notes.
func (all Captures) MarkNotes(inputs []schema.Input) {
	for i := range inputs {
		if inputs[i].Kind != string(ingest.KindCapture) && all.isNote(inputs[i].Path) {
			inputs[i].Kind = string(ingest.KindCapture)
		}
	}
}
