// Purses of players pay each other. pay keeps its own purse locked while it credits the other one, and the other one
// may be paying back.
package main

import (
	"log"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type purse struct {
	sync.Mutex
	coins int
}

func (p *purse) credit(n int) {
	p.Lock()
	defer p.Unlock()
	p.coins += n
}

func (p *purse) pay(to *purse, n int) {
	p.Lock()
	defer p.Unlock()
	p.coins -= n
	time.Sleep(2 * time.Millisecond) // the journal
	to.credit(n)
}

func main() {
	kit.Start()
	ann, bob := &purse{coins: 100}, &purse{coins: 100}
	var games sync.WaitGroup
	games.Add(2)
	play := func(from, to *purse) {
		defer games.Done()
		for {
			from.pay(to, 1)
			time.Sleep(time.Millisecond)
		}
	}
	go play(ann, bob)
	go play(bob, ann)
	games.Wait()
	log.Print(ann.coins, bob.coins)
}
