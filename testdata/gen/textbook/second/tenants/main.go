// A gateway starts a watcher for each request, with a context of its own. The request keeps the context's cancel
// function and never calls it.
package main

import (
	"context"
	"log"
	"time"

	"example.com/textbook/kit"
)

type tenant struct {
	name   string
	leave  context.CancelFunc
	limits chan int
}

func (t *tenant) watch(ctx context.Context) {
	for limit := 100; ; limit-- {
		select {
		case t.limits <- limit:
		case <-ctx.Done():
			return
		}
	}
}

type gateway struct{ served int }

func (g *gateway) admit(name string) *tenant {
	ctx, leave := context.WithCancel(context.Background())
	t := &tenant{name: name, leave: leave, limits: make(chan int)}
	go t.watch(ctx)
	return t
}

func (g *gateway) serve(t *tenant) {
	g.served++
	if limit := <-t.limits; limit <= 0 {
		log.Print(t.name, " is over its limit")
	}
}

func main() {
	kit.Start()
	var g gateway
	for range time.Tick(50 * time.Millisecond) {
		g.serve(g.admit("acme"))
	}
}
