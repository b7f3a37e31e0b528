// Command fixedfifo-gone-listener works off orders that come slowly.
//
// https://github.com/enriquebris/goconcurrentqueue/issues/27
package main

import (
	"log"
	"time"

	"github.com/enriquebris/goconcurrentqueue"

	"wild/kit"
)

func main() {
	kit.Serve()
	orders := goconcurrentqueue.NewFixedFIFO(100)
	go produce(orders)
	for {
		order, err := next(orders)
		if err != nil {
			time.Sleep(100 * time.Millisecond)
			continue
		}
		log.Print("order ", order)
	}
}

// produce takes the orders in.
func produce(orders *goconcurrentqueue.FixedFIFO) {
	for n := 0; ; n++ {
		time.Sleep(time.Second)
		if err := orders.Enqueue(n); err != nil {
			log.Print(err)
		}
	}
}
