// A census sends visitors to each street and waits for them with its lock held. Each visitor wants the lock to enter a
// household.
package main

import (
	"log"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type census struct {
	sync.Mutex
	people  map[string]int
	streets []string
}

func (c *census) visit(street string, done func()) {
	defer done()
	time.Sleep(5 * time.Millisecond)
	c.Lock()
	defer c.Unlock()
	c.people[street] += len(street)
}

func (c *census) recount() int {
	c.Lock()
	defer c.Unlock()
	clear(c.people)
	var visitors sync.WaitGroup
	for _, s := range c.streets {
		visitors.Add(1)
		go c.visit(s, visitors.Done)
	}
	visitors.Wait()
	return len(c.people)
}

func main() {
	kit.Start()
	town := &census{people: map[string]int{}, streets: []string{"Mill Lane", "High Street", "Canal Row", "Station Road"}}
	for range time.Tick(50 * time.Millisecond) {
		if n := town.recount(); n < len(town.streets) {
			log.Print("streets left out: ", len(town.streets)-n)
		}
	}
}
