// Package meterd exports figures of devices that come and go.
package meterd

import (
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/gauge"
)

type device struct{ name string }

func (d device) Collect(out map[string]float64) { out[d.name] = 1 }

// discovery finds devices while figures are collected.
type discovery struct {
	registry *gauge.Registry
	asked    int
}

func (d *discovery) Collect(out map[string]float64) {
	d.asked++
	if d.asked%20 == 0 {
		d.announce(fmt.Sprintf("disk-%d", d.asked))
	}
	out["devices"]++
}

func (d *discovery) announce(name string) { d.registry.Register(name, device{name}) }

func Main() {
	kit.Start()
	r := gauge.NewRegistry()
	r.Register("discovery", &discovery{registry: r})
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, r.Gather()) }))
	for range 3 {
		go func() {
			for range time.Tick(200 * time.Millisecond) {
				kit.Get(url)
			}
		}()
	}
	time.AfterFunc(20*time.Second, func() {})
	kit.Wait()
}
