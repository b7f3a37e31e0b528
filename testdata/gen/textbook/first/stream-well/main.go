// Command stream stops a stream when its source ends and when its user leaves: a Once closes the channel.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type stream struct {
	lines chan string
	done  chan struct{}
	once  sync.Once
}

func (s *stream) stop() {
	s.once.Do(func() { close(s.done) })
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
	kit.Start()
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
