// Lift-panel takes calls of floors through an interface.
package main

import (
	"context"
	"log"
	"time"

	"coded/kit"
)

type key struct{}

func main() {
	kit.Serve()
	for n := 0; n < 4; n++ {
		go travel(panel(n))
	}
	kit.Wait()
}

// panel moves a lift to the floors that are called.
func panel(lift int) context.Context {
	calls := make(chan int)
	go func() {
		for floor := range calls {
			log.Print(lift, floor)
		}
	}()
	return context.WithValue(context.Background(), key{}, calls)
}

func travel(ctx context.Context) {
	for {
		time.Sleep(16 * time.Minute)
		if calls, ok := ctx.Value(key{}).(chan int); ok {
			calls <- 3
		}
	}
}
