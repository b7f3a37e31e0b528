// Permit-desk grants permits. Who is refused keeps the desk until it has explained why.
package main

import (
	"errors"
	"log"
	"sync"
	"time"

	"coded/kit"
)

type desk struct {
	mu      sync.Mutex
	granted int
}

// grant returns with the desk locked where it refuses: the caller looks up why, and unlocks it.
func (d *desk) grant(n int) error {
	d.mu.Lock()
	if n%5 == 0 {
		return errors.New("refused")
	}
	d.granted++
	d.mu.Unlock()
	return nil
}

func (d *desk) serve(n int) {
	if err := d.grant(n); err != nil {
		time.Sleep(30 * time.Minute)
		log.Print(n, err, d.granted)
		d.mu.Unlock()
	}
}

func main() {
	kit.Serve()
	d := &desk{}
	for n := 0; n < 20; n++ {
		go d.serve(n)
	}
	kit.Wait()
}
