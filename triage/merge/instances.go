package merge

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// instancesOf are the containers or processes that a report is about, with what each is of.
type instancesOf map[pods.Key]map[string]string

// instances finds those of a report: its containers of pods, else its processes, else one with a name.
func instances(r *schema.Report, name string) instancesOf {
	all := instancesOf{}
	for i := range r.Inputs {
		in := &r.Inputs[i]
		if in.Pod == "" {
			continue
		}
		t := all.of(rules.PodCount{Namespace: in.Namespace, Pod: in.Pod, Container: in.Container})
		w := pods.WorkloadOf(in.Pod, in.Container, in.Node, false)
		for trait, value := range map[string]string{
			"namespace": in.Namespace, "workload": w.Name, "revision": w.Revision, "node": in.Node,
		} {
			t.set(trait, value)
		}
	}
	for i := range r.Dumps {
		d := &r.Dumps[i]
		all.of(processOf(d, name)).set("go", d.Go)
	}
	if len(all) == 0 && r.Recognised() {
		all.of(rules.PodCount{Process: name})
	}
	return all
}

func (all instancesOf) of(p rules.PodCount) traits {
	key := pods.KeyOf(p)
	if all[key] == nil {
		all[key] = map[string]string{}
	}
	return all[key]
}

// only is the instance of a report about one; the report itself where it is about several.
func (all instancesOf) only(name string) rules.PodCount {
	for key := range all {
		if len(all) == 1 && key.Pod != "" {
			return rules.PodCount{Namespace: key.Namespace, Pod: key.Pod, Container: key.Container, Count: 1}
		}
	}
	return rules.PodCount{Process: name, Input: name, Count: 1}
}

// traits are the values of one instance's traits.
type traits map[string]string

// set gives the instance a value of a trait; "" is unknown. The last dump of a process counts.
func (t traits) set(trait, value string) {
	if value != "" {
		t[trait] = value
	}
}

// processOf is the container or process of a dump.
func processOf(d *schema.Dump, name string) rules.PodCount {
	p := rules.PodCount{Namespace: d.Namespace, Pod: d.Pod, Container: d.Container}
	if p.Pod == "" {
		p.Process = cmp.Or(d.Process, name)
	}
	return p
}

// nameOf is what an instance is called.
func nameOf(p rules.PodCount, name string) string {
	if p.Pod == "" {
		return name
	}
	return phrase.OnlyIf(p.Namespace != "", p.Namespace+"/") + p.Pod + phrase.OnlyIf(p.Container != "", "/"+p.Container)
}

// blocked are the lines at which goroutines of a report wait that are in no role, or in more than usual numbers, as the
// last dump of each process shows them.
func (all instancesOf) blocked(r *schema.Report, name string) []schema.BlockedLine {
	last := map[pods.Key]*schema.Dump{}
	for i := range r.Dumps {
		d := &r.Dumps[i]
		if key := pods.KeyOf(processOf(d, name)); last[key] == nil || d.Time >= last[key].Time {
			last[key] = d
		}
	}
	m := New()
	for _, d := range last {
		here := New()
		for i := range d.Buckets {
			b := &d.Buckets[i]
			f, ok := schema.Blamed(b.Frames)
			if b.Expected() || !ok || !slices.Contains(waits, stackparse.Class(b.Wait)) {
				continue
			}
			here.line(&schema.BlockedLine{Function: f.Function, File: f.File, Line: f.Line, Wait: b.Wait,
				Goroutines: b.Count, Instances: 1})
		}
		for _, line := range here.blocked {
			line.Instances, line.Most, line.MostAt = 1, line.Goroutines, nameOf(processOf(d, name), name)
			m.line(line)
		}
	}
	var lines []schema.BlockedLine
	for _, line := range m.blocked {
		lines = append(lines, *line)
	}
	return lines
}

// waits are the classes of waits that only another goroutine can end.
var waits = []stackparse.Class{
	stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassNilChan,
	stackparse.ClassNoCases, stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW,
	stackparse.ClassWaitGroup, stackparse.ClassCond, stackparse.ClassSemaphore,
}

// counts are how many instances have each value of a trait. A trait of more than maxValues values keeps none: it sets
// nothing apart.
type counts map[string]map[string]int

// Chosen: more nodes than most clusters have.
const maxValues = 1000

// add adds a number of instances with a value; "" stands for too many values.
func (c counts) add(trait, value string, n int) {
	have, known := c[trait]
	if !known {
		have = map[string]int{}
		c[trait] = have
	}
	if known && len(have) == 0 {
		return
	}
	if have[value] += n; value == "" || len(have) > maxValues {
		clear(have)
	}
}

func (c counts) addAll(traits []rules.Trait) {
	for _, t := range traits {
		c.add(t.Name, t.Value, t.Instances)
	}
}

// list is the form of a report.
func (c counts) list() []rules.Trait {
	traits := []rules.Trait{}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if len(c[name]) == 0 {
			traits = append(traits, rules.Trait{Name: name})
		}
		for _, value := range slices.Sorted(maps.Keys(c[name])) {
			traits = append(traits, rules.Trait{Name: name, Value: value, Instances: c[name][value]})
		}
	}
	return traits
}
