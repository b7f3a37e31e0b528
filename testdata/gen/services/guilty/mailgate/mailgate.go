// Package mailgate relays mails and pages somebody when an error is logged.
package mailgate

import (
	"io"
	"strings"
	"sync"
	"time"

	"example.com/services/kit"
	"example.net/lib/journal"
)

type pager struct {
	log   *journal.Logger
	mu    sync.Mutex
	paged int
}

func (p *pager) Fire(line string) {
	if !strings.HasPrefix(line, "error") {
		return
	}
	p.mu.Lock()
	p.paged++
	p.mu.Unlock()
	p.log.Printf("paged: %s", line)
}

type relay struct {
	log   *journal.Logger
	queue chan int
}

func (r *relay) deliver() {
	for mail := range r.queue {
		if mail == 400 {
			r.log.Printf("error: mail %d bounced", mail)
		}
		r.log.Printf("mail %d sent", mail)
	}
}

func Main() {
	kit.Start()
	r := &relay{log: journal.New(io.Discard), queue: make(chan int, 16)}
	r.log.AddHook(&pager{log: r.log})
	for range 12 {
		go r.deliver()
	}
	go func() {
		for i := 0; ; i++ {
			r.queue <- i
			time.Sleep(5 * time.Millisecond)
		}
	}()
	kit.Wait()
}
