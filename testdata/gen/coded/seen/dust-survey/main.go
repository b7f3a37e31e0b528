// Dust-survey looks through the rooms of a building side by side, floor below floor.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type room struct {
	name  string
	inner []*room
}

// survey looks through a room and those in it, and returns when all are done.
func survey(r *room) {
	var wg sync.WaitGroup
	for _, in := range r.inner {
		wg.Add(1)
		go func() {
			defer wg.Done()
			survey(in)
		}()
	}
	if len(r.inner) == 0 {
		time.Sleep(30 * time.Minute)
	}
	wg.Wait()
	log.Print(r.name)
}

func main() {
	kit.Serve()
	r := &room{name: "cellar"}
	for _, name := range []string{"vault", "store", "hall", "wing", "floor", "tower", "house"} {
		r = &room{name, []*room{r}}
	}
	survey(r)
}
