package report

import (
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

const (
	// maxElements is how many elements of a path a name may have; paths that differ only before them are shown whole.
	maxElements = 16
	// nodeElements is how far from its end a path is searched for its node's name:
	// nodes/node-1.zip!/node-1/logs/kubelet.log.
	nodeElements = 5
)

// inputNames gives each path of the report the shortest name by whole path elements that no other path ends in:
// "1.log", or "manager/1.log" beside "agent/1.log". Standard input is called so.
func inputNames(r *schema.Report) map[string]string {
	names := map[string]string{}
	for in := range pointers(r.Inputs) {
		names[in.Path] = ""
	}
	for d := range pointers(r.Dumps) {
		names[d.Input] = ""
	}
	for _, s := range r.Skipped {
		names[s.Path] = ""
	}
	for f := range pointers(r.Findings) {
		for _, e := range f.Evidence {
			names[e.Input] = ""
		}
	}
	if r.Cluster != nil {
		for _, g := range r.Cluster.Gaps {
			names[g.Input] = ""
		}
	}
	left := slices.Collect(maps.Keys(names))
	for path := range names {
		names[path] = path
	}
	for n := 1; len(left) > 0 && n <= maxElements; n++ {
		shared := map[string]int{}
		for _, path := range left {
			shared[lastElements(path, n)]++
		}
		left = slices.DeleteFunc(left, func(path string) bool {
			name := lastElements(path, n)
			if shared[name] > 1 && name != path {
				return false
			}
			names[path] = name
			return true
		})
	}
	nameByPod(names, r.Inputs)
	nameByNode(names, r.Inputs)
	names["-"] = "stdin"
	return names
}

// nameByPod shows logs of one name by their pods: a kubelet's folder ends in the pod's UID, which means nothing. In an
// archive every pod's log is shown so: its folders are unknown.
func nameByPod(names map[string]string, inputs []schema.Input) {
	byPod := func(in *schema.Input) string {
		base := lastElements(in.Path, 1)
		if stem, _, _ := strings.Cut(base, "."); stem == in.Container {
			return in.Pod + "/" + base
		}
		return in.Pod + "/" + in.Container + "/" + base
	}
	seen := map[string]int{}
	for in := range pointers(inputs) {
		seen[byPod(in)]++
	}
	for in := range pointers(inputs) {
		if in.Pod == "" || in.Container == "" || seen[byPod(in)] != 1 {
			continue
		}
		if strings.Contains(names[in.Path], "/") || strings.Contains(in.Path, ingest.InsideArchive) {
			names[in.Path] = byPod(in)
		}
	}
}

// nameByNode keeps the node in the name of what an archive holds of a node but of no pod: its kubelet's log, its
// kernel's.
func nameByNode(names map[string]string, inputs []schema.Input) {
	for in := range pointers(inputs) {
		if in.Pod != "" || in.Node == "" || !strings.Contains(in.Path, ingest.InsideArchive) ||
			strings.Contains(names[in.Path], in.Node) {
			continue
		}
		for n := 2; n <= nodeElements; n++ {
			if name := lastElements(in.Path, n); strings.HasPrefix(name, in.Node+"/") {
				names[in.Path] = name
				break
			}
		}
	}
}

// lastElements is the last n elements of a slash- or backslash-separated path.
func lastElements(path string, n int) string {
	end := len(strings.TrimRight(path, `/\`))
	for i := end - 1; i >= 0; i-- {
		if path[i] == '/' || path[i] == '\\' {
			if n--; n == 0 {
				return path[i+1:]
			}
		}
	}
	return path
}
