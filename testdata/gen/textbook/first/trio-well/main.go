// Command trio seats three philosophers; the last of them takes the right fork first, so that somebody always
// eats.
package main

import (
	"sync"
	"time"

	"example.com/textbook/kit"
)

type fork struct{ sync.Mutex }

type philosopher struct {
	name        string
	first, then *fork
	meals       int
}

func (p *philosopher) eat() {
	p.first.Lock()
	time.Sleep(20 * time.Millisecond)
	p.then.Lock()
	p.meals++
	p.then.Unlock()
	p.first.Unlock()
}

func (p *philosopher) dine(done *sync.WaitGroup) {
	defer done.Done()
	for p.meals < 1_000_000 {
		p.eat()
	}
}

func main() {
	kit.Start()
	var forks [3]fork
	var done sync.WaitGroup
	for i, name := range []string{"Thales", "Zeno", "Hypatia"} {
		p := &philosopher{name: name, first: &forks[i], then: &forks[(i+1)%3]}
		if i == 2 {
			p.first, p.then = p.then, p.first
		}
		done.Add(1)
		go p.dine(&done)
	}
	done.Wait()
}
