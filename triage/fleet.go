package triage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A Fleet is the replicas of one workload, as far as the inputs hold dumps of them, held against each other.
type Fleet struct {
	Namespace string `json:"namespace"`
	// Workload is the pods' name without what Kubernetes appended; the program's module where nothing names pods.
	Workload  string `json:"workload"`
	Container string `json:"container"`
	// Replicas are in order of pod; at most maxReplicas of ReplicasTotal.
	Replicas      []Replica `json:"replicas"`
	ReplicasTotal int       `json:"replicas_total"`
	// Compared counts those that were held against others: whole dumps, no leader, two or more of one revision.
	Compared int `json:"compared"`
	// Odd are those that differ from most of the others; at most maxOdd of OddTotal.
	Odd      []Odd `json:"odd"`
	OddTotal int   `json:"odd_total"`
}

// A Replica is one pod of a Fleet (a process, where nothing names pods) by its last dump.
type Replica struct {
	Pod      string `json:"pod"` // "" where nothing names it
	Node     string `json:"node"`
	Input    string `json:"input"`
	Line     int64  `json:"line"`
	Revision string `json:"revision"` // the pod template's hash, "" for none
	// Goroutines are those of the last dump, Findings the distinct findings above info in all its dumps.
	Goroutines int `json:"goroutines"`
	Findings   int `json:"findings"`
	// Leader says that it holds a lease that others wait for: its controllers run, theirs don't, and both are right.
	Leader bool `json:"leader"`
	// Truncated says that an end of the dump is missing: it is not compared.
	Truncated bool `json:"truncated"`
}

// An Odd is a replica that differs.
type Odd struct {
	Pod   string `json:"pod"`
	Input string `json:"input"`
	Line  int64  `json:"line"`
	Why   string `json:"why"`
	// Buckets are the stacks in which it differs, the greatest difference first; at most maxOddBuckets.
	Buckets []OddBucket `json:"buckets"`
}

// An OddBucket is the stacks with one culprit and one kind of wait over all replicas.
type OddBucket struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Wait     string `json:"wait"`
	Counts   []int  `json:"counts"` // aligned with Fleet.Replicas
}

// Bounds on what is told of a fleet. Chosen: more than anybody reads, and each OddBucket has a count a replica.
const (
	maxReplicas   = 1000
	maxOdd        = 10
	maxOddBuckets = 5
)

// A replica is a Replica while it is compared.
type replica struct {
	key      replicaKey
	last     *rules.DumpInput
	workload workload
	groups   map[groupKey]*stackGroup
	findings map[string]*rules.Finding // by fingerprint, those above info
	leads    bool
	waits    bool // for a lease
	leader   bool
}

// A replicaKey tells processes apart that are compared: containers of pods, whatever their restarts; where no pod is
// known the process, else the dump.
type replicaKey struct {
	namespace, pod, container, process, input string
	line                                      int64
}

func keyOf(d *rules.DumpInput) replicaKey {
	switch {
	case d.Target.Pod != "":
		return replicaKey{namespace: d.Target.Namespace, pod: d.Target.Pod, container: d.Target.Container}
	case d.Process != "":
		return replicaKey{process: d.Process}
	}
	path, line := located(d, d.Line)
	return replicaKey{input: path, line: line}
}

func (k replicaKey) compare(l replicaKey) int {
	return cmp.Or(
		strings.Compare(k.namespace, l.namespace), compareNames(k.pod, l.pod), strings.Compare(k.container, l.container),
		strings.Compare(k.process, l.process), strings.Compare(k.input, l.input), cmp.Compare(k.line, l.line),
	)
}

// compareNames puts web-2 before web-10: what stands before the last dash, then numbers by their size, then other words.
func compareNames(a, b string) int {
	x, i := cutLast(a)
	y, j := cutLast(b)
	size := func(s string) int {
		if isIndex(s) {
			return len(s)
		}
		return maxIndex + 1
	}
	return cmp.Or(strings.Compare(x, y), cmp.Compare(size(i), size(j)), strings.Compare(i, j))
}

// fleetsOf groups the dumps' processes into workloads and says which replica differs. found are the findings as
// tellPods left them. The result does not depend on the order of the inputs.
func fleetsOf(pass *rules.Pass, found []rules.Finding) []Fleet {
	all := replicasOf(pass.Dumps)
	if len(all) < 2 {
		return nil
	}
	byPod := map[string][]*rules.Finding{}
	for i := range found {
		if f := &found[i]; f.Severity.Rank() > rules.Info.Rank() {
			for _, p := range f.Pods {
				k := podID(p)
				byPod[k] = append(byPod[k], f)
			}
		}
	}
	var fleets []Fleet
	for _, members := range workloadsOf(all) {
		if len(members) < 2 {
			continue
		}
		for _, r := range members {
			r.look(byPod[podID(podOf(r.last))])
		}
		elect(members)
		fleets = append(fleets, fleetOf(members))
	}
	return fleets
}

// replicasOf are the processes that left dumps of all their goroutines, each with its last one, in order of key. A panic
// that printed one goroutine, or a race report, says nothing about the others.
func replicasOf(dumps []*rules.DumpInput) []*replica {
	byKey := map[replicaKey]*replica{}
	var all []*replica
	for _, d := range dumps {
		if d.Goroutines <= maxCollapsed || d.Format == stackparse.FormatRace {
			continue
		}
		k := keyOf(d)
		r := byKey[k]
		if r == nil {
			r = &replica{key: k, last: d}
			r.workload = workloadOf(k.pod, k.container, d.Target.Node, staticPod(d.Target.LogPath))
			byKey[k] = r
			all = append(all, r)
		} else if isLater(d, r.last) {
			r.last = d
		}
	}
	slices.SortFunc(all, func(a, b *replica) int { return a.key.compare(b.key) })
	return all
}

// isLater orders dumps of one process or its restarts: by the stamps where both have one, else by the number of the
// restart, the input and the line.
func isLater(a, b *rules.DumpInput) bool {
	if a.Stamp != "" && b.Stamp != "" && a.Stamp != b.Stamp {
		return before(b.Stamp, a.Stamp)
	}
	pathA, lineA := located(a, a.Line)
	pathB, lineB := located(b, b.Line)
	return cmp.Or(cmp.Compare(restartOf(a), restartOf(b)), strings.Compare(pathA, pathB), cmp.Compare(lineA, lineB)) > 0
}

// restartOf is the number in the log's name on its node, CONTAINER/1.log; 0 where unknown.
func restartOf(d *rules.DumpInput) int {
	name := d.Target.LogPath[strings.LastIndexByte(d.Target.LogPath, '/')+1:]
	digits, _, _ := strings.Cut(name, ".")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

// staticPod reports whether a log's path on its node is that of a static pod: its UID is the hash of its manifest, 32
// hexadecimal digits without dashes (k8s.io/kubernetes, pkg/kubelet/config/common.go, applyDefaults).
func staticPod(logPath string) bool {
	rest, ok := strings.CutPrefix(logPath, podLogs)
	if !ok {
		return false
	}
	dir, _, _ := strings.Cut(rest, "/")
	uid := dir[strings.LastIndexByte(dir, '_')+1:]
	return len(uid) == 32 && allOf(uid, "0123456789abcdef")
}

// workloadsOf groups replicas, in order of their first ones: pods by the workload and container that their names tell,
// others by their program.
func workloadsOf(all []*replica) [][]*replica {
	type name struct{ namespace, workload, container string }
	at := map[name]int{}
	var groups, nameless [][]*replica
	for _, r := range all {
		if r.key.pod == "" {
			nameless = joinProgram(nameless, r)
			continue
		}
		n := name{r.key.namespace, r.workload.Name, r.key.container}
		i, ok := at[n]
		if !ok {
			i = len(groups)
			at[n] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return append(nameless, groups...)
}

// joinProgram adds r to the group of its program. A folder may hold thousands of dumps: each is held against the first
// of at most maxAnonymous groups.
func joinProgram(groups [][]*replica, r *replica) [][]*replica {
	for i, g := range groups {
		if sameProgram(g[0].last, r.last) {
			groups[i] = append(g, r)
			return groups
		}
	}
	if len(groups) < maxAnonymous {
		groups = append(groups, []*replica{r})
	}
	return groups
}

// sameProgram reports whether two dumps of unknown pods are of one build: one module, and half of the go statements that
// started the smaller one's goroutines, outside the standard library, started some of the other's too. Those are the same
// whatever the goroutines do at the moment. (Half is chosen.)
func sameProgram(a, b *rules.DumpInput) bool {
	if a.Program.Module != b.Program.Module || exactly(a.Go) && exactly(b.Go) && a.Go != b.Go {
		return false
	}
	x, y := creators(a), creators(b)
	common := 0
	for f := range x {
		if y[f] {
			common++
		}
	}
	return common > 0 && 2*common >= min(len(x), len(y))
}

// exactly reports whether a Dump.Go names one release: "1.26", not "", ">=1.22" or "1.22-1.23".
func exactly(release string) bool { return release != "" && allOf(release, "0123456789.") }

// creators are the go statements of the program and its dependencies.
func creators(d *rules.DumpInput) map[frame.Frame]bool {
	set := map[frame.Frame]bool{}
	for _, b := range d.Buckets {
		if b.CreatedBy == nil {
			continue
		}
		switch d.Program.Class(b.CreatedBy.Frame) {
		case frame.ClassOwn, frame.ClassDependency, frame.ClassVendored, frame.ClassUnknown:
			set[b.CreatedBy.Frame] = true
		}
	}
	return set
}
