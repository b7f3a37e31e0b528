// Trial-end ends trials when their context does.
package main

import (
	"context"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	ctx, cancel := context.WithTimeout(context.Background(), 25*time.Minute)
	defer cancel()
	for n := 0; n < 15; n++ {
		go trial(ctx, n)
	}
	kit.Wait()
}

// trial waits for the end of its context.
func trial(ctx context.Context, n int) {
	ended := make(chan string)
	stop := context.AfterFunc(ctx, func() {
		ended <- "over"
	})
	defer stop()
	log.Print(n, <-ended)
}
