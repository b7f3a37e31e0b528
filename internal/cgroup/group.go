package cgroup

import (
	"cmp"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A Key is a value that is kept.
type Key string

// The values that are kept, whatever the version of the control groups. Times are microseconds, sizes bytes.
const (
	Periods      Key = "nr_periods"     // in which the group had something to run
	Throttled    Key = "nr_throttled"   // of these, in which it used up its quota
	ThrottledUS  Key = "throttled_usec" // summed over all CPUs
	UsageUS      Key = "usage_usec"
	QuotaUS      Key = "quota_usec" // for each period; absent for none
	PeriodUS     Key = "period_usec"
	Memory       Key = "memory"
	MemoryMax    Key = "memory_max" // absent for none
	MemoryPeak   Key = "memory_peak"
	Anon         Key = "memory_anon"
	OOMKills     Key = "oom_kill"
	LimitHits    Key = "memory_limit_hits"
	PressureCPU  Key = "pressure_cpu" // "some" of the last 300 s, in percent
	PressureMem  Key = "pressure_memory"
	PressureIO   Key = "pressure_io"
	FullMem      Key = "pressure_memory_full"
	FullIO       Key = "pressure_io_full"
	unlimitedMem     = 1 << 62 // version 1 writes the largest multiple of a page for no limit
)

// A Value is a number with its place.
type Value struct {
	N     float64
	Input string
	Line  int64
}

// A Group is what the inputs hold of one control group, or of the pressure of a node.
type Group struct {
	Name   string // the path of the group or the folder that its files lie in
	PodUID string // "" where the name does not show it
	ID     string // of the container, without its runtime's name; "" where the name does not show it
	Input  string // its first file
	values map[Key]Value
}

// Empty reports whether nothing is known of the group.
func (g *Group) Empty() bool { return g == nil || len(g.values) == 0 }

// Get is a value, and whether it is known.
func (g *Group) Get(k Key) (Value, bool) {
	v, ok := g.values[k]
	return v, ok
}

// N is a value's number, 0 where it is not known.
func (g *Group) N(k Key) float64 { return g.values[k].N }

// ThrottledShare is the share of its periods in which the group used up its quota; 0 where unknown.
func (g *Group) ThrottledShare() float64 {
	periods, ok := g.values[Periods]
	if !ok || periods.N <= 0 || g.N(Throttled) > periods.N {
		return 0
	}
	return g.N(Throttled) / periods.N
}

// Cores is how many CPUs the group may use, by its quota; 0 for no limit, or where that is unknown.
func (g *Group) Cores() float64 {
	if q, p := g.N(QuotaUS), g.N(PeriodUS); q > 0 && p > 0 {
		return q / p
	}
	return 0
}

// Period is the length of a period in seconds: 0.1 where the files do not show it, as the kubelet sets it.
func (g *Group) Period() float64 {
	return cmp.Or(g.N(PeriodUS), 100_000) / 1e6
}

func (g *Group) set(k Key, v Value) {
	if math.IsNaN(v.N) || v.N < 0 || (k == MemoryMax && v.N >= unlimitedMem) {
		return
	}
	if g.values == nil {
		g.values = map[Key]Value{}
	}
	g.values[k] = v
}

// Merge puts the files of all sources together, group by group, in order of the sources.
func Merge(all [][]*Group) []*Group {
	byName := map[string]*Group{}
	var list []*Group
	for _, source := range all {
		for _, g := range source {
			known := byName[g.Name]
			if known == nil {
				byName[g.Name] = g
				list = append(list, g)
				continue
			}
			if known.values == nil {
				known.values = map[Key]Value{}
			}
			for _, k := range slices.Sorted(maps.Keys(g.values)) {
				if _, there := known.values[k]; !there {
					known.values[k] = g.values[k]
				}
			}
		}
	}
	return slices.DeleteFunc(list, (*Group).Empty)
}

// newGroup names the group of a file: by the folder that it lies in, without the controller's name that version 1 has
// in its paths.
func newGroup(file string) *Group {
	dir := path.Dir(file)
	if before, after, ok := strings.Cut(dir, "/cgroup/"); ok {
		first, rest, _ := strings.Cut(after, "/")
		switch first {
		case "cpu", "cpu,cpuacct", "cpuacct", "cpuacct,cpu", "memory", "unified":
			dir = before + "/cgroup/" + rest
		}
	}
	g := &Group{Name: dir}
	if m := podPart().FindStringSubmatch(dir); m != nil {
		g.PodUID = strings.ReplaceAll(m[1], "_", "-")
	}
	if m := containerPart().FindStringSubmatch(dir); m != nil {
		g.ID = m[1]
	}
	return g
}

// podPart is a pod's UID in a group's path; systemd's names have underscores for its dashes. Static pods have 32
// digits.
var podPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`kubepods.*pod(` +
		`[0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12}|[0-9a-f]{32})`)
})

var containerPart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`pod[0-9a-f_-]{32,36}(?:\.slice)?/(?:cri-containerd-|crio-|docker-)?([0-9a-f]{64})`)
})
