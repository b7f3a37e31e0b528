// Package groupcommit writes orders to Redis in groups: each request waits for the group that it is in, and a timer
// writes a group ninety seconds after its first order.
//
// It looks like a WaitGroup that nobody completes (waitgroup-stuck, requests-wait-for-nobody): forty requests wait, and
// who calls Done is a function of time.AfterFunc, which is on no stack.
package groupcommit

import (
	"context"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

type group struct {
	written sync.WaitGroup
	orders  []any
}

type writer struct {
	client *redis.Client
	mu     sync.Mutex
	open   *group
}

// add puts an order into the group that is open and returns when it is written.
func (w *writer) add(order string) {
	w.mu.Lock()
	g := w.open
	if g == nil {
		g = new(group)
		g.written.Add(1)
		w.open = g
		time.AfterFunc(90*time.Second, w.commit)
	}
	g.orders = append(g.orders, order)
	w.mu.Unlock()
	g.written.Wait()
}

func (w *writer) commit() {
	w.mu.Lock()
	g := w.open
	w.open = nil
	w.mu.Unlock()
	w.client.RPush(context.Background(), "orders", g.orders...)
	g.written.Done()
}

func (w *writer) ServeHTTP(_ http.ResponseWriter, r *http.Request) { w.add(r.URL.Path) }

// Main takes orders.
func Main() {
	kit.Start()
	store, err := miniredis.Run()
	if err != nil {
		panic(err)
	}
	url := kit.API(&writer{client: redis.NewClient(&redis.Options{Addr: store.Addr()})})
	for range 40 {
		go func() {
			for {
				if answer, err := http.Get(url + "/order"); err == nil {
					answer.Body.Close()
				}
			}
		}()
	}
	kit.Wait()
}
