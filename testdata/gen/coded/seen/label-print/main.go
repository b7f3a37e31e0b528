// Label-print prints the labels of each order by workers of its own.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	go func() {
		for n := 0; ; n++ {
			printOrder(n)
			time.Sleep(3 * time.Second)
		}
	}()
	kit.Wait()
}

// printOrder prints the labels of an order.
func printOrder(order int) {
	labels := make(chan int)
	var done sync.WaitGroup
	for w := 0; w < 4; w++ {
		go func() {
			for label := range labels {
				log.Print(order, "/", label)
				done.Done()
			}
		}()
	}
	for label := 0; label < 10; label++ {
		done.Add(1)
		labels <- label
	}
	done.Wait()
}
