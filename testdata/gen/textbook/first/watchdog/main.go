// Command watchdog starts a watch for each sensor that calls in; it waits for a background context and for a
// channel that nobody has.
package main

import (
	"context"
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type sensor struct {
	id       int
	readings chan float64
}

func watch(ctx context.Context, s *sensor) {
	for {
		select {
		case <-ctx.Done():
			return
		case v := <-s.readings:
			fmt.Println(s.id, v)
		}
	}
}

func main() {
	kit.Start()
	for id := 0; ; id++ {
		go watch(context.Background(), &sensor{id, make(chan float64)})
		time.Sleep(200 * time.Millisecond)
	}
}
