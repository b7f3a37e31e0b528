package fetch

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

const (
	defaultSeconds = 10
	defaultDumps   = 3
	// maxProxySeconds is what is sure to pass an API server, which ends a request after 60 s (kube-apiserver's
	// --request-timeout) unless it knows it for a long one; others in between (load balancers) allow 30 s.
	maxProxySeconds = 30
	// maxDumped is the number of goroutines above which no debug=2 dump is asked for unless told. Each dump stops the process,
	// again for every doubling of net/http/pprof's buffer: measured 5 ms at 1,000 goroutines, 0.18 s at 10,000, 2.9 s at
	// 100,000 with stacks of ten frames (Go 1.26, two cores). The counted profile took 15 ms at 10,000.
	maxDumped = 10_000
	// stopPerGoroutine is the measured stop of a dump at maxDumped goroutines, for each.
	stopPerGoroutine = 18 * time.Microsecond
)

// A Plan says what to ask for. The zero value asks for everything that a production process can bear: one CPU profile of
// 10 s, three dumps meanwhile, and what costs little.
type Plan struct {
	Seconds  int           // of the CPU profile: 10
	Dumps    int           // debug=2 dumps: 3
	Interval time.Duration // between the dumps: spread over the CPU profile
	Only     []string      // nothing but these items
	Skip     []string
	// Stacks asks for the dumps whatever the number of goroutines.
	Stacks bool
	// LogLines asks for that many lines from the end of a pod's current log.
	LogLines int
}

// A planned is a plan that was checked and completed.
type planned struct {
	items    []item
	dumps    int
	interval time.Duration
	first    time.Duration // until the first dump
	stacks   bool
	lines    int
}

func (p Plan) complete(pods, proxied bool) (planned, error) {
	if err := checkNames("only", p.Only); err != nil {
		return planned{}, err
	}
	if err := checkNames("skip", p.Skip); err != nil {
		return planned{}, err
	}
	if p.Seconds < 0 || p.Dumps < 0 || p.Interval < 0 || p.LogLines < 0 {
		return planned{}, usage("", "a number of the plan is negative")
	}
	if p.Seconds == 0 {
		p.Seconds = defaultSeconds
	}
	if p.Seconds > 3600 {
		return planned{}, usage("a CPU profile of 10 to 60 s is usual", "--seconds %d is more than an hour", p.Seconds)
	}
	if proxied && p.Seconds > maxProxySeconds {
		return planned{}, usage("--via port-forward has no such bound", "--seconds %d: an API server's proxy may end what lasts more than %d s", p.Seconds, maxProxySeconds)
	}
	if p.Dumps == 0 {
		p.Dumps = defaultDumps
	}
	if p.Dumps > 100 {
		return planned{}, usage("--watch captures again and again", "%d dumps of one capture are more than 100", p.Dumps)
	}
	out := planned{dumps: p.Dumps, interval: p.Interval, stacks: p.Stacks || slices.Contains(p.Only, ItemStacks), lines: p.LogLines}
	if out.interval == 0 {
		// In the middle of equal parts of the CPU profile, so that the last one still lies within.
		out.interval = time.Duration(p.Seconds) * time.Second / time.Duration(p.Dumps)
		out.first = out.interval / 2
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

func (p Plan) wants(it item, pods bool) bool {
	switch {
	case slices.Contains(p.Skip, it.name), it.kind == kindLog && !pods:
		return false
	case len(p.Only) > 0:
		return slices.Contains(p.Only, it.name)
	}
	return it.name != ItemLog || p.LogLines > 0
}

func (p planned) has(name string) bool {
	return slices.ContainsFunc(p.items, func(it item) bool { return it.name == name })
}

func (p planned) item(name string) (item, bool) {
	i := slices.IndexFunc(p.items, func(it item) bool { return it.name == name })
	if i < 0 {
		return item{}, false
	}
	return p.items[i], true
}

// lasts is how long the process is asked for something on purpose.
func (p planned) lasts() time.Duration {
	cpu, dumps := time.Duration(0), time.Duration(0)
	if it, ok := p.item(ItemCPU); ok {
		cpu = it.lasts
	}
	if p.has(ItemStacks) {
		dumps = p.first + time.Duration(p.dumps-1)*p.interval
	}
	return max(cpu, dumps)
}

func (p planned) dumpsText() string {
	apart := p.interval
	if apart > 100*time.Millisecond {
		apart = apart.Round(100 * time.Millisecond)
	}
	if p.dumps == 1 {
		return "a goroutine dump"
	}
	return fmt.Sprintf("%d goroutine dumps, %s apart", p.dumps, apart)
}

// announce says in a few lines what will be asked of the process and what it costs.
func (p planned) announce() []string {
	var asks, cheap, costs []string
	for _, it := range p.items {
		switch it.name {
		case ItemCPU:
			asks = append(asks, fmt.Sprintf("a CPU profile of %d s", int(it.lasts.Seconds())))
			costs = append(costs, "profiling takes a few percent of the CPU that the process uses")
		case ItemStacks:
			asks = append(asks, p.dumpsText())
			if p.stacks {
				costs = append(costs, "each dump stops the process for about 5 ms at 1,000 goroutines, 3 s at 100,000")
			} else {
				costs = append(costs, "each dump stops the process for about 5 ms at 1,000 goroutines, 0.2 s at 10,000; above that none is asked for (--stacks: take them anyway)")
			}
		default:
			cheap = append(cheap, it.name)
		}
	}
	if p.has(ItemLeaks) {
		costs = append(costs, "goroutineleak runs a garbage collection, where it is served")
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
