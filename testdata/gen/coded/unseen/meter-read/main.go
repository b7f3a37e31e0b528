// Meter-read reads meters in turns.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type office struct {
	mu   sync.Mutex
	seen int
}

func main() {
	kit.Serve()
	o := &office{}
	go o.day()
	time.Sleep(time.Second)
	for n := 0; n < 6; n++ {
		go o.read(n)
	}
	kit.Wait()
}

// read takes a meter's turn.
func (o *office) read(meter int) {
	o.mu.Lock()
	if o.seen += meter; meter > 3 {
		return
	}
	o.mu.Unlock()
}

// day opens the office.
func (o *office) day() {
	log.Print("open")
	time.Sleep(40 * time.Minute)
}
