// A sluice waits until the water is level, and looks at an atomic flag every two milliseconds. The gauge goes on after a
// bad reading.
package main

import (
	"errors"
	"log"
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type sluice struct {
	level atomic.Bool
	boats int
}

func (s *sluice) await() {
	for !s.level.Load() {
		time.Sleep(2 * time.Millisecond)
	}
}

func (s *sluice) pass() {
	s.await()
	s.level.Store(false)
	s.boats++
}

func (s *sluice) gauge(reading func() (int, error)) error {
	for {
		cm, err := reading()
		if err != nil {
			return err
		}
		if cm < 3 {
			s.level.Store(true)
		}
	}
}

func main() {
	kit.Start()
	s, n := new(sluice), 0
	go func() {
		log.Print("gauge: ", s.gauge(func() (int, error) {
			time.Sleep(20 * time.Millisecond)
			if n++; n < 0 {
				return 0, errors.New("ice")
			}
			return n % 7, nil
		}))
	}()
	for {
		s.pass()
	}
}
