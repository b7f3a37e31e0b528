// Coupon-book takes coupons off a book; it looks at all of them in a loop.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type coupons struct {
	sync.RWMutex
	left map[string]int
}

// redeem takes one of each coupon.
func (c *coupons) redeem(names ...string) {
	for _, name := range names {
		c.Lock()
		switch {
		case c.left[name] == 0:
			log.Print("no ", name)
			continue
		case c.left[name] < 0:
			c.Unlock()
			return
		}
		c.left[name]--
		c.Unlock()
	}
}

func (c *coupons) count(name string) int {
	c.RLock()
	defer c.RUnlock()
	return c.left[name]
}

func main() {
	kit.Serve()
	c := &coupons{left: map[string]int{"tea": 20, "cake": 5}}
	for n := 0; n < 5; n++ {
		go func() {
			for {
				c.redeem("tea", "cake")
				log.Print(c.count("tea"))
				time.Sleep(time.Second)
			}
		}()
	}
	kit.Wait()
}
