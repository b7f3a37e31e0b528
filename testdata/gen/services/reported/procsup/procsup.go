// Package procsup starts processes in order.
package procsup

import (
	"log"
	"sync"
	"time"

	"example.com/services/kit"
)

type Process struct {
	name  string
	boots time.Duration
}

type Supervisor struct {
	mu sync.Mutex
}

func (p *Process) start(done func()) {
	time.Sleep(p.boots)
	done()
}

func (s *Supervisor) startOne(p *Process, early bool) {
	cond := sync.NewCond(&s.mu)
	up := false
	s.mu.Lock()
	defer s.mu.Unlock()
	if early {
		go p.start(func() { cond.Signal() })
		time.Sleep(50 * time.Millisecond)
		cond.Wait()
		return
	}
	go p.start(func() {
		s.mu.Lock()
		up = true
		cond.Signal()
		s.mu.Unlock()
	})
	for !up {
		cond.Wait()
	}
}

// StartAll starts one process after the other.
func (s *Supervisor) StartAll(all []*Process, early bool) {
	for _, p := range all {
		s.startOne(p, early)
		log.Println(p.name, "runs")
	}
}

func Main(fixed bool) {
	kit.Start()
	boots := time.Millisecond
	if fixed {
		boots = 5 * time.Minute
	}
	s := &Supervisor{}
	s.StartAll([]*Process{{"web", boots}, {"db", boots}}, !fixed)
	kit.Wait()
}
