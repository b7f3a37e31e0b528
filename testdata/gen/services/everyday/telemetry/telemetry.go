// Package telemetry runs jobs and gives each a collector of its own.
package telemetry

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// jobs are all jobs that run.
type jobs struct {
	mu       sync.Mutex
	registry *prometheus.Registry
	done     map[string]int
}

// A collector reports how far a job is.
type collector struct {
	jobs *jobs
	name string
}

// Describe is what Collect sends.
func (c *collector) Describe(ch chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, ch) }

// Collect reports the steps that are done.
func (c *collector) Collect(ch chan<- prometheus.Metric) {
	desc := prometheus.NewDesc("job_steps_total", "Steps of a job.", nil, prometheus.Labels{"job": c.name})
	ch <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, float64(c.jobs.steps(c.name)))
}

func (j *jobs) steps(name string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done[name]
}

// add registers a job, once.
func (j *jobs) add(name string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.done[name]; ok {
		return fmt.Errorf("%s runs already", name)
	}
	j.done[name] = 0
	return j.registry.Register(&collector{j, name})
}

// step notes progress.
func (j *jobs) step(name string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done[name]++
}

func Main() {
	kit.Start()
	j := &jobs{registry: prometheus.NewRegistry(), done: map[string]int{"boot": 1}}
	j.registry.MustRegister(&collector{j, "boot"})
	r := chi.NewRouter()
	r.Handle("/metrics", promhttp.HandlerFor(j.registry, promhttp.HandlerOpts{}))
	r.Get("/start/{job}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, j.add(chi.URLParam(r, "job")))
	})
	r.Get("/step/{job}", func(w http.ResponseWriter, r *http.Request) { j.step(chi.URLParam(r, "job")) })
	url := kit.API(r)
	kit.Ask(10, 100*time.Millisecond, url+"/metrics")
	kit.Ask(10, 100*time.Millisecond, url+"/step/boot")
	kit.Ask(1, time.Second, url+"/start/import")
	kit.Ask(8, 5*time.Second, url+"/step/import")
	kit.Ask(12, 5*time.Second, url+"/metrics")
	kit.Wait()
}
