package fetch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	defaultSeconds = 10
	defaultDumps   = 3
	// maxProxySeconds is how long a request through an API server is sure to last: kube-apiserver ends most requests
	// after 60 s (--request-timeout), load balancers in front of it some after 30 s.
	maxProxySeconds = 30
	// maxDumped is the number of goroutines above which a debug=2 dump is taken only with --stacks. Each dump stops the
	// process, again for every doubling of net/http/pprof's buffer: measured 5 ms at 1,000 goroutines, 0.18 s at
	// 10,000, 2.9 s at 100,000 with stacks of ten frames (Go 1.26, two cores). The counted profile took 15 ms at
	// 10,000.
	maxDumped = 10_000
	// stopPerGoroutine is the stop of a dump at maxDumped goroutines, divided by their number.
	stopPerGoroutine = 18 * time.Microsecond
)

// A Plan is what to ask for. The zero value asks for everything that a process in production can bear: one CPU profile
// of 10 s, three dumps meanwhile, and what costs little.
type Plan struct {
	Seconds  int           // of the CPU profile: 10
	Dumps    int           // debug=2 dumps: 3
	Interval time.Duration // between the dumps: spread over the CPU profile
	Only     []string      // nothing but these items
	Skip     []string
	// Stacks asks for the dumps however many goroutines there are.
	Stacks bool
	// LogLines asks for that many lines from the end of a pod's current log: 10,000 where its container has restarted
	// or ended, or where no port answers, else none.
	LogLines int
	// Objects asks for what kubectl says about a pod and its owners (ItemObjects, ItemEvents and ItemDescribe), and for
	// its current log in any case.
	Objects bool
}

// A planned is a plan with all its defaults.
type planned struct {
	Plan
	items []item
	first time.Duration // until the first dump
}

// complete checks the plan and adds its defaults. pods reports that the target is a pod or several, proxied that they
// are reached through an API server's proxy.
func (p Plan) complete(pods, proxied bool) (planned, error) {
	p.Seconds, p.Dumps = cmp.Or(p.Seconds, defaultSeconds), cmp.Or(p.Dumps, defaultDumps)
	if err := p.check(proxied); err != nil {
		return planned{}, err
	}
	p.Stacks = p.Stacks || slices.Contains(p.Only, ItemStacks)
	out := planned{Plan: p}
	if p.Interval == 0 {
		// In the middle of equal parts of the CPU profile, so that the last one still lies within.
		out.Interval = time.Duration(p.Seconds) * time.Second / time.Duration(p.Dumps)
		out.first = out.Interval / 2
	}
	for _, it := range catalogue() {
		if !p.wants(it, pods) {
			continue
		}
		switch it.name {
		case ItemCPU:
			it.query, it.lasts = fmt.Sprintf("seconds=%d", p.Seconds), time.Duration(p.Seconds)*time.Second
		case ItemStacks:
			if !slices.ContainsFunc(out.items, item.isCPU) {
				out.first = 0
			}
		}
		out.items = append(out.items, it)
	}
	if len(out.items) == 0 {
		return planned{}, usage("items: "+strings.Join(ItemNames(), ", "), "--only and --skip leave nothing to capture")
	}
	return out, nil
}

func (p Plan) check(proxied bool) error {
	if err := cmp.Or(checkNames("only", p.Only), checkNames("skip", p.Skip)); err != nil {
		return err
	}
	switch {
	case p.Seconds < 0 || p.Dumps < 0 || p.Interval < 0 || p.LogLines < 0:
		return usage("", "--seconds, --dumps, --interval and --log-lines can't be negative")
	case p.Seconds > 3600:
		return usage("a CPU profile of 10 to 60 s is usual", "--seconds %d is more than an hour", p.Seconds)
	case proxied && p.Seconds > maxProxySeconds:
		return usage("--via port-forward has no such limit",
			"--seconds %d: an API server's proxy may end requests that last more than %d s", p.Seconds, maxProxySeconds)
	case p.Dumps > 100:
		return usage("to capture repeatedly, use triage watch", "%d dumps: a capture takes at most 100", p.Dumps)
	}
	return nil
}

func (p Plan) wants(it item, pods bool) bool {
	switch {
	case slices.Contains(p.Skip, it.name), !fromPort(it.kind) && !pods:
		return false
	case len(p.Only) > 0:
		return slices.Contains(p.Only, it.name)
	}
	return it.kind != kindObjects || p.Objects
}

func (p planned) has(name string) bool {
	_, ok := p.item(name)
	return ok
}

func (p planned) item(name string) (item, bool) {
	i := slices.IndexFunc(p.items, func(it item) bool { return it.name == name })
	if i < 0 {
		return item{}, false
	}
	return p.items[i], true
}

// lasts is how long the CPU profile and the dumps take on purpose.
func (p planned) lasts() time.Duration {
	cpu, dumps := time.Duration(0), time.Duration(0)
	if it, ok := p.item(ItemCPU); ok {
		cpu = it.lasts
	}
	if p.has(ItemStacks) {
		dumps = p.first + time.Duration(p.Dumps-1)*p.Interval
	}
	return max(cpu, dumps)
}

func (p planned) dumpsText() string {
	apart := p.Interval
	if apart > 100*time.Millisecond {
		apart = apart.Round(100 * time.Millisecond)
	}
	if p.Dumps == 1 {
		return "a goroutine dump"
	}
	return fmt.Sprintf("%d goroutine dumps, %s apart", p.Dumps, apart)
}

func (p planned) describe() []string {
	var asks, cheap, costs []string
	for _, it := range p.items {
		switch it.name {
		case ItemCPU:
			asks = append(asks, fmt.Sprintf("a CPU profile of %d s", int(it.lasts.Seconds())))
			costs = append(costs, "profiling takes a few percent of the CPU that the process uses")
		case ItemStacks:
			asks = append(asks, p.dumpsText())
			cost := "each dump stops the process for about 5 ms at 1,000 goroutines, "
			if p.Stacks {
				cost += "3 s at 100,000"
			} else {
				cost += "0.2 s at 10,000; above that, triage takes none (--stacks takes them anyway)"
			}
			costs = append(costs, cost)
		case ItemLog:
			if p.LogLines > 0 || p.Objects || slices.Contains(p.Only, ItemLog) {
				cheap = append(cheap, it.name)
			}
		default:
			cheap = append(cheap, it.name)
		}
	}
	if p.has(ItemLeaks) {
		costs = append(costs, "goroutineleak runs a garbage collection, if the process serves it")
	}
	lines := []string{}
	if len(asks) > 0 {
		lines = append(lines, strings.Join(asks, "; "))
	}
	if len(cheap) > 0 {
		lines = append(lines, "once: "+strings.Join(cheap, ", "))
	}
	for _, c := range costs {
		lines = append(lines, "cost: "+c)
	}
	return lines
}

// The names of items, for Plan.Only and Plan.Skip and in the manifest.
const (
	ItemCmdline      = "cmdline"
	ItemGoroutine    = "goroutine"     // binary, counted stacks
	ItemLeaks        = "goroutineleak" // Go 1.26 with GOEXPERIMENT=goroutineleakprofile, 1.27 by default
	ItemCPU          = "cpu"
	ItemStacks       = "stacks" // debug=2 dumps
	ItemHeap         = "heap"
	ItemAllocs       = "allocs"
	ItemMutex        = "mutex"
	ItemBlock        = "block"
	ItemThreadCreate = "threadcreate"
	ItemPreviousLog  = "previous-log" // of a pod's container before its last restart
	ItemLog          = "log"          // the end of a pod's current log
	ItemObjects      = "objects"      // a pod and its owners, as JSON
	ItemEvents       = "events"       // those of a pod, as JSON
	ItemDescribe     = "describe"     // a pod and its owner, with their events
)

// Kinds of items in the manifest.
const (
	kindProfile = "profile"
	kindDump    = "goroutine-dump"
	kindText    = "text"
	kindLog     = "log"
	kindObjects = "objects"
)

// fromPort reports whether a kind comes from the process, not from kubectl.
func fromPort(kind string) bool { return kind != kindLog && kind != kindObjects }

// An item is one thing to ask for.
type item struct {
	name  string
	page  string // below the prefix; "" for what comes from kubectl
	query string
	file  string
	kind  string
	lasts time.Duration // how long the process takes on purpose
	body  []byte        // of a POST; nil for a GET
	form  string        // the body's type
}

func (it item) uri() string {
	if it.query == "" {
		return it.page
	}
	return it.page + "?" + it.query
}

// catalogue returns everything that can be asked for, in this order: first what decides about the rest, then cheap
// items before expensive ones; the leak profile before the dumps, because its marks then show in them.
func catalogue() []item {
	return []item{
		{name: ItemCmdline, page: "cmdline", file: "cmdline.txt", kind: kindText},
		{name: ItemGoroutine, page: "goroutine", file: "goroutine.pb.gz", kind: kindProfile},
		{name: ItemLeaks, page: "goroutineleak", file: "goroutineleak.pb.gz", kind: kindProfile},
		{name: ItemCPU, page: "profile", file: "cpu.pb.gz", kind: kindProfile},
		{name: ItemStacks, page: "goroutine", query: "debug=2", file: "goroutine-%d.txt", kind: kindDump},
		{name: ItemHeap, page: "heap", file: "heap.pb.gz", kind: kindProfile},
		{name: ItemAllocs, page: "allocs", file: "allocs.pb.gz", kind: kindProfile},
		{name: ItemMutex, page: "mutex", file: "mutex.pb.gz", kind: kindProfile},
		{name: ItemBlock, page: "block", file: "block.pb.gz", kind: kindProfile},
		{name: ItemThreadCreate, page: "threadcreate", file: "threadcreate.pb.gz", kind: kindProfile},
		{name: ItemPreviousLog, kind: kindLog},
		{name: ItemLog, kind: kindLog},
		{name: ItemObjects, file: "objects.json", kind: kindObjects},
		{name: ItemEvents, file: "events.json", kind: kindObjects},
		{name: ItemDescribe, file: "describe.txt", kind: kindObjects},
	}
}

// ItemNames lists the names that Plan.Only and Plan.Skip accept.
func ItemNames() []string {
	var names []string
	for _, it := range catalogue() {
		names = append(names, it.name)
	}
	return names
}

func (it item) isCPU() bool { return it.name == ItemCPU }

// numbered returns the n-th of the items that differ in their file's number.
func (it item) numbered(n int) item {
	it.file = fmt.Sprintf(it.file, n)
	return it
}

func checkNames(flag string, names []string) error {
	known := ItemNames()
	for _, n := range names {
		if !slices.Contains(known, n) {
			return usage("items: "+strings.Join(known, ", "), "--%s %q is not an item that triage can "+
				"capture", flag, n)
		}
	}
	return nil
}
