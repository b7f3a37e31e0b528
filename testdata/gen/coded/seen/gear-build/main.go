// Gear-build builds parts after what they are made of.
package main

import (
	"log"
	"time"

	"coded/kit"
)

type part struct {
	name string
	of   *part
}

// build builds a part in the background and waits for it.
func build(p *part) {
	done := make(chan bool)
	go func() {
		if p.of != nil {
			build(p.of)
		} else {
			time.Sleep(25 * time.Minute)
		}
		log.Print(p.name)
		done <- true
	}()
	<-done
}

func main() {
	kit.Serve()
	p := &part{name: "pin"}
	for _, name := range []string{"tooth", "wheel", "axle", "box", "drive", "crane", "ship"} {
		p = &part{name, p}
	}
	build(p)
}
