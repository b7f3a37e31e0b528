// Package proofs proves rounds of work; failures go to a channel.
package proofs

import (
	"errors"
	"log"
	"time"

	"example.com/services/kit"
)

type Service struct {
	failures chan error
}

func (s *Service) run(round int) {
	time.Sleep(time.Duration(round) * 10 * time.Millisecond)
	s.fail(errors.New("out of space"))
}

func (s *Service) fail(err error) { s.failures <- err }

func (s *Service) print() {
	for err := range s.failures {
		log.Println(err)
		time.Sleep(4 * time.Second)
	}
}

func Main(fixed bool) {
	kit.Start()
	s := &Service{make(chan error)}
	if fixed {
		go s.print()
	}
	for round := 0; ; round++ {
		if round < 7 || fixed {
			go s.run(round)
		}
		if round > 6 {
			time.Sleep(4 * time.Second)
		}
	}
}
