// Route-walk follows a bus on its route.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
	"coded/unseen/route-walk/walk"
)

type timetable struct {
	mu   sync.RWMutex
	last string
}

// follow keeps the timetable while the bus is under way.
func (t *timetable) follow() {
	t.mu.Lock()
	walk.Each([]string{"Dock", "Market", "Hill"}, func(stop string) { t.last = stop })
	t.mu.Unlock()
}

func (t *timetable) where() string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.last
}

func main() {
	kit.Serve()
	t := &timetable{}
	go t.follow()
	time.Sleep(time.Second)
	for n := 0; n < 10; n++ {
		go func() { log.Print(t.where()) }()
	}
	kit.Wait()
}
