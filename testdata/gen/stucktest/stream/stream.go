// Package stream moves messages. Its tests hang on purpose: the driver runs each by name.
package stream

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errBroken = errors.New("broken")

// A Subscription produces messages until it is closed.
type Subscription struct {
	messages chan int
	closing  chan struct{}
	stopped  chan struct{}
}

// Subscribe starts the producer.
func Subscribe() *Subscription {
	s := &Subscription{messages: make(chan int), closing: make(chan struct{}), stopped: make(chan struct{})}
	go s.produce()
	return s
}

func (s *Subscription) produce() {
	defer close(s.stopped)
	for i := 0; ; i++ {
		select {
		case <-s.closing:
			return
		default:
		}
		s.messages <- i
	}
}

// Close waits for the producer.
func (s *Subscription) Close() {
	close(s.closing)
	<-s.stopped
}

// Lines sends lines, and never says that it is done.
func Lines(n int) <-chan string {
	lines := make(chan string)
	go func() {
		for i := 0; i < n; i++ {
			lines <- "line"
		}
	}()
	return lines
}

// Collect reads all lines.
func Collect(lines <-chan string) []string {
	var all []string
	for line := range lines {
		all = append(all, line)
	}
	return all
}

// A Server answers calls, but for those that it does not know.
type Server struct{ calls chan call }

type call struct {
	method string
	reply  chan string
}

func (s *Server) serve() {
	for c := range s.calls {
		if c.method == "echo" {
			c.reply <- "echo"
		}
	}
}

// Call waits for a reply.
func (s *Server) Call(method string) string {
	c := call{method, make(chan string)}
	s.calls <- c
	return <-c.reply
}

// CopyAll copies to all targets, and is content with the first error. The copies are counted in wg.
func CopyAll(targets []string, wg *sync.WaitGroup) error {
	errs := make(chan error)
	for range targets {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- errBroken
		}()
	}
	return <-errs
}

// Watch sends changes until its context ends.
func Watch(ctx context.Context, changes <-chan int, done chan<- struct{}) {
	defer close(done)
	inner, cancel := context.WithCancel(context.Background()) // not of ctx
	defer cancel()
	for {
		select {
		case _, ok := <-changes:
			if !ok {
				return
			}
		case <-inner.Done():
			return
		}
	}
}

// A Feed has updates once it is open.
type Feed struct{ updates chan int }

// Next is the next update.
func (f *Feed) Next() int { return <-f.updates }

func (f *Feed) open() {
	time.Sleep(20 * time.Millisecond)
	f.updates = make(chan int)
	f.updates <- 1
}
