// Package events records what happens to objects.
package events

import "time"

// A Recorder has a queue and one goroutine that writes it out.
type Recorder struct {
	queue chan string
	stop  chan struct{}
}

// Start records from sixty goroutines after the writer was stopped.
func Start() {
	r := &Recorder{queue: make(chan string, 10), stop: make(chan struct{})}
	go r.write()
	close(r.stop)
	time.Sleep(20 * time.Millisecond)
	for i := 0; i < 70; i++ {
		go reconcile(r, "Created")
	}
}

func reconcile(r *Recorder, reason string) { r.Event(reason) }

// Event puts an event into the queue.
func (r *Recorder) Event(reason string) {
	r.queue <- reason
}

func (r *Recorder) write() {
	for {
		select {
		case <-r.queue:
		case <-r.stop:
			return
		}
	}
}
