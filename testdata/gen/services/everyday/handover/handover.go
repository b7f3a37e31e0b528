// Package handover publishes sites: a job for each change, one at a time for each site, run by a pool of ants.
//
// It looks like a lock that somebody forgot to release (double-lock, lock-convoy, stuck-again): thirty requests wait in
// Lock, and nobody else is below it. The lock is handed to a worker, which releases it after three seconds.
package handover

import (
	"io"
	"net/http"
	"time"

	"example.com/everyday/handover/jobs"
	"example.com/services/kit"
)

func mirror(w http.ResponseWriter, r *http.Request) {
	time.Sleep(3 * time.Second)
	io.WriteString(w, "ok")
}

type publisher struct {
	jobs   *jobs.Runner
	mirror string
}

func (p *publisher) copySite() {
	if answer, err := http.Get(p.mirror); err == nil {
		answer.Body.Close()
	}
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := p.jobs.Submit(r.URL.Path, p.copySite); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
	}
}

func change(url string) {
	for {
		if answer, err := http.Get(url); err == nil {
			answer.Body.Close()
		}
	}
}

// Main publishes.
func Main() {
	kit.Start()
	runner, err := jobs.New(10)
	if err != nil {
		panic(err)
	}
	url := kit.API(&publisher{runner, kit.API(http.HandlerFunc(mirror))})
	for range 30 {
		go change(url + "/busy")
	}
	go change(url + "/calm")
	kit.Wait()
}
