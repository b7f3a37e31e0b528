package watch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// A Process is what a sample shows of one process; a quantity that it does not show is no number (NaN).
type Process struct {
	Name   string // NAMESPACE/POD, with /CONTAINER where it is known, or the target
	Values [measures]float64
}

// The quantities of a process on which limits can be set.
const (
	goroutines = iota
	cores
	heap
	measures
)

// measureOf describes the quantities: their names in limits, metrics and sentences.
var measureOf = [measures]struct {
	name, metric, help string
	write              func(float64) string
}{
	goroutines: {"goroutines", "goroutines", "Goroutines of the process.", func(v float64) string {
		return phrase.Plural(int(v), "goroutine")
	}},
	cores: {"cores", "cpu_cores", "CPUs that the process kept busy during the profile.", func(v float64) string {
		return strconv.FormatFloat(v, 'f', 2, 64) + " cores"
	}},
	heap: {"heap", "heap_bytes", "Bytes of the heap in use at the last garbage collection.", func(v float64) string {
		return phrase.Size(int64(v)) + " of heap"
	}},
}

// MeasureNames are the quantities on which limits can be set.
func MeasureNames() []string {
	var names []string
	for _, m := range measureOf {
		names = append(names, m.name)
	}
	return names
}

// A Limit is passed by more than Value of a quantity.
type Limit struct {
	measure int
	value   float64
}

// ParseLimit reads NAME=VALUE: goroutines=10000, cores=1.5, heap=2GiB. size reads a number of bytes.
func ParseLimit(text string, size func(string) (int64, error)) (Limit, error) {
	name, value, _ := strings.Cut(text, "=")
	m := slices.Index(MeasureNames(), name)
	if m < 0 {
		return Limit{}, fmt.Errorf("%q is not one of %s", name, strings.Join(MeasureNames(), ", "))
	}
	if m == heap {
		n, err := size(value)
		return Limit{m, float64(n)}, err
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return Limit{}, fmt.Errorf("%q is not a number: write %s=10", value, name)
	}
	return Limit{m, v}, nil
}

// A reason is why everything should be captured. Its key stays the same for as long as it holds.
type reason struct{ key, text string }

// measure returns the processes in the report of a sample, those with most goroutines first.
func (w *watch) measure(r *schema.Report) []Process {
	all := map[string]*Process{}
	take := func(namespace, pod, container string, measure int, v float64) {
		name := w.o.Capture.Target.String()
		if pod != "" {
			name = podName(namespace, pod, container)
		}
		if all[name] == nil {
			all[name] = &Process{name, [measures]float64{math.NaN(), math.NaN(), math.NaN()}}
		}
		if have := &all[name].Values[measure]; !(*have >= v) {
			*have = v
		}
	}
	for i := range r.Dumps {
		d := &r.Dumps[i]
		take(d.Namespace, d.Pod, d.Container, goroutines, float64(d.Goroutines))
	}
	for i := range r.Profiles {
		p := &r.Profiles[i]
		switch {
		case p.Kind == "cpu":
			take(p.Namespace, p.Pod, p.Container, cores, p.Cores)
		case p.Kind == "heap" && p.Type == "inuse_space":
			take(p.Namespace, p.Pod, p.Container, heap, float64(p.Total))
		}
	}
	var out []Process
	for _, p := range all {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Process) int {
		return cmp.Or(cmp.Compare(b.Values[goroutines], a.Values[goroutines]), strings.Compare(a.Name, b.Name))
	})
	return out
}

func podName(namespace, pod, container string) string {
	return strings.Trim(strings.Join([]string{namespace, pod, container}, "/"), "/")
}

// reasons returns the new ones among the reasons to capture everything, and remembers which known ones still hold.
func (w *watch) reasons(processes []Process, sample *fetch.Result, r *schema.Report) []reason {
	var all []reason
	for _, p := range processes {
		for _, l := range w.o.Limits {
			if m, v := measureOf[l.measure], p.Values[l.measure]; v > l.value {
				all = append(all, reason{m.name + " " + p.Name, fmt.Sprintf("%s: %s, limit %s", p.Name, m.write(v),
					m.write(l.value))})
			}
		}
	}
	restarts := map[string]int{}
	for _, p := range sample.Manifest.Pods {
		name := podName(p.Namespace, p.Name, p.Container)
		before, known := w.restarts[name]
		if restarts[name] = p.Restarts; known && p.Restarts > before {
			// The reason lasts until a full capture succeeds: right after a restart it often fails.
			restarts[name] = before
			all = append(all, reason{fmt.Sprint("restart ", p.Restarts, name), name + ": the container has restarted"})
		}
	}
	w.restarts = restarts
	for i := range r.Findings {
		if f := &r.Findings[i]; w.o.Alarms(f) {
			all = append(all, reason{f.Fingerprint, string(f.Severity) + ": " + f.Title})
		}
	}
	still := map[string]bool{}
	fresh := slices.DeleteFunc(all, func(r reason) bool {
		still[r.key] = w.seen[r.key]
		return w.seen[r.key]
	})
	w.seen = still
	return fresh
}

// maxDescribed is how many processes the line of a round describes.
const maxDescribed = 3

// describe says what a sample shows of each process, and how its goroutines changed since the last one.
func describe(processes, last []Process) string {
	var parts []string
	for _, p := range processes[:min(len(processes), maxDescribed)] {
		var values []string
		for m, v := range p.Values {
			if math.IsNaN(v) {
				continue
			}
			text := measureOf[m].write(v)
			i := slices.IndexFunc(last, func(before Process) bool { return before.Name == p.Name })
			if m == goroutines && i >= 0 && math.Abs(v-last[i].Values[m]) > 0 {
				text += fmt.Sprintf(" (%+d)", int(v-last[i].Values[m]))
			}
			values = append(values, text)
		}
		parts = append(parts, p.Name+": "+strings.Join(values, ", "))
	}
	if more := len(processes) - maxDescribed; more > 0 {
		parts = append(parts, phrase.Plural(more, "more process"))
	}
	if len(parts) == 0 {
		return "the sample contains no profile"
	}
	return strings.Join(parts, "; ")
}
