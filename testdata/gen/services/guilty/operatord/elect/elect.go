// Package elect renews a lease and tells when it is won or lost.
package elect

import "time"

type Elector struct {
	events    chan string
	OnStarted func(lost <-chan struct{})
	lost      chan struct{}
}

func New(onStarted func(<-chan struct{})) *Elector {
	return &Elector{events: make(chan string), OnStarted: onStarted, lost: make(chan struct{})}
}

// Run handles what the lease's watch reports.
func (e *Elector) Run() {
	go e.watch()
	for event := range e.events {
		switch event {
		case "won":
			e.OnStarted(e.lost)
		case "lost":
			close(e.lost)
		}
	}
}

func (e *Elector) watch() {
	time.Sleep(500 * time.Millisecond)
	e.events <- "won"
	for {
		time.Sleep(time.Second)
		e.events <- "renewed"
	}
}
