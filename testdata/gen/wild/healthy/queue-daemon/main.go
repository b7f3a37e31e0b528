// Command queue-daemon runs the jobs of a queue. Main waits for the workers, and the workers for jobs: there are few at
// night.
package main

import (
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

type job struct{ id int }

type daemon struct {
	jobs chan job
	wg   sync.WaitGroup
}

func (d *daemon) work(n int) {
	defer d.wg.Done()
	for j := range d.jobs {
		log.Printf("worker %d runs job %d", n, j.id)
	}
}

// feed takes jobs from the schedule, one every four minutes at this hour, until the daemon has to stop.
func (d *daemon) feed(stop <-chan os.Signal) {
	defer close(d.jobs)
	schedule := time.NewTicker(4 * time.Minute)
	defer schedule.Stop()
	for id := 0; ; id++ {
		select {
		case <-schedule.C:
			d.jobs <- job{id}
		case <-stop:
			return
		}
	}
}

func main() {
	kit.Serve()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	d := &daemon{jobs: make(chan job)}
	for n := 0; n < 12; n++ {
		d.wg.Add(1)
		go d.work(n)
	}
	go d.feed(stop)
	d.wg.Wait()
}
