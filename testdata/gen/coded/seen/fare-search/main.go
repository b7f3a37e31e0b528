// Fare-search asks an airline for a fare and gives up after a second.
package main

import (
	"errors"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	go func() {
		for n := 0; ; n++ {
			if _, err := search(n); err != nil {
				log.Print(err)
			}
		}
	}()
	kit.Wait()
}

// search returns the fare of a flight.
func search(flight int) (int, error) {
	fare := make(chan int)
	go func() {
		fare <- ask(flight)
	}()
	select {
	case f := <-fare:
		return f, nil
	case <-time.After(time.Second):
		return 0, errors.New("no fare in time")
	}
}

// ask is slow for some airlines.
func ask(flight int) int {
	time.Sleep(time.Duration(flight%3) * 800 * time.Millisecond)
	return flight * 10
}
