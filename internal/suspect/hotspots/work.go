package hotspots

import (
	"slices"
	"strings"
)

// chores are what the runtime does on stacks of its own, where no code of the program shows, by the functions that
// do it and those with which code asks for it. They are tried in order.
var chores = []struct {
	work        string
	by, askedBy []string
}{
	{"garbage collection", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge",
		"runtime.gcDrain"},
		[]string{"runtime.mallocgc", "runtime.GC", "runtime/debug.FreeOSMemory"}},
	{"yielding", []string{"runtime.goschedImpl", "runtime.gosched_m"}, []string{"runtime.Gosched"}},
	{"timers", []string{"runtime.(*timers).", "runtime.(*timer).", "runtime.checkTimers", "runtime.runtimer"},
		[]string{"time.", "runtime.chanrecv", "runtime.selectgo"}},
	{"scheduling", []string{"runtime.schedule", "runtime.park_m", "runtime.mstart", "runtime.mcall",
		"runtime.findRunnable", "runtime.sysmon", "runtime.goexit0", "runtime.morestack"},
		[]string{"runtime.gopark", "runtime.chan", "runtime.selectgo", "runtime.newproc", "runtime.goready", "sync.",
			"internal/sync.", "time.Sleep"}},
}

// choresOf are the chores that a function asks for and does, a bit each.
func choresOf(function string) (asks, does uint8) {
	for i, c := range chores {
		if hasPrefix(function, c.askedBy) {
			asks |= 1 << i
		}
		if hasPrefix(function, c.by) {
			does |= 1 << i
		}
	}
	return asks, does
}

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// A tally adds up by name.
type tally map[string]float64

// most is the name with the largest sum, the first of equal ones.
func (t tally) most() (name string, sum float64) {
	for n, v := range t {
		if v > sum || v == sum && n < name {
			name, sum = n, v
		}
	}
	return name, sum
}
