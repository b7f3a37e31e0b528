package survey_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/fetch/promtest"
	"github.com/gotriage/triage/internal/prometheus"
	"github.com/gotriage/triage/internal/survey"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A fleet is made pod by pod, with the same noise in every run.
type fleet struct {
	r     *rand.Rand
	procs []promtest.Proc
}

func newFleet(seed uint64) *fleet { return &fleet{r: rand.New(rand.NewPCG(seed, 7))} }

// around is a value that differs from replica to replica by a lognormal spread, and little over time.
func (f *fleet) around(v, spread float64) [3]float64 {
	v *= math.Exp(spread * f.r.NormFloat64())
	jitter := func() float64 { return v * math.Exp(0.03*f.r.NormFloat64()) }
	return [3]float64{jitter(), jitter(), jitter()}
}

const letters = "bcdfghjklmnpqrstvwxz2456789"

// suffix is the end of a pod's name.
func (f *fleet) suffix() string {
	var b strings.Builder
	for range 5 {
		b.WriteByte(letters[f.r.IntN(len(letters))])
	}
	return b.String()
}

// A kind is what the replicas of a workload use.
type kind struct {
	name                      string // with the revision's hash
	goroutines, cores, memory float64
	spread                    float64
}

var web = kind{"web-5c9d8f7b6", 210, 0.3, 400e6, 0.1}

// add adds n replicas and returns them.
func (f *fleet) add(k kind, n int) []*promtest.Proc {
	from := len(f.procs)
	for range n {
		pod := k.name + "-" + f.suffix()
		at := fmt.Sprintf("10.0.%d.%d:8080", len(f.procs)/200, len(f.procs)%200)
		f.procs = append(f.procs, promtest.Proc{
			Labels:     map[string]string{"job": "shop", "namespace": "shop", "pod": pod, "container": "app", "instance": at},
			Goroutines: f.around(k.goroutines, k.spread), Cores: f.around(k.cores, 2*k.spread),
			Memory: f.around(k.memory, k.spread), ScrapeURL: "http://" + at + "/metrics",
		})
	}
	var added []*promtest.Proc
	for i := from; i < len(f.procs); i++ {
		added = append(added, &f.procs[i])
	}
	return added
}

// scale multiplies values by factors at the beginning, in the middle and now.
func scale(v *[3]float64, before, mid, now float64) {
	v[0], v[1], v[2] = v[0]*before, v[1]*mid, v[2]*now
}

// asked is the survey of a fleet, by way of a server.
func asked(t testing.TB, procs []promtest.Proc) *schema.Survey {
	t.Helper()
	srv := httptest.NewServer(&promtest.Server{Procs: procs})
	defer srv.Close()
	return askedAt(t, srv.URL, time.Time{})
}

func askedAt(t testing.TB, url string, until time.Time) *schema.Survey {
	t.Helper()
	p, err := prometheus.Ask(t.Context(), prometheus.Options{Server: url, Window: time.Hour, Until: until})
	if err != nil {
		t.Fatal(err)
	}
	return survey.Of(p, time.Hour, 0)
}

// found are the pods, or workloads as a whole, with their metrics: "web-…-x2x7k goroutines", with "?" where doubted.
func found(s *schema.Survey) []string {
	rows := []string{}
	for _, o := range s.Odd {
		name := o.Pod
		if o.Whole {
			name = "all of " + o.Workload
		}
		for _, r := range o.Reasons {
			name += " " + r.Metric
		}
		if o.Confidence == rules.ConfLow {
			name += "?"
		}
		rows = append(rows, name)
	}
	slices.Sort(rows)
	return rows
}

// A situation is a fleet and what is to be found in it.
type situation struct {
	name string
	make func(*fleet) (want []string)
}

func odd(p *promtest.Proc, metrics string) []string { return []string{p.Labels["pod"] + " " + metrics} }

// situations were labelled before the judge saw them.
var situations = []situation{
	{"one of twelve leaks goroutines", func(f *fleet) []string {
		p := f.add(web, 12)[4]
		p.Goroutines = [3]float64{240, 12_000, 27_410}
		return odd(p, "goroutines")
	}},
	{"one of twelve has leaked goroutines for days", func(f *fleet) []string {
		p := f.add(web, 12)[4]
		p.Goroutines = [3]float64{27_100, 27_200, 27_410}
		return odd(p, "goroutines")
	}},
	{"one of three leaks goroutines", func(f *fleet) []string {
		p := f.add(web, 3)[0]
		p.Goroutines = [3]float64{200, 2000, 5000}
		return odd(p, "goroutines")
	}},
	{"two of five leak", func(f *fleet) []string {
		all := f.add(web, 5)
		scale(&all[1].Goroutines, 1, 8, 15)
		scale(&all[3].Goroutines, 1, 20, 40)
		return append(odd(all[1], "goroutines"), odd(all[3], "goroutines")...)
	}},
	{"one of eight spins", func(f *fleet) []string {
		p := f.add(kind{"web-5c9d8f7b6", 210, 0.05, 400e6, 0.1}, 8)[2]
		p.Cores = [3]float64{0.05, 1.04, 1.05}
		return odd(p, "cores")
	}},
	{"one of eight has spun for hours", func(f *fleet) []string {
		p := f.add(kind{"web-5c9d8f7b6", 210, 0.05, 400e6, 0.1}, 8)[2]
		p.Cores = promtest.Flat(1.05)
		return odd(p, "cores")
	}},
	{"one of six has a heap that grows", func(f *fleet) []string {
		p := f.add(web, 6)[5]
		p.Memory = [3]float64{400e6, 1.2e9, 2.4e9}
		return odd(p, "memory")
	}},
	{"one of twelve grows but is not yet beyond the others", func(f *fleet) []string {
		all := f.add(kind{"web-5c9d8f7b6", 1000, 0.3, 400e6, 0.4}, 12)
		all[3].Goroutines = [3]float64{500, 900, 1500}
		return odd(all[3], "goroutines")
	}},
	{"one of four crashes again and again", func(f *fleet) []string {
		p := f.add(web, 4)[1]
		p.Restarts = 9
		return odd(p, "restarts")
	}},
	{"one hangs: no CPU while the others work", func(f *fleet) []string {
		p := f.add(web, 6)[1]
		p.Cores = [3]float64{0.3, 0.002, 0.001}
		return odd(p, "cores")
	}},
	{"all pods leak", func(f *fleet) []string {
		for _, p := range f.add(web, 10) {
			scale(&p.Goroutines, 1, 4, 8)
		}
		return []string{"all of web goroutines"}
	}},
	{"all pods crash", func(f *fleet) []string {
		for _, p := range f.add(web, 6) {
			p.Restarts = 3
		}
		return []string{"all of web restarts"}
	}},
	{"the only pod leaks", func(f *fleet) []string {
		p := f.add(web, 1)[0]
		scale(&p.Goroutines, 1, 20, 60)
		return odd(p, "goroutines?")
	}},
	{"near: healthy replicas", func(f *fleet) []string { f.add(web, 40); return nil }},
	{"near: healthy replicas with a wide spread", func(f *fleet) []string {
		f.add(kind{"web-5c9d8f7b6", 800, 0.5, 900e6, 0.5}, 60)
		return nil
	}},
	{"near: two workloads with other loads", func(f *fleet) []string {
		f.add(web, 6)
		f.add(kind{"batch-6d4b75cb6d", 9000, 3, 4e9, 0.1}, 4)
		return nil
	}},
	{"near: blue and green", func(f *fleet) []string {
		f.add(web, 5)
		f.add(kind{"web-6d4b75cb6d", 900, 1.2, 1.5e9, 0.1}, 5)
		return nil
	}},
	{"near: a rollout has made the first pod of a busier build", func(f *fleet) []string {
		f.add(web, 8)
		p := f.add(kind{"web-6d4b75cb6d", 1500, 1.2, 1.5e9, 0.1}, 1)[0]
		for _, v := range []*[3]float64{&p.Goroutines, &p.Cores, &p.Memory} {
			v[0], v[1] = math.NaN(), math.NaN()
		}
		return odd(p, "goroutines memory?")
	}},
	{"near: one process alone", func(f *fleet) []string { f.add(web, 1); return nil }},
	{"near: a leader and two that wait", func(f *fleet) []string {
		all := f.add(kind{"operator-5c9d8f7b6", 60, 0.004, 90e6, 0.05}, 3)
		all[1].Cores, all[1].Goroutines, all[1].Memory = promtest.Flat(0.4), promtest.Flat(140), promtest.Flat(500e6)
		return nil
	}},
	{"near: a leader that differs by its CPU alone", func(f *fleet) []string {
		p := f.add(kind{"operator-5c9d8f7b6", 60, 0.004, 90e6, 0.05}, 3)[1]
		p.Cores = promtest.Flat(0.4)
		return odd(p, "cores?")
	}},
	{"near: shards with more and less work", func(f *fleet) []string {
		for i, p := range f.add(kind{"kafka", 300, 0.3, 800e6, 0.05}, 6) {
			p.Labels["pod"] = fmt.Sprintf("kafka-%d", i)
			m := 1 + float64(i)/2
			scale(&p.Cores, m, m, m)
			scale(&p.Goroutines, m, m, m)
		}
		return nil
	}},
	{"near: the load of all rises", func(f *fleet) []string {
		for _, p := range f.add(kind{"web-5c9d8f7b6", 600, 0.3, 400e6, 0.1}, 10) {
			scale(&p.Goroutines, 1, 1.4, 1.9)
			scale(&p.Cores, 1, 1.5, 2)
		}
		return []string{"all of web goroutines?"}
	}},
	{"near: a cache was filled, and stays", func(f *fleet) []string {
		for i, p := range f.add(web, 5) {
			if i == 2 {
				p.Memory = [3]float64{150e6, 420e6, 425e6}
			}
		}
		return nil
	}},
	{"near: one restart", func(f *fleet) []string {
		p := f.add(web, 9)[1]
		p.Restarts = 1
		return odd(p, "restarts?")
	}},
	{"near: all were deployed anew, where a process keeps its name", func(f *fleet) []string {
		for _, p := range f.add(web, 6) {
			p.Restarts = 1
		}
		return []string{"all of web restarts?"}
	}},
	{"near: kube-state-metrics was installed within the time, and counts restarts of last month", func(f *fleet) []string {
		for _, p := range f.add(web, 6) {
			p.Labels["cluster"], p.LateKube = "new", true
		}
		return nil
	}},
	{"one leaks among pods that all crash", func(f *fleet) []string {
		all := f.add(web, 6)
		for _, p := range all {
			p.Restarts = 3
		}
		all[2].Restarts, all[2].Goroutines = 5, [3]float64{240, 1200, 2500}
		return append(odd(all[2], "goroutines"), "all of web restarts")
	}},
	{"near: two replicas with other loads", func(f *fleet) []string {
		all := f.add(web, 2)
		scale(&all[0].Goroutines, 2, 2, 2)
		return nil
	}},
}

func TestTheOthersOfASentenceAreTheUsualOnes(t *testing.T) {
	f := newFleet(1)
	f.procs = make([]promtest.Proc, 0, 20)
	for i, p := range f.add(web, 12) {
		p.Goroutines = promtest.Flat(float64(180 + i))
		if i > 9 {
			p.Goroutines = promtest.Flat(float64(2000 * i))
		}
	}
	for _, o := range asked(t, f.procs).Odd {
		r := o.Reasons[0]
		if !strings.HasSuffix(r.Why, "; 10 other pods of web have 180 to 189.") || r.Others != 10 || r.High != 189 {
			t.Errorf("%+v", r)
		}
	}
}

func TestTheOddOnesAreFoundAndHealthyOnesAreNot(t *testing.T) {
	for i, c := range situations {
		t.Run(c.name, func(t *testing.T) {
			f := newFleet(uint64(i))
			f.procs = make([]promtest.Proc, 0, 100) // pointers into it stay
			want := append([]string{}, c.make(f)...)
			slices.Sort(want)
			s := asked(t, f.procs)
			if diff := cmp.Diff(want, found(s)); diff != "" {
				t.Error(diff)
			}
			for _, o := range s.Odd {
				for _, r := range o.Reasons {
					t.Log(o.Severity, o.Pod, r.Why, o.Against)
				}
			}
		})
	}
}
