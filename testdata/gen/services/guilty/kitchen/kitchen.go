// Package kitchen cooks dishes when their ingredients are there.
package kitchen

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Pantry struct {
	mu    sync.Mutex
	more  *sync.Cond
	stock map[string]int
}

func NewPantry() *Pantry {
	p := &Pantry{stock: map[string]int{}}
	p.more = sync.NewCond(&p.mu)
	return p
}

// Take waits for some of an ingredient.
func (p *Pantry) Take(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.stock[what] == 0 {
		p.more.Wait()
	}
	p.stock[what]--
}

func (p *Pantry) Put(what string) {
	p.mu.Lock()
	p.stock[what]++
	p.mu.Unlock()
	p.more.Signal()
}

func cook(p *Pantry, what string, dishes chan<- string) {
	for {
		p.Take(what)
		dishes <- what
	}
}

func Main() {
	kit.Start()
	p, dishes := NewPantry(), make(chan string)
	for range 6 {
		for _, what := range []string{"rice", "fish", "kale"} {
			go cook(p, what, dishes)
		}
	}
	time.Sleep(time.Second)
	p.Put("fish") // wakes a cook who waits for rice
	for {
		select {
		case what := <-dishes:
			p.Put(what)
		case <-time.After(10 * time.Minute):
			return
		}
	}
}
