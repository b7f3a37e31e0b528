// Package backend has the state of a client; who changes it says so on a bus.
package backend

import (
	"sync"
	"time"

	"example.com/services/kit"
	"example.net/lib/topics"
)

type Local struct {
	mu    sync.Mutex
	bus   *topics.Bus
	state int
	calm  bool
}

// SetPrefs changes the state.
func (l *Local) SetPrefs(n int) {
	l.mu.Lock()
	l.state = n
	if l.calm {
		l.mu.Unlock()
		l.bus.Publish(n)
		return
	}
	defer l.mu.Unlock()
	l.bus.Publish(n)
}

func (l *Local) onChange(int) {
	time.Sleep(5 * time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calm {
		time.Sleep(20 * time.Millisecond)
	}
	l.state++
}

// Status reads the state.
func (l *Local) Status() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state
}

func Main(fixed bool) {
	kit.Start()
	l := &Local{calm: fixed}
	l.bus = topics.New(3, l.onChange)
	for n := range 2 {
		go func() {
			for {
				l.SetPrefs(n)
			}
		}()
	}
	go func() {
		for {
			l.Status()
			time.Sleep(50 * time.Millisecond)
		}
	}()
	kit.Wait()
}
