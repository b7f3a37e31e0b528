// Package meters exports what a slow device says: a collector of Prometheus asks it with its lock held, for five seconds.
//
// It looks like a lock that nobody releases (lock-convoy, double-lock): scrapes queue behind the collector's lock. Five
// servers scrape every minute, and requests that set a limit want the lock too.
package meters

import (
	"io"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func device(w http.ResponseWriter, r *http.Request) {
	time.Sleep(5 * time.Second)
	io.WriteString(w, "7")
}

type collector struct {
	mu    sync.Mutex
	url   string
	limit float64
	desc  *prometheus.Desc
}

func (c *collector) Describe(all chan<- *prometheus.Desc) { all <- c.desc }

func (c *collector) Collect(all chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	answer, err := http.Get(c.url)
	if err != nil {
		return
	}
	answer.Body.Close()
	all <- prometheus.MustNewConstMetric(c.desc, prometheus.GaugeValue, c.limit)
}

func (c *collector) ServeHTTP(http.ResponseWriter, *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit++
}

// Main exports.
func Main() {
	kit.Start()
	c := &collector{
		url:  kit.API(http.HandlerFunc(device)),
		desc: prometheus.NewDesc("meter_limit", "The limit of the meter.", nil, nil),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(c)
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.Handle("/limit", c)
	url := kit.API(mux)
	for range 5 {
		go func() {
			for {
				if answer, err := http.Get(url + "/metrics"); err == nil {
					answer.Body.Close()
				}
				time.Sleep(10 * time.Second)
			}
		}()
	}
	kit.Ask(1<<30, 7*time.Second, url+"/limit")
}
