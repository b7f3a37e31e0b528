// Package fleet compares the replicas of one workload and reports those that differ from most of the others.
//
// It takes a rules.Pass and returns the rows of Report.Fleet. Begin reading at Of; what may set a replica apart is in
// odd.go.
package fleet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/internal/stamp"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds on what is reported of a fleet. Chosen: more than a reader needs, and each OddBucket has a count a replica.
const (
	maxReplicas   = 1000
	maxOdd        = 10
	maxOddBuckets = 5
	// maxPrograms is how many programs a dump of an unknown pod is compared with.
	maxPrograms = 64
)

// A replica is a Replica while it is compared.
type replica struct {
	key      pods.Key
	last     *rules.DumpInput
	workload pods.Workload
	starts   map[frame.Frame]bool // see creators
	groups   map[groupKey]*stackGroup
	findings map[string]*rules.Finding // by fingerprint, those above info
	leads    bool
	waits    bool // for a lease
	leader   bool
}

// Of groups the dumps' processes into workloads and finds the replicas that differ. found are the findings as
// pods.DumpIndex.Attribute left them. The result does not depend on the order of the inputs.
func Of(pass *rules.Pass, found []rules.Finding) []schema.Fleet {
	all := replicasOf(pass.Dumps)
	if len(all) < 2 {
		return nil
	}
	byPod := map[pods.Key][]*rules.Finding{}
	for i := range found {
		if f := &found[i]; f.Severity.Rank() > rules.Info.Rank() {
			for _, p := range f.Pods {
				k := pods.KeyOf(p)
				byPod[k] = append(byPod[k], f)
			}
		}
	}
	var fleets []schema.Fleet
	for _, members := range workloadsOf(all) {
		if len(members) < 2 {
			continue
		}
		for _, r := range members {
			r.look(byPod[pods.KeyOf(pods.Of(r.last))])
		}
		elect(members)
		fleets = append(fleets, fleetOf(members))
	}
	return fleets
}

// replicasOf are the processes that left dumps of all their goroutines, each with its last one, in order of key. A
// panic that printed one goroutine, or a race report, shows nothing about the others.
func replicasOf(dumps []*rules.DumpInput) []*replica {
	byKey := map[pods.Key]*replica{}
	var all []*replica
	for _, d := range dumps {
		if d.Goroutines <= identity.MaxCollapsed || d.Format == stackparse.FormatRace {
			continue
		}
		k := pods.KeyOf(pods.Of(d))
		r := byKey[k]
		if r == nil {
			r = &replica{key: k, last: d}
			r.workload = pods.WorkloadOf(k.Pod, k.Container, d.Target.Node, staticPod(d.Target.LogPath))
			byKey[k] = r
			all = append(all, r)
		} else if isLater(d, r.last) {
			r.last = d
		}
	}
	slices.SortFunc(all, func(a, b *replica) int { return a.key.Compare(b.key) })
	return all
}

// isLater orders dumps of one process or its restarts: by the stamps where both have one, else by the number of the
// restart, the input and the line.
func isLater(a, b *rules.DumpInput) bool {
	if a.Stamp != "" && b.Stamp != "" && a.Stamp != b.Stamp {
		return stamp.Before(b.Stamp, a.Stamp)
	}
	pathA, lineA := pods.Located(a, a.Line)
	pathB, lineB := pods.Located(b, b.Line)
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
	rest, ok := strings.CutPrefix(logPath, identity.PodLogs)
	if !ok {
		return false
	}
	dir, _, _ := strings.Cut(rest, "/")
	uid := dir[strings.LastIndexByte(dir, '_')+1:]
	return len(uid) == 32 && strings.Trim(uid, "0123456789abcdef") == ""
}

// workloadsOf groups replicas, in order of their first ones: pods by the workload and container in their names,
// others by their program.
func workloadsOf(all []*replica) [][]*replica {
	type name struct{ namespace, workload, container string }
	at := map[name]int{}
	var groups, nameless [][]*replica
	for _, r := range all {
		if r.key.Pod == "" {
			nameless = joinProgram(nameless, r)
			continue
		}
		n := name{r.key.Namespace, r.workload.Name, r.key.Container}
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
// of at most maxPrograms groups.
func joinProgram(groups [][]*replica, r *replica) [][]*replica {
	for i, g := range groups {
		if sameProgram(g[0], r) {
			groups[i] = append(g, r)
			r.starts = nil // only those of the first are asked for again
			return groups
		}
	}
	if len(groups) < maxPrograms {
		groups = append(groups, []*replica{r})
	}
	return groups
}

// sameProgram reports whether two dumps of unknown pods are of one build: one module, and half of the go statements
// that started the smaller one's goroutines, outside the standard library, started some of the other's too. Those are
// the same whatever the goroutines do at the moment. (Half is chosen.)
func sameProgram(a, b *replica) bool {
	p, q := a.last, b.last
	if p.Program.Module != q.Program.Module || exactly(p.Go) && exactly(q.Go) && p.Go != q.Go {
		return false
	}
	x, y := a.creators(), b.creators()
	common := 0
	for f := range x {
		if y[f] {
			common++
		}
	}
	return common > 0 && 2*common >= min(len(x), len(y))
}

// exactly reports whether a Dump.Go names one release: "1.26", not "", ">=1.22" or "1.22-1.23".
func exactly(release string) bool { return release != "" && strings.Trim(release, "0123456789.") == "" }

// creators are the go statements of the program and its dependencies.
func (r *replica) creators() map[frame.Frame]bool {
	if r.starts == nil {
		r.starts = make(map[frame.Frame]bool, len(r.last.Buckets))
		for _, b := range r.last.Buckets {
			if stacks.Of(r.last, b).started {
				r.starts[b.CreatedBy.Frame] = true
			}
		}
	}
	return r.starts
}

// A stack is what the comparison of replicas asks about a stack.
type stack struct {
	started      bool // by a go statement of the program or of a dependency
	place        rules.Place
	function     string // of place, without vendor folder and type arguments
	leads, waits bool   // for a lease
}

var stacks = rules.DerivedOfStack(func(d *rules.DumpInput, b *stackparse.Bucket) stack {
	s := stack{place: rules.BlameBucket(d, b).Culprit}
	s.function = rules.PlainName(s.place.Function)
	s.leads, s.waits = elects(b)
	if b.CreatedBy != nil {
		switch d.Program.Class(b.CreatedBy.Frame) {
		case frame.ClassOwn, frame.ClassDependency, frame.ClassVendored, frame.ClassUnknown:
			s.started = true
		}
	}
	return s
})

// A groupKey names stacks that are one for the comparison of replicas: one culprit and one kind of wait. Lines don't
// count, so that pods of two builds, in a rolling update of a StatefulSet for instance, differ only in what they do.
type groupKey struct {
	function string // without vendor folder and type arguments
	wait     stackparse.Class
}

// A stackGroup is what a replica has of a groupKey.
type stackGroup struct {
	place rules.Place // of the biggest bucket
	most  int         // goroutines in that
	count int
	idle  int // goroutines with a role that may wait for ever
}

// look takes the last dump apart and notes the findings.
func (r *replica) look(found []*rules.Finding) {
	r.groups = make(map[groupKey]*stackGroup, len(r.last.Buckets))
	room := make([]stackGroup, len(r.last.Buckets))
	for i, b := range r.last.Buckets {
		s := stacks.Of(r.last, b)
		k := groupKey{s.function, b.Class}
		g := r.groups[k]
		if g == nil {
			g = &room[len(r.groups)]
			r.groups[k] = g
		}
		if b.Count > g.most {
			g.place, g.most = s.place, b.Count
		}
		g.count += b.Count
		if i < len(r.last.Roles) && r.last.Roles[i] != nil && r.last.Roles[i].Idle {
			g.idle += b.Count
		}
		r.leads, r.waits = r.leads || s.leads, r.waits || s.waits
	}
	r.findings = map[string]*rules.Finding{}
	for _, f := range found {
		r.findings[f.Fingerprint] = f
	}
}

// elector is the method prefix of client-go's leader election: acquire returns when the lease is held, renew runs while
// it is (k8s.io/client-go, tools/leaderelection/leaderelection.go, LeaderElector.Run; so since v2.0.0).
const elector = "k8s.io/client-go/tools/leaderelection.(*LeaderElector)."

// elects reports whether a stack holds or waits for a lease.
func elects(b *stackparse.Bucket) (leads, waits bool) {
	for _, f := range b.Frames {
		i := strings.Index(f.Func, elector)
		if i < 0 || symbol.StripVendor(f.Func) != f.Func[i:] {
			continue
		}
		method, _, _ := strings.Cut(f.Func[i+len(elector):], ".") // renew.func1
		switch method {
		case "renew":
			leads = true
		case "acquire":
			waits = true
		}
	}
	return leads, waits
}

// elect marks the leaders: those that renew a lease, where another replica waits for one. Where all hold one, or one
// holds some and waits for others, leading explains no difference.
func elect(members []*replica) {
	follows := false
	for _, r := range members {
		follows = follows || r.waits && !r.leads
	}
	for _, r := range members {
		r.leader = follows && r.leads && !r.waits
	}
}
