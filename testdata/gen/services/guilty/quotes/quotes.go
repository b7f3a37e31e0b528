// Package quotes tells subscribers the prices of stocks.
package quotes

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
	c := make(chan float64, 4)
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

func Main() {
	kit.Start()
	t := &Ticker{}
	for i := range 20 {
		c := t.Subscribe()
		go func() {
			for n := 0; n < 40 || i != 7; n++ {
				<-c
			}
		}()
	}
	go func() {
		for i := 0; ; i++ {
			t.publish(float64(i))
			time.Sleep(20 * time.Millisecond)
		}
	}()
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Last() }))
	kit.Ask(40, 80*time.Millisecond, url)
	kit.Wait()
}
