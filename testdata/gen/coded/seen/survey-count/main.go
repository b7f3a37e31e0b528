// Survey-count waits for the counts of slow offices.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type survey struct {
	offices *sync.WaitGroup
	mu      sync.Mutex
	sum     int
}

func main() {
	kit.Serve()
	s := &survey{offices: &sync.WaitGroup{}}
	for n := 1; n <= 5; n++ {
		s.offices.Add(1)
		go s.count(n)
	}
	s.offices.Wait()
	log.Print(s.sum)
}

// count asks an office, which answers after a while. What it answers may be refused.
func (s *survey) count(office int) {
	defer s.offices.Done()
	time.Sleep(time.Duration(office) * 10 * time.Minute)
	if office%2 == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sum += office
}
