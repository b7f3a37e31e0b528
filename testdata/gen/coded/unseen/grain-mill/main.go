// Grain-mill is a chain of stages that rests until the next delivery.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	grain := deliveries()
	for flour := range mill(clean(grain)) {
		log.Print(flour)
	}
}

// deliveries brings grain once in forty minutes.
func deliveries() <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for n := range time.Tick(40 * time.Minute) {
			out <- n.Minute()
		}
	}()
	return out
}

func clean(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for n := range in {
			out <- n - 1
		}
	}()
	return out
}

func mill(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for n := range in {
			out <- n / 2
		}
	}()
	return out
}
