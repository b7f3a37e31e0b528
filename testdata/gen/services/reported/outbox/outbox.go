// Package outbox sends mails in the background; Flush waits until all are out.
package outbox

import (
	"errors"
	"log"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type Outbox struct {
	mu      sync.Mutex
	idle    *sync.Cond
	pending int
	mails   chan string
}

func (o *Outbox) work(deliver func(string) error) {
	for m := range o.mails {
		if err := deliver(m); err != nil {
			log.Println("outbox:", err)
			return
		}
		o.mu.Lock()
		if o.pending--; o.pending == 0 {
			o.idle.Broadcast()
		}
		o.mu.Unlock()
	}
}

func (o *Outbox) add(m string) {
	o.mu.Lock()
	o.pending++
	o.mu.Unlock()
	o.mails <- m
}

// Flush waits until nothing is pending.
func (o *Outbox) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.pending > 0 {
		o.idle.Wait()
	}
}

func Main(fixed bool) {
	kit.Start()
	o := &Outbox{mails: make(chan string, 100)}
	o.idle = sync.NewCond(&o.mu)
	n := 0
	go o.work(func(string) error {
		if n++; fixed {
			time.Sleep(time.Second)
		} else if n > 4 {
			return errors.New("mailbox full")
		}
		return nil
	})
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { o.add("mail"); o.Flush() }))
	kit.Ask(25, 300*time.Millisecond, url)
	if fixed {
		kit.Ask(9000, 1100*time.Millisecond, url)
	}
	kit.Wait()
}
