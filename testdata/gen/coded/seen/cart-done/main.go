// Cart-done adds goods to a cart.
package main

import (
	"errors"
	"log"
	"time"

	"coded/kit"
)

type cart struct {
	goods chan int
	total int
}

func newCart() *cart {
	c := &cart{goods: make(chan int)}
	go c.loop()
	return c
}

func (c *cart) loop() {
	for n := range c.goods {
		if err := c.price(n); err != nil {
			log.Print(err)
			return
		}
	}
}

func (c *cart) price(n int) error {
	if n == 3 {
		return errors.New("no price")
	}
	c.total += n
	return nil
}

func (c *cart) add(n int) { c.goods <- n }

func main() {
	kit.Serve()
	c := newCart()
	for n := 0; n < 8; n++ {
		go c.add(n)
		time.Sleep(100 * time.Millisecond)
	}
	kit.Wait()
}
