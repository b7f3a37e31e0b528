// Package coordinator decides transactions, one after the other.
package coordinator

import "time"

type request struct {
	tx    int
	reply chan bool
}

// A Coordinator takes requests until it stops.
type Coordinator struct {
	requests chan request
	decided  map[int]bool
}

// Start commits transactions, of which every second has been decided already.
func Start() {
	c := &Coordinator{requests: make(chan request), decided: map[int]bool{}}
	go c.loop()
	for i := 0; i < 18; i++ {
		go commit(c, i/2)
	}
}

func commit(c *Coordinator, tx int) bool { return c.Commit(tx) }

// Commit asks for a decision and waits for it.
func (c *Coordinator) Commit(tx int) bool {
	r := request{tx: tx, reply: make(chan bool)}
	c.requests <- r
	return <-r.reply
}

func (c *Coordinator) loop() {
	idle := time.NewTicker(time.Second)
	defer idle.Stop()
	for {
		select {
		case r := <-c.requests:
			if c.decided[r.tx] {
				continue // without a reply
			}
			c.decided[r.tx] = true
			r.reply <- true
		case <-idle.C:
		}
	}
}
