// Kegs is the cellar of a brewery. Blend locks two kegs of a slice in the order of its arguments, and two brewers blend
// the same two kegs in both directions.
package main

import (
	"context"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/kegs/cellar"
	"example.com/textbook/second/kegs/screen"
)

func main() {
	kit.Start()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()
	c := cellar.New(8, 50)
	for n := range 4 {
		go brew(ctx, c, n)
	}
	readings := make(chan float64, 8)
	go c.Thermometer(ctx, readings)
	screen.Show(ctx, readings)
}

// brew is one brewer's day: the next keg, or the one before it.
func brew(ctx context.Context, c *cellar.Cellar, n int) {
	for i := n; ctx.Err() == nil; i++ {
		from, to := i%8, (i+1)%8
		if n%2 == 1 {
			from, to = to, from
		}
		c.Blend(from, to, 1)
		time.Sleep(time.Millisecond)
	}
}
