// Command stream stops a stream when its source ends and when its user leaves: the channel is closed twice.
package main

import (
	"fmt"
	"time"
)

type stream struct {
	lines chan string
	done  chan struct{}
}

func (s *stream) stop() {
	close(s.done)
}

func (s *stream) pump() {
	defer s.stop()
	for i := range 5 {
		select {
		case s.lines <- fmt.Sprint("line ", i):
		case <-s.done:
			return
		}
	}
}

func main() {
	s := &stream{lines: make(chan string), done: make(chan struct{})}
	go s.pump()
	for range 5 {
		fmt.Println(<-s.lines)
	}
	time.Sleep(100 * time.Millisecond)
	s.stop()
	<-s.done
	time.Sleep(time.Hour)
}
