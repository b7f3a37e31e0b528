// Dealer runs card tables. A seat loops with runtime.Gosched until it is its turn; the player before it has left the
// table, and the turn stays with him.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/dealer/table"
)

type casino struct {
	chips chan int
	bank  int
}

// cashier changes chips until ctx ends.
func (c *casino) cashier(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case n := <-c.chips:
			c.bank += n
		case <-tick.C:
			c.bank -= c.bank / 10
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	c := &casino{chips: make(chan int)}
	go c.cashier(ctx)

	t := table.New(2)
	for i, hands := range []int{150, 1 << 40} {
		seat := t.Seat(i)
		go func() {
			for range hands {
				c.chips <- seat.Play()
			}
			log.Print("seat ", i, " gets up")
		}()
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, t.Hands(), "hands")
	})}
	go srv.Serve(ln)
	go screen(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	srv.Close()
}

// screen hangs above the table.
func screen(ctx context.Context, url string) {
	for ctx.Err() == nil {
		if res, err := http.Get(url); err == nil {
			res.Body.Close()
		}
		time.Sleep(2 * time.Second)
	}
}
