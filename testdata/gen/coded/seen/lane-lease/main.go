// Lane-lease lends a lane for a while: a timer takes it back.
package main

import (
	"sync"
	"time"

	"coded/kit"
)

type lane struct {
	mu    sync.Mutex
	taken int
}

// lend locks the lane for some time and returns at once.
func (l *lane) lend(d time.Duration) {
	l.take()
	time.AfterFunc(d, l.mu.Unlock)
}

func (l *lane) take() {
	l.mu.Lock()
	l.taken++
}

func main() {
	kit.Serve()
	l := &lane{}
	l.lend(205 * time.Second)
	var swimmers sync.WaitGroup
	for i := 0; i < 3; i++ {
		swimmers.Add(1)
		go func() {
			defer swimmers.Done()
			l.lend(time.Millisecond)
		}()
	}
	swimmers.Wait()
}
