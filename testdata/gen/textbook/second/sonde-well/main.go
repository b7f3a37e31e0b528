// A weather sonde has two locks, one for what it measured and one for what it sent. measure and report take them in
// the same order.
package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type sonde struct {
	air  sync.Mutex
	temp float64

	radio sync.Mutex
	sent  int
}

func (s *sonde) measure(v float64) {
	s.air.Lock()
	defer s.air.Unlock()
	s.temp = v
	time.Sleep(time.Millisecond)
	s.radio.Lock()
	defer s.radio.Unlock()
	if s.sent > 1000 {
		s.sent = 0
	}
}

func (s *sonde) report(w io.Writer) {
	s.air.Lock()
	defer s.air.Unlock()
	time.Sleep(time.Millisecond)
	s.radio.Lock()
	defer s.radio.Unlock()
	s.sent++
	fmt.Fprintf(w, "#%d %.2f\n", s.sent, s.temp)
}

func main() {
	kit.Start()
	s := new(sonde)
	go func() {
		for v := -40.0; ; v += 0.1 {
			s.measure(v)
		}
	}()
	for range time.Tick(3 * time.Millisecond) {
		s.report(io.Discard)
	}
}
