// Fax-retry sends a fax and asks again and again whether it has arrived.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	for n := 0; n < 6; n++ {
		go send(n)
	}
	kit.Wait()
}

// send gives up waiting for a while, and comes back for the answer.
func send(fax int) {
	answer := make(chan string)
	go func() {
		answer <- "arrived"
	}()
	time.Sleep(10 * time.Second)
	for try := 0; try < 3; try++ {
		wait(try)
		select {
		case a := <-answer:
			log.Print(fax, a)
			return
		case <-time.After(time.Second):
		}
	}
}

func wait(try int) { time.Sleep(time.Duration(try+1) * 25 * time.Minute) }
