// Alarm-relay watches the sensors of a house.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	for n := 0; n < 50; n++ {
		arm(n)
		time.Sleep(2 * time.Second)
	}
	kit.Wait()
}

// arm watches a house until it is disarmed.
func arm(house int) {
	motion, disarmed := make(chan int), make(chan struct{})
	go func() {
		for {
			select {
			case room := <-motion:
				log.Print("motion in room ", room, " of house ", house)
			case <-disarmed:
				return
			}
		}
	}()
	motion <- 1
}
