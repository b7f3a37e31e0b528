// Package camerabus hands the events of cameras to listeners; a slow one loses the oldest.
package camerabus

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type listener struct {
	mu sync.Mutex
	ch chan int
}

type Bus struct{ listeners []*listener }

// Publish hands an event to all.
func (b *Bus) Publish(event int) {
	for _, l := range b.listeners {
		l.push(event)
	}
}

func (l *listener) push(event int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.ch) == cap(l.ch) {
		<-l.ch
	}
	l.ch <- event
}

func (l *listener) listen() {
	for range l.ch {
		time.Sleep(50 * time.Millisecond)
	}
}

func Main(fixed bool) {
	kit.Start()
	room := 0
	if fixed {
		room = 2
	}
	b := &Bus{[]*listener{{ch: make(chan int, room)}}}
	go b.listeners[0].listen()
	for camera := range 6 {
		go func() {
			for {
				time.Sleep(5 * time.Millisecond)
				b.Publish(camera)
			}
		}()
	}
	kit.Wait()
}
