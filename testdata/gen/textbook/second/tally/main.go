// A station reads its gas meters side by side. read returns without Done for a meter that is switched off, and collect
// waits for it.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type meter struct {
	id  int
	off bool
}

type station struct {
	sync.WaitGroup
	meters []meter
	sum    chan int
}

func (s *station) read(m meter) {
	time.Sleep(time.Duration(m.id) * time.Millisecond)
	if m.off {
		return
	}
	s.sum <- m.id * 17
	s.Done()
}

func (s *station) collect() (total int) {
	s.Add(len(s.meters))
	for _, m := range s.meters {
		go s.read(m)
	}
	s.Wait()
	for range len(s.sum) {
		total += <-s.sum
	}
	return total
}

func main() {
	kit.Start()
	s := &station{sum: make(chan int, 30)}
	for i := range 30 {
		s.meters = append(s.meters, meter{id: i})
	}
	for hour := 0; ; hour++ {
		s.meters[hour%30].off = hour > 5
		fmt.Fprintf(os.Stderr, "hour %d: %d\n", hour, s.collect())
		time.Sleep(100 * time.Millisecond)
	}
}
