// Ticket-print prints tickets; one printer jams and panics, which is caught above.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type printer struct {
	mu      sync.Mutex
	printed int
	paper   []string
}

// print prints a ticket.
func (p *printer) print(ticket int) {
	p.mu.Lock()
	log.Print(p.paper[ticket])
	p.printed++
	p.mu.Unlock()
}

// serve prints one ticket after the other, whatever happens.
func (p *printer) serve() {
	for ticket := 0; ; ticket++ {
		p.try(ticket)
		time.Sleep(time.Second)
	}
}

func (p *printer) try(ticket int) {
	defer func() {
		if err := recover(); err != nil {
			log.Print(err)
		}
	}()
	p.print(ticket)
}

func main() {
	kit.Serve()
	p := &printer{paper: []string{"one", "two"}}
	for n := 0; n < 4; n++ {
		go p.serve()
	}
	kit.Wait()
}
