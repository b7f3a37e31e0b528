// A gantry has four slots for scans and gives each back, whether the scan fails or not. Twenty rooms wait in turn.
package main

import (
	"errors"
	"log"
	"time"

	"example.com/textbook/kit"
)

var errMoved = errors.New("the patient moved")

type gantry struct{ slots chan struct{} }

func (g gantry) scan(patient int) error {
	g.slots <- struct{}{}
	defer func() { <-g.slots }()
	return expose(patient)
}

func expose(patient int) error {
	time.Sleep(20 * time.Millisecond)
	if patient%10 == 0 {
		return errMoved
	}
	return nil
}

func main() {
	kit.Start()
	g := gantry{slots: make(chan struct{}, 4)}
	for room := range 24 {
		go func() {
			for n := room; ; n++ {
				if err := g.scan(n); err != nil && n%1000 == 0 {
					log.Printf("patient %d: %v", n, err)
				}
			}
		}()
	}
	select {}
}
