// Package coupons answers who may use a coupon.
package coupons

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type rule struct{ left int }

type Book struct {
	mu    sync.Mutex
	rules map[string]*rule
}

func (b *Book) redeem(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	c := b.rules[r.URL.Query().Get("code")]
	c.left--
	left := c.left
	b.mu.Unlock()
	fmt.Fprintln(w, left)
}

func (b *Book) expire() {
	for range time.Tick(5 * time.Second) {
		b.mu.Lock()
		delete(b.rules, "old")
		b.mu.Unlock()
	}
}

func Main() {
	kit.Start()
	b := &Book{rules: map[string]*rule{"spring": {1000}}}
	go b.expire()
	url := kit.API(http.HandlerFunc(b.redeem))
	kit.Ask(40, 20*time.Millisecond, url+"?code=spring")
	kit.Get(url + "?code=sprnig")
	kit.Ask(28, 50*time.Millisecond, url+"?code=spring")
	kit.Wait()
}
