// Snapshot-save saves a state in the background: its lock is unlocked when that is done.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type state struct {
	mu    sync.Mutex
	turns int
}

// save returns at once; the state stays locked until it is written.
func (s *state) save() {
	s.mu.Lock()
	go func() {
		time.Sleep(30 * time.Minute)
		log.Print("turn ", s.turns, " is saved")
		s.mu.Unlock()
	}()
}

// move makes a turn.
func (s *state) move() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns++
}

func main() {
	kit.Serve()
	s := &state{}
	s.move()
	s.save()
	for n := 0; n < 12; n++ {
		go s.move()
	}
	kit.Wait()
}
