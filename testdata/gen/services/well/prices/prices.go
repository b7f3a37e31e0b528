// Package prices tells subscribers the prices of stocks: all of them read.
package prices

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type Ticker struct {
	mu   sync.Mutex
	subs []chan float64
	last float64
}

func (t *Ticker) Subscribe() <-chan float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := make(chan float64, 1)
	t.subs = append(t.subs, c)
	return c
}

func (t *Ticker) publish(price float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = price
	for _, s := range t.subs {
		s <- price
	}
}

func (t *Ticker) Last() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

func read(c <-chan float64) {
	for range c {
		time.Sleep(15 * time.Millisecond)
	}
}

func Main() {
	kit.Start()
	t := &Ticker{}
	for range 20 {
		go read(t.Subscribe())
	}
	go func() {
		for i := 0; ; i++ {
			t.publish(float64(i))
			time.Sleep(2 * time.Millisecond)
		}
	}()
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Last() }))
	kit.Ask(100000, 20*time.Millisecond, url)
}
