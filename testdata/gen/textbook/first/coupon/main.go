// Command coupon redeems coupons; one that is used up returns without unlocking the book.
package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

var errUsed = errors.New("the coupon is used up")

type book struct {
	mu   sync.Mutex
	left map[string]int
}

func (b *book) redeem(code string) error {
	b.mu.Lock()
	if b.left[code] == 0 {
		return errUsed
	}
	b.left[code]--
	b.mu.Unlock()
	return nil
}

func main() {
	kit.Start()
	b := &book{left: map[string]int{"SPRING": 100, "AUTUMN": 3}}
	for i := range 12 {
		code := "SPRING"
		if i%2 == 0 {
			code = "AUTUMN"
		}
		go func() {
			for {
				if err := b.redeem(code); err != nil {
					fmt.Println(code, err)
				}
				time.Sleep(300 * time.Millisecond)
			}
		}()
	}
	select {}
}
