// Command watchdog keeps a watch for each of a fixed number of sensors; their readings come now and then.
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
	var all []*sensor
	for id := range 40 {
		s := &sensor{id, make(chan float64)}
		all = append(all, s)
		go watch(context.Background(), s)
	}
	for i := 0; ; i++ {
		all[i%len(all)].readings <- 20.5
		time.Sleep(200 * time.Millisecond)
	}
}
