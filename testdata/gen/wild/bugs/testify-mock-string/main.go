// Command selftest checks a service's wiring from time to time, with a mock instead of its backend.
//
// Report: https://github.com/stretchr/testify/issues/643
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/stretchr/testify/mock"
	"wild/kit"
)

// K is the backend's mock.
type K struct {
	mock.Mock
}

// Foo books an order.
func (k *K) Foo(b *B) bool {
	return k.Called(b).Bool(0)
}

// B is an order, which knows the backend that it came from.
type B struct {
	Number int
	From   *K
}

var passed, failed atomic.Int64

// check books one order with the mock and reports whether that is what the backend expects.
func check(number int) bool {
	k := new(K)
	b := &B{Number: number, From: k}
	k.On("String").Return("backend")
	k.On("Foo", b).Return(true)
	return k.Foo(b)
}

// watch runs the check every three seconds.
func watch(ctx context.Context) {
	tick := time.NewTicker(3 * time.Second)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if check(n) {
			passed.Add(1)
		} else {
			failed.Add(1)
		}
	}
}

// report prints the state every ten seconds.
func report(ctx context.Context) {
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			log.Printf("%d passed, %d failed", passed.Load(), failed.Load())
		case <-ctx.Done():
			return
		}
	}
}

func handleState(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, "%d passed, %d failed\n", passed.Load(), failed.Load())
}

func main() {
	kit.Serve()
	http.HandleFunc("/state", handleState)
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go watch(ctx)
	go report(ctx)
	<-ctx.Done()
}
