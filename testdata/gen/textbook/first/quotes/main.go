// Command quotes asks three shops for a price and gives up after a moment; the shop that answers later sends
// to nobody.
package main

import (
	"errors"
	"fmt"
	"time"

	"example.com/textbook/kit"
)

var errLate = errors.New("no answer in time")

func ask(shop int) (int, error) {
	prices := make(chan int)
	go func() { prices <- price(shop) }()
	select {
	case p := <-prices:
		return p, nil
	case <-time.After(40 * time.Millisecond):
		return 0, errLate
	}
}

func price(shop int) int {
	time.Sleep(time.Duration(shop) * 30 * time.Millisecond)
	return 100 + shop
}

func main() {
	kit.Start()
	for {
		for shop := range 3 {
			if _, err := ask(shop); err != nil {
				fmt.Println(shop, err)
			}
		}
	}
}
