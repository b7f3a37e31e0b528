package survey_test

import (
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/gotriage/triage/internal/fetch/promtest"
	"github.com/gotriage/triage/rules"
)

var listGenerated = flag.Bool("generated", false, "list what is missed and what is wrong in generated fleets")

// between is a number from a range, all orders of magnitude alike.
func (f *fleet) between(low, high float64) float64 {
	return low * math.Exp(f.r.Float64()*math.Log(high/low))
}

// generate makes a fleet of 40 workloads and returns the pods, and workloads as a whole, that are at fault. What is
// healthy differs in the ways that services do: loads, spreads, leaders, shards, rollouts, load that rises, new pods.
func generate(seed uint64) (procs []promtest.Proc, guilty map[string]string) {
	f := newFleet(seed)
	f.procs = make([]promtest.Proc, 0, 5000)
	guilty = map[string]string{}
	for i := range 40 {
		sizes := []int{1, 2, 3, 3, 5, 8, 12, 30, 80}
		k := kind{fmt.Sprintf("w%02d-5c9d8f7b6", i), f.between(15, 5000), f.between(0.005, 3), f.between(30e6, 4e9),
			f.between(0.03, 0.45)}
		n := sizes[f.r.IntN(len(sizes))]
		all := f.add(k, n)
		f.live(k, all)
		if n >= 3 && f.r.IntN(3) == 0 {
			f.fault(k, all, guilty)
		}
	}
	return f.procs, guilty
}

// live makes healthy replicas differ as they do.
func (f *fleet) live(k kind, all []*promtest.Proc) {
	each := func(p *promtest.Proc, before, mid, now float64) {
		scale(&p.Goroutines, before, mid, now)
		scale(&p.Cores, before, mid, now)
		scale(&p.Memory, math.Sqrt(before), math.Sqrt(mid), math.Sqrt(now))
	}
	noise := f.between(0.02, 0.15)
	for _, p := range all { // garbage, requests
		for _, v := range []*[3]float64{&p.Goroutines, &p.Cores, &p.Memory} {
			scale(v, math.Exp(noise*f.r.NormFloat64()), math.Exp(noise*f.r.NormFloat64()), math.Exp(noise*f.r.NormFloat64()))
		}
	}
	switch f.r.IntN(8) {
	case 0: // a leader
		m := f.between(2, 40)
		scale(&all[0].Cores, m, m, m)
		g := f.between(1.2, 4)
		scale(&all[0].Goroutines, g, g, g)
		scale(&all[0].Memory, g, g, g)
	case 1: // shards
		for _, p := range all {
			m := math.Exp(0.5 * f.r.NormFloat64())
			each(p, m, m, m)
		}
	case 2: // a rollout, to a build with another load
		m := f.between(0.5, 3)
		hash := "-6d4b75cb6d-"
		for i, p := range all {
			if i >= len(all)/2 {
				p.Labels["pod"] = k.name[:3] + hash + f.suffix()
				each(p, math.NaN(), math.NaN(), m)
			}
		}
	case 3: // the load of all changes
		m := f.between(0.6, 1.7)
		for _, p := range all {
			each(p, 1, (1+m)/2, m)
		}
	case 4: // caches that are filled
		for _, p := range all {
			scale(&p.Memory, f.between(0.3, 0.9), 1, 1)
		}
	}
}

// fault makes one replica faulty, or all.
func (f *fleet) fault(k kind, all []*promtest.Proc, guilty map[string]string) {
	p := all[f.r.IntN(len(all))]
	name := p.Labels["pod"]
	leak := func(p *promtest.Proc) {
		more := f.between(2, 60)*max(p.Goroutines[2], 30) + 500
		p.Goroutines[2] += more
		p.Goroutines[1] += more * (0.1 + 0.4*f.r.Float64())
	}
	switch kinds := f.r.IntN(7); kinds {
	case 0:
		leak(p)
		guilty[name] = "leak"
	case 1:
		p.Goroutines = f.around(f.between(12, 100)*max(p.Goroutines[2], 100), 0)
		guilty[name] = "old leak"
	case 2, 3:
		more := float64(1 + f.r.IntN(3))
		v := &p.Cores
		v[2] += more
		v[1] += more
		if kinds == 3 {
			v[0] += more
		}
		guilty[name] = fmt.Sprintf("spin of %.0f beside %.2f cores", more, k.cores)
	case 4:
		m := f.between(2.5, 8)
		p.Memory[2] = p.Memory[2]*m + 300e6
		p.Memory[1] = (p.Memory[0] + p.Memory[2]) / 2
		guilty[name] = "heap"
	case 5:
		p.Restarts = 2 + f.r.IntN(20)
		guilty[name] = "crash"
	case 6:
		for _, p := range all {
			leak(p)
		}
		guilty["all of "+k.name[:3]] = "leak"
	}
}

// judged counts what is found in fleets of these seeds.
type judged struct{ processes, guilty, likely, possible, wrong, doubted int }

func judge(t *testing.T, from, upto uint64) (all judged) {
	t.Helper()
	for seed := from; seed < upto; seed++ {
		procs, guilty := generate(seed)
		all.guilty += len(guilty)
		s := asked(t, procs)
		all.processes += s.Processes
		for _, o := range s.Odd {
			name := o.Pod
			if o.Whole {
				name = "all of " + o.Workload
			}
			_, right := guilty[name]
			delete(guilty, name)
			sure := o.Confidence != rules.ConfLow
			switch {
			case right && sure:
				all.likely++
			case right:
				all.possible++
			case sure:
				all.wrong++
			default:
				all.doubted++
			}
			if *listGenerated && (!right || !sure) {
				t.Log(seed, "right:", right, "sure:", sure, name, o.Reasons[0].Why, o.Against)
			}
		}
		if *listGenerated {
			t.Log(seed, "missed:", guilty)
		}
	}
	return all
}

// TestGeneratedFleets has figures of fleets that the judge was developed with, and of as many that nobody looked at
// before it was done. Each bound is the figure that was measured.
func TestGeneratedFleets(t *testing.T) {
	if testing.Short() {
		t.Skip("it judges many fleets")
	}
	for _, c := range []struct {
		name       string
		from, upto uint64
		least      judged // and at most wrong and doubted
	}{
		{"open", 1, 41, judged{processes: 25_314, guilty: 432, likely: 371, possible: 25, wrong: 5, doubted: 48}},
		{"sealed", 1001, 1041, judged{processes: 24_908, guilty: 395, likely: 340, possible: 19, wrong: 9, doubted: 48}},
	} {
		got := judge(t, c.from, c.upto)
		t.Logf("%s: %+v", c.name, got)
		if got.processes != c.least.processes || got.guilty != c.least.guilty {
			t.Errorf("%s: other fleets than those that were measured", c.name)
		}
		if got.likely < c.least.likely || got.likely+got.possible < c.least.likely+c.least.possible ||
			got.wrong > c.least.wrong || got.doubted > c.least.doubted {
			t.Errorf("%s: worse than %+v", c.name, c.least)
		}
	}
}

// BenchmarkThreeThousandPods asks about 250 workloads of 12 pods, by way of a server in this process.
func BenchmarkThreeThousandPods(b *testing.B) {
	f := newFleet(1)
	f.procs = make([]promtest.Proc, 0, 3000)
	for i := range 250 {
		name := fmt.Sprintf("w%03d-5c9d8f7b6", i)
		f.add(kind{name, f.between(15, 5000), f.between(0.005, 3), f.between(30e6, 4e9), 0.1}, 12)
	}
	for b.Loop() {
		if s := asked(b, f.procs); s.Processes != 3000 {
			b.Fatal(s.Processes)
		}
	}
}
