// Command fund-transfers moves money between accounts. A transfer locks both accounts, always the one with the lower number
// first, and keeps them until the clearing house has answered.
package main

import (
	"log"
	"math/rand"
	"sync"
	"time"

	"wild/kit"
)

type account struct {
	id int
	sync.Mutex
	balance int
}

type clearing struct {
	requests chan chan bool
}

// settle answers one request in half a second.
func (c *clearing) settle() {
	for r := range c.requests {
		time.Sleep(500 * time.Millisecond)
		r <- true
	}
}

// transfer moves an amount.
func (c *clearing) transfer(from, to *account, amount int) {
	first, second := from, to
	if first.id > second.id {
		first, second = second, first
	}
	first.Lock()
	defer first.Unlock()
	c.locked(second, func() {
		from.balance -= amount
		to.balance += amount
	})
}

// locked books while the other account is locked, too.
func (c *clearing) locked(a *account, book func()) {
	a.Lock()
	defer a.Unlock()
	answer := make(chan bool)
	c.requests <- answer
	if <-answer {
		book()
	}
}

func main() {
	kit.Serve()
	c := &clearing{requests: make(chan chan bool)}
	go c.settle()
	accounts := make([]*account, 12)
	for i := range accounts {
		accounts[i] = &account{id: i, balance: 1_000_000}
	}
	for i := 0; i < 16; i++ {
		r := rand.New(rand.NewSource(int64(i)))
		go func() {
			for n := 0; ; n++ {
				from, to := r.Intn(12), r.Intn(12)
				if from == to {
					continue
				}
				c.transfer(accounts[from], accounts[to], r.Intn(500))
				if n%100 == 0 {
					log.Printf("%d transfers", n)
				}
			}
		}()
	}
	select {}
}
