// Package imports: an import is asked for by a request, which waits for its end: half an hour.
package imports

import (
	"net/http"
	"time"

	"aged/kit"
)

type job struct {
	rows int
	done chan error
}

type Desk struct{ jobs chan *job }

func (d *Desk) work() {
	for j := range d.jobs {
		for range 3600 {
			d.row(j)
		}
		j.done <- nil
	}
}

func (d *Desk) row(j *job) { time.Sleep(500 * time.Millisecond); j.rows++ }
func (d *Desk) load(w http.ResponseWriter, r *http.Request) {
	j := &job{done: make(chan error)}
	d.jobs <- j
	d.result(j)
	w.WriteHeader(204)
}

func (d *Desk) result(j *job) error { return <-j.done }

// Main runs it.
func Main() {
	d := &Desk{make(chan *job)}
	for range 2 {
		go d.work()
	}
	address := kit.API(http.HandlerFunc(d.load))
	for range 14 {
		go kit.Hold(address, "/")
	}
	kit.Wait()
}
