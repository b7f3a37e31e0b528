// Command validator-per-request takes orders.
//
// https://github.com/projectdiscovery/nuclei/issues/6365
package main

import (
	"log"
	"sync/atomic"
	"time"

	"wild/kit"
)

var taken atomic.Int64

// An order is what a customer sends.
type order struct {
	Customer string `validate:"required,alphanum,max=40"`
	Mail     string `validate:"required,email"`
	Country  string `validate:"required,iso3166_1_alpha2"`
	Lines    []line `validate:"required,min=1,dive"`
}

// A line is one thing of an order.
type line struct {
	Article string `validate:"required,uuid4"`
	Number  int    `validate:"gte=1,lte=1000"`
}

func main() {
	kit.Serve()
	for range 2 {
		go func() {
			for {
				take(&order{"anna", "anna@example.org", "CH", []line{{"0b5a4b34-8ac3-4a1c-8f0d-6f7b5c2d1e0f", 3}}})
				time.Sleep(100 * time.Microsecond)
			}
		}()
	}
	for range time.Tick(10 * time.Second) {
		log.Print(taken.Load(), " orders")
	}
}

// take takes an order if it is as it should be.
func take(o *order) {
	if err := check(o); err != nil {
		log.Print(err)
		return
	}
	taken.Add(1)
}
