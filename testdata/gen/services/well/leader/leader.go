// Package leader leads for as long as the lease is kept: the callback has a goroutine of its own.
package leader

import (
	"time"

	"example.com/services/kit"
)

type Elector struct {
	events chan string
	lost   chan struct{}
}

func (e *Elector) Run(lead func(<-chan struct{})) {
	for event := range e.events {
		if event == "won" {
			go lead(e.lost)
		}
	}
}

func lead(lost <-chan struct{}) {
	queue := make(chan int, 10)
	for range 5 {
		go func() {
			for range queue {
				time.Sleep(time.Millisecond)
			}
		}()
	}
	<-lost
	close(queue)
}

func Main() {
	kit.Start()
	e := &Elector{make(chan string), make(chan struct{})}
	go e.Run(lead)
	e.events <- "won"
	for range time.Tick(2 * time.Second) {
		e.events <- "renewed"
	}
}
