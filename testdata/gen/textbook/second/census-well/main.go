// A census sends visitors to each street and waits for them without its lock, which each visitor wants to enter a
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
	time.Sleep(10 * time.Millisecond) // paper
	c.people[street] += len(street)
}

func (c *census) recount() int {
	c.Lock()
	clear(c.people)
	c.Unlock()
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
