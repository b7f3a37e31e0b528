// Rate-feed gives rates to those who ask for them now and then.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	for _, pair := range []string{"EURUSD", "EURGBP", "EURCHF"} {
		go watch(subscribe(pair))
	}
	kit.Wait()
}

// subscribe returns the rates of a pair, each when it is asked for.
func subscribe(pair string) <-chan string {
	rates := make(chan string)
	go func() {
		for {
			rates <- pair + time.Now().String()
		}
	}()
	return rates
}

func watch(rates <-chan string) {
	for {
		log.Print(<-rates)
		time.Sleep(12 * time.Minute)
	}
}
