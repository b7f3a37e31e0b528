// Ice-rink counts who is on the ice: the entrance locks, the exit unlocks, in a struct that wraps both.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type turnstile struct{ sync.Locker }

// in lets one through and keeps the turnstile until out.
func (t turnstile) in(name string) {
	t.Lock()
	log.Print(name, " skates")
}

func (t turnstile) out(name string) {
	log.Print(name, " leaves")
	t.Unlock()
}

func skate(t turnstile, name string) {
	t.in(name)
	defer t.out(name)
	time.Sleep(15 * time.Minute)
}

func main() {
	kit.Serve()
	t := turnstile{&sync.Mutex{}}
	for _, name := range []string{"Ann", "Ben", "Cas", "Dee", "Eva"} {
		go skate(t, name)
	}
	kit.Wait()
}
