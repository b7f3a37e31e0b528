// Tram-stop passes trams from stop to stop; a stop that is rebuilt gets a new channel.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	for n := 0; n < 5; n++ {
		stop(n)
	}
	kit.Wait()
}

// stop waits for the tram of a line. The first channel is given up when the stop is rebuilt.
func stop(line int) {
	trams := make(chan int)
	if line%2 == 1 {
		trams = rebuilt(line)
	} else {
		go drive(line, trams)
	}
	go func() {
		log.Print(line, <-trams)
	}()
}

func rebuilt(line int) chan int {
	trams := make(chan int)
	go drive(line, trams)
	return trams
}

func drive(line int, trams chan<- int) {
	defer close(trams)
	time.Sleep(20 * time.Minute)
	if line == 4 {
		return
	}
	trams <- line
}
