// Seat-flight looks seats up once for all who ask.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type call struct {
	wg  sync.WaitGroup
	val int
}

type group struct {
	mu    sync.Mutex
	calls map[int]*call
}

func (g *group) do(key int, f func() int) int {
	g.mu.Lock()
	if c, ok := g.calls[key]; ok {
		g.mu.Unlock()
		c.wg.Wait()
		return c.val
	}
	c := new(call)
	c.wg.Add(1)
	g.calls[key] = c
	g.mu.Unlock()

	c.val = f()
	c.wg.Done()

	g.mu.Lock()
	delete(g.calls, key)
	g.mu.Unlock()
	return c.val
}

func fetch(g *group, key int) {
	defer func() {
		if err := recover(); err != nil {
			log.Print(err)
		}
	}()
	log.Print(g.do(key, func() int { return seats[key] }))
}

var seats = []int{12, 40}

func main() {
	kit.Serve()
	g := &group{calls: map[int]*call{}}
	for n := 0; n < 12; n++ {
		go fetch(g, n%3)
		time.Sleep(100 * time.Millisecond)
	}
	kit.Wait()
}
