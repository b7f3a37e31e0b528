// Package handles has handles that are closed when nobody has them any more.
package handles

import (
	"runtime"
	"sync"
	"time"

	"example.com/services/kit"
)

type handle struct {
	users *sync.WaitGroup
	data  [1 << 10]byte
}

func open(users int) *handle {
	h := &handle{users: &sync.WaitGroup{}}
	h.users.Add(users)
	runtime.SetFinalizer(h, (*handle).close)
	return h
}

func (h *handle) close() { h.users.Wait() }

func work(users *sync.WaitGroup) {
	time.Sleep(20 * time.Second)
	users.Done()
}

func use(fixed bool) {
	h := open(1)
	h.data[0] = 1
	if fixed {
		go work(h.users)
	}
}

func Main(fixed bool) {
	kit.Start()
	for n := 0; ; n++ {
		if use(fixed); n%20 == 4 {
			runtime.GC()
		}
		time.Sleep(500 * time.Millisecond)
	}
}
